/* Conversions: bit patterns, integers from and to floating point in the four rounding
   modes, loads and stores with cache hints (plain ones here). Out of range values
   saturate; a NaN gives 0, or the highest bit where double or 64 bits are involved (PTX
   ISA, cvt). */
#ifndef HOSTCC_CONVERSION_H
#define HOSTCC_CONVERSION_H

#define __HC_REINTERPRET(name, T, S) \
    __HC T name(S x) { return __HC_BITS(T, x); }
__HC_REINTERPRET(__float_as_int, int, float)
__HC_REINTERPRET(__float_as_uint, unsigned, float)
__HC_REINTERPRET(__int_as_float, float, int)
__HC_REINTERPRET(__uint_as_float, float, unsigned)
__HC_REINTERPRET(__double_as_longlong, long long, double)
__HC_REINTERPRET(__longlong_as_double, double, long long)
__HC double __hiloint2double(int high, int low)
{
    return __HC_BITS(double, (__hc_ull)(unsigned)high << 32 | (unsigned)low);
}
__HC int __double2hiint(double x) { return (int)(__HC_BITS(__hc_ull, x) >> 32); }
__HC int __double2loint(double x) { return (int)__HC_BITS(__hc_ull, x); }

/* A whole number, or what remains of one, to an integer type of range [low, 2^bits). */
#define __HC_TO_INTEGER(T, name, low, bits)                       \
    template <class S> __HC T __hc_to_##name(S x)                 \
    {                                                             \
        const T minimum = low, maximum = ~minimum;                \
        T r = (T)x;                                               \
        r = x >= (S)bits ? maximum : r;                           \
        r = x > (S)minimum ? r : minimum;                         \
        bool is_wide = sizeof(S) + sizeof(T) > 8;                 \
        T of_nan = (T)((__hc_ull)is_wide << (8 * sizeof(T) - 1)); \
        return x == x ? r : of_nan;                               \
    }
__HC_TO_INTEGER(int, int, -0x7fffffff - 1, 0x1p31f)
__HC_TO_INTEGER(unsigned, uint, 0, 0x1p32f)
__HC_TO_INTEGER(long long, ll, -0x7fffffffffffffffll - 1, 0x1p63f)
__HC_TO_INTEGER(unsigned long long, ull, 0, 0x1p64f)
#define __HC_MODE(source, S, target, T, mode, round) \
    __HC T __##source##2##target##_##mode(S x) { return __hc_to_##target(round(x)); }
