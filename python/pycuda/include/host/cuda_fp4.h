/* Floating point of 4 bits: __nv_fp4_e2m1, 0 0.5 1 1.5 2 3 4 6 and their negatives, and
   two and four of them in a word. They are for storage: all arithmetic is that of what
   they are converted to. Conversions round once, to the nearest, ties to even; what is
   too large, and NaN, becomes 6. */
#ifndef HOSTCC_CUDA_FP4_H
#define HOSTCC_CUDA_FP4_H

#include <cuda_fp8.h>
#include "../pycuda/letters_aside.cuh"

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
enum __nv_fp4_interpretation_t { __NV_E2M1 };

/* -- From and to the other types; pairs have their first element in the low bits -- */

/* A multiple of 1/2 up to 2, of 1 up to 4, of 2 from there; NaN compares as false. */
__HC __nv_fp4_storage_t __nv_cvt_float_to_fp4(float x, __nv_fp4_interpretation_t,
                                              cudaRoundMode)
{
    float a = __builtin_fabsf(x);
    float code = a < 2   ? __builtin_rintf(a * 2)
                 : a < 4 ? __builtin_rintf(a) + 2
                 : a < 6 ? __builtin_rintf(a / 2) + 4
                         : 7;
    unsigned sign = x != x ? 0 : __HC_BITS(unsigned, x) >> 28 & 8;
    return (__nv_fp4_storage_t)(sign | (unsigned)code);
}
__HC float __hc_fp4_value(unsigned x)
{
    unsigned exponent = x >> 1 & 3, fraction = x & 1;
    float size = exponent ? (float)((2 + fraction) << exponent) / 4 : fraction / 2.0f;
    return x & 8 ? -size : size;
}
__HC __nv_fp4_storage_t __nv_cvt_double_to_fp4(double x, __nv_fp4_interpretation_t kind,
                                               cudaRoundMode mode)
{
    return __nv_cvt_float_to_fp4(__hc_round_odd(x), kind, mode);
}
__HC __nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(__half_raw x,
                                                __nv_fp4_interpretation_t kind,
                                                cudaRoundMode mode)
{
    return __nv_cvt_float_to_fp4(__half(x), kind, mode);
}
__HC __nv_fp4_storage_t __nv_cvt_bfloat16raw_to_fp4(__nv_bfloat16_raw x,
                                                    __nv_fp4_interpretation_t kind,
                                                    cudaRoundMode mode)
{
    return __nv_cvt_float_to_fp4(__nv_bfloat16(x), kind, mode);
}
#define __HC_PAIR(name, V, of, part)                                    \
    __HC __nv_fp4x2_storage_t name(V v, __nv_fp4_interpretation_t kind, \
                                   cudaRoundMode mode)                  \
    {                                                                   \
        return (__nv_fp4x2_storage_t)(of(part(v.x), kind, mode) |       \
                                      of(part(v.y), kind, mode) << 4);  \
    }
__HC_PAIR(__nv_cvt_float2_to_fp4x2, float2, __nv_cvt_float_to_fp4, )
__HC_PAIR(__nv_cvt_double2_to_fp4x2, double2, __nv_cvt_double_to_fp4, )
#define __HC_HALF(bits) \
    __half_raw { bits }
#define __HC_BFLOAT(bits) \
    __nv_bfloat16_raw { bits }
__HC_PAIR(__nv_cvt_halfraw2_to_fp4x2, __half2_raw, __nv_cvt_halfraw_to_fp4, __HC_HALF)
__HC_PAIR(__nv_cvt_bfloat16raw2_to_fp4x2, __nv_bfloat162_raw,
          __nv_cvt_bfloat16raw_to_fp4, __HC_BFLOAT)
