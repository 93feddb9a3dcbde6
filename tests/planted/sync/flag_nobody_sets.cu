/* A thread waits for a flag in global memory that no thread sets.

   block  32
   inout  flag = zeros(1, i4)
   out    y = empty(1, i4)
   call   f(flag, y)
   expect y = 1
   report sync
*/
extern "C" __global__ void f(volatile int *flag, int *y)
{
    if (threadIdx.x == 0) {
#ifdef RIGHT
        *flag = 1;
#endif
        while (*flag == 0) // FAULT
            ;
        *y = 1;
    }
}
