/* CUDA's mathematics. The functions of exponential.h, trigonometric.h, floating.h and
   power.h are our own, vectorize and keep within the errors of the CUDA programming
   guide; rarer ones go to the C library thread by thread; rounding and the like is one
   LLVM instruction. Then come the fast versions (`__sinf`), which -use_fast_math puts
   in the place of the others, and C++'s overloads: float, and integers as double. */
#ifndef HOSTCC_MATHEMATICS_H
#define HOSTCC_MATHEMATICS_H

/* nvcc -use_fast_math */
#if defined(__USE_FAST_MATH__) || defined(__FAST_MATH__)
#define __HC_FAST 1
#else
#define __HC_FAST 0
#endif

#define __HC_INFINITY __builtin_inff()
#define __HC_NAN __builtin_nanf("")

/* The macros and types of <math.h>. */
typedef float float_t;
typedef double double_t;
#undef INFINITY
#undef NAN
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VALF __builtin_inff()
#define HUGE_VAL __builtin_inf()
#define FP_ILOGB0 INT_MIN
#define FP_ILOGBNAN INT_MIN
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define __HC_EACH4(M, a, b, c, d) M(a) M(b) M(c) M(d)
#define __HC_EACH8(M, a, b, c, d, ...) \
    __HC_EACH4(M, a, b, c, d) __HC_EACH4(M, __VA_ARGS__)

/* Polynomials by Horner's rule: __P3(x, a, b, c) is a + b x + c x^2. */
#define __P2(x, a, b) __FMA(b, x, a)
#define __P3(x, a, ...) __FMA(__P2(x, __VA_ARGS__), x, a)
#define __P4(x, a, ...) __FMA(__P3(x, __VA_ARGS__), x, a)
#define __P5(x, a, ...) __FMA(__P4(x, __VA_ARGS__), x, a)
#define __P6(x, a, ...) __FMA(__P5(x, __VA_ARGS__), x, a)
#define __P7(x, a, ...) __FMA(__P6(x, __VA_ARGS__), x, a)
#define __P8(x, a, ...) __FMA(__P7(x, __VA_ARGS__), x, a)
#define __P9(x, a, ...) __FMA(__P8(x, __VA_ARGS__), x, a)
#define __P10(x, a, ...) __FMA(__P9(x, __VA_ARGS__), x, a)
#define __P11(x, a, ...) __FMA(__P10(x, __VA_ARGS__), x, a)
#define __P12(x, a, ...) __FMA(__P11(x, __VA_ARGS__), x, a)
#define __P13(x, a, ...) __FMA(__P12(x, __VA_ARGS__), x, a)
#define __P18(x, a, b, c, d, e, ...) __P6(x, a, b, c, d, e, __P13(x, __VA_ARGS__))
#define __P19(x, a, ...) __FMA(__P18(x, __VA_ARGS__), x, a)
#define __P24(x, a, b, c, d, e, ...) __P6(x, a, b, c, d, e, __P19(x, __VA_ARGS__))

/* -- What the C library computes, thread by thread -- */

#define __HC_EXTERN(type, name, params) \
    extern "C" __device__ __attribute__((const)) type __hostcc_libm_##name params;
