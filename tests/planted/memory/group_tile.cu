/* The leader of each tile writes to the place of the next.

   block  64
   out    y = empty(8, i4)
   call   f(y)
   expect y = 8
   report memory write: thread == (56, 0, 0) and bytes == 4 and offset == 32 and variable == "y"
*/
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void f(int *y)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int sum = cg::reduce(tile, 1, cg::plus<int>());
    if (tile.thread_rank() == 0)
#ifdef RIGHT
        y[tile.meta_group_rank()] = sum;
#else
        y[tile.meta_group_rank() + 1] = sum; // FAULT
#endif
}
