/* Kernels, functions and globals that bear the names of C library symbols.

   let    n = 80
   in     x = ints(-99, 99, n)
   global environ = ints(1, 9, 4)
   out    y = empty(n, i4)
   call   step(x, y, n)
   call   write(y, n)
   expect y = 2 * (x + 7) + environ[arange(n) % 4]
*/
__device__ int environ[4];
__device__ int optind = 7;

__device__ __noinline__ int optarg(int v)
{
    return v + optind;
}

extern "C" __global__ void step(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = optarg(x[i]);
}

extern "C" __global__ void write(int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * y[i] + environ[i % 4];
}
