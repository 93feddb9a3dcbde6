/* A counter that nobody has cleared.

   block  32
   out    count = empty(1, i4)
   do     cuda.memset_d32(int(count), 0, 1) if right else None
   call   f(count)
   expect count = 32
   report init: variable == "count" and bytes == 4
*/
extern "C" __global__ void f(int *count)
{
    atomicAdd(count, 1); // FAULT
}
