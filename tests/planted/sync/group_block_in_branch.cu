/* sync of the whole block's group in a branch.

   block  64
   out    y = empty(64, i4)
   call   f(y)
   expect y = 63 - arange(64)
   report sync
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void f(int *y)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    s[t] = t;
#ifdef RIGHT
    block.sync();
#else
    if (t % 2)
        block.sync(); // FAULT
#endif
    block.sync(); // FAULT
    y[t] = s[63 - t];
}