#undef __HC_HALF
#undef __HC_BFLOAT
#undef __HC_PAIR
__HC __half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t x, __nv_fp4_interpretation_t)
{
    return __half(__hc_fp4_value(x));
}
__HC __half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t x,
                                            __nv_fp4_interpretation_t)
{
    __half_raw low = __half(__hc_fp4_value(x)), high = __half(__hc_fp4_value(x >> 4));
    return {low.x, high.x};
}

/* -- The classes -- */

#define __HC_FP4 __host__ __device__
#define __HC_FP4_FROM(name, T, of) \
    __HC_FP4 explicit name(T v) : __x(of(v, __NV_E2M1, cudaRoundNearest)) {}
struct __nv_fp4_e2m1 {
    __nv_fp4_storage_t __x;
    __nv_fp4_e2m1() = default;
    __HC_FP4_FROM(__nv_fp4_e2m1, __half, __nv_cvt_halfraw_to_fp4)
    __HC_FP4_FROM(__nv_fp4_e2m1, __nv_bfloat16, __nv_cvt_bfloat16raw_to_fp4)
    __HC_FP4_FROM(__nv_fp4_e2m1, float, __nv_cvt_float_to_fp4)
    __HC_FP4_FROM(__nv_fp4_e2m1, double, __nv_cvt_double_to_fp4)
    __HC_FP4_FROM(__nv_fp4_e2m1, int, __nv_cvt_double_to_fp4)
    __HC_FP4_FROM(__nv_fp4_e2m1, unsigned, __nv_cvt_double_to_fp4)
    __HC_FP4 explicit operator float() const { return __hc_fp4_value(__x); }
    __HC_FP4 explicit operator double() const { return __hc_fp4_value(__x); }
    __HC_FP4 explicit operator __half() const { return __hc_fp4_value(__x); }
    __HC_FP4 explicit operator __nv_bfloat16() const { return __hc_fp4_value(__x); }
    __HC_FP4 explicit operator bool() const { return __x & 7; }
    __HC_FP4 explicit operator int() const { return (int)__hc_fp4_value(__x); }
};
struct __nv_fp4x2_e2m1 {
    __nv_fp4x2_storage_t __x;
    __nv_fp4x2_e2m1() = default;
    __HC_FP4_FROM(__nv_fp4x2_e2m1, __half2, __nv_cvt_halfraw2_to_fp4x2)
    __HC_FP4_FROM(__nv_fp4x2_e2m1, __nv_bfloat162, __nv_cvt_bfloat16raw2_to_fp4x2)
    __HC_FP4_FROM(__nv_fp4x2_e2m1, float2, __nv_cvt_float2_to_fp4x2)
    __HC_FP4_FROM(__nv_fp4x2_e2m1, double2, __nv_cvt_double2_to_fp4x2)
    __HC_FP4 explicit operator __half2() const
    {
        return __nv_cvt_fp4x2_to_halfraw2(__x, __NV_E2M1);
    }
    __HC_FP4 explicit operator float2() const
    {
        return {__hc_fp4_value(__x), __hc_fp4_value(__x >> 4)};
    }
};
struct __align__(2) __nv_fp4x4_e2m1 {
    __nv_fp4x4_storage_t __x;
    __nv_fp4x4_e2m1() = default;
    template <class V>
    __HC_FP4 explicit __nv_fp4x4_e2m1(V low, V high)
        : __x((__nv_fp4x4_storage_t)(__nv_fp4x2_e2m1(low).__x |
                                     __nv_fp4x2_e2m1(high).__x << 8))
    {
    }
    __HC_FP4 explicit __nv_fp4x4_e2m1(float4 v)
        : __nv_fp4x4_e2m1(float2{v.x, v.y}, float2{v.z, v.w})
    {
    }
    __HC_FP4 explicit operator float4() const
    {
        return {__hc_fp4_value(__x), __hc_fp4_value(__x >> 4), __hc_fp4_value(__x >> 8),
                __hc_fp4_value(__x >> 12)};
    }
};
#undef __HC_FP4_FROM
#undef __HC_FP4

#include "../pycuda/letters_back.cuh"

#endif
