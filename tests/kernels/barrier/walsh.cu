/* A Walsh-Hadamard transform in place in global memory within one block: barriers order global
   accesses too.

   block  1 4 32 256 1024
   let    n = 2 * threads
   inout  x = ints(-99, 99, n)
   let    grid = 1
   def    f():
              v, h = x.astype(i8), 1
              while h < n:
                  v = v.reshape(-1, 2, h)
                  v = stack([v[:, 0] + v[:, 1], v[:, 0] - v[:, 1]], 1).reshape(-1)
                  h *= 2
              return v
   call   walsh(x, n)
   expect x = f()
*/
extern "C" __global__ void walsh(int *x, int n)
{
    int t = threadIdx.x;
    for (int half = 1; half < n; half *= 2) {
        int low = t & half - 1, k = 2 * (t - low) + low;
        int a = x[k], b = x[k + half];
        x[k] = a + b;
        x[k + half] = a - b;
        __syncthreads();
    }
}
