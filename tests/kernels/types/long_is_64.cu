/* long and size_t have 64 bits; unsigned long arithmetic wraps there.

   let    n = 100
   in     x = ints(-2**62, 2**62, n, i8)
   out    y = empty((n, 3), i8)
   call   longs(x, y, n)
   expect y = stack([wrap(x.astype(object) * 5, i8), wrap((x.astype(object) % 2**64) // 3, i8), x * 0 + 2**40], 1)
*/
extern "C" __global__ void longs(const long *x, long *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[3 * i] = (unsigned long)x[i] * 5;
    y[3 * i + 1] = (unsigned long)x[i] / 3;
    size_t one = 1;
    y[3 * i + 2] = one << 40;
}
