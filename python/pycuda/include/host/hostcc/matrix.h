/* Products of matrices by a warp, behind <mma.h> and mma.sync: D = A * B + C. Fragments
   lie as the PTX ISA has them for m16n8: of lane 4g + t, words of A belong to rows g,
   g + 8, ..., those of B to column g, each with elements of k from t on; sums belong to
   columns 2t and 2t + 1 of A's rows. The warp meets once for a product; then what lanes
   hold goes round by permutations that are known when compiled. */
#ifndef HOSTCC_MATRIX_H
#define HOSTCC_MATRIX_H

/* Operands are what is multiplied: a number, or as many as one instruction multiplies
   and adds up. plus(): the sum with the product of two operands. */
#define __HC_OPERANDS(name, O, S, expression)                          \
    struct __hc_operands_##name {                                      \
        typedef O operand;                                             \
        typedef S sum;                                                 \
        __device__ static S plus(S s, O a, O b) { return expression; } \
    };
/* Of the signed numbers in the halves of a and b. */
extern "C" __device__ __attribute__((const)) int __hostcc_products_of_halves(
    unsigned a, unsigned b);
__HC_OPERANDS(float, float, float, s + a * b)
__HC_OPERANDS(double, double, double, s + a * b)
__HC_OPERANDS(halves, unsigned, int, s + __hostcc_products_of_halves(a, b))
__HC_OPERANDS(xor, unsigned, int, s + __popc(a ^ b))
__HC_OPERANDS(and, unsigned, int, s + __popc(a & b))
#undef __HC_OPERANDS

/* What a word holds: `parts` elements in as many `operands`, of which at() gives one.
 */
#define __HC_ELEMENTS(name, W, n, Kind, m, expression)                  \
    struct __hc_of_##name : __hc_operands_##Kind {                      \
        typedef W word;                                                 \
        static constexpr int parts = n, operands = m;                   \
        __device__ static operand at(W w, int j) { return expression; } \
    };
__HC_DEVICE float __hc_value_of_e5m2(unsigned char bits)
{
    return (float)__HC_BITS(_Float16, (unsigned short)(bits << 8));
}
__HC_DEVICE float __hc_value_of_e4m3(unsigned char bits)
{
    unsigned short half = (unsigned short)((bits & 0x80) << 8 | (bits & 0x7f) << 7);
    bool is_nan = (bits & 0x7f) == 0x7f;
    return is_nan ? __builtin_nanf("") : (float)__HC_BITS(_Float16, half) * 256;
}
/* Of numbers in both halves, `sign` the bit of their sign: with the bits above it. */
__HC_DEVICE unsigned __hc_signed_halves(unsigned w, unsigned sign)
{
    unsigned signs = sign * 0x10001, guards = 0x80008000; /* nothing is borrowed */
    return ((w ^ (signs | guards)) - signs) ^ guards;
}
__HC_ELEMENTS(f16, unsigned, 2, float, 2,
              (float)__HC_BITS(_Float16, (unsigned short)(w >> 16 * j)))
__HC_ELEMENTS(bf16, unsigned, 2, float, 2,
              __uint_as_float(j ? w & 0xffff0000 : w << 16))
__HC_ELEMENTS(tf32, unsigned, 1, float, 1, __uint_as_float(w & 0xffffe000))
__HC_ELEMENTS(e4m3, unsigned, 4, float, 4,
              __hc_value_of_e4m3((unsigned char)(w >> 8 * j)))
__HC_ELEMENTS(e5m2, unsigned, 4, float, 4,
              __hc_value_of_e5m2((unsigned char)(w >> 8 * j)))
__HC_ELEMENTS(s8, unsigned, 4, halves, 2,
              __hc_signed_halves(w >> 8 * j & 0xff00ff, 0x80))
__HC_ELEMENTS(u8, unsigned, 4, halves, 2, w >> 8 * j & 0xff00ff)
__HC_ELEMENTS(s4, unsigned, 8, halves, 4, __hc_signed_halves(w >> 4 * j & 0xf000f, 8))
__HC_ELEMENTS(u4, unsigned, 8, halves, 4, w >> 4 * j & 0xf000f)
__HC_ELEMENTS(f64, double, 1, double, 1, w)
__HC_ELEMENTS(b1_xor, unsigned, 32, xor, 1, w)
__HC_ELEMENTS(b1_and, unsigned, 32, and, 1, w)
#undef __HC_ELEMENTS

/* A value of another lane, behind a __syncwarp of the whole warp. */
__HC_WARP unsigned __hostcc_from_lane_32(unsigned, int);
__HC_WARP __hc_ull __hostcc_from_lane_64(__hc_ull, int);
template <class T> __HC_DEVICE T __hc_from_lane(T value, int lane)
{
    typedef typename __hc_word<sizeof(T)>::type word;
    word bits = __HC_BITS(word, value);
    if constexpr (sizeof bits == 8)
        return __HC_BITS(T, __hostcc_from_lane_64(bits, lane));
    else
        return __HC_BITS(T, __hostcc_from_lane_32(bits, lane));
}

/* 8 M rows by 8 N columns, with 4 K words along k. Word m of row g + 8m and block k is
   a[M * k + m], that of column g + 8n is b[K * n + k]; c[2 * (M * n + m)] and the next
   are their sums. Operands come in an order in which few are needed at a time. The
   whole warp is here. */
template <class A, class B, int M, int K, int N>
__HC_DEVICE void __hc_multiply(typename A::sum *c, const typename A::word *a,
                               const typename B::word *b)
{
    static_assert(A::parts == B::parts, "words of A and B have as many elements");
    const int t = __hostcc_lane() & 3, quad = __hostcc_lane() & ~3;
#pragma unroll
    for (int k = 0; k < K; k++) {
#pragma unroll
        for (int i = 0; i < 4 * A::operands; i++) {
            const int q = i % 4, j = i / 4;
            typename A::operand row[M];
#pragma unroll
            for (int m = 0; m < M; m++)
                row[m] = __hc_from_lane(A::at(a[M * k + m], j), quad + q);
#pragma unroll
            for (int n = 0; n < N; n++) {
                typename B::operand all = B::at(b[K * n + k], j);
                typename B::operand left = __hc_from_lane(all, 8 * t + q);
                typename B::operand right = __hc_from_lane(all, 8 * t + 4 + q);
#pragma unroll
                for (int m = 0; m < M; m++) {
                    typename A::sum *s = c + 2 * (M * n + m);
                    s[0] = A::plus(s[0], row[m], left);
                    s[1] = A::plus(s[1], row[m], right);
                }
            }
        }
    }
}

/* To 10 bits of fraction; halves away from zero. */
__HC_DEVICE float __hc_tf32(float x)
{
    unsigned bits = (__float_as_uint(x) + 0x1000) & 0xffffe000;
    return __uint_as_float(x == x ? bits : 0x7fffffff);
}

/* What mma's satfinite makes of a sum, whose largest number is `most`. */
__HC_DEVICE int __hc_finite_sum(int s, int c, float = 0)
{
    return __builtin_elementwise_add_sat(s, c);
}
__HC_DEVICE float __hc_finite_sum(float s, float c, float most = 0x1.fffffep127f)
{
    s += c;
    return s != s ? 0 : s > most ? most : s < -most ? -most : s;
}

#endif
