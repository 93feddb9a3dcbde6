/* Loops over the grid whose counters come near the ends of their types, up and down, with one to five streams.

   block  32 100 256
   vary   n = 0, 1, 4097
   let    grid = 3
   let    big = 2**31 - 1 - 3 * threads
   let    m = max(n, 1)
   in     x = ints(-9, 9, m)
   inout  a = zeros(m, i4)
   inout  b = zeros(m, i4)
   inout  c = zeros(m, i4)
   call   up(i4(big - n), i4(big), x, a)
   expect a = x if n else 0
   call   wrap(u4((2**32 - n // 2) % 2**32), n, x, b)
   expect b = 2 * x if n else 0
   call   down(n, x, a, b, c)
   expect c = where(arange(m) % 2 == 0, 4 * x, 0) if n else 0
*/
extern "C" __global__ void up(int first, int last, const int *x, int *a)
{
    for (int i = first + blockIdx.x * blockDim.x + threadIdx.x; i < last; i += gridDim.x * blockDim.x)
        a[i - first] = x[i - first];
}

extern "C" __global__ void wrap(unsigned first, unsigned n, const int *x, int *b)
{
    unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned i = first + k; i - first < n; i += gridDim.x * blockDim.x)
        b[i - first] += 2 * x[i - first];
}

extern "C" __global__ void down(int n, const int *x, const int *a, const int *b, int *c)
{
    for (int i = n - 1 - (blockIdx.x * blockDim.x + threadIdx.x); i >= 0; i -= gridDim.x * blockDim.x)
        if (i % 2 == 0)
            c[i] = a[i] + b[i] + x[i];
}
