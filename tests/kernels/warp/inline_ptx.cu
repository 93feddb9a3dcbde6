/* Inline PTX that lanes of a warp exchange values with: a scan that adds under the
   shuffle's predicate, shuffles in segments, votes, matches, barriers of a warp.

   block  64
   let    n = threads
   in     x = ints(0, 9, n, i4)
   out    y = empty((n, 8), i4)
   let    lane = arange(n) % 32
   let    warps = x.reshape(n // 32, 32)
   call   f(x, y)
   expect y[:, 0] = cumsum(warps, 1).ravel()
   expect y[:, 1] = where(lane % 8 == 7, x, roll(x, -1))
   expect y[:, 2] = x.reshape(n // 16, 16)[:, 3].repeat(16)
   expect y[:, 3] = x.reshape(n // 2, 2)[:, ::-1].ravel()
   expect y[:, 4].view(u4) = repeat([sum((w > 4) << arange(32)) for w in warps], 32)
   expect y[:, 5].view(u4) = concatenate([[sum((w == v) << arange(32)) for v in w] for w in warps])
   expect y[:, 6] = (warps.max(1) > 8).repeat(32)
   expect y[:, 7] = -1
*/
extern "C" __global__ void f(const int *x, int *y)
{
    int k = threadIdx.x, *r = y + 8 * k, v = x[k], sum = v;
    unsigned all = 0xffffffffu, same, some, active;
    for (int d = 1; d < 32; d *= 2)
        asm volatile("{ .reg .s32 t; .reg .pred p;"
                     "  shfl.sync.up.b32 t|p, %0, %1, 0, %2;"
                     "  @p add.s32 %0, %0, t; }"
                     : "+r"(sum)
                     : "r"(d), "r"(all));
    r[0] = sum;
    asm volatile("shfl.sync.down.b32 %0, %1, 1, 0x181f, %2;" : "=r"(r[1]) : "r"(v), "r"(all));
    asm volatile("shfl.sync.idx.b32 %0, %1, 3, 0x101f, %2;" : "=r"(r[2]) : "r"(v), "r"(all));
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, %2;" : "=r"(r[3]) : "r"(v), "r"(all));
    asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 4; vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(r[4])
                 : "r"(v), "r"(all));
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(same) : "r"(v), "r"(all));
    asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, 8; vote.sync.any.pred q, p, %2; selp.u32 %0, 1, 0, q; }"
                 : "=r"(some)
                 : "r"(v), "r"(all));
    asm volatile("bar.warp.sync %0;" ::"r"(all) : "memory");
    asm volatile("activemask.b32 %0;" : "=r"(active));
    r[5] = same;
    r[6] = some;
    r[7] = active;
}
