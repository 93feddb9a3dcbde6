/* A thread that takes a lock it has.

   block  1
   inout  lock = zeros(1, i4)
   out    y = empty(1, i4)
   call   f(lock, y)
   expect y = 2
   report sync
*/
extern "C" __global__ void f(int *lock, int *y)
{
    *y = 0;
    for (int k = 0; k < 2; k++) {
        while (atomicCAS(lock, 0, 1) != 0) // FAULT
            ;
        *y += 1;
#ifdef RIGHT
        atomicExch(lock, 0);
#endif
    }
    atomicExch(lock, 0);
}
