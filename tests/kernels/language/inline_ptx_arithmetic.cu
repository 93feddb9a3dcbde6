/* Inline PTX that computes: with carries, on bits and fields, of two widths, in predicates.

   block  33
   let    n = threads
   in     a = ints(0, 2**32 - 1, n, u4)
   in     b = ints(0, 2**32 - 1, n, u4)
   in     s = ints(0, 40, n, u4)
   out    y = empty((n, 16), u4)
   out    w = empty((n, 4), u8)
   out    z = empty((n, 8), i4)
   let    A = a.astype(i8)
   let    B = b.astype(i8)
   let    S = s.astype(i8)
   let    i = a.view(i4).astype(i8)
   let    j = b.view(i4).astype(i8)
   def    bits(v, at, count): return (v >> at) & (2**count - 1)
   def    left(v, by): return where(by < 32, v << minimum(by, 31), 0) & 0xffffffff
   let    mask = left(2**minimum(S, 32) - 1, S)
   call   f(a, b, s, y, w, z)
   expect y[:, 0] = wrap(A * B + 7, u4)
   expect y[:, 1] = (a.astype(u8) * b.astype(u8) >> u8(32)).astype(u4)
   expect y[:, 2] = left(A, S)
   expect y[:, 3] = where(S < 32, A >> minimum(S, 31), 0)
   expect y[:, 4] = [bin(v).count("1") for v in a]
   expect y[:, 5] = [32 - int(v).bit_length() for v in a]
   expect y[:, 6] = [int(format(v, "032b")[::-1], 2) for v in a]
   expect y[:, 7] = [int(v).bit_length() - 1 & 0xffffffff for v in a]
   expect y[:, 8] = (a & b) ^ s
   expect y[:, 9] = [(int(p) << 32 | int(q)) << int(m) % 32 >> 32 & 0xffffffff for p, q, m in zip(a, b, s)]
   expect y[:, 10] = bits(A, 8, 8) | bits(B, 0, 8) << 8 | where(bits(A, 31, 1), 0xff0000, 0) | bits(B, 24, 8) << 24
   expect y[:, 11] = where((i < j) & (s > 9), a, b)
   expect y[:, 12] = where(i < j, A + 1, A - 1) & 0xffffffff
   expect y[:, 13] = mask
   expect y[:, 14] = left(A, S) & mask | B & ~mask
   expect y[:, 15] = minimum(i, j) & 0xffffffff
   expect w[:, 0] = a.astype(u8) * b.astype(u8)
   expect w[:, 1] = (a.astype(u8) << u8(32) | b) + (b.astype(u8) << u8(32) | a)
   expect w[:, 2] = (a.astype(u8) << u8(32) | b) - (b.astype(u8) << u8(32) | a)
   expect w[:, 3] = a.astype(u8) << u8(32) | b
   expect z[:, 0] = i * j >> 32
   expect z[:, 1] = where(bits(A, 11, 1), bits(A, 4, 8) - 256, bits(A, 4, 8))
   expect z[:, 2] = clip(i + j, -2**31, 2**31 - 1)
   expect z[:, 3] = clip(i, -128, 127)
   expect z[:, 4] = clip(i, 0, 255)
   expect z[:, 5] = i >> minimum(S, 31)
   expect z[:, 6] = (i >> 16) * (j >> 16)
   expect z[:, 7] = rint(s / 4)
*/
extern "C" __global__ void f(const unsigned *a, const unsigned *b, const unsigned *s,
                             unsigned *y, unsigned long long *w, int *z)
{
    int k = threadIdx.x;
    unsigned p = a[k], q = b[k], n = s[k], high, low, *r = y + 16 * k;
    asm("mad.lo.u32 %0, %1, %2, 7;" : "=r"(r[0]) : "r"(p), "r"(q));
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(r[1]) : "r"(p), "r"(q));
    asm("shl.b32 %0, %1, %2;" : "=r"(r[2]) : "r"(p), "r"(n));
    asm("shr.u32 %0, %1, %2;" : "=r"(r[3]) : "r"(p), "r"(n));
    asm("popc.b32 %0, %1;" : "=r"(r[4]) : "r"(p));
    asm("clz.b32 %0, %1;" : "=r"(r[5]) : "r"(p));
    asm("brev.b32 %0, %1;" : "=r"(r[6]) : "r"(p));
    asm("bfind.u32 %0, %1;" : "=r"(r[7]) : "r"(p));
    asm("lop3.b32 %0, %1, %2, %3, 0x6a;" : "=r"(r[8]) : "r"(p), "r"(q), "r"(n));
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r[9]) : "r"(q), "r"(p), "r"(n));
    asm("prmt.b32 %0, %1, %2, 0x7b41;" : "=r"(r[10]) : "r"(p), "r"(q));
    asm("{ // two predicates\n"
        "  .reg .pred less, more;\n"
        "  setp.lt.s32 less, %1, %2;\n"
        "  setp.gt.u32 more, %3, 9;\n"
        "  and.pred more, more, less;\n"
        "  selp.b32 %0, %1, %2, more;\n"
        "}"
        : "=r"(r[11])
        : "r"(p), "r"(q), "r"(n));
    unsigned counted = p;
    asm("{ .reg .pred less; setp.lt.s32 less, %0, %1;\n"
        "  @less add.u32 %0, %0, 1; @!less sub.u32 %0, %0, 1; }"
        : "+r"(counted)
        : "r"(q));
    r[12] = counted;
    asm("bmsk.clamp.b32 %0, %1, %1;" : "=r"(r[13]) : "r"(n));
    asm("bfi.b32 %0, %1, %2, %3, %3;" : "=r"(r[14]) : "r"(p), "r"(q), "r"(n));
    asm("min.s32 %0, %1, %2;" : "=r"(r[15]) : "r"(p), "r"(q));

    asm("mul.wide.u32 %0, %1, %2;" : "=l"(w[4 * k]) : "r"(p), "r"(q));
    asm("add.cc.u32 %0, %2, %3; addc.u32 %1, %3, %2;" : "=r"(low), "=r"(high) : "r"(q), "r"(p));
    w[4 * k + 1] = (unsigned long long)high << 32 | low;
    asm("sub.cc.u32 %0, %2, %3;\n\tsubc.u32 %1, %3, %2;" : "=r"(low), "=r"(high) : "r"(q), "r"(p));
    w[4 * k + 2] = (unsigned long long)high << 32 | low;
    asm("mov.b64 %0, {%1, %2};" : "=l"(w[4 * k + 3]) : "r"(q), "r"(p));

    asm("mul.hi.s32 %0, %1, %2;" : "=r"(z[8 * k]) : "r"(p), "r"(q));
    asm("bfe.s32 %0, %1, 4, 8;" : "=r"(z[8 * k + 1]) : "r"(p));
    asm("add.sat.s32 %0, %1, %2;" : "=r"(z[8 * k + 2]) : "r"(p), "r"(q));
    asm("cvt.sat.s8.s32 %0, %1;" : "=r"(z[8 * k + 3]) : "r"(p));
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(z[8 * k + 4]) : "r"(p));
    asm("shr.s32 %0, %1, %2;" : "=r"(z[8 * k + 5]) : "r"(p), "r"(n));
    asm("{ .reg .s16 l, h, m, o; mov.b32 {l, h}, %1; mov.b32 {m, o}, %2; mul.wide.s16 %0, h, o; }"
        : "=r"(z[8 * k + 6])
        : "r"(p), "r"(q));
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(z[8 * k + 7]) : "f"(n * 0.25f));
}
