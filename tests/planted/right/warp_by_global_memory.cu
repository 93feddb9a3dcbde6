/* Lanes of a warp and threads of a block exchange values in global memory, with __syncwarp and a barrier.

   block  64
   let    grid = 3
   in     x = ints(0, 99, 64 * grid)
   out    y = empty(64 * grid, i4)
   call   f(x, y)
   expect y = x.reshape(-1, 2, 32)[:, ::-1, ::-1].ravel()
*/
extern "C" __global__ void f(const int *x, int *y)
{
    int t = threadIdx.x, lane = t % 32;
    x += 64 * blockIdx.x;
    y += 64 * blockIdx.x;
    y[t] = x[t];
    __syncwarp();
    int v = y[t - lane + 31 - lane];
    __syncthreads();
    y[(t + 32) % 64] = v;
}
