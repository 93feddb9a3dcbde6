/* 8- and 16-bit arithmetic: promoted to int, cut down again on the store.

   let    n = 500
   in     a = ints(-128, 127, n, i1)
   in     b = ints(0, 255, n, u1)
   in     c = ints(-32768, 32767, n, i2)
   in     d = ints(0, 65535, n, u2)
   out    p = empty(n, i1)
   out    q = empty(n, u1)
   out    r = empty(n, i2)
   out    s = empty(n, u2)
   out    t = empty(n, i4)
   let    w = [v.astype(i8) for v in (a, b, c, d)]
   call   narrow(a, b, c, d, p, q, r, s, t, n)
   expect p = wrap(w[0] * w[1] + 1, i1)
   expect q = wrap(w[1] * 2 + w[0], u1)
   expect r = wrap((w[2] * w[0]) >> 3, i2)
   expect s = wrap(-w[3], u2)
   expect t = w[0] * w[1] - (w[2] >> 4) + (w[3] >> 4) + (w[0] < w[1]) + wrap(w[1] + w[1], u1)
*/
extern "C" __global__ void narrow(const signed char *a, const unsigned char *b, const short *c,
                                  const unsigned short *d, signed char *p, unsigned char *q, short *r,
                                  unsigned short *s, int *t, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    p[i] = a[i] * b[i] + 1;
    q[i] = b[i] * 2 + a[i];
    r[i] = (c[i] * a[i]) >> 3;
    s[i] = -d[i];
    unsigned char twice = b[i] + b[i];
    t[i] = a[i] * b[i] - (c[i] >> 4) + (d[i] >> 4) + (a[i] < b[i]) + twice;
}
