/* A barrier of all blocks made of a counter, without fences around it.

   block  32
   let    grid = 2
   inout  count = zeros(1, u4)
   inout  x = arange(64, dtype=i4)
   out    y = empty(64, i4)
   call   f(count, x, y)
   expect y = 2 * ((arange(64) + 32) % 64)
   report race: space == "global" and variable == "x" and block != other_block
*/
extern "C" __global__ void f(unsigned *count, int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    x[i] *= 2; // FAULT
    __syncthreads();
    if (threadIdx.x == 0) {
#ifdef RIGHT
        __threadfence();
#endif
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < gridDim.x)
            ;
#ifdef RIGHT
        __threadfence();
#endif
    }
    __syncthreads();
    y[i] = x[(i + blockDim.x) % n]; // OTHER
}
