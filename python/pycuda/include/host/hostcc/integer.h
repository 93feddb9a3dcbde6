/* Integer intrinsics: bit counts, high products, averages, funnel shifts, dot products,
   and the instructions that treat a word as two halves or four bytes. */
#ifndef HOSTCC_INTEGER_H
#define HOSTCC_INTEGER_H

#define __HC_FUNCTION(type, name, params, result) \
    __HC type name params { return result; }

__HC_FUNCTION(int, __popc, (unsigned x), __builtin_popcount(x))
__HC_FUNCTION(int, __popcll, (unsigned long long x), __builtin_popcountll(x))
__HC_FUNCTION(int, __clz, (int x), x ? __builtin_clz(x) : 32)
__HC_FUNCTION(int, __clzll, (long long x), x ? __builtin_clzll(x) : 64)
__HC_FUNCTION(int, __ffs, (int x), __builtin_ffs(x))
__HC_FUNCTION(int, __ffsll, (long long x), __builtin_ffsll(x))
__HC_FUNCTION(unsigned, __brev, (unsigned x), __builtin_bitreverse32(x))
__HC_FUNCTION(unsigned long long, __brevll, (unsigned long long x),
              __builtin_bitreverse64(x))

__HC_FUNCTION(int, __mul24, (int x, int y), (x << 8 >> 8) * (y << 8 >> 8))
__HC_FUNCTION(unsigned, __umul24, (unsigned x, unsigned y),
              (x & 0xffffff) * (y & 0xffffff))
__HC_FUNCTION(int, __mulhi, (int x, int y), (int)((long long)x *y >> 32))
__HC_FUNCTION(unsigned, __umulhi, (unsigned x, unsigned y),
              (unsigned)((__hc_ull)x *y >> 32))
__HC_FUNCTION(long long, __mul64hi, (long long x, long long y),
              (long long)((__int128)x *y >> 64))
__HC_FUNCTION(unsigned long long, __umul64hi,
              (unsigned long long x, unsigned long long y),
              (__hc_ull)((unsigned __int128)x *y >> 64))
__HC_FUNCTION(unsigned, __sad, (int x, int y, unsigned z),
              z + (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x))
__HC_FUNCTION(unsigned, __usad, (unsigned x, unsigned y, unsigned z),
              z + (x > y ? x - y : y - x))
__HC_FUNCTION(int, __hadd, (int x, int y), (int)(((long long)x + y) >> 1))
__HC_FUNCTION(int, __rhadd, (int x, int y), (int)(((long long)x + y + 1) >> 1))
__HC_FUNCTION(unsigned, __uhadd, (unsigned x, unsigned y),
              (unsigned)(((__hc_ull)x + y) >> 1))
__HC_FUNCTION(unsigned, __urhadd, (unsigned x, unsigned y),
              (unsigned)(((__hc_ull)x + y + 1) >> 1))

/* The place of the n-th set bit, counted from 0: halves that hold no more are passed
   over. 31 if there are not so many. */
__HC unsigned __hc_member(unsigned bits, unsigned n)
{
    unsigned at = 0;
#pragma unroll
    for (unsigned half = 16; half; half /= 2) {
        unsigned low = __popc(bits >> at & ((1u << half) - 1));
        at += n >= low ? half : 0;
        n -= n >= low ? low : 0;
    }
    return at;
}
/* The same from bit `base` on and counted from 1, downwards if n is negative; for 0
   that bit itself. -1 if there are not so many. */
__HC unsigned __fns(unsigned mask, unsigned base, int n)
{
    unsigned bits = n < 0 ? __brev(mask) >> (31 - base) : mask >> base;
    unsigned most = n < 0 ? -(unsigned)n : n ? (unsigned)n : 1;
    bits &= n ? ~0u : 1u;
    unsigned at = __hc_member(bits, most - 1);
    return (unsigned)__popc(bits) < most ? ~0u : n < 0 ? base - at : base + at;
}

/* Bytes of y:x picked by four selectors of four bits. */
__HC unsigned __byte_perm(unsigned x, unsigned y, unsigned s)
{
    unsigned long long v = (unsigned long long)y << 32 | x;
    return (unsigned)(v >> 8 * (s & 7) & 0xff) |
           (unsigned)(v >> 8 * (s >> 4 & 7) & 0xff) << 8 |
           (unsigned)(v >> 8 * (s >> 8 & 7) & 0xff) << 16 |
           (unsigned)(v >> 8 * (s >> 12 & 7) & 0xff) << 24;
}
/* As LLVM knows funnel shifts and rotations, of which vectors have instructions: shifts
   of 64 bits take twice the registers, and products. */
