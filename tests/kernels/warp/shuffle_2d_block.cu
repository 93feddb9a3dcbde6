/* Warp sums in 2-D blocks whose rows are not 32 long: lanes come from the linear number.

   block  16x16 8x8 4x16 64x2 16x4x2
   let    shape = (bz * by, bx)
   in     x = ints(-99, 99, shape)
   out    y = empty(shape, i4)
   let    grid = 1
   call   sums(x, y)
   expect y = repeat(x.reshape(-1, 32).sum(1), 32).reshape(shape)
*/
extern "C" __global__ void sums(const int *x, int *y)
{
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, v = x[t];
    for (int step = 1; step < 32; step *= 2)
        v += __shfl_xor_sync(0xffffffff, v, step);
    y[t] = v;
}
