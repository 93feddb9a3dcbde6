/* std:: for the functions of mathematics.h, minima and maxima, move and forward: nvcc
   has them without a header. Those of libc++ are for host code then, as behind clang's
   own header. */
#ifndef HOSTCC_STD_H
#define HOSTCC_STD_H

_LIBCPP_BEGIN_NAMESPACE_STD
#define __HC_USE(name) using ::name;
using ::abs;
using ::atan2f;
using ::double_t;
using ::float_t;
__HC_EACH8(__HC_USE, acos, acosh, asin, asinh, atan, atan2, atanh, cbrt)
__HC_EACH8(__HC_USE, ceil, copysign, cos, cosh, erf, erfc, exp, exp2)
__HC_EACH8(__HC_USE, expm1, fabs, fdim, floor, fma, fmax, fmin, fmod)
__HC_EACH8(__HC_USE, frexp, hypot, ilogb, isfinite, isinf, isnan, isnormal, ldexp)
__HC_EACH8(__HC_USE, lgamma, llrint, llround, log, log10, log1p, log2, logb)
__HC_EACH8(__HC_USE, lrint, lround, modf, nearbyint, nextafter, pow, remainder, remquo)
__HC_EACH8(__HC_USE, rint, round, scalbln, scalbn, signbit, sin, sinh, sqrt)
__HC_EACH4(__HC_USE, tan, tanh, tgamma, trunc)
__HC_USE(fpclassify)
#undef __HC_USE
#define __HC_CHOSEN(name, of_two, of_less)                                    \
    template <class T>                                                        \
    constexpr inline __device__ const T &name(const T &a, const T &b)         \
    {                                                                         \
        return of_two ? b : a;                                                \
    }                                                                         \
    template <class T, class F>                                               \
    constexpr inline __device__ const T &name(const T &a, const T &b, F less) \
    {                                                                         \
        return of_less ? b : a;                                               \
    }
__HC_CHOSEN(max, a < b, less(a, b))
__HC_CHOSEN(min, b < a, less(b, a))
#undef __HC_CHOSEN
/* Those of <utility>, which nvcc's own headers bring along. */
#define __HC_MOVED(name, result, parameter)                                            \
    template <class T> constexpr inline __device__ result &&name(parameter x) noexcept \
    {                                                                                  \
        return static_cast<result &&>(x);                                              \
    }
__HC_MOVED(move, __remove_reference_t(T), T &&)
__HC_MOVED(forward, T, __remove_reference_t(T) &)
__HC_MOVED(forward, T, __remove_reference_t(T) &&)
#undef __HC_MOVED
/* What libc++ calls where it throws: kernels, which call its constexpr functions, too
   (array::at), end there. */
#define __HC_THROWN(name, ...)                                      \
    [[noreturn]] inline __device__ void __throw_##name(__VA_ARGS__) \
    {                                                               \
        __trap();                                                   \
        __builtin_unreachable();                                    \
    }
#define __HC_THROWN_TEXT(name) __HC_THROWN(name, const char *)
__HC_EACH4(__HC_THROWN_TEXT, domain_error, invalid_argument, length_error, logic_error)
__HC_EACH4(__HC_THROWN_TEXT, out_of_range, overflow_error, range_error, underflow_error)
__HC_THROWN(bad_optional_access)
__HC_THROWN(bad_variant_access)
#undef __HC_THROWN_TEXT
#undef __HC_THROWN
_LIBCPP_END_NAMESPACE_STD

#endif
