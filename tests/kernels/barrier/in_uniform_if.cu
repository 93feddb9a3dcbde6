/* Barriers in both arms of branches on the block number and on an argument.

   vary   flag = 0, 1
   let    grid = 4
   let    n = threads * grid
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   let    b = x.reshape(grid, threads)
   let    odd = (arange(grid) % 2 == 1)[:, None]
   call   arms(x, y, flag)
   expect y = (where(odd, b[:, ::-1], roll(b, -1, 1)) + (roll(b, 1, 1) if flag else 0)).reshape(-1)
*/
extern "C" __global__ void arms(const int *x, int *y, int flag)
{
    __shared__ int s[1024];
    int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t, v;
    s[t] = x[i];
    if (blockIdx.x % 2) {
        __syncthreads();
        v = s[n - 1 - t];
    } else {
        __syncthreads();
        v = s[(t + 1) % n];
    }
    if (flag) {
        __syncthreads();
        s[t] = x[i];
        __syncthreads();
        v += s[(t + n - 1) % n];
    }
    y[i] = v;
}
