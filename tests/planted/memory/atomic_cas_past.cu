/* A lock behind the end of an array of locks.

   block  1
   inout  lock = zeros(4, i4)
   call   f(lock, 3 if right else 4)
   expect lock = 0
   report memory atomic: bytes == 4 and variable == "lock" and offset == 16
*/
extern "C" __global__ void f(int *lock, int which)
{
    if (atomicCAS(&lock[which], 0, 1) == 0) // FAULT
        lock[0] = 0;
#ifdef RIGHT
    lock[which] = 0;
#endif
}
