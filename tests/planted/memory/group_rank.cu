/* The rank in a cooperative group, plus one, as an index.

   block  8x4
   out    y = empty(32, i4)
   call   f(y)
   expect y = arange(32)
   report memory write: thread == (7, 3, 0) and bytes == 4 and offset == 128 and variable == "y"
*/
#include <cooperative_groups.h>

extern "C" __global__ void f(int *y)
{
    auto block = cooperative_groups::this_thread_block();
#ifdef RIGHT
    y[block.thread_rank()] = block.thread_rank();
#else
    y[block.thread_rank() + 1] = block.thread_rank(); // FAULT
#endif
}
