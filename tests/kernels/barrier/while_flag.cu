/* Loop until nothing changes: the exit depends on a shared flag that all threads see.

   let    n = threads
   in     x = ints(0, 2000, n)
   out    y = empty(n, i4)
   out    rounds = empty(1, i4)
   let    grid = 1
   def    f():
              v, k = x.copy(), 0
              while True:
                  w = maximum(v, append(v[1:], 0))
                  k += 1
                  if (w == v).all() or k == 40: return w, k
                  v = w
   call   spread(x, y, rounds)
   expect y = f()[0]
   expect rounds = f()[1]
*/
extern "C" __global__ void spread(const int *x, int *y, int *rounds)
{
    __shared__ int s[1024];
    __shared__ bool changed;
    int t = threadIdx.x, n = blockDim.x, v = x[t], k = 0;
    s[t] = v;
    do {
        __syncthreads();
        if (t == 0)
            changed = false;
        int right = t + 1 < n ? s[t + 1] : 0;
        __syncthreads();
        if (right > v) {
            v = right;
            s[t] = v;
            changed = true;
        }
        k++;
        __syncthreads();
    } while (changed && k < 40);
    y[t] = v;
    if (t == 0)
        *rounds = k;
}
