/* In a loop with a barrier, each thread returns after its own number of rounds.

   let    n = threads
   in     x = ints(0, 9, n)
   inout  y = full(n, -1, i4)
   let    grid = 1
   def    f():
              r = full(n, -1)
              for k in range(10):
                  alive = (x >= k).sum()
                  r[x == k] = alive * 100 + k
              return r
   call   shrink(x, y)
   expect y = f()
*/
extern "C" __global__ void shrink(const int *x, int *y)
{
    __shared__ int s[1024];
    int t = threadIdx.x, left = x[t];
    s[t] = 0;
    __syncthreads();
    for (int k = 0;; k++) {
        s[t] = k + 1;
        __syncthreads();
        int alive = 0;
        for (int u = 0; u < blockDim.x; u++)
            alive += s[u] == k + 1;
        __syncthreads();
        if (left == k) {
            y[t] = alive * 100 + k;
            return;
        }
    }
}
