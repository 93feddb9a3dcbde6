/* Inclusive scan by doubling, in two halves of one shared buffer.

   let    n = threads * 2
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   let    grid = 2
   call   scan[None, None, 8 * threads](x, y)
   expect y = cumsum(x.reshape(2, threads), 1).reshape(-1)
*/
extern "C" __global__ void scan(const int *x, int *y)
{
    extern __shared__ int s[];
    int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t, out = 0, in = 1;
    s[t] = x[i];
    __syncthreads();
    for (int by = 1; by < n; by *= 2) {
        out = 1 - out;
        in = 1 - out;
        s[out * n + t] = s[in * n + t] + (t >= by ? s[in * n + t - by] : 0);
        __syncthreads();
    }
    y[i] = s[out * n + t];
}
