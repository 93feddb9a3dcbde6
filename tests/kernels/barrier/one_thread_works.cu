/* Between barriers only thread 0, or only the last, does something.

   vary   grid = 1, 3
   let    n = threads * grid
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   let    b = x.reshape(grid, threads)
   call   serial(x, y)
   expect y = (cumsum(b, 1) * 2 + b.max(1)[:, None]).reshape(-1)
*/
extern "C" __global__ void serial(const int *x, int *y)
{
    __shared__ int s[1024], best;
    int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t;
    s[t] = x[i];
    __syncthreads();
    if (t == n - 1) {
        best = s[0];
        for (int k = 1; k < n; k++)
            best = s[k] > best ? s[k] : best;
    }
    __syncthreads();
    if (t == 0)
        for (int k = 1; k < n; k++)
            s[k] += s[k - 1];
    __syncthreads();
    y[i] = s[t] * 2 + best;
}
