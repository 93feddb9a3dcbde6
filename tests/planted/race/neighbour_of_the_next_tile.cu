/* The barrier of a tile of 16 where threads of two tiles exchange values.

   block  32
   out    y = empty(32, i4)
   call   f(y)
   expect y = 31 - arange(32)
   report race: space == "shared" and variable == "s"
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void f(int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    s[t] = t; // FAULT
#ifdef RIGHT
    block.sync();
#else
    tile.sync();
#endif
    y[t] = s[31 - t]; // OTHER
}
