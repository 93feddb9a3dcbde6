/* Static variables are found by the names that the source gives them, and hold what was
   written from outside.

   block  1 32 100
   let    n = 130
   global offsets = ints(-9, 9, 4)
   global factor = array([5], i4)
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   call   shift(x, y, n)
   call   count()
   expect y = x * factor[0] + offsets[arange(n) % 4] + 21
   expect counted = cdiv(n, threads) * threads
   global counted = zeros(1, i4)
*/
static __constant__ int offsets[4] = {1, 2, 3, 4};
static __device__ int factor = 1, counted;

namespace inner {
static __device__ int factor = 21;
}

extern "C" __global__ void shift(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * factor + offsets[i % 4] + inner::factor;
}

extern "C" __global__ void count()
{
    atomicAdd(&counted, 1);
}
