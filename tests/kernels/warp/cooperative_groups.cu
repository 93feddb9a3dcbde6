/* Cooperative groups: tiles of fixed and of chosen size, groups of converged lanes, partitions, reductions and scans.

   block  32 64 16x16
   let    n = threads
   let    grid = 1
   in     x = ints(-50, 50, n)
   out    y = empty((n, 8), i4)
   inout  total = zeros(2, i4)
   let    w = x.reshape(-1, 32)
   let    t = x.reshape(-1, 8)
   def    grouped(w, f): return array([[f(r, i) for i in range(len(r))] for r in w], i4).ravel()
   call   f[grid, block, 4 * threads](x, y, total)
   expect y[:, 0] = repeat(t.sum(1), 8)
   expect y[:, 1] = repeat(x.reshape(-1, 4).sum(1), 4)
   expect y[:, 2] = x.sum()
   expect y[:, 3] = cumsum(t, 1).ravel()
   expect y[:, 4] = (cumsum(w, 1) - w).ravel()
   expect y[:, 5] = grouped(w, lambda r, i: r[r > 0].sum() if r[i] > 0 else r[i])
   expect y[:, 6] = grouped(t, lambda r, i: r[(r % 2) == (r[i] % 2)].sum())
   expect y[:, 7] = grouped(w, lambda r, i: (r % 3 == r[i] % 3).sum() * 100 + (r[:i] % 3 == r[i] % 3).sum())
   expect total = [x.sum(), (x > 0).sum()]
*/
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

/* By shared memory: the group may be the block or a part of a warp. */
__device__ int sum_of(cg::thread_group g, int *scratch, int v)
{
    int rank = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        scratch[rank] = v;
        g.sync();
        if (rank < i)
            v += scratch[rank + i];
        g.sync();
    }
    if (rank == 0)
        scratch[0] = v;
    g.sync();
    return scratch[0];
}

__device__ int next(int *count)
{
    cg::coalesced_group g = cg::coalesced_threads();
    int first;
    if (g.thread_rank() == 0)
        first = atomicAdd(count, g.size());
    return g.shfl(first, 0) + g.thread_rank();
}

extern "C" __global__ void f(const int *x, int *y, int *total)
{
    extern __shared__ int scratch[];
    cg::thread_block block = cg::this_thread_block();
    int i = block.thread_rank(), v = x[i], *r = y + 8 * i;
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(warp);
    cg::thread_group four = cg::tiled_partition(block, 4);

    r[0] = cg::reduce(eight, v, cg::plus<int>());
    r[1] = sum_of(four, scratch + i / 4 * 4, v);
    block.sync();
    r[2] = sum_of(block, scratch, v);
    r[3] = cg::inclusive_scan(eight, v);
    r[4] = cg::exclusive_scan(warp, v, cg::plus<int>());
    r[5] = v;
    if (v > 0) {
        auto positive = cg::coalesced_threads();
        r[5] = cg::reduce(positive, v, cg::plus<int>());
        next(total + 1);
    }
    warp.sync();
    auto same = cg::binary_partition(eight, v % 2 != 0);
    r[6] = cg::reduce(same, v, cg::plus<int>());
    auto alike = cg::labeled_partition(warp, (v + 60) % 3);
    r[7] = alike.size() * 100 + alike.thread_rank();
    int all = cg::reduce(warp, v, cg::plus<int>());
    if (warp.thread_rank() == 0)
        atomicAdd(total, all);
}