__HC unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n)
{
    n &= 31;
    return n ? high << n | low >> (32 - n) : high;
}
__HC unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n)
{
    n &= 31;
    return n ? low >> n | high << (32 - n) : low;
}
__HC unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned n)
{
    return n < 32 ? __funnelshift_l(low, high, n) : low;
}
__HC unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned n)
{
    return n < 32 ? __funnelshift_r(low, high, n) : high;
}

/* Lane i of v as a number of type T. */
#define __HC_LANE(T, v, i) (T)((v) >> 8 * sizeof(T) * (i))
#define __HC_DOT(R, T8, T16)                                    \
    __HC R __dp4a(R a, R b, R c)                                \
    {                                                           \
        for (int i = 0; i < 4; i++)                             \
            c += __HC_LANE(T8, a, i) * __HC_LANE(T8, b, i);     \
        return c;                                               \
    }                                                           \
    __HC R __dp2a_lo(R a, R b, R c)                             \
    {                                                           \
        return c + __HC_LANE(T16, a, 0) * __HC_LANE(T8, b, 0) + \
               __HC_LANE(T16, a, 1) * __HC_LANE(T8, b, 1);      \
    }                                                           \
    __HC R __dp2a_hi(R a, R b, R c) { return __dp2a_lo(a, b >> 16, c); }
__HC_DOT(int, signed char, short)
__HC_DOT(unsigned, unsigned char, unsigned short)

/* __vNAME4 and __vNAME2: expression of the lanes x and y, cut to the lane's mask m. */
#define __HC_SIMD(name, sign, expression)          \
    __HC unsigned __hc_##name(int x, int y, int m) \
    {                                              \
        return (unsigned)(expression) & m;         \
    }                                              \
    __HC_LANES(name, 4, sign char, 255)            \
    __HC_LANES(name, 2, sign short, 65535)
#define __HC_LANES(name, n, T, m)                                                      \
    __HC unsigned __v##name##n(unsigned a, unsigned b)                                 \
    {                                                                                  \
        unsigned r = 0;                                                                \
        for (int i = 0; i < n; i++)                                                    \
            r |= __hc_##name(__HC_LANE(T, a, i), __HC_LANE(T, b, i), m) << 32 / n * i; \
        return r;                                                                      \
    }
