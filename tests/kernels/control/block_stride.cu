/* Loops that stride over the threads of one block: one vector and several, 32- and 64-bit counters, values kept across.

   block  1 31 32 100 256 16x4
   vary   n = 0, 1, 1000
   let    grid = 3
   in     x = ints(-9, 9, 3 * n + 1)
   out    sums = empty(3, i8)
   inout  y = zeros(3 * n + 1, i4)
   def    tail(v): return append(v.ravel(), 0)
   let    rows = x[:-1].reshape(3, n)
   call   f(n, x, sums, y)
   expect sums = rows.sum(1)
   expect y = tail(rows + arange(n) * 2) if n else y
*/
extern "C" __global__ void f(int n, const int *x, long long *sums, int *y)
{
    __shared__ int total;
    const int *mine = x + blockIdx.x * (size_t)n;
    int *out = y + blockIdx.x * (size_t)n, first = threadIdx.x + threadIdx.y * blockDim.x, sum = 0;
    unsigned step = blockDim.x * blockDim.y;
    if (first == 0)
        total = 0;
    __syncthreads();
    for (size_t i = first; i < n; i += step)
        sum += mine[i];
    int twice = 2 * first;
    for (int i = first; i < n; i += step, twice += 2 * step)
        out[i] = mine[i] + twice;
    atomicAdd(&total, sum);
    __syncthreads();
    if (first == 0)
        sums[blockIdx.x] = total;
}
