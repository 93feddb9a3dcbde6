/* The names of CUDA's mathematics: for each function the double and the float one and the overloads of
   C++ (float, and integers as double). */
#ifndef HOSTCC_MATHEMATICS_H
#define HOSTCC_MATHEMATICS_H

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

/* -- What the C library computes, thread by thread --------------------------------------------- */

#define __HC_LIBM(name)                                                                        \
    extern "C" __device__ double __hostcc_libm_##name(double);                                 \
    extern "C" __device__ float __hostcc_libm_##name##f(float);                                \
    __HC double name(double x) { return __hostcc_libm_##name(x); }                             \
    __HC float name##f(float x) { return __hostcc_libm_##name##f(x); }
__HC_LIBM(acos)
__HC_LIBM(acosh)
__HC_LIBM(asin)
__HC_LIBM(asinh)
__HC_LIBM(atan)
__HC_LIBM(atanh)
__HC_LIBM(cbrt)
__HC_LIBM(cos)
__HC_LIBM(cosh)
__HC_LIBM(erf)
__HC_LIBM(erfc)
__HC_LIBM(exp)
__HC_LIBM(exp2)
__HC_LIBM(exp10)
__HC_LIBM(expm1)
__HC_LIBM(lgamma)
__HC_LIBM(log)
__HC_LIBM(log10)
__HC_LIBM(log1p)
__HC_LIBM(log2)
__HC_LIBM(logb)
__HC_LIBM(sin)
__HC_LIBM(sinh)
__HC_LIBM(tan)
__HC_LIBM(tanh)
__HC_LIBM(tgamma)
__HC_LIBM(j0)
__HC_LIBM(j1)
__HC_LIBM(y0)
__HC_LIBM(y1)
#undef __HC_LIBM

#define __HC_LIBM(name)                                                                        \
    extern "C" __device__ double __hostcc_libm_##name(double, double);                         \
    extern "C" __device__ float __hostcc_libm_##name##f(float, float);                         \
    __HC double name(double x, double y) { return __hostcc_libm_##name(x, y); }                \
    __HC float name##f(float x, float y) { return __hostcc_libm_##name##f(x, y); }
__HC_LIBM(atan2)
__HC_LIBM(fmod)
__HC_LIBM(hypot)
__HC_LIBM(nextafter)
__HC_LIBM(pow)
__HC_LIBM(remainder)
#undef __HC_LIBM

/* -- What is one LLVM intrinsic ---------------------------------------------------------------- */

#define __HC_BUILTIN(name)                                                                     \
    __HC double name(double x) { return __builtin_##name(x); }                                 \
    __HC float name##f(float x) { return __builtin_##name##f(x); }
__HC_BUILTIN(ceil)
__HC_BUILTIN(fabs)
__HC_BUILTIN(floor)
__HC_BUILTIN(nearbyint)
__HC_BUILTIN(rint)
__HC_BUILTIN(round)
__HC_BUILTIN(sqrt)
__HC_BUILTIN(trunc)
#undef __HC_BUILTIN
#define __HC_BUILTIN(name)                                                                     \
    __HC double name(double x, double y) { return __builtin_##name(x, y); }                    \
    __HC float name##f(float x, float y) { return __builtin_##name##f(x, y); }
__HC_BUILTIN(copysign)
__HC_BUILTIN(fmax)
__HC_BUILTIN(fmin)
#undef __HC_BUILTIN

__HC double fma(double x, double y, double z)
{
    return __builtin_fma(x, y, z);
}
__HC float fmaf(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}
__HC double rsqrt(double x)
{
    return 1.0 / __builtin_sqrt(x);
}
__HC float rsqrtf(float x)
{
    return 1.0f / __builtin_sqrtf(x);
}
__HC void sincos(double x, double *s, double *c)
{
    *s = sin(x);
    *c = cos(x);
}
__HC void sincosf(float x, float *s, float *c)
{
    *s = sinf(x);
    *c = cosf(x);
}
__HC float __fdividef(float x, float y)
{
    return x / y;
}
#define __HC_FAST(name)                                                                        \
    __HC float __##name(float x) { return name(x); }
__HC_FAST(sinf)
__HC_FAST(cosf)
__HC_FAST(tanf)
__HC_FAST(expf)
__HC_FAST(exp10f)
__HC_FAST(logf)
__HC_FAST(log2f)
__HC_FAST(log10f)
#undef __HC_FAST
__HC float __powf(float x, float y)
{
    return powf(x, y);
}
__HC void __sincosf(float x, float *s, float *c)
{
    sincosf(x, s, c);
}

/* -- Overloads --------------------------------------------------------------------------------- */

#define __HC_OVERLOAD(name)                                                                    \
    __HC float name(float x) { return name##f(x); }                                            \
    template <class T> __HC typename __hc_integer<T>::type name(T x) { return name((double)x); }
__HC_OVERLOAD(acos)
__HC_OVERLOAD(acosh)
__HC_OVERLOAD(asin)
__HC_OVERLOAD(asinh)
__HC_OVERLOAD(atan)
__HC_OVERLOAD(atanh)
__HC_OVERLOAD(cbrt)
__HC_OVERLOAD(ceil)
__HC_OVERLOAD(cos)
__HC_OVERLOAD(cosh)
__HC_OVERLOAD(erf)
__HC_OVERLOAD(erfc)
__HC_OVERLOAD(exp)
__HC_OVERLOAD(exp2)
__HC_OVERLOAD(exp10)
__HC_OVERLOAD(expm1)
__HC_OVERLOAD(fabs)
__HC_OVERLOAD(floor)
__HC_OVERLOAD(lgamma)
__HC_OVERLOAD(log)
__HC_OVERLOAD(log10)
__HC_OVERLOAD(log1p)
__HC_OVERLOAD(log2)
__HC_OVERLOAD(logb)
__HC_OVERLOAD(nearbyint)
__HC_OVERLOAD(rint)
__HC_OVERLOAD(round)
__HC_OVERLOAD(rsqrt)
__HC_OVERLOAD(sin)
__HC_OVERLOAD(sinh)
__HC_OVERLOAD(sqrt)
__HC_OVERLOAD(tan)
__HC_OVERLOAD(tanh)
__HC_OVERLOAD(tgamma)
__HC_OVERLOAD(trunc)
#undef __HC_OVERLOAD

#define __HC_OVERLOAD(name)                                                                    \
    __HC float name(float x, float y) { return name##f(x, y); }                                \
    template <class A, class B> __HC typename __hc_promoted<A, B>::type name(A x, B y)         \
    {                                                                                          \
        return name((double)x, (double)y);                                                     \
    }
__HC_OVERLOAD(atan2)
__HC_OVERLOAD(copysign)
__HC_OVERLOAD(fmax)
__HC_OVERLOAD(fmin)
__HC_OVERLOAD(fmod)
__HC_OVERLOAD(hypot)
__HC_OVERLOAD(nextafter)
__HC_OVERLOAD(pow)
__HC_OVERLOAD(remainder)
#undef __HC_OVERLOAD

__HC float fma(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}
__HC void sincos(float x, float *s, float *c)
{
    sincosf(x, s, c);
}

/* min and max of two numbers have the type of their sum, as in CUDA's list of overloads. */
#define __HC_EXTREME(name)                                                                     \
    template <class A, class B> __HC auto name(A a, B b) -> decltype(a + b)                    \
    {                                                                                          \
        typedef decltype(a + b) T;                                                             \
        return __builtin_elementwise_##name((T)a, (T)b);                                       \
    }
__HC_EXTREME(min)
__HC_EXTREME(max)
#undef __HC_EXTREME

__HC int abs(int x)
{
    return x < 0 ? -x : x;
}
__HC long labs(long x)
{
    return x < 0 ? -x : x;
}
__HC long long llabs(long long x)
{
    return x < 0 ? -x : x;
}
__HC long abs(long x)
{
    return x < 0 ? -x : x;
}
__HC long long abs(long long x)
{
    return x < 0 ? -x : x;
}
__HC float abs(float x)
{
    return __builtin_fabsf(x);
}
__HC double abs(double x)
{
    return __builtin_fabs(x);
}

#endif
