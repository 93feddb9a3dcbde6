/* Device functions with early returns and loops of their own, called from divergent code.

   let    n = 450
   in     x = ints(-100, 1000, n)
   out    y = empty(n, i4)
   def    root(v):
              if v < 0: return -1
              k = 0
              while (k + 1) * (k + 1) <= v: k += 1
              return k
   def    f(v): return root(v) + (root(int(v / 3)) * 100 if v & 1 else 0)
   call   roots(x, y, n)
   expect y = [f(int(v)) for v in x]
*/
__device__ int root(int v)
{
    if (v < 0)
        return -1;
    for (int k = 0;; k++)
        if ((k + 1) * (k + 1) > v)
            return k;
}

__device__ __noinline__ int twice(int v)
{
    if (v % 2 == 0)
        return 0;
    return root(v / 3) * 100;
}

extern "C" __global__ void roots(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = root(x[i]) + twice(x[i]);
}
