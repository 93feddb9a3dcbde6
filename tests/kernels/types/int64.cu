/* 64-bit products, comparisons and rotations; mixing of 32-bit values into them.

   let    n = 512
   in     x = ints(0, 2**64 - 1, n, u8)
   in     a = ints(-2**31, 2**31 - 1, n)
   out    y = empty((n, 5), u8)
   let    X = x.astype(object)
   let    A = a.astype(object)
   call   wide(x, a, y, n)
   expect y = stack([wrap(X * 0x9E3779B97F4A7C15, u8), wrap(A * A, u8), wrap(X + A, u8),
               wrap((X << 13) | (X >> 51), u8), (x > a.astype(i8).view(u8)) * u8(2) + (x.view(i8) > a)], 1)
*/
extern "C" __global__ void wide(const unsigned long long *x, const int *a, unsigned long long *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long v = x[i], *r = y + 5 * i;
    r[0] = v * 0x9E3779B97F4A7C15ull;
    r[1] = (long long)a[i] * a[i];
    r[2] = v + a[i];
    r[3] = v << 13 | v >> 51;
    r[4] = (v > a[i]) * 2 + ((long long)v > a[i]);
}