#define __HC_MODES(source, S, target, T, f)                 \
    __HC_MODE(source, S, target, T, rn, __builtin_rint##f)  \
    __HC_MODE(source, S, target, T, rz, __builtin_trunc##f) \
    __HC_MODE(source, S, target, T, ru, __builtin_ceil##f)  \
    __HC_MODE(source, S, target, T, rd, __builtin_floor##f)
__HC_MODES(float, float, int, int, f)
__HC_MODES(float, float, uint, unsigned, f)
__HC_MODES(float, float, ll, long long, f)
__HC_MODES(float, float, ull, unsigned long long, f)
__HC_MODES(double, double, int, int, )
__HC_MODES(double, double, uint, unsigned, )
__HC_MODES(double, double, ll, long long, )
__HC_MODES(double, double, ull, unsigned long long, )
#undef __HC_MODE

/* -- Directed rounding -- */

/* The next number up; x is not NaN, nor infinity. */
template <class T, class I> __HC T __hc_next_up(T x, I)
{
    I bits = __HC_BITS(I, x);
    return x == 0 ? __HC_BITS(T, (I)1) : __HC_BITS(T, bits + (bits < 0 ? -1 : 1));
}
__HC float __hc_next_up(float x) { return __hc_next_up(x, 0); }
__HC double __hc_next_up(double x) { return __hc_next_up(x, 0ll); }

/* s was rounded to nearest from a number of which the sign of s + e tells on which side
   of s it lies, that of e if it is finite: the neighbour of s that rounding up, down or
   to zero asks for, one in the last place away. A zero s has the sign of that number.
 */
enum __hc_mode { __hc_rn, __hc_rz, __hc_ru, __hc_rd };
__HC int __hc_pattern(float x) { return __HC_BITS(int, x); }
__HC long long __hc_pattern(double x) { return __HC_BITS(long long, x); }
template <class T, class U> __HC T __hc_direct(T s, U e, __hc_mode mode)
{
    auto bits = __hc_pattern(s), sign = bits >> (8 * sizeof(T) - 1);
    decltype(bits) step = 0;
    if (mode == __hc_ru)
        step = e > 0 ? sign | 1 : 0;
    else if (mode == __hc_rd)
        step = e < 0 ? ~sign | 1 : 0;
    else if (mode == __hc_rz)
        step = (sign ? -e : e) < 0 ? -1 : 0;
    return __HC_BITS(T, bits + step);
}
#define __HC_EXACT _Pragma("clang fp contract(off)")

/* What each operation's rounding lost, or a number of the same sign; where the result
   overflows, an infinite one towards the numbers there are, and NaN where nothing is
   rounded. Of a sum it is what s does not have of the smaller number, so that nothing
   overflows on the way; compared, where -ftz=true could take it for zero. Products of
   float are exact in double, for double fma gives the rest, of small ones after
   scaling. */
template <class T> struct __hc_added {
    T smaller, part;
};
template <class T> __HC __hc_added<T> __hc_add_parts(T a, T b, T s)
{
    bool swap = __builtin_elementwise_abs(a) < __builtin_elementwise_abs(b);
    return {swap ? a : b, s - (swap ? b : a)};
}
template <class T> __HC T __hc_add_error(T a, T b, T s)
{
    __HC_EXACT __hc_added<T> x = __hc_add_parts(a, b, s);
    return x.smaller - x.part;
}
template <class T> __HC T __hc_add_side(T a, T b, T s)
{
    __hc_added<T> x = __hc_add_parts(a, b, s);
    return x.smaller > x.part ? 1 : x.smaller < x.part ? -1 : 0;
}
__HC double __hc_scale(double x) { return __builtin_fabs(x) < 0x1p-900 ? 0x1p600 : 1; }
__HC double __hc_mul_error(float a, float b, float s)
{
    __HC_EXACT return (double)a * b - s;
}
__HC double __hc_mul_error(double a, double b, double s)
{
    double u = __hc_scale(s);
    return __builtin_fma(a * u, b * u, -(s * u * u));
}
__HC double __hc_remainder(float a, float b, float s)
{
    __HC_EXACT return a - (double)s * b;
}
__HC double __hc_remainder(double a, double b, double s)
{
    double u = __hc_scale(a);
    return __builtin_fma(s * u, -b, a * u);
}
template <class T> __HC double __hc_div_error(T a, T b, T s)
{
    double e = __hc_remainder(a, b, s);
    return b < 0 ? -e : e;
}
template <class T> __HC double __hc_sqrt_error(T x, T s)
{
    return __hc_remainder(x, s, s);
}
__HC double __hc_fma_error(float a, float b, float c, float s)
{
    __HC_EXACT double p = (double)a * b, t = p + c;
    return t - s + __hc_add_error(p, (double)c, t);
}
__HC double __hc_fma_error(double a, double b, double c, double s)
{
    __HC_EXACT bool far = !(__builtin_fabs(a * b + c) < __builtin_inf());
    double v = far ? 0x1p-520 : 1;
    a *= v, b *= v, c *= v * v, s *= v * v;
    double p = a * b, low = __builtin_fma(a, b, -p), t = p + c, u = __hc_scale(p);
    double rest = __hc_add_error(p, c, t), sum = rest + low, e = t - s + sum;
    e = e != 0 ? e : __hc_add_error(rest, low, sum);
    return e != 0 ? e : __hc_mul_error(a, b, p) - low * u * u; /* low may be rounded */
}

/* p: f or d, the letter in the names; B: the builtins' suffix. A sum of zero is
   negative where it is rounded down, unless both are positive. */
#define __HC_DOWNWARD(m) (__hc_##m == __hc_rd)
#define __HC_ARITHMETIC(T, p, fma, B, m)                              \
    __HC T __##p##add_##m(T a, T b)                                   \
    {                                                                 \
        __HC_EXACT T s = __HC_DOWNWARD(m) ? -(-a - b) : a + b;        \
        return __hc_direct(s, __hc_add_side(a, b, s), __hc_##m);      \
    }                                                                 \
    __HC T __##p##sub_##m(T a, T b) { return __##p##add_##m(a, -b); } \
    __HC T __##p##mul_##m(T a, T b)                                   \
    {                                                                 \
        __HC_EXACT T s = a * b;                                       \
        return __hc_direct(s, __hc_mul_error(a, b, s), __hc_##m);     \
    }                                                                 \
    __HC T __##p##div_##m(T a, T b)                                   \
    {                                                                 \
        T s = a / b;                                                  \
        return __hc_direct(s, __hc_div_error(a, b, s), __hc_##m);     \
    }                                                                 \
    __HC T __##p##rcp_##m(T a) { return __##p##div_##m((T)1, a); }    \
    __HC T __##p##sqrt_##m(T a)                                       \
    {                                                                 \
        T s = __builtin_sqrt##B(a);                                   \
        return __hc_direct(s, __hc_sqrt_error(a, s), __hc_##m);       \
    }                                                                 \
    __HC T __##fma##_##m(T a, T b, T c)                               \
    {                                                                 \
        T s = __HC_DOWNWARD(m) ? -__builtin_fma##B(-a, b, -c)         \
                               : __builtin_fma##B(a, b, c);           \
        return __hc_direct(s, __hc_fma_error(a, b, c, s), __hc_##m);  \
    }
#define __HC_FROM(target, source, S, error, m)   \
    __HC target __##source##2##target##_##m(S x) \
    {                                            \
        target s = (target)x;                    \
        return __hc_direct(s, error, __hc_##m);  \
    }
#define __HC_FROM_LONG(target, source, S, limit, m) \
    __HC_FROM(target, source, S, s >= limit ? -1. : (double)(long long)(x - (S)s), m)
#define __HC_ALL(m)                                            \
    __HC_ARITHMETIC(float, f, fmaf, f, m)                      \
    __HC_ARITHMETIC(double, d, fma, , m)                       \
    __HC_FROM(float, double, double, x - s, m)                 \
    __HC_FROM(float, int, int, (double)x - s, m)               \
    __HC_FROM(float, uint, unsigned, (double)x - s, m)         \
    __HC_FROM_LONG(float, ll, long long, 0x1p63f, m)           \
    __HC_FROM_LONG(float, ull, unsigned long long, 0x1p64f, m) \
    __HC_FROM_LONG(double, ll, long long, 0x1p63, m)           \
    __HC_FROM_LONG(double, ull, unsigned long long, 0x1p64, m)
__HC_ALL(rn)
__HC_ALL(rz)
__HC_ALL(ru)
__HC_ALL(rd)
/* Rounded to zero with an odd last bit if inexact: rounding this again, to a narrower
 * type, is right. */
__HC float __hc_round_odd(double x)
{
    float f = __double2float_rz(x);
    return f == x || x != x ? f : __HC_BITS(float, __HC_BITS(unsigned, f) | 1);
}
__HC float __hc_round_odd(long long x)
{
    float f = __ll2float_rz(x);
    return (long long)f == x ? f : __HC_BITS(float, __HC_BITS(unsigned, f) | 1);
}
__HC float __hc_round_odd(unsigned long long x)
{
    float f = __ull2float_rz(x);
    return (unsigned long long)f == x ? f
                                      : __HC_BITS(float, __HC_BITS(unsigned, f) | 1);
}
__HC float __hc_round_odd(long x) { return __hc_round_odd((long long)x); }
__HC float __hc_round_odd(unsigned long x) { return __hc_round_odd((__hc_ull)x); }
__HC float __hc_round_odd(int x) { return __hc_round_odd((double)x); }
__HC float __hc_round_odd(unsigned x) { return __hc_round_odd((double)x); }
__HC float __hc_round_odd(short x) { return x; }
__HC float __hc_round_odd(unsigned short x) { return x; }
__HC float __hc_round_odd(signed char x) { return x; }
__HC float __hc_round_odd(unsigned char x) { return x; }
__HC float __hc_round_odd(char x) { return x; }
__HC float __hc_round_odd(bool x) { return x; }
__HC int __hc_within(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}
__HC bool __hc_is_number(float a, float b) { return a == a && b == b; }
__HC double __int2double_rn(int x) { return x; }
__HC double __uint2double_rn(unsigned x) { return x; }
__HC float __frsqrt_rn(float x) { return (float)(1 / __builtin_sqrt((double)x)); }
__HC float __saturatef(float x)
{
    x = x > 0 ? x : 0;
    return x < 1 ? x : 1;
}

/* -- Loads and stores with cache hints -- */

#define __HC_LOAD(name) \
    template <class T> __HC T name(const T *p) { return *p; }
__HC_LOAD(__ldg)
__HC_LOAD(__ldca)
__HC_LOAD(__ldcg)
__HC_LOAD(__ldcs)
__HC_LOAD(__ldlu)
/* Each time anew; vectors word by word. */
template <class T> __HC void __hc_copy_anew(volatile T *to, const volatile T *from)
{
    if constexpr (__is_scalar(T))
        *to = *from;
    else if constexpr (sizeof(T) % 4 == 0)
        for (unsigned k = 0; k < sizeof(T) / 4; k++)
            ((volatile unsigned *)to)[k] = ((const volatile unsigned *)from)[k];
    else
        for (unsigned k = 0; k < sizeof(T); k++)
            ((volatile char *)to)[k] = ((const volatile char *)from)[k];
}
template <class T> __HC T __ldcv(const T *p)
{
    T value;
    __hc_copy_anew<T>(&value, p);
    return value;
}
#define __HC_STORE(name)                                                       \
    template <class T> __HC void name(T *p, typename __hc_same<T>::type value) \
    {                                                                          \
        *p = value;                                                            \
    }
__HC_STORE(__stwb)
__HC_STORE(__stcg)
__HC_STORE(__stcs)
template <class T> __HC void __stwt(T *p, typename __hc_same<T>::type value)
{
    __hc_copy_anew<T>(p, &value);
}

#endif
