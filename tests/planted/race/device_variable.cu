/* A __device__ variable that each block increments without an atomic.

   block  1
   let    grid = 16
   global total = zeros(1, i4)
   call   f()
   expect total = 16
   report race: space == "global" and variable == "total" and block != other_block
*/
__device__ int total;

extern "C" __global__ void f()
{
#ifdef RIGHT
    atomicAdd(&total, 1);
#else
    total += 1; // FAULT
#endif
}
