/* A tile of a cooperative group is asked for a value of a thread that has returned.

   block  32
   inout  y = zeros(32, i4)
   call   f(y)
   expect y[:20] = repeat([7, 15, 19], 8)[:20]
   report sync
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void f(int *y)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int t = threadIdx.x;
#ifdef RIGHT
    int last = tile.shfl(t < 20 ? t : 19, 7);
    last = min(last, 19);
    if (t < 20)
        y[t] = last;
#else
    if (t >= 20)
        return;
    y[t] = tile.shfl(t, 7); // FAULT
#endif
}
