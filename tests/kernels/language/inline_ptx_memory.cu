/* Inline PTX that loads, stores and counts: with caches, orders and scopes, several words
   at once, in shared memory by 32-bit addresses.

   block  64
   let    n = threads
   in     x = ints(-1000, 1000, 4 * n, i4)
   out    y = empty((n, 8), i4)
   inout  sums = zeros(8, i4)
   inout  wide = zeros(2, u8)
   inout  real = zeros(1, f4)
   let    rows = x.reshape(n, 4)
   call   f(x, y, sums, wide, real)
   expect y[:, :4] = rows
   expect y[:, 4] = x[:n]
   expect y[:, 5] = rows[::-1, 1]
   expect y[:, 6] = (x[:n] & 255) - ((x[:n] & 128) << 1)
   expect y[:, 7] = 1
   expect sums = [x[:n].sum(), x[:n].min(), x[:n].max(), n, 64, 7, -1, n % 10]
   expect wide = [n * 2**33, 5]
   expect real = n / 2
*/
extern "C" __global__ void f(const int *x, int *y, int *sums, unsigned long long *wide, float *real)
{
    __shared__ int row[64];
    int k = threadIdx.x, *r = y + 8 * k, a, b, c, d, old;
    unsigned long long before;
    unsigned shared, is_shared, is_global;
    asm volatile("ld.global.nc.v4.s32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "l"(x + 4 * k));
    asm volatile("st.global.cg.v2.u32 [%0], {%1, %2};" ::"l"(r), "r"(a), "r"(b) : "memory");
    asm volatile("st.release.gpu.global.u32 [%0+8], %1;" ::"l"(r), "r"(c) : "memory");
    asm volatile("st.wt.u32 [%0], %1;" ::"l"(r + 3), "r"(d) : "memory");
    asm volatile("ld.relaxed.sys.s32 %0, [%1];" : "=r"(r[4]) : "l"(x + k) : "memory");
    asm volatile("ld.cs.s8 %0, [%1];" : "=r"(r[6]) : "l"(x + k));

    shared = (unsigned)__cvta_generic_to_shared(row + k);
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(shared), "r"(b) : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    shared = (unsigned)__cvta_generic_to_shared(row);
    asm volatile("ld.volatile.shared.s32 %0, [%1];" : "=r"(r[5]) : "r"(shared + 4 * (63 - k)) : "memory");
    asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is_shared) : "l"(row + 63));
    asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is_global) : "l"(x));
    asm("{ .reg .pred p, q, r; isspacep.global p, %1; isspacep.local q, %1; isspacep.const r, %1;\n"
        "  or.pred q, q, r; not.pred q, q; and.pred p, p, q; selp.u32 %0, %0, 7, p; }"
        : "+r"(is_global)
        : "l"(x));
    r[7] = is_shared && !is_global && __isShared(row) && !__isShared(y);

    asm volatile("red.relaxed.gpu.global.add.s32 [%0], %1;" ::"l"(sums), "r"(x[k]) : "memory");
    asm volatile("atom.min.global.s32 %0, [%1], %2;" : "=r"(old) : "l"(sums + 1), "r"(x[k]) : "memory");
    asm volatile("atom.add.acq_rel.gpu.u32 %0, [%1], 1;" : "=r"(old) : "l"(sums + 3) : "memory");
    asm volatile("{ .reg .pred last; setp.eq.u32 last, %0, 63; @last st.u32 [%1], 64; }" ::"r"(old), "l"(sums + 4) : "memory");
    asm volatile("red.max.s32 [%0], %1;" ::"l"(sums + 2), "r"(x[k]) : "memory");
    asm volatile("atom.cas.b32 %0, [%1], 0, 7;" : "=r"(old) : "l"(sums + 5) : "memory");
    asm volatile("atom.or.b32 %0, [%1], -1;" : "=r"(old) : "l"(sums + 6) : "memory");
    asm volatile("atom.inc.u32 %0, [%1], 9;" : "=r"(old) : "l"(sums + 7) : "memory");
    asm volatile("red.add.u64 [%0], %1;" ::"l"(wide), "l"(1ull << 33) : "memory");
    asm volatile("atom.exch.b64 %0, [%1], %2;" : "=l"(before) : "l"(wide + 1), "l"(5ull) : "memory");
    asm volatile("red.add.f32 [%0], %1;" ::"l"(real), "f"(0.5f) : "memory");
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
}
