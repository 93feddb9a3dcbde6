/* The first block sets a sum to zero while others add to it.

   block  32
   let    grid = 4
   inout  y = zeros(2, i4)
   call   f(y)
   expect y[1] = 128
   report race: space == "global" and variable == "y" and block != other_block
*/
extern "C" __global__ void f(int *y)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        y[0] = 0; // FAULT
    __syncthreads();
#ifdef RIGHT
    atomicAdd(y + 1, 1);
#else
    atomicAdd(y, 1); // OTHER
#endif
}
