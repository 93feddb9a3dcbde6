/* Inline PTX's rarer instructions on bits and bytes, numbers of 24 bits, and what floats are
   like.

   block  40
   let    n = threads
   in     a = concatenate((array([0, 1, 2**32 - 1, 2**31], u4), ints(0, 2**32 - 1, n - 4, u4)))
   in     b = ints(0, 2**32 - 1, n, u4)
   in     c = where(arange(n) % 2, ints(0, 40, n, u4), ints(0, 2**32 - 1, n, u4))
   in     s = concatenate((array([[40000, -40000], [65535, 2**31 - 1]], i4), ints(-300, 300, (n - 2, 2), i4)))
   in     x = resize(array([0, -0.0, 1, 1e-40, -1e-45, 1.1754944e-38, inf, -inf, nan, 3e38], f4), n)
   out    y = empty((n, 27), u4)
   out    z = empty((n, 6), u1)
   def    bytes_of(p, q): return [(int(q) << 32 | int(p)) >> 8 * k & 255 for k in range(8)]
   def    joined(four): return four[0] << 24 | four[1] << 16 | four[2] << 8 | four[3]
   def    permuted(table): return [joined([bytes_of(p, q)[k] for k in table[int(m) & 3]]) for p, q, m in zip(a, b, c)]
   def    signed(v, size): return (int(v) & 2**size - 1) - (int(v) >> size - 1 & 1) * 2**size
   def    low(v, count, is_signed): return (signed(v, count) if is_signed else int(v) & 2**count - 1) & 2**32 - 1 if count else 0
   def    near(v, least, size): return int(clip(int(v), least, least + 2**size - 1)) & 2**size - 1
   def    packed(least, size): return [int(m) << 2 * size & 2**32 - 1 | near(p, least, size) << size | near(q, least, size) for (p, q), m in zip(s, c)]
   def    top(v): return 32 - int(v).bit_length() if v else 2**32 - 1
   def    kept(v): return int(clip(v, -2**31, 2**31 - 1)) & 2**32 - 1
   call   f(a, b, c, s, x, y, z)
   expect y[:, 0] = permuted([[3, 2, 1, 0], [4, 3, 2, 1], [5, 4, 3, 2], [6, 5, 4, 3]])
   expect y[:, 1] = permuted([[5, 6, 7, 0], [6, 7, 0, 1], [7, 0, 1, 2], [0, 1, 2, 3]])
   expect y[:, 2] = permuted([[0] * 4, [1] * 4, [2] * 4, [3] * 4])
   expect y[:, 3] = permuted([[3, 2, 1, 0], [3, 2, 1, 1], [3, 2, 2, 2], [3] * 4])
   expect y[:, 4] = permuted([[0] * 4, [1, 1, 1, 0], [2, 2, 1, 0], [3, 2, 1, 0]])
   expect y[:, 5] = permuted([[1, 0, 1, 0], [3, 2, 3, 2], [1, 0, 1, 0], [3, 2, 3, 2]])
   expect y[:, 6] = [top(v) for v in a]
   expect y[:, 7] = [top(v if v < 2**31 else ~v & 2**32 - 1) for v in a]
   expect y[:, 8] = [(2**(int(q) % 32) - 1) << int(p) % 32 & 2**32 - 1 for p, q in zip(c, b)]
   expect y[:, 9] = [low(p, int(minimum(m, 32)), True) for p, m in zip(a, c)]
   expect y[:, 10] = [low(p, int(minimum(m, 32)), False) for p, m in zip(a, c)]
   expect y[:, 11] = [low(p, int(m) % 32, True) for p, m in zip(a, c)]
   expect y[:, 12] = [low(p, int(m) % 32, False) for p, m in zip(a, c)]
   expect y[:, 13] = a & b & c
   expect y[:, 14] = ((a & b & c) != 0) | (a < b)
   expect y[:, 15] = ((a ^ b ^ c) != 0) & (a < b)
   expect y[:, 16] = packed(0, 8)
   expect y[:, 17] = packed(-128, 8)
   expect y[:, 18] = [near(p, 0, 16) << 16 | near(q, 0, 16) for p, q in s]
   expect y[:, 19] = [near(p, -2**15, 16) << 16 | near(q, -2**15, 16) for p, q in s]
   expect y[:, 20] = packed(0, 4)
   expect y[:, 21] = packed(-2, 2)
   expect y[:, 22] = [(int(p) % 2**24) * (int(q) % 2**24) >> 16 for p, q in zip(a, b)]
   expect y[:, 23] = [signed(p, 24) * signed(q, 24) >> 16 & 2**32 - 1 for p, q in zip(a, b)]
   expect y[:, 24] = [(signed(p, 24) * signed(q, 24) >> 16) + int(m) & 2**32 - 1 for p, q, m in zip(a, b, c)]
   expect y[:, 25] = [kept((signed(p, 24) * signed(q, 24) >> 16) + signed(m, 32)) for p, q, m in zip(a, b, c)]
   expect y[:, 26] = [kept((signed(p, 32) * signed(q, 32) >> 32) + signed(m, 32)) for p, q, m in zip(a, b, c)]
   expect z[:, 0] = isfinite(x)
   expect z[:, 1] = isinf(x)
   expect z[:, 2] = ~isnan(x)
   expect z[:, 3] = isnan(x)
   expect z[:, 4] = isfinite(x) & ((x == 0) | (abs(x) >= 2**-126))
   expect z[:, 5] = (x != 0) & (abs(x) < 2**-126)
*/
#define ONE(k, code, ...) asm(code : "=r"(y[k]) : __VA_ARGS__)
#define LIKE(k, name)                                                                       \
    asm("{ .reg .pred p; testp." name ".f32 p, %1; selp.u32 %0, 1, 0, p; }"                 \
        : "=r"(is)                                                                          \
        : "f"(x[t]));                                                                       \
    z[k] = is