#define __HC_LIBM1(name)                \
    __HC_EXTERN(double, name, (double)) \
    __HC_EXTERN(float, name##f, (float))
#define __HC_LIBM2(name)                        \
    __HC_EXTERN(double, name, (double, double)) \
    __HC_EXTERN(float, name##f, (float, float))
__HC_EXTERN(float, sinf, (float))
__HC_EXTERN(float, cosf, (float))
__HC_EXTERN(float, tanf, (float))
__HC_LIBM2(fmod)
#define __HC_FORWARD1(name)                                        \
    __HC_LIBM1(name)                                               \
    __HC double name(double x) { return __hostcc_libm_##name(x); } \
    __HC float name##f(float x) { return __hostcc_libm_##name##f(x); }
__HC_FORWARD1(lgamma)
__HC_FORWARD1(tgamma)
__HC_EXTERN(double, j0, (double))
__HC_EXTERN(double, j1, (double))
__HC_EXTERN(double, y0, (double))
__HC_EXTERN(double, y1, (double))
__HC_LIBM2(remainder)
__HC double remainder(double x, double y) { return __hostcc_libm_remainder(x, y); }
__HC float remainderf(float x, float y) { return __hostcc_libm_remainderf(x, y); }
#define __HC_FORWARD(name, T, A, B)                     \
    extern "C" __device__ T __hostcc_libm_##name(A, B); \
    __HC T name(A x, B y) { return __hostcc_libm_##name(x, y); }
__HC_FORWARD(jn, double, int, double)
__HC_FORWARD(jnf, float, int, float)
__HC_FORWARD(yn, double, int, double)
__HC_FORWARD(ynf, float, int, float)
extern "C" __device__ double __hostcc_libm_remquo(double, double, int *);
extern "C" __device__ float __hostcc_libm_remquof(float, float, int *);
/* The user's memory is written here, where accesses are seen. */
__HC double remquo(double x, double y, int *quotient)
{
    int whole;
    double rest = __hostcc_libm_remquo(x, y, &whole);
    *quotient = whole;
    return rest;
}
__HC float remquof(float x, float y, int *quotient)
{
    int whole;
    float rest = __hostcc_libm_remquof(x, y, &whole);
    *quotient = whole;
    return rest;
}

/* -- What is one LLVM intrinsic -- */

#define __HC_BUILTIN1(name)                                    \
    __HC double name(double x) { return __builtin_##name(x); } \
    __HC float name##f(float x) { return __builtin_##name##f(x); }
__HC_EACH8(__HC_BUILTIN1, ceil, fabs, floor, nearbyint, rint, round, sqrt, trunc)
#define __HC_BUILTIN2(name)                                                 \
    __HC double name(double x, double y) { return __builtin_##name(x, y); } \
    __HC float name##f(float x, float y) { return __builtin_##name##f(x, y); }
__HC_BUILTIN2(copysign)
/* nvcc -ftz=true: of numbers whose bits are looked at. */
__HC float __hc_flush(float x)
{
#ifdef __CUDA_FTZ
    unsigned bits = __HC_BITS(unsigned, x);
    x = bits & 0x7f800000 ? x : __HC_BITS(float, bits & 0x80000000);
#endif
    return x;
}
__HC double __hc_flush(double x) { return x; }
/* The intrinsics leave open which of 0 and -0 they take: -0 is below 0. Of equal
   numbers the bits are the same but for that sign. */
#define __HC_OF_EQUAL(name, T, U, f, op)                             \
    __HC T name(T x, T y)                                            \
    {                                                                \
        x = __hc_flush(x), y = __hc_flush(y);                        \
        T either = __HC_BITS(T, __HC_BITS(U, x) op __HC_BITS(U, y)); \
        return x == y ? either : f(x, y);                            \
    }
__HC_OF_EQUAL(fmaxf, float, unsigned, __builtin_fmaxf, &)
__HC_OF_EQUAL(fmax, double, __hc_ull, __builtin_fmax, &)
__HC_OF_EQUAL(fminf, float, unsigned, __builtin_fminf, |)
__HC_OF_EQUAL(fmin, double, __hc_ull, __builtin_fmin, |)
__HC double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
__HC float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

/* -- Our own -- */

#define __T float
#define __U unsigned
#define __I int
#define __HC_MANTISSA 23
#define __HC_BIAS 127
#define __F(name) name##f
#define __B(name) __builtin_##name##f
#define __HC_LIBM(name) __hostcc_libm_##name##f
#define __HC_LARGE(name) __hostcc_libm_##name##f
#define __C(for_float, for_double) for_float
#define __FMA(x, y, z) __builtin_fmaf(x, y, z)
#define __HC_MAGIC \
    0x1.8p23f /* added to a number, it leaves an integer in the low bits */
#include "floating.h"
#include "exponential.h"
#include "trigonometric.h"
#undef __T
#undef __U
#undef __I
#undef __HC_MANTISSA
#undef __HC_BIAS
#undef __F
#undef __B
#undef __HC_LIBM
#undef __HC_LARGE
#undef __C
#undef __FMA
#undef __HC_MAGIC

#define __T double
#define __U unsigned long long
#define __I long long
#define __HC_MANTISSA 52
#define __HC_BIAS 1023
#define __F(name) name
#define __B(name) __builtin_##name
#define __HC_LIBM(name) __hostcc_libm_##name
#define __HC_LARGE(name) __hc_large_##name
#define __C(for_float, for_double) for_double
#define __FMA(x, y, z) __builtin_fma(x, y, z)
#define __HC_MAGIC 0x1.8p52
#include "angle.h"
#include "floating.h"
#include "exponential.h"
#include "trigonometric.h"
#include "power.h"
#include "special.h"
#undef __T
#undef __U
#undef __I
#undef __HC_MANTISSA
#undef __HC_BIAS
#undef __F
#undef __B
#undef __HC_LIBM
#undef __HC_LARGE
#undef __C
#undef __FMA
#undef __HC_MAGIC

/* -- Fast versions -- */

__HC float __sinf(float x) { return __hc_sin(x); }
__HC float __cosf(float x) { return __hc_cos(x); }
__HC float __tanf(float x) { return __hc_tan(x); }
__HC void __sincosf(float x, float *s, float *c)
{
    *s = __hc_sin(x);
    *c = __hc_cos(x);
}
__HC float __powf(float x, float y) { return exp2f(y * log2f(x)); }
/* Through an inverse that is denormal, and so 0, for |y| from 2^126 to 2^128. */
__HC float __fdividef(float x, float y)
{
    float a = __builtin_fabsf(y);
    return x / (a > 0x1p126f && a < __HC_INFINITY ? y * __HC_INFINITY : y);
}
__HC float fdividef(float x, float y) { return __HC_FAST ? __fdividef(x, y) : x / y; }
__HC double fdivide(double x, double y) { return x / y; }
__HC float nanf(const char *) { return __builtin_nanf(""); }
__HC double nan(const char *) { return __builtin_nan(""); }
#define __HC_SAME(name) \
    __HC float __##name(float x) { return name(x); }
__HC_SAME(expf)
__HC_SAME(exp10f)
__HC_SAME(logf)
__HC_SAME(log2f)
__HC_SAME(log10f)
__HC_SAME(tanhf)

/* -- Overloads -- */

/* double for arithmetic types; no type for all else. float goes to the overloads for
 * it. */
template <class A, class B = A, bool = __is_arithmetic(A) && __is_arithmetic(B)>
struct __hc_promoted {
};
template <class A, class B> struct __hc_promoted<A, B, true> {
    typedef double type;
};

#define __HC_UNARY(name)                                              \
    __HC float name(float x) { return name##f(x); }                   \
    template <class T> __HC typename __hc_promoted<T>::type name(T x) \
    {                                                                 \
        return name((double)x);                                       \
    }
#define __HC_BINARY(name)                                                              \
    __HC float name(float x, float y) { return name##f(x, y); }                        \
    template <class A, class B> __HC typename __hc_promoted<A, B>::type name(A x, B y) \
    {                                                                                  \
        return name((double)x, (double)y);                                             \
    }
#define __HC_OTHER(R, name, params, args) \
    __HC R name params { return name##f args; }
__HC_EACH8(__HC_UNARY, acos, acosh, asin, asinh, atan, atanh, cbrt, ceil)
__HC_EACH8(__HC_UNARY, cos, cosh, cospi, cyl_bessel_i0, cyl_bessel_i1, erf, erfc,
           erfcinv)
__HC_EACH8(__HC_UNARY, erfcx, erfinv, exp, exp10, exp2, expm1, fabs, floor)
__HC_EACH8(__HC_UNARY, j0, j1, lgamma, log, log10, log1p, log2, logb)
__HC_EACH8(__HC_UNARY, nearbyint, normcdf, normcdfinv, rcbrt, rint, round, rsqrt, sin)
__HC_EACH8(__HC_UNARY, sinh, sinpi, sqrt, tan, tanh, tgamma, trunc, y0)
__HC_UNARY(y1)
__HC_EACH8(__HC_BINARY, atan2, copysign, fdim, fmax, fmin, fmod, hypot, nextafter)
__HC_BINARY(pow)
__HC_BINARY(remainder)
__HC_BINARY(rhypot)
__HC_OTHER(float, fma, (float x, float y, float z), (x, y, z))
__HC_OTHER(float, frexp, (float x, int *e), (x, e))
__HC_OTHER(float, jn, (int n, float x), (n, x))
__HC_OTHER(float, ldexp, (float x, int n), (x, n))
__HC_OTHER(float, modf, (float x, float *whole), (x, whole))
__HC_OTHER(float, norm, (int n, const float *v), (n, v))
__HC_OTHER(float, norm3d, (float x, float y, float z), (x, y, z))
__HC_OTHER(float, norm4d, (float x, float y, float z, float w), (x, y, z, w))
__HC_OTHER(float, remquo, (float x, float y, int *q), (x, y, q))
__HC_OTHER(float, rnorm, (int n, const float *v), (n, v))
__HC_OTHER(float, rnorm3d, (float x, float y, float z), (x, y, z))
__HC_OTHER(float, rnorm4d, (float x, float y, float z, float w), (x, y, z, w))
__HC_OTHER(float, scalbln, (float x, long n), (x, n))
__HC_OTHER(float, scalbn, (float x, int n), (x, n))
__HC_OTHER(float, yn, (int n, float x), (n, x))
__HC_OTHER(int, ilogb, (float x), (x))
__HC_OTHER(long long, llrint, (float x), (x))
__HC_OTHER(long long, llround, (float x), (x))
__HC_OTHER(long, lrint, (float x), (x))
__HC_OTHER(long, lround, (float x), (x))
__HC_OTHER(void, sincos, (float x, float *s, float *c), (x, s, c))
__HC_OTHER(void, sincospi, (float x, float *s, float *c), (x, s, c))

#define __HC_TEST(R, name, expression)          \
    __HC R name(float x) { return expression; } \
    __HC R name(double x) { return expression; }
__HC_TEST(bool, isnan, x != x)
__HC_TEST(bool, isinf, __builtin_elementwise_abs(x) == __HC_INFINITY)
__HC_TEST(bool, isfinite, __builtin_elementwise_abs(x) < __HC_INFINITY)
__HC_TEST(bool, signbit, __builtin_copysign(1, x) < 0)
__HC_TEST(bool, isnormal, __builtin_isnormal(x))
__HC_TEST(int, fpclassify, __builtin_fpclassify(0, 1, 4, 3, 2, x))

/* By names of the C library's. */
__HC bool __isnanf(float x) { return isnan(x); }
__HC bool __isnan(double x) { return isnan(x); }
__HC bool __isinff(float x) { return isinf(x); }
__HC bool __isinf(double x) { return isinf(x); }
__HC bool __finitef(float x) { return isfinite(x); }
__HC bool __finite(double x) { return isfinite(x); }

/* min and max of two numbers have the type of their sum, as in CUDA's list of
 * overloads. The list itself is for classes that convert to numbers. */
template <class A, class B, bool are_numbers = !__is_class(A) && !__is_class(B)>
struct __hc_extreme;
template <class A, class B> struct __hc_extreme<A, B, true> {
    typedef decltype(A() + B()) type;
};
#define __HC_EXTREME_OF(name, T) \
    __HC T name(T a, T b) { return __hc_##name(a, b); }
#define __HC_EXTREME(name)                                                \
    template <class T> __HC T __hc_##name(T a, T b)                       \
    {                                                                     \
        return __builtin_elementwise_##name(a, b);                        \
    }                                                                     \
    __HC float __hc_##name(float a, float b) { return f##name##f(a, b); } \
    __HC double __hc_##name(double a, double b) { return f##name(a, b); } \
    template <class A, class B>                                           \
    __HC auto name(A a, B b) -> typename __hc_extreme<A, B>::type         \
    {                                                                     \
        typedef decltype(a + b) T;                                        \
        return __hc_##name((T)a, (T)b);                                   \
    }                                                                     \
    __HC_EXTREME_OF(name, int)                                            \
    __HC_EXTREME_OF(name, unsigned)                                       \
    __HC_EXTREME_OF(name, long)                                           \
    __HC_EXTREME_OF(name, unsigned long)                                  \
    __HC_EXTREME_OF(name, long long)                                      \
    __HC_EXTREME_OF(name, __hc_ull)                                       \
    __HC_EXTREME_OF(name, float)                                          \
    __HC_EXTREME_OF(name, double)
__HC_EXTREME(min)
__HC_EXTREME(max)
#define __HC_NAMED(T, prefix)                          \
    __HC T prefix##min(T a, T b) { return min(a, b); } \
    __HC T prefix##max(T a, T b) { return max(a, b); }
__HC_NAMED(unsigned, u)
__HC_NAMED(long long, ll)
__HC_NAMED(unsigned long long, ull)

#define __HC_ABS(name, T) \
    __HC_DEVICE T name(T x) { return x < 0 ? -x : x; }
__HC_ABS(abs, int)
__HC_ABS(abs, long)
__HC_ABS(abs, long long)
__HC_ABS(labs, long)
__HC_ABS(llabs, long long)
__HC_DEVICE float abs(float x) { return __builtin_fabsf(x); }
__HC_DEVICE double abs(double x) { return __builtin_fabs(x); }

#endif
