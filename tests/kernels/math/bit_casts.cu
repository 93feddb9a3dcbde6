/* Bits of floats and doubles as integers and back; halves of doubles.

   let    n = 200
   in     f = floats(n, f4, -1e30, 1e30)
   in     d = floats(n, f8, -1e300, 1e300)
   out    y = empty((n, 6), i8)
   let    b = d.view(i8)
   call   casts(f, d, y, n)
   expect y = stack([f.view(i4), f.view(u4), b, b >> 32, b.astype(i4), (-f).view(i4)], 1)
*/
extern "C" __global__ void casts(const float *f, const double *d, long long *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    long long *p = y + 6 * i;
    p[0] = __float_as_int(f[i]);
    p[1] = __float_as_uint(f[i]);
    p[2] = __double_as_longlong(d[i]);
    p[3] = __double2hiint(d[i]);
    p[4] = __double2loint(__hiloint2double(0x40000000, __double2loint(d[i])));
    p[5] = __float_as_int(__int_as_float(__float_as_int(f[i]) ^ (int)0x80000000));
}
