/* A lock without fences: the next owner may see the old value.

   block  32
   let    grid = 6
   inout  lock = zeros(1, i4)
   inout  y = zeros(1, i4)
   call   f(lock, y)
   expect y = 6
   report race: space == "global" and variable == "y" and block != other_block
*/
extern "C" __global__ void f(int *lock, int *y)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
#ifdef RIGHT
        __threadfence();
#endif
        *y = *y + 1; // FAULT
#ifdef RIGHT
        __threadfence();
#endif
        atomicExch(lock, 0);
    }
}
