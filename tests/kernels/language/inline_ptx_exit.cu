/* exit of PTX ends the thread, in the kernel or in functions of it: barriers and warps go on without it.

   let    n = 4 * threads
   in     x = ints(-100, 100, n)
   inout  y = full(n, -1000, i4)
   inout  sums = zeros(4, i4)
   def    left(): return where(x % 7 == 0, False, where(arange(n) % threads == 5, False, True))
   call   f(x, y, sums, n)
   expect y = where(x % 7 == 0, -1000, where(arange(n) % threads == 5, -2, 2 * x + 1))
   expect sums = where(left(), x, 0).reshape(4, -1).sum(1)
   block  31 32 64 16x16
*/
__device__ int twice(int x)
{
    if (x % 7 == 0)
        asm volatile("exit;");
    return 2 * x;
}

extern "C" __global__ void f(const int *x, int *y, int *sums, int n)
{
    __shared__ int sum;
    int t = threadIdx.y * blockDim.x + threadIdx.x, i = blockIdx.x * blockDim.x * blockDim.y + t;
    if (t == 0)
        sum = 0;
    __syncthreads();
    int z = twice(x[i]) + 1;
    if (t == 5)
        y[i] = -2;
    asm volatile("{ .reg .pred p; setp.eq.s32 p, %0, 5; @p exit; }" ::"r"(t));
    atomicAdd(&sum, x[i]);
    y[i] = z;
    __syncthreads();
    atomicMax(&sums[blockIdx.x], sum);
    atomicMin(&sums[blockIdx.x], sum);
}
