/* Shifts by variables and constants, arithmetic and logical, 8 to 64 bits.

   let    n = 640
   in     x = ints(-2**63, 2**63 - 1, n, i8)
   in     k = ints(0, 31, n)
   out    y = empty((n, 7), i8)
   let    s = wrap(x, i4).astype(i8)
   let    u = s % 2**32
   call   shift(x, k, y, n)
   expect y = stack([wrap(u << k, i4), s >> k, u >> k, x >> (k + 32), wrap((x.astype(object) % 2**64) >> (2 * k), i8),
               wrap(wrap(x, i1).astype(i8) << 3, i1), wrap(x, i2).astype(i8) >> (k & 15)], 1)
*/
extern "C" __global__ void shift(const long long *x, const int *k, long long *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int s = (int)x[i], by = k[i];
    long long *r = y + 7 * i;
    r[0] = (int)((unsigned)s << by);
    r[1] = s >> by;
    r[2] = (unsigned)s >> by;
    r[3] = x[i] >> (by + 32);
    r[4] = (unsigned long long)x[i] >> (2 * by);
    r[5] = (signed char)((signed char)x[i] << 3);
    r[6] = (short)x[i] >> (by & 15);
}
