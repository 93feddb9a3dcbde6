/* Sums over tiles of several warps, for which the block lends no memory; tiles of such tiles, while these are in use.

   slow
   block  128 512 32x16
   let    t = arange(threads)
   let    half = t // 64 * 64
   let    v = t * 7 % 23
   def    upto(first, last): return sum(v[first:last])
   out    y = empty((threads, 8), i4)
   out    z = empty((threads, 3), f4)
   call   f(y, z)
   expect y[:, 0] = [upto(h, h + 64) for h in half]
   expect y[:, 1] = [v[h:h + 128].max() for h in t // 128 * 128]
   expect y[:, 2] = t // 64 % 2 * 100 + 2
   expect y[:, 3] = t // 64
   expect y[:, 4] = [upto(h, h + 128) + 128 for h in t // 128 * 128]
   expect y[:, 5] = t // 32 % 4 * 100 + 4
   expect y[:, 6] = [upto(h, h + 64) for h in half]
   expect y[:, 7] = (half == 64) * 2 + (half != 64)
   expect z[:, 0] = [upto(h, i + 1) for h, i in zip(t // 128 * 128, t)]
   expect z[:, 1] = [upto(h, i) for h, i in zip(t // 128 * 128, t)]
   expect z[:, 2] = [upto(h, i) for h, i in zip(half, t)]
*/
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__device__ int rank_of(const cg::thread_block_tile<64> &tile)
{
    return tile.meta_group_rank();
}
extern "C" __global__ void f(int *y, float *z)
{
    __shared__ int sums[8];
    auto block = cg::this_thread_block();
    auto large = cg::tiled_partition<128>(block);
    auto tile = cg::tiled_partition<64>(block), half = tile;
    auto part = cg::tiled_partition<64>(large);
    auto warp = cg::tiled_partition<32>(large);
    int t = block.thread_rank(), v = t * 7 % 23;
    y += 8 * t;
    z += 3 * t;
    y[0] = cg::reduce(tile, v, cg::plus<int>());
    y[1] = cg::reduce(large, v, [](int a, int b) { return a > b ? a : b; });
    y[2] = 100 * part.meta_group_rank() + part.meta_group_size();
    y[3] = rank_of(half);
    int sum = v;
    if (t / 64 % 2) /* these come late to the tile, the others to its half */
        for (int k = 0; k < 64; k++)
            sum += part.any(k == t % 64) ? 0 : 1000;
    y[4] = cg::reduce(large, sum + 1, cg::plus<int>());
    y[5] = 100 * warp.meta_group_rank() + warp.meta_group_size();
    cg::reduce_store_async(tile, &sums[tile.meta_group_rank()], v, cg::plus<int>());
    block.sync();
    y[6] = sums[t / 64];
    y[7] = tile.any(t == 70) + tile.all(t >= 0);
    z[0] = cg::inclusive_scan(large, (double)v, cg::plus<double>());
    z[1] = cg::exclusive_scan(large, (float)v);
    z[2] = cg::exclusive_scan(part, v, cg::plus<int>());
}
