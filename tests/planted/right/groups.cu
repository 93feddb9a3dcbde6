/* Tiles and blocks of cooperative groups around shared memory.

   block  64
   in     x = ints(0, 9, 64)
   out    y = empty(64, i4)
   call   f(x, y)
   expect y = repeat(x.reshape(-1, 16).sum(1), 16) + x[::-1]
*/
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

extern "C" __global__ void f(const int *x, int *y)
{
    __shared__ int s[64], sums[4];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    int t = block.thread_rank();
    s[t] = x[t];
    int sum = cg::reduce(tile, s[t], cg::plus<int>());
    if (tile.thread_rank() == 0)
        sums[t / 16] = sum;
    block.sync();
    y[t] = sums[t / 16] + s[63 - t];
}
