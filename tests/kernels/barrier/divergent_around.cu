/* Divergent branches and loops before, between and after barriers.

   let    n = threads
   in     x = ints(0, 30, n)
   out    y = empty(n, i4)
   let    grid = 1
   def    first(v): return sum([k for k in range(v) if k % 3]) if v % 2 else -v
   def    f():
              s = [first(int(v)) for v in x]
              r = []
              for t in range(n):
                  o, c = s[n - 1 - t], 0
                  while o > 0: o //= 2; c += 1
                  r.append(c * 100 + s[t] if x[t] > 10 else c)
              return r
   call   around(x, y)
   expect y = f()
*/
extern "C" __global__ void around(const int *x, int *y)
{
    __shared__ int s[1024];
    int t = threadIdx.x, v = x[t], r = 0;
    if (v % 2) {
        for (int k = 0; k < v; k++)
            if (k % 3)
                r += k;
    } else {
        r = -v;
    }
    s[t] = r;
    __syncthreads();
    int other = s[blockDim.x - 1 - t], c = 0;
    while (other > 0) {
        other /= 2;
        c++;
    }
    __syncthreads();
    if (v > 10)
        c = c * 100 + r;
    y[t] = c;
}
