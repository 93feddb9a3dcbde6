/* Butterfly: every lane ends with the sum and the maximum of its warp.

   block  32 64 1024
   vary   grid = 1, 2
   let    n = threads * grid
   in     x = ints(-999, 999, n)
   out    y = empty((n, 2), i4)
   let    w = repeat(x.reshape(-1, 32), 32, 0)
   call   butterfly(x, y)
   expect y = stack([w.sum(1), w.max(1)], 1)
*/
extern "C" __global__ void butterfly(const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = x[i], most = x[i];
    for (int step = 16; step > 0; step >>= 1) {
        sum += __shfl_xor_sync(0xffffffff, sum, step);
        most = max(most, __shfl_xor_sync(0xffffffff, most, step));
    }
    y[2 * i] = sum;
    y[2 * i + 1] = most;
}
