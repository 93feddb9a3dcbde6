/* CUDA's mathematics. The functions of exponential.h, trigonometric.h, floating.h and power.h are our
   own, vectorize and keep within the errors of the CUDA programming guide; rarer ones go to the C
   library thread by thread; rounding and the like is one LLVM instruction. Then come the fast
   versions (`__sinf`), which -use_fast_math puts in the place of the others, and C++'s overloads:
   float, and integers as double. */
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

/* Polynomials by Horner's rule: __HC_P3(x, a, b, c) is a + b x + c x^2. */
#define __HC_P2(x, a, b) __HC_FMA(b, x, a)
#define __HC_P3(x, a, ...) __HC_FMA(__HC_P2(x, __VA_ARGS__), x, a)
#define __HC_P4(x, a, ...) __HC_FMA(__HC_P3(x, __VA_ARGS__), x, a)
#define __HC_P5(x, a, ...) __HC_FMA(__HC_P4(x, __VA_ARGS__), x, a)
#define __HC_P6(x, a, ...) __HC_FMA(__HC_P5(x, __VA_ARGS__), x, a)
#define __HC_P7(x, a, ...) __HC_FMA(__HC_P6(x, __VA_ARGS__), x, a)
#define __HC_P8(x, a, ...) __HC_FMA(__HC_P7(x, __VA_ARGS__), x, a)
#define __HC_P9(x, a, ...) __HC_FMA(__HC_P8(x, __VA_ARGS__), x, a)
#define __HC_P10(x, a, ...) __HC_FMA(__HC_P9(x, __VA_ARGS__), x, a)
#define __HC_P11(x, a, ...) __HC_FMA(__HC_P10(x, __VA_ARGS__), x, a)
#define __HC_P12(x, a, ...) __HC_FMA(__HC_P11(x, __VA_ARGS__), x, a)
#define __HC_P13(x, a, ...) __HC_FMA(__HC_P12(x, __VA_ARGS__), x, a)
#define __HC_P18(x, a, b, c, d, e, ...)                                                        \
    __HC_P6(x, a, b, c, d, e, __HC_P13(x, __VA_ARGS__))
#define __HC_P19(x, a, ...) __HC_FMA(__HC_P18(x, __VA_ARGS__), x, a)
#define __HC_P24(x, a, b, c, d, e, ...)                                                        \
    __HC_P6(x, a, b, c, d, e, __HC_P19(x, __VA_ARGS__))

/* -- What the C library computes, thread by thread --------------------------------------------- */

#define __HC_EXTERN(type, name, params)                                                        \
    extern "C" __device__ __attribute__((const)) type __hostcc_libm_##name params;
