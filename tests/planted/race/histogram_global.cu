/* Counts in global memory without atomics.

   block  64
   let    grid = 4
   in     x = arange(256, dtype=i4) % 16
   inout  y = zeros(16, i4)
   call   f(x, y)
   expect y = 16
   report race: space == "global" and variable == "y"
*/
extern "C" __global__ void f(const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef RIGHT
    atomicAdd(&y[x[i]], 1);
#else
    y[x[i]]++; // FAULT
#endif
}
