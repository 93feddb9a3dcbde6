/* A shared variable that is no array: one thread sets it, all read it, block after block.

   vary   grid = 1, 5
   let    n = threads * grid
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   call   broadcast(x, y, threads // 2)
   let    b = x.reshape(grid, threads)
   expect y = (b[:, threads // 2][:, None] * 10 + b).reshape(-1)
*/
extern "C" __global__ void broadcast(const int *x, int *y, int who)
{
    __shared__ int chosen;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == who)
        chosen = x[i];
    __syncthreads();
    y[i] = chosen * 10 + x[i];
}
