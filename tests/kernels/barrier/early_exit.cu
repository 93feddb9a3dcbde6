/* Threads that return before the first barrier, and more before the second: the others go on.

   vary   keep = 1, 20, 600
   let    grid = 2
   let    n = threads * grid
   in     x = ints(-99, 99, n)
   inout  y = full(n, -7, i4)
   def    f(b, t):
              k = min(keep, threads)
              if t >= k: return -7
              if t % 3 == 2: return int(x[b * threads + (t + 1) % k])
              live = [u for u in range(k) if u % 3 != 2]
              return sum([int(x[b * threads + (u + 1) % k]) for u in live])
   call   leave(x, y, keep)
   expect y = [f(i // threads, i % threads) for i in range(n)]
*/
extern "C" __global__ void leave(const int *x, int *y, int keep)
{
    __shared__ int s[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int k = keep < blockDim.x ? keep : blockDim.x;
    if (t >= k)
        return;
    s[t] = x[i];
    __syncthreads();
    int v = s[(t + 1) % k];
    if (t % 3 == 2) {
        y[i] = v;
        return;
    }
    __syncthreads();
    s[t] = v;
    __syncthreads();
    int sum = 0;
    for (int u = 0; u < k; u++)
        if (u % 3 != 2)
            sum += s[u];
    y[i] = sum;
}
