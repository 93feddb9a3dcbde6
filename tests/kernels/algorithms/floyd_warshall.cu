/* All shortest paths within one block: n rounds with a barrier each, in global memory.

   block  1 32 16x16 1024
   let    n = 20
   let    grid = 1
   inout  d = where(eye(n) > 0, 0, where(floats((n, n)) > 0.4, ints(1, 50, (n, n)), 10**6)).astype(i4)
   def    f():
              v = d.copy()
              for k in range(n): v = minimum(v, v[:, k:k + 1] + v[k])
              return v
   call   paths(d, n)
   expect d = f()
*/
extern "C" __global__ void paths(int *d, int n)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    for (int k = 0; k < n; k++) {
        for (int e = t; e < n * n; e += threads) {
            int through = d[e / n * n + k] + d[k * n + e % n];
            if (through < d[e])
                d[e] = through;
        }
        __syncthreads();
    }
}