#define __HC_LIBM1(name)                                                                       \
    __HC_EXTERN(double, name, (double))                                                        \
    __HC_EXTERN(float, name##f, (float))
#define __HC_LIBM2(name)                                                                       \
    __HC_EXTERN(double, name, (double, double))                                                \
    __HC_EXTERN(float, name##f, (float, float))
__HC_LIBM1(sin)
__HC_LIBM1(cos)
__HC_LIBM1(tan)
__HC_LIBM2(fmod)
#define __HC_FORWARD1(name)                                                                    \
    __HC_LIBM1(name)                                                                           \
    __HC double name(double x) { return __hostcc_libm_##name(x); }                             \
    __HC float name##f(float x) { return __hostcc_libm_##name##f(x); }
__HC_FORWARD1(j0)
__HC_FORWARD1(j1)
__HC_FORWARD1(lgamma)
__HC_FORWARD1(tgamma)
__HC_FORWARD1(y0)
__HC_FORWARD1(y1)
__HC_LIBM2(remainder)
__HC double remainder(double x, double y)
{
    return __hostcc_libm_remainder(x, y);
}
__HC float remainderf(float x, float y)
{
    return __hostcc_libm_remainderf(x, y);
}
#define __HC_FORWARD(name, T, A, B)                                                            \
    extern "C" __device__ T __hostcc_libm_##name(A, B);                                        \
    __HC T name(A x, B y) { return __hostcc_libm_##name(x, y); }
__HC_FORWARD(jn, double, int, double)
__HC_FORWARD(jnf, float, int, float)
__HC_FORWARD(yn, double, int, double)
__HC_FORWARD(ynf, float, int, float)
#undef __HC_FORWARD
extern "C" __device__ double __hostcc_libm_remquo(double, double, int *);
extern "C" __device__ float __hostcc_libm_remquof(float, float, int *);
__HC double remquo(double x, double y, int *quotient)
{
    return __hostcc_libm_remquo(x, y, quotient);
}
__HC float remquof(float x, float y, int *quotient)
{
    return __hostcc_libm_remquof(x, y, quotient);
}
#undef __HC_LIBM1
#undef __HC_LIBM2
#undef __HC_FORWARD1

/* -- What is one LLVM intrinsic ---------------------------------------------------------------- */

#define __HC_BUILTIN1(name)                                                                    \
    __HC double name(double x) { return __builtin_##name(x); }                                 \
    __HC float name##f(float x) { return __builtin_##name##f(x); }
__HC_BUILTIN1(ceil)
__HC_BUILTIN1(fabs)
__HC_BUILTIN1(floor)
__HC_BUILTIN1(nearbyint)
__HC_BUILTIN1(rint)
__HC_BUILTIN1(round)
__HC_BUILTIN1(sqrt)
__HC_BUILTIN1(trunc)
#undef __HC_BUILTIN1
#define __HC_BUILTIN2(name)                                                                    \
    __HC double name(double x, double y) { return __builtin_##name(x, y); }                    \
    __HC float name##f(float x, float y) { return __builtin_##name##f(x, y); }
__HC_BUILTIN2(copysign)
__HC_BUILTIN2(fmax)
__HC_BUILTIN2(fmin)
#undef __HC_BUILTIN2
__HC double fma(double x, double y, double z)
{
    return __builtin_fma(x, y, z);
}
__HC float fmaf(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}

/* -- Our own ----------------------------------------------------------------------------------- */

#define __HC_T float
#define __HC_U unsigned
#define __HC_I int
#define __HC_MANTISSA 23
#define __HC_BIAS 127
#define __HC_F(name) name##f
#define __HC_B(name) __builtin_##name##f
#define __HC_LIBM(name) __hostcc_libm_##name##f
#define __HC_C(for_float, for_double) for_float
#define __HC_FMA(x, y, z) __builtin_fmaf(x, y, z)
#define __HC_MAGIC 0x1.8p23f /* added to a number, it leaves an integer in the low bits */
#include "floating.h"
#include "exponential.h"
#include "trigonometric.h"
#undef __HC_T
#undef __HC_U
#undef __HC_I
#undef __HC_MANTISSA
#undef __HC_BIAS
#undef __HC_F
#undef __HC_B
#undef __HC_LIBM
#undef __HC_C
#undef __HC_FMA
#undef __HC_MAGIC

#define __HC_T double
#define __HC_U unsigned long long
#define __HC_I long long
#define __HC_MANTISSA 52
#define __HC_BIAS 1023
#define __HC_F(name) name
#define __HC_B(name) __builtin_##name
#define __HC_LIBM(name) __hostcc_libm_##name
#define __HC_C(for_float, for_double) for_double
#define __HC_FMA(x, y, z) __builtin_fma(x, y, z)
#define __HC_MAGIC 0x1.8p52
#include "floating.h"
#include "exponential.h"
#include "trigonometric.h"
#include "power.h"
#include "special.h"
#undef __HC_T
#undef __HC_U
#undef __HC_I
#undef __HC_MANTISSA
#undef __HC_BIAS
#undef __HC_F
#undef __HC_B
#undef __HC_LIBM
#undef __HC_C
#undef __HC_FMA
#undef __HC_MAGIC


/* -- Fast versions ----------------------------------------------------------------------------- */

__HC float __sinf(float x)
{
    return __hc_sin(x);
}
__HC float __cosf(float x)
{
    return __hc_cos(x);
}
__HC float __tanf(float x)
{
    return __hc_tan(x);
}
__HC void __sincosf(float x, float *s, float *c)
{
    *s = __hc_sin(x);
    *c = __hc_cos(x);
}
__HC float __powf(float x, float y)
{
    return exp2f(y * log2f(x));
}
__HC float __fdividef(float x, float y)
{
    return x / y;
}
#define __HC_SAME(name)                                                                        \
    __HC float __##name(float x) { return name(x); }
__HC_SAME(expf)
__HC_SAME(exp10f)
__HC_SAME(logf)
__HC_SAME(log2f)
__HC_SAME(log10f)
__HC_SAME(tanhf)
#undef __HC_SAME

/* -- Overloads --------------------------------------------------------------------------------- */

/* double for an integer type or for a pair of arithmetic types; no type for all else. */
template <class T, bool = __is_integral(T)> struct __hc_integer {
};
template <class T> struct __hc_integer<T, true> {
    typedef double type;
};
template <class A, class B, bool = __is_arithmetic(A) && __is_arithmetic(B)>
struct __hc_promoted {
};
template <class A, class B> struct __hc_promoted<A, B, true> {
    typedef double type;
};

#define __HC_UNARY(name)                                                                       \
    __HC float name(float x) { return name##f(x); }                                            \
    template <class T> __HC typename __hc_integer<T>::type name(T x) { return name((double)x); }
#define __HC_BINARY(name)                                                                      \
    __HC float name(float x, float y) { return name##f(x, y); }                                \
    template <class A, class B> __HC typename __hc_promoted<A, B>::type name(A x, B y)         \
    {                                                                                          \
        return name((double)x, (double)y);                                                     \
    }
#define __HC_OTHER(R, name, params, args)                                                      \
    __HC R name params { return name##f args; }
__HC_UNARY(acos)
__HC_UNARY(acosh)
__HC_UNARY(asin)
__HC_UNARY(asinh)
__HC_UNARY(atan)
__HC_UNARY(atanh)
__HC_UNARY(cbrt)
__HC_UNARY(ceil)
__HC_UNARY(cos)
__HC_UNARY(cosh)
__HC_UNARY(cospi)
__HC_UNARY(cyl_bessel_i0)
__HC_UNARY(cyl_bessel_i1)
__HC_UNARY(erf)
__HC_UNARY(erfc)
__HC_UNARY(erfcinv)
__HC_UNARY(erfcx)
__HC_UNARY(erfinv)
__HC_UNARY(exp)
__HC_UNARY(exp10)
__HC_UNARY(exp2)
__HC_UNARY(expm1)
__HC_UNARY(fabs)
__HC_UNARY(floor)
__HC_UNARY(j0)
__HC_UNARY(j1)
__HC_UNARY(lgamma)
__HC_UNARY(log)
__HC_UNARY(log10)
__HC_UNARY(log1p)
__HC_UNARY(log2)
__HC_UNARY(logb)
__HC_UNARY(nearbyint)
__HC_UNARY(normcdf)
__HC_UNARY(normcdfinv)
__HC_UNARY(rcbrt)
__HC_UNARY(rint)
__HC_UNARY(round)
__HC_UNARY(rsqrt)
__HC_UNARY(sin)
__HC_UNARY(sinh)
__HC_UNARY(sinpi)
__HC_UNARY(sqrt)
__HC_UNARY(tan)
__HC_UNARY(tanh)
__HC_UNARY(tgamma)
__HC_UNARY(trunc)
__HC_UNARY(y0)
__HC_UNARY(y1)
__HC_BINARY(atan2)
__HC_BINARY(copysign)
__HC_BINARY(fdim)
__HC_BINARY(fmax)
__HC_BINARY(fmin)
__HC_BINARY(fmod)
__HC_BINARY(hypot)
__HC_BINARY(nextafter)
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
#undef __HC_UNARY
#undef __HC_BINARY
#undef __HC_OTHER

#define __HC_TEST(name, expression)                                                            \
    __HC bool name(float x) { return expression; }                                             \
    __HC bool name(double x) { return expression; }
__HC_TEST(isnan, x != x)
__HC_TEST(isinf, __builtin_elementwise_abs(x) == __HC_INFINITY)
__HC_TEST(isfinite, __builtin_elementwise_abs(x) < __HC_INFINITY)
__HC_TEST(signbit, __builtin_copysign(1, x) < 0)
__HC_TEST(isnormal, __builtin_isnormal(x))
#undef __HC_TEST

/* min and max of two numbers have the type of their sum, as in CUDA's list of overloads. */
#define __HC_EXTREME(name)                                                                     \
    template <class A, class B> __HC auto name(A a, B b)->decltype(a + b)                      \
    {                                                                                          \
        typedef decltype(a + b) T;                                                             \
        return __builtin_elementwise_##name((T)a, (T)b);                                       \
    }
__HC_EXTREME(min)
__HC_EXTREME(max)
#undef __HC_EXTREME
#define __HC_NAMED(T, prefix)                                                                  \
    __HC T prefix##min(T a, T b) { return min(a, b); }                                         \
    __HC T prefix##max(T a, T b) { return max(a, b); }
__HC_NAMED(unsigned, u)
__HC_NAMED(long long, ll)
__HC_NAMED(unsigned long long, ull)
#undef __HC_NAMED

#define __HC_ABS(name, T)                                                                      \
    __HC T name(T x) { return x < 0 ? -x : x; }
__HC_ABS(abs, int)
__HC_ABS(abs, long)
__HC_ABS(abs, long long)
__HC_ABS(labs, long)
__HC_ABS(llabs, long long)
#undef __HC_ABS
__HC float abs(float x)
{
    return __builtin_fabsf(x);
}
__HC double abs(double x)
{
    return __builtin_fabs(x);
}

#endif
