/* Products of matrices by a warp, behind <mma.h> and mma.sync: D = A * B + C. Fragments
   lie as the PTX ISA has them for m16n8: of lane 4g + t, words of A belong to rows g,
   g + 8, ..., those of B to column g, each with elements of k from t on; sums belong to
   columns 2t and 2t + 1 of A's rows. The warp meets once for a product; then what lanes
   hold goes round by permutations that are known when compiled. */
#ifndef HOSTCC_MATRIX_H
#define HOSTCC_MATRIX_H

/* What a word holds: `parts` elements, of which at() gives one; in what they are added
   up. */
#define __HC_ELEMENTS(name, W, n, S, expression)                  \
    struct __hc_of_##name {                                       \
        typedef W word;                                           \
        typedef S sum;                                            \
        static constexpr int parts = n;                           \
        __device__ static S at(W w, int j) { return expression; } \
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
__HC_ELEMENTS(f16, unsigned, 2, float,
              (float)__HC_BITS(_Float16, (unsigned short)(w >> 16 * j)))
__HC_ELEMENTS(bf16, unsigned, 2, float, __uint_as_float(j ? w & 0xffff0000 : w << 16))
__HC_ELEMENTS(tf32, unsigned, 1, float, __uint_as_float(w & 0xffffe000))
__HC_ELEMENTS(e4m3, unsigned, 4, float, __hc_value_of_e4m3((unsigned char)(w >> 8 * j)))
__HC_ELEMENTS(e5m2, unsigned, 4, float, __hc_value_of_e5m2((unsigned char)(w >> 8 * j)))
__HC_ELEMENTS(s8, unsigned, 4, int, (signed char)(w >> 8 * j))
__HC_ELEMENTS(u8, unsigned, 4, int, (unsigned char)(w >> 8 * j))
__HC_ELEMENTS(s4, unsigned, 8, int, (int)(w << (28 - 4 * j)) >> 28)
__HC_ELEMENTS(u4, unsigned, 8, int, w >> 4 * j & 15)
__HC_ELEMENTS(f64, double, 1, double, w)
__HC_ELEMENTS(b1_xor, unsigned, 32, int, w >> j & 1)
__HC_ELEMENTS(b1_and, unsigned, 32, int, w >> j & 1)
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

template <class A, class B>
__HC_DEVICE typename A::sum __hc_dot(typename A::sum s, typename A::word a,
                                     typename B::word b)
{
    for (int j = 0; j < A::parts; j++)
        s += A::at(a, j) * B::at(b, j);
    return s;
}
template <>
__device__ inline int __hc_dot<__hc_of_b1_xor, __hc_of_b1_xor>(int s, unsigned a,
                                                               unsigned b)
{
    return s + __popc(a ^ b);
}
template <>
__device__ inline int __hc_dot<__hc_of_b1_and, __hc_of_b1_and>(int s, unsigned a,
                                                               unsigned b)
{
    return s + __popc(a & b);
}

/* 8 M rows by 8 columns, with 4 K words along k: word m of row g + 8m and block k is
   a[M * k + m]; the sums of that row are c[2m] and c[2m + 1]. The whole warp is here.
 */
template <class A, class B, int M, int K>
__HC_DEVICE void __hc_multiply(typename A::sum *c, const typename A::word *a,
                               const typename B::word *b)
{
    static_assert(A::parts == B::parts, "words of A and B have as many elements");
    const int t = __hostcc_lane() & 3, quad = __hostcc_lane() & ~3;
#pragma unroll
    for (int k = 0; k < K; k++) {
#pragma unroll
        for (int q = 0; q < 4; q++) {
            typename B::word left = __hc_from_lane(b[k], 8 * t + q);
            typename B::word right = __hc_from_lane(b[k], 8 * t + 4 + q);
#pragma unroll
            for (int m = 0; m < M; m++) {
                typename A::word row = __hc_from_lane(a[M * k + m], quad + q);
                c[2 * m] = __hc_dot<A, B>(c[2 * m], row, left);
                c[2 * m + 1] = __hc_dot<A, B>(c[2 * m + 1], row, right);
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