extern "C" __global__ void f(const unsigned *a, const unsigned *b, const unsigned *c, const int *s,
                             const float *x, unsigned *y, unsigned char *z)
{
    int t = threadIdx.x, p = s[2 * t], q = s[2 * t + 1];
    unsigned i = a[t], j = b[t], k = c[t], is;
    y += 27 * t, z += 6 * t;
    ONE(0, "prmt.b32.f4e %0, %1, %2, %3;", "r"(i), "r"(j), "r"(k));
    ONE(1, "prmt.b32.b4e %0, %1, %2, %3;", "r"(i), "r"(j), "r"(k));
    ONE(2, "prmt.b32.rc8 %0, %1, %2, %3;", "r"(i), "r"(j), "r"(k));
    ONE(3, "prmt.b32.ecl %0, %1, %2, %3;", "r"(i), "r"(j), "r"(k));
    ONE(4, "prmt.b32.ecr %0, %1, %2, %3;", "r"(i), "r"(j), "r"(k));
    ONE(5, "prmt.b32.rc16 %0, %1, %2, %3;", "r"(i), "r"(j), "r"(k));
    ONE(6, "bfind.shiftamt.u32 %0, %1;", "r"(i));
    ONE(7, "bfind.shiftamt.s32 %0, %1;", "r"(i));
    ONE(8, "bmsk.wrap.b32 %0, %1, %2;", "r"(k), "r"(j));
    ONE(9, "szext.clamp.s32 %0, %1, %2;", "r"(i), "r"(k));
    ONE(10, "szext.clamp.u32 %0, %1, %2;", "r"(i), "r"(k));
    ONE(11, "szext.wrap.s32 %0, %1, %2;", "r"(i), "r"(k));
    ONE(12, "szext.wrap.u32 %0, %1, %2;", "r"(i), "r"(k));
    asm("{ .reg .pred less, any; setp.lt.u32 less, %2, %3;\n"
        "  lop3.or.b32 %0|any, %2, %3, %4, 0x80, less; selp.u32 %1, 1, 0, any; }"
        : "=r"(y[13]), "=r"(y[14])
        : "r"(i), "r"(j), "r"(k));
    ONE(15,
        "{ .reg .pred less, any; setp.lt.u32 less, %1, %2;\n"
        "  lop3.and.b32 _|any, %1, %2, %3, 0x96, less; selp.u32 %0, 1, 0, any; }",
        "r"(i), "r"(j), "r"(k));
    ONE(16, "cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;", "r"(p), "r"(q), "r"(k));
    ONE(17, "cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;", "r"(p), "r"(q), "r"(k));
    ONE(18, "cvt.pack.sat.u16.s32 %0, %1, %2;", "r"(p), "r"(q));
    ONE(19, "cvt.pack.sat.s16.s32 %0, %1, %2;", "r"(p), "r"(q));
    ONE(20, "cvt.pack.sat.u4.s32.b32 %0, %1, %2, %3;", "r"(p), "r"(q), "r"(k));
    ONE(21, "cvt.pack.sat.s2.s32.b32 %0, %1, %2, %3;", "r"(p), "r"(q), "r"(k));
    ONE(22, "mul24.hi.u32 %0, %1, %2;", "r"(i), "r"(j));
    ONE(23, "mul24.hi.s32 %0, %1, %2;", "r"(i), "r"(j));
    ONE(24, "mad24.hi.s32 %0, %1, %2, %3;", "r"(i), "r"(j), "r"(k));
    ONE(25, "mad24.hi.sat.s32 %0, %1, %2, %3;", "r"(i), "r"(j), "r"(k));
    ONE(26, "mad.hi.sat.s32 %0, %1, %2, %3;", "r"(i), "r"(j), "r"(k));
    LIKE(0, "finite");
    LIKE(1, "infinite");
    LIKE(2, "number");
    LIKE(3, "notanumber");
    LIKE(4, "normal");
    LIKE(5, "subnormal");
}
