/* Tiles of several warps, which meet and send values round in memory that the block lends; a
   cluster of one block.

   block  128 512
   let    t = arange(threads)
   out    y = empty((threads, 8), i4)
   call   f(y)
   expect y[:, 0] = t % 64
   expect y[:, 1] = t // 64
   expect y[:, 2] = t // 64 * 64 + 5
   expect y[:, 3] = t // 64 == 1
   expect y[:, 4] = t // 64 != 0
   expect y[:, 5] = t // 128 * 128 + 127 - t % 128
   expect y[:, 6] = threads // 64
   expect y[:, 7] = threads
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

struct wide {
    int x[2];
};
extern "C" __global__ void f(int *y)
{
    __shared__ cg::block_tile_memory<512> memory;
    __shared__ int s[512];
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<64>(block);
    auto large = cg::tiled_partition<128>(block);
    int t = threadIdx.x;
    wide w = {{t, t}};
    y += 8 * t;
    y[0] = tile.thread_rank();
    y[1] = tile.meta_group_rank();
    y[2] = tile.shfl(w, 5).x[1];
    y[3] = tile.any(t == 70);
    y[4] = tile.all(t > 60);
    s[t] = t;
    large.sync();
    y[5] = s[t / 128 * 128 + 127 - t % 128];
    y[6] = tile.meta_group_size();
    y[7] = block.size();
}