__HC_SIMD(add, unsigned, x + y)
__HC_SIMD(sub, unsigned, x - y)
__HC_SIMD(addss, signed, x + y > m / 2 ? m / 2 : x + y < ~(m / 2) ? ~(m / 2) : x + y)
__HC_SIMD(subss, signed, x - y > m / 2 ? m / 2 : x - y < ~(m / 2) ? ~(m / 2) : x - y)
__HC_SIMD(addus, unsigned, x + y > m ? m : x + y)
__HC_SIMD(subus, unsigned, x > y ? x - y : 0)
__HC_SIMD(maxs, signed, x > y ? x : y)
__HC_SIMD(maxu, unsigned, x > y ? x : y)
__HC_SIMD(mins, signed, x < y ? x : y)
__HC_SIMD(minu, unsigned, x < y ? x : y)
__HC_SIMD(avgs, signed, (x + y + (x + y >= 0)) >> 1)
__HC_SIMD(avgu, unsigned, (x + y + 1) >> 1)
__HC_SIMD(haddu, unsigned, (x + y) >> 1)
__HC_SIMD(absdiffs, signed, x > y ? x - y : y - x)
__HC_SIMD(absdiffu, unsigned, x > y ? x - y : y - x)
/* __vcmpNAME: all bits of the lane where it holds; __vsetNAME: 1. */
#define __HC_COMPARE(name, sign, expression)  \
    __HC_SIMD(cmp##name, sign, -(expression)) \
    __HC_SIMD(set##name, sign, expression)
__HC_COMPARE(eq, unsigned, x == y)
__HC_COMPARE(ne, unsigned, x != y)
__HC_COMPARE(gts, signed, x > y)
__HC_COMPARE(gtu, unsigned, x > y)
__HC_COMPARE(ges, signed, x >= y)
__HC_COMPARE(geu, unsigned, x >= y)
__HC_COMPARE(lts, signed, x < y)
__HC_COMPARE(ltu, unsigned, x < y)
__HC_COMPARE(les, signed, x <= y)
__HC_COMPARE(leu, unsigned, x <= y)
#define __HC_SIMD_OF_ONE(n)                                                \
    __HC_FUNCTION(unsigned, __vabs##n, (unsigned x), __vabsdiffs##n(x, 0)) \
    __HC_FUNCTION(unsigned, __vabsss##n, (unsigned x),                     \
                  __vmaxs##n(x, __vsubss##n(0, x)))                        \
    __HC_FUNCTION(unsigned, __vneg##n, (unsigned x), __vsub##n(0, x))      \
    __HC_FUNCTION(unsigned, __vnegss##n, (unsigned x), __vsubss##n(0, x))
__HC_SIMD_OF_ONE(4)
__HC_SIMD_OF_ONE(2)
#define __HC_SUM_OF_DIFFERENCES(sign)                              \
    __HC unsigned __vsad##sign##4(unsigned x, unsigned y)          \
    {                                                              \
        return __dp4a(__vabsdiff##sign##4(x, y), 0x01010101u, 0u); \
    }                                                              \
    __HC unsigned __vsad##sign##2(unsigned x, unsigned y)          \
    {                                                              \
        unsigned d = __vabsdiff##sign##2(x, y);                    \
        return (d & 0xffff) + (d >> 16);                           \
    }
__HC_SUM_OF_DIFFERENCES(s)
__HC_SUM_OF_DIFFERENCES(u)

/* -- DPX: minima and maxima of two or three, of a sum, with a floor of zero (relu) --
 */

#define __HC_LARGER(a, b) ((a) > (b) ? (a) : (b))
#define __HC_SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define __HC_WRAPPED_SUM (T)((unsigned)a + (unsigned)b)

/* An expression of a, b and c of type T; for words, and for both halves of words. */
#define __HC_DPX_WORD(name, type, expression) \
    __HC type name(type a, type b, type c)    \
    {                                         \
        typedef type T;                       \
        return (T)(expression);               \
    }
#define __HC_DPX_HALVES(name, type, expression)                                       \
    __HC unsigned name(unsigned x, unsigned y, unsigned z)                            \
    {                                                                                 \
        typedef type T;                                                               \
        unsigned r = 0;                                                               \
        for (int i = 0; i < 2; i++) {                                                 \
            T a = __HC_LANE(T, x, i), b = __HC_LANE(T, y, i), c = __HC_LANE(T, z, i); \
            r |= (unsigned)(unsigned short)(expression) << 16 * i;                    \
        }                                                                             \
        return r;                                                                     \
    }
#define __HC_DPX(name, expression)                                        \
    __HC_DPX_WORD(name##_s32, int, expression)                            \
    __HC_DPX_WORD(name##_s32_relu, int, __HC_LARGER(expression, 0))       \
    __HC_DPX_WORD(name##_u32, unsigned, expression)                       \
    __HC_DPX_HALVES(name##_s16x2, short, expression)                      \
    __HC_DPX_HALVES(name##_s16x2_relu, short, __HC_LARGER(expression, 0)) \
    __HC_DPX_HALVES(name##_u16x2, unsigned short, expression)
__HC_DPX(__vimax3, __HC_LARGER(__HC_LARGER(a, b), c))
__HC_DPX(__vimin3, __HC_SMALLER(__HC_SMALLER(a, b), c))
__HC_DPX(__viaddmax, __HC_LARGER(__HC_WRAPPED_SUM, c))
__HC_DPX(__viaddmin, __HC_SMALLER(__HC_WRAPPED_SUM, c))

/* Of two: with a floor of zero, or with a word of which of them it was. */
#define __HC_DPX_OF_TWO(name, compares)                                              \
    __HC int __vi##name##_s32_relu(int a, int b)                                     \
    {                                                                                \
        return __vi##name##3_s32_relu(a, b, b);                                      \
    }                                                                                \
    __HC unsigned __vi##name##_s16x2_relu(unsigned a, unsigned b)                    \
    {                                                                                \
        return __vi##name##3_s16x2_relu(a, b, b);                                    \
    }                                                                                \
    __HC int __vib##name##_s32(int a, int b, bool *first)                            \
    {                                                                                \
        return (*first = a compares b) ? a : b;                                      \
    }                                                                                \
    __HC unsigned __vib##name##_u32(unsigned a, unsigned b, bool *first)             \
    {                                                                                \
        return (*first = a compares b) ? a : b;                                      \
    }                                                                                \
    __HC unsigned __vib##name##_s16x2(unsigned a, unsigned b, bool *high, bool *low) \
    {                                                                                \
        unsigned h = __vib##name##_s32((short)(a >> 16), (short)(b >> 16), high);    \
        return h << 16 | (unsigned short)__vib##name##_s32((short)a, (short)b, low); \
    }                                                                                \
    __HC unsigned __vib##name##_u16x2(unsigned a, unsigned b, bool *high, bool *low) \
    {                                                                                \
        return __vib##name##_u32(a >> 16, b >> 16, high) << 16 |                     \
               __vib##name##_u32(a & 0xffff, b & 0xffff, low);                       \
    }
__HC_DPX_OF_TWO(max, >=)
__HC_DPX_OF_TWO(min, <=)

#endif
