/* Cooperative groups: tiles of a size known at run time, of blocks that end within one, of groups of scattered lanes, of
   tiles; what a tile knows of its parent.

   block  1 7 32 40 16x5 96
   vary   m = 1, 4, 16, 32
   let    n = threads
   let    grid = 1
   in     x = ints(-9, 9, n)
   out    y = empty((n, 10), i4)
   let    t = arange(n)
   let    last = minimum(n - t // m * m, m)
   def    odd(v): return where(t % 2, v, -1)
   let    odds = array([min(32, n - k // 32 * 32) // 2 for k in range(n)])
   let    rank = t % 32 // 2
   let    k = minimum(m, 4)
   let    inner = last if m <= 4 else minimum(last - t % m // 4 * 4, 4)
   call   tiles(x, y, m)
   expect y[:, 0] = last * 100 + t % m
   expect y[:, 1] = [x[i // m * m + last[i] - 1 - i % m] for i in t]
   expect y[:, 2] = odd(where(odds <= m, odds, minimum(odds - rank // m * m, m)) * 100 + where(odds <= m, rank, rank % m))
   expect y[:, 3] = odd(where(odds <= m, 100, (odds + m - 1) // m * 100 + rank // m))
   expect y[:, 4] = inner * 100 + t % m % 4
   expect y[:, 5] = t // 32 * 1000 + (n + 31) // 32
   expect y[:, 6] = t % 32 // 8 * 1000 + 4
   expect y[:, 7] = t % 32 // 8 * 1000 + 4 + 100000 * 8
   expect y[:, 8] = odd([x[sorted(range(i // 32 * 32, min(i // 32 * 32 + 32, n)), key=lambda l: (l % 2 == 0, l))[odds[i] - 1]] if odds[i] else 0 for i in t])
   expect y[:, 9] = n * 1000 + t
*/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int described(cg::thread_block_tile<8> tile)
{
    return tile.meta_group_rank() * 1000 + tile.meta_group_size() + 100000 * tile.num_threads();
}

__device__ int described(const cg::thread_group &g)
{
    return (int)g.size() * 1000 + (int)g.thread_rank();
}

extern "C" __global__ void tiles(const int *x, int *y, int m)
{
    __shared__ int s[96];
    cg::thread_block block = cg::this_thread_block();
    int i = block.thread_rank(), *r = y + 10 * i;
    cg::thread_group tile = cg::tiled_partition(block, m);
    r[0] = tile.size() * 100 + tile.thread_rank();
    s[i] = x[i];
    tile.sync();
    r[1] = s[i - tile.thread_rank() + tile.size() - 1 - tile.thread_rank()];
    r[2] = r[3] = r[8] = -1;
    if (i & 1) {
        cg::coalesced_group odd = cg::coalesced_threads();
        cg::coalesced_group part = cg::tiled_partition(odd, m);
        part.sync();
        r[2] = part.size() * 100 + part.thread_rank();
        r[3] = part.meta_group_size() * 100 + part.meta_group_rank();
        r[8] = odd.shfl(x[i], odd.size() - 1);
    }
    block.sync();
    cg::thread_group inner = cg::tiled_partition(tile, 4);
    r[4] = inner.size() * 100 + inner.thread_rank();
    auto warp = cg::tiled_partition<32>(block);
    r[5] = warp.meta_group_rank() * 1000 + warp.meta_group_size();
    auto eight = cg::tiled_partition<8>(warp);
    r[6] = eight.meta_group_rank() * 1000 + eight.meta_group_size();
    r[7] = described(eight);
    r[9] = described(block);
}
