/* Grid-stride loops whose thread number has 32 bits and whose bound has 64, as indices and as
   pointers that walk.

   vary   n = 5000, 3, 0
   vary   grid = 1, 3, 7
   in     x = ints(-99, 99, n + 1)
   out    a = empty(n + 1, i4)
   out    b = empty(n + 1, i4)
   out    c = empty(n + 1, i4)
   out    d = empty(n + 1, i4)
   inout  sums = zeros(4, i8)
   call   wide(u8(n), a, x, sums)
   call   narrow(u8(n), b, x, sums)
   call   negative(i8(n), c, x, sums)
   call   walking(u8(n), d, x, sums)
   expect a[:n] = 2 * x[:n]
   expect b[:n] = 2 * x[:n]
   expect c[:n] = 2 * x[:n]
   expect d[:n] = 2 * x[:n]
   expect sums = full(4, x[:n].sum())
*/
typedef unsigned long long u64;

__device__ void total(long long *sum, int s)
{
    atomicAdd((u64 *)sum, (u64)(long long)s);
}

extern "C" __global__ void wide(u64 n, int *y, const int *x, long long *sums)
{
    int s = 0;
    for (u64 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        y[i] = 2 * x[i];
        s += x[i];
    }
    total(&sums[0], s);
}

extern "C" __global__ void narrow(u64 n, int *y, const int *x, long long *sums)
{
    int s = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        y[i] = 2 * x[i];
        s += x[i];
    }
    total(&sums[1], s);
}

extern "C" __global__ void negative(long long n, int *y, const int *x, long long *sums)
{
    int s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        y[i] = 2 * x[i];
        s += x[i];
    }
    total(&sums[2], s);
}

extern "C" __global__ void walking(u64 n, int *y, const int *x, long long *sums)
{
    unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
    u64 step = gridDim.x * blockDim.x;
    int s = 0;
    y += first;
    for (const int *p = x + first, *end = x + n; p < end; p += step, y += step) {
        *y = 2 * *p;
        s += *p;
    }
    total(&sums[3], s);
}
