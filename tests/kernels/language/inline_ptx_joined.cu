/* Comparisons of PTX that are joined with a predicate, that give their opposite too, that have names of their own without a sign;
   and products in sums with a carry.

   let    n = 100
   in     a = ints(0, 2**32 - 1, n, u4) >> ints(0, 31, n, u4)
   in     b = ints(0, 2**32 - 1, n, u4)
   out    y = empty((n, 6), i4)
   out    z = empty((n, 4), u4)
   call   f(a, b, y, z, n)
   let    less = a < b
   let    odd = a % 2 == 1
   let    both = [less, ~less]
   expect y[:, 0] = 2 * less + ~less
   expect y[:, 1] = less & odd
   expect y[:, 2] = 2 * (less | ~odd) + (~less | ~odd)
   expect y[:, 3] = less ^ odd
   expect y[:, 4] = 8 * (a < b) + 4 * (a <= b) + 2 * (a > b) + (a >= b)
   expect y[:, 5] = where(less & odd, -1, 0)
   def    words(v): return [v >> 32 * k & 0xffffffff for k in range(4)]
   let    wide = [(int(p) << 32 | int(q)) * (int(q) << 32 | int(p)) + (int(q) << 64) + int(p) for p, q in zip(a, b)]
   expect z = [words(v) for v in wide]
*/
extern "C" __global__ void f(const unsigned *a, const unsigned *b, int *y, unsigned *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int *r = y + 6 * i;
    unsigned *w = z + 4 * i;
    asm("{\n"
        ".reg .pred p, q, odd;\n"
        ".reg .u32 bit, v;\n"
        "and.b32 bit, %6, 1;\n"
        "setp.ne.u32 odd, bit, 0;\n"
        "setp.lt.u32 p|q, %6, %7;\n"
        "selp.s32 %0, 2, 0, p;\n"
        "@q add.s32 %0, %0, 1;\n"
        "setp.lt.and.u32 p, %6, %7, odd;\n"
        "selp.s32 %1, 1, 0, p;\n"
        "setp.lt.or.u32 p|q, %6, %7, !odd;\n"
        "selp.s32 %2, 2, 0, p;\n"
        "@q add.s32 %2, %2, 1;\n"
        "setp.lt.xor.u32 p, %6, %7, odd;\n"
        "selp.s32 %3, 1, 0, p;\n"
        "setp.lo.u32 p, %6, %7;\n"
        "selp.s32 %4, 8, 0, p;\n"
        "setp.ls.u32 p, %6, %7;\n"
        "@p add.s32 %4, %4, 4;\n"
        "setp.hi.u32 p, %6, %7;\n"
        "@p add.s32 %4, %4, 2;\n"
        "setp.hs.u32 p, %6, %7;\n"
        "@p add.s32 %4, %4, 1;\n"
        "set.lo.and.u32.u32 %5, %6, %7, odd;\n"
        "}"
        : "=&r"(r[0]), "=&r"(r[1]), "=&r"(r[2]), "=&r"(r[3]), "=&r"(r[4]), "=&r"(r[5])
        : "r"(a[i]), "r"(b[i]));
    // (a, b) * (b, a) + (b, 0, a), the low words last.
    asm("{\n"
        ".reg .u32 none;\n"
        "mov.u32 none, 0;\n"
        "mad.lo.cc.u32 %0, %5, %4, %4;\n"
        "madc.hi.cc.u32 %1, %5, %4, none;\n"
        "addc.cc.u32 %2, %5, 0;\n"
        "addc.u32 %3, 0, 0;\n"
        "mad.lo.cc.u32 %1, %4, %4, %1;\n"
        "madc.hi.cc.u32 %2, %4, %4, %2;\n"
        "addc.u32 %3, %3, 0;\n"
        "mad.lo.cc.u32 %1, %5, %5, %1;\n"
        "madc.hi.cc.u32 %2, %5, %5, %2;\n"
        "addc.u32 %3, %3, 0;\n"
        "mad.lo.cc.u32 %2, %4, %5, %2;\n"
        "madc.hi.u32 %3, %4, %5, %3;\n"
        "}"
        : "=&r"(w[0]), "=&r"(w[1]), "=&r"(w[2]), "=&r"(w[3])
        : "r"(a[i]), "r"(b[i]));
}
