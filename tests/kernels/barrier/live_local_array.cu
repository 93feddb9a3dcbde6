/* A local array, indexed at run time, lives across barriers in a loop.

   block  1 32 33 128
   let    n = threads
   in     x = ints(0, 7, n)
   out    y = empty((n, 8), i4)
   let    grid = 1
   def    f():
              a = zeros((n, 8), i4)
              s = x.copy()
              for k in range(6):
                  a[arange(n), s] += k + 1
                  s = (roll(s, -1) + k + a[arange(n), k]) % 8
              return a
   call   collect(x, y)
   expect y = f()
*/
extern "C" __global__ void collect(const int *x, int *y)
{
    __shared__ int s[128];
    int t = threadIdx.x, a[8];
    for (int k = 0; k < 8; k++)
        a[k] = 0;
    s[t] = x[t];
    __syncthreads();
    for (int k = 0; k < 6; k++) {
        a[s[t]] += k + 1;
        int next = s[(t + 1) % blockDim.x];
        __syncthreads();
        s[t] = (next + k + a[k]) % 8;
        __syncthreads();
    }
    for (int k = 0; k < 8; k++)
        y[8 * t + k] = a[k];
}
