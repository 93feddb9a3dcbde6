/* Cooperative groups: partitions by a predicate and by labels, partitions of these, and what scattered lanes do together.

   block  32 64 16x6
   let    n = threads
   let    grid = 1
   in     x = ints(-50, 50, n)
   out    y = empty((n, 22), i8)
   inout  count = zeros(1, i4)
   let    warps = [list(range(w, w + 32)) for w in range(0, n, 32)]
   let    eights = [list(range(w, w + 8)) for w in range(0, n, 8)]
   def    by(groups, f): return [[i for i in g if f(i) == v] for g in groups for v in dict.fromkeys(f(i) for i in g)]
   let    signs = by(warps, lambda i: x[i] > 0)
   let    labels = by(eights, lambda i: x[i] % 3)
   let    nested = by(signs, lambda i: x[i] % 3)
   let    fours = [g[k:k + 4] for g in signs for k in range(0, len(g), 4)]
   def    each(groups, f):
      out = zeros(n, i8)
      for g in groups:
          for k, i in enumerate(g):
              out[i] = f(g, k)
      return out
   def    bits(g, f): return sum([2**k for k, i in enumerate(g) if f(i)], dtype=i8)
   call   partitions(x, y, count)
   expect y[:, 0] = each(signs, lambda g, k: len(g) * 100 + k)
   expect y[:, 1] = each(signs, lambda g, k: 200 + (x[g[k]] > 0) if len(g) < 32 else 100)
   expect y[:, 2] = each(labels, lambda g, k: len(g) * 100 + k)
   expect y[:, 3] = each(eights, lambda g, k: len(set(x[g] % 3)) * 100 + list(dict.fromkeys(x[g] % 3)).index(x[g[k]] % 3))
   expect y[:, 4] = each(nested, lambda g, k: len(g) * 100 + k)
   expect y[:, 5] = each(fours, lambda g, k: len(g) * 100 + k)
   expect y[:, 6] = each(signs, lambda g, k: x[g[(3 * k + 1) % len(g)]])
   expect y[:, 7] = each(signs, lambda g, k: x[g[k - 2 if k >= 2 else k]])
   expect y[:, 8] = each(signs, lambda g, k: x[g[k + 3 if k + 3 < len(g) else k]])
   expect y[:, 9] = each(signs, lambda g, k: bits(g, lambda i: x[i] % 4 == 1))
   expect y[:, 10] = each(signs, lambda g, k: any(x[g] % 4 == 1) + 2 * all(x[g] % 4 == 1) + 4 * all(x[g] > -60))
   expect y[:, 11] = each(signs, lambda g, k: bits(g, lambda i: x[i] % 5 == x[g[k]] % 5))
   expect y[:, 12] = each(labels, lambda g, k: 2 ** len(g) * 2 if all(x[g] == x[g[0]]) else 1)
   expect y[:, 13] = each(signs, lambda g, k: x[g].sum())
   expect y[:, 14] = each(nested, lambda g, k: x[g].max() * 1000 + x[g].min())
   expect y[:, 15] = each(nested, lambda g, k: x[g[:k + 1]].sum())
   expect y[:, 16] = each(labels, lambda g, k: x[g[:k]].sum())
   expect y[:, 17] = each(signs, lambda g, k: x[g[-1]] * 3)
   expect y[:, 18] = each(eights, lambda g, k: x[g[7 - k]] * 7)
   expect y[:, 19] = each(signs, lambda g, k: g[0] * 10)
   expect y[:, 20] = each(eights, lambda g, k: bits(g, lambda i: x[i] % 3 == x[g[k]] % 3) * 2 + all(x[g] % 3 == x[g[0]] % 3))
   expect y[:, 21] = each(signs, lambda g, k: x[g[0]])
   expect count = len(signs)
*/
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

struct three {
    int x, y, z;
};
struct five {
    short a[5];
};

extern "C" __global__ void partitions(const int *x, long long *y, int *count)
{
    cg::thread_block block = cg::this_thread_block();
    int i = block.thread_rank(), v = x[i], third = (v + 60) % 3;
    long long *r = y + 22 * i;
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(warp);
    auto signs = cg::binary_partition(warp, v > 0);
    r[0] = signs.size() * 100 + signs.thread_rank();
    r[1] = signs.meta_group_size() * 100 + signs.meta_group_rank();
    auto labels = cg::labeled_partition(eight, third);
    r[2] = labels.num_threads() * 100 + labels.thread_rank();
    r[3] = labels.meta_group_size() * 100 + labels.meta_group_rank();
    auto nested = cg::labeled_partition(signs, (long long)third);
    r[4] = nested.size() * 100 + nested.thread_rank();
    auto four = cg::tiled_partition(signs, 4);
    r[5] = four.size() * 100 + four.thread_rank();
    r[6] = signs.shfl(v, (3 * signs.thread_rank() + 1) % signs.size());
    r[7] = signs.shfl_up(v, 2);
    r[8] = signs.shfl_down((short)v, 3);
    bool one = (v + 60) % 4 == 1;
    r[9] = signs.ballot(one);
    r[10] = (signs.any(one) != 0) + 2 * (signs.all(one) != 0) + 4 * (signs.all(v > -60) != 0);
    r[11] = signs.match_any((v + 60) % 5);
    int same;
    unsigned matching = labels.match_all(v, same);
    r[12] = same ? 2 * (matching + 1ll) : 1 + matching;
    r[13] = cg::reduce(signs, v, cg::plus<int>());
    r[14] = cg::reduce(nested, v, cg::greater<int>()) * 1000 + cg::reduce(nested, v, cg::less<int>());
    r[15] = cg::inclusive_scan(nested, v, cg::plus<int>());
    r[16] = cg::exclusive_scan(labels, v);
    three t = signs.shfl(three{v, 2 * v, 3 * v}, signs.size() - 1);
    r[17] = t.x + t.y + t.z - (t.x + t.y);
    five f = eight.shfl_xor(five{{(short)v, 1, (short)(2 * v), 1, (short)(4 * v)}}, 7);
    r[18] = f.a[0] + f.a[2] + f.a[4];
    r[19] = cg::invoke_one_broadcast(signs, [=](int by) { return i * by; }, 10);
    r[20] = eight.match_any(third) * 2 + (eight.match_all(third, same) != 0 && same);
    cg::invoke_one(signs, [=] { atomicAdd(count, 1); });
    int first = 0;
    if (signs.thread_rank() == 0)
        first = v;
    r[21] = signs.shfl(first, 0);
}
