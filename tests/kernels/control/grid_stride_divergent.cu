/* A grid-stride loop whose body has branches, continue, break and an inner loop.

   let    n = 3000
   vary   grid = 1, 4
   in     x = ints(0, 63, n)
   inout  y = full(n, -1, i4)
   let    stride = threads * grid
   let    stop = [min([i for i in range(s, n, stride) if x[i] == 63] or [n]) for s in range(min(stride, n))]
   def    f(i, v):
              if i >= stop[i % stride] or v % 5 == 0: return -1
              return sum([k for k in range(v % 9)] or [0]) + (1000 if v & 8 else 0)
   call   stride(x, y, n)
   expect y = [f(i, int(v)) for i, v in enumerate(x)]
*/
extern "C" __global__ void stride(const int *x, int *y, int n)
{
    unsigned step = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        int v = x[i], s = 0;
        if (v == 63)
            break;
        if (v % 5 == 0)
            continue;
        for (int k = 0; k < v % 9; k++)
            s += k;
        if (v & 8)
            s += 1000;
        y[i] = s;
    }
}
