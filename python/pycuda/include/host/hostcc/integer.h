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

/* Bytes of y:x picked by four selectors of four bits. */
__HC unsigned __byte_perm(unsigned x, unsigned y, unsigned s)
{
    unsigned long long v = (unsigned long long)y << 32 | x;
    return (unsigned)(v >> 8 * (s & 7) & 0xff) |
           (unsigned)(v >> 8 * (s >> 4 & 7) & 0xff) << 8 |
           (unsigned)(v >> 8 * (s >> 8 & 7) & 0xff) << 16 |
           (unsigned)(v >> 8 * (s >> 12 & 7) & 0xff) << 24;
}
#define __HC_FUNNEL(name, shift, result)                             \
    __HC unsigned name(unsigned low, unsigned high, unsigned n)      \
    {                                                                \
        unsigned long long v = (unsigned long long)high << 32 | low; \
        n = shift;                                                   \
        return (unsigned)(result);                                   \
    }
__HC_FUNNEL(__funnelshift_l, n & 31, v << n >> 32)
__HC_FUNNEL(__funnelshift_lc, n < 32 ? n : 32, v << n >> 32)
__HC_FUNNEL(__funnelshift_r, n & 31, v >> n)
__HC_FUNNEL(__funnelshift_rc, n < 32 ? n : 32, v >> n)

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
__HC_SIMD(cmpeq, unsigned, -(x == y))
__HC_SIMD(cmpne, unsigned, -(x != y))
__HC_SIMD(cmpgts, signed, -(x > y))
__HC_SIMD(cmpgtu, unsigned, -(x > y))
__HC_SIMD(cmpges, signed, -(x >= y))
__HC_SIMD(cmpgeu, unsigned, -(x >= y))
__HC_SIMD(cmplts, signed, -(x < y))
__HC_SIMD(cmpltu, unsigned, -(x < y))
__HC_SIMD(cmples, signed, -(x <= y))
__HC_SIMD(cmpleu, unsigned, -(x <= y))
__HC_FUNCTION(unsigned, __vabs4, (unsigned x), __vabsdiffs4(x, 0))
__HC_FUNCTION(unsigned, __vabs2, (unsigned x), __vabsdiffs2(x, 0))
__HC_FUNCTION(unsigned, __vneg4, (unsigned x), __vsub4(0, x))
__HC_FUNCTION(unsigned, __vneg2, (unsigned x), __vsub2(0, x))
__HC_FUNCTION(unsigned, __vsadu4, (unsigned x, unsigned y),
              __dp4a(__vabsdiffu4(x, y), 0x01010101u, 0u))
__HC_FUNCTION(unsigned, __vsads4, (unsigned x, unsigned y),
              __dp4a(__vabsdiffs4(x, y), 0x01010101u, 0u))

#endif
