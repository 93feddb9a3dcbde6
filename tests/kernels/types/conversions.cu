/* Casts among integers, float and double, in range; rounding towards zero and to nearest.

   let    n = 500
   in     f = floats(n, f4, -30000, 30000)
   in     d = floats(n, f8, -1e15, 1e15)
   in     l = ints(-2**62, 2**62, n, i8)
   out    y = empty((n, 6), i8)
   out    z = empty((n, 4), f8)
   call   convert(f, d, l, y, z, n)
   expect y = stack([trunc(f), trunc(d), trunc(abs(f)), rint(f), (trunc(f / 256)).astype(i8), abs(f) > 100], 1).astype(i8)
   expect z = stack([l.astype(f4), l.astype(f8), d.astype(f4), (l.view(u8) >> u8(1)).astype(f4)], 1)
*/
extern "C" __global__ void convert(const float *f, const double *d, const long long *l, long long *y,
                                   double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    long long *r = y + 6 * i;
    r[0] = (int)f[i];
    r[1] = (long long)d[i];
    r[2] = (unsigned short)fabsf(f[i]);
    r[3] = __float2int_rn(f[i]);
    r[4] = (signed char)(f[i] / 256);
    r[5] = (bool)(fabsf(f[i]) > 100);
    z[4 * i] = (float)l[i];
    z[4 * i + 1] = (double)l[i];
    z[4 * i + 2] = (float)d[i];
    z[4 * i + 3] = (float)((unsigned long long)l[i] >> 1);
}
