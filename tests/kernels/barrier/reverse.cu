/* Each block turns its part round through shared memory.

   block  1 31 32 33 256 1024
   vary   grid = 1, 3
   let    n = threads * grid
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   call   reverse(x, y)
   expect y = x.reshape(grid, threads)[:, ::-1].reshape(-1)
*/
extern "C" __global__ void reverse(const int *x, int *y)
{
    __shared__ int s[1024];
    int t = threadIdx.x, base = blockIdx.x * blockDim.x;
    s[t] = x[base + t];
    __syncthreads();
    y[base + t] = s[blockDim.x - 1 - t];
}
