/* Functions with several results: sincos, frexp, modf, remquo; ilogb, logb, scalbn, nextafter.

   let    n = 300
   in     x = floats(n, f4, -100, 100)
   out    y = empty((n, 8), f4)
   out    z = empty((n, 6), f8)
   let    d = x.astype(f8)
   call   functions(x, y, z, n)
   near   4e-6 y = stack([sin(d), cos(d), frexp(x)[0], frexp(x)[1], modf(x)[0], modf(x)[1], floor(log2(abs(d))), nextafter(x, f4(1000))], 1)
   near   1e-14 z = stack([sin(d), cos(d), frexp(d)[0], frexp(d)[1], modf(d)[1], d * 8], 1)
*/
extern "C" __global__ void functions(const float *x, float *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i], *r = y + 8 * i;
    double d = v, *s = z + 6 * i;
    int e;
    sincosf(v, &r[0], &r[1]);
    r[2] = frexpf(v, &e);
    r[3] = e;
    r[4] = modff(v, &r[5]);
    r[6] = ilogbf(v);
    r[7] = nextafterf(v, 1000.0f);
    sincos(d, s, s + 1);
    s[2] = frexp(d, &e);
    s[3] = e;
    modf(d, &s[4]);
    s[5] = scalbn(d, 3);
}
