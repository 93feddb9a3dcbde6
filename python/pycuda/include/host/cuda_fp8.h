/* Floating point of 8 bits: __nv_fp8_e4m3 and __nv_fp8_e5m2, and two and four of them
   in a word. They are for storage: all arithmetic is that of what they are converted
   to. Conversions round once, to the nearest, ties to even. */
#ifndef HOSTCC_CUDA_FP8_H
#define HOSTCC_CUDA_FP8_H

#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include "../pycuda/letters_aside.cuh"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

/* -- From and to float -- */

/* e4m3 has no infinity: what is too large is 448 or NaN. Numbers below the normal ones
   are multiples of the smallest. */
__HC __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                              __nv_fp8_interpretation_t kind)
{
    const bool is_e4m3 = kind == __NV_E4M3;
    const int cut = is_e4m3 ? 20 : 21; /* bits of the fraction */
    unsigned bits = __HC_BITS(unsigned, x), size = bits & 0x7fffffff;
    float a = __HC_BITS(float, size);
    unsigned even = size >> cut & 1, half = (1u << (cut - 1)) - 1;
    unsigned normal = ((size + half + even) >> cut) - (is_e4m3 ? 120 << 3 : 112 << 2);
    unsigned small = (unsigned)__builtin_rintf(a * (is_e4m3 ? 0x1p9f : 0x1p16f));
    unsigned code = a < (is_e4m3 ? 0x1p-6f : 0x1p-14f) ? small : normal;
    unsigned most = is_e4m3 ? 0x7e : 0x7b;
    bool is_large = is_e4m3 ? a > 464 : a >= 61440;
    code = !is_large ? code : saturate == __NV_SATFINITE ? most : most + 1;
    return (__nv_fp8_storage_t)(x != x ? 0x7f : code | bits >> 24 & 0x80);
}
__HC float __hc_fp8_value(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind)
{
    unsigned sign = (x & 0x80u) << 8, rest = x & 0x7f;
    unsigned short half =
        (unsigned short)(sign | (kind == __NV_E4M3 ? rest << 7 : rest << 8));
    float value = (float)__HC_BITS(_Float16, half);
    return kind == __NV_E5M2 ? value : rest == 0x7f ? __HC_NAN : value * 256;
}

/* -- From and to the other types; pairs have their first element in the low bits -- */

__HC __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                               __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(__hc_round_odd(x), saturate, kind);
}
__HC __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x,
                                                __nv_saturation_t saturate,
                                                __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(__half(x), saturate, kind);
}
__HC __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                    __nv_saturation_t saturate,
                                                    __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(__nv_bfloat16(x), saturate, kind);
}
#define __HC_PAIR(name, V, of, part)                                       \
    __HC __nv_fp8x2_storage_t name(V v, __nv_saturation_t saturate,        \
                                   __nv_fp8_interpretation_t kind)         \
    {                                                                      \
        return (__nv_fp8x2_storage_t)(of(part(v.x), saturate, kind) |      \
                                      of(part(v.y), saturate, kind) << 8); \
    }
__HC_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8, )
__HC_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8, )
#define __HC_HALF(bits) \
    __half_raw { bits }
#define __HC_BFLOAT(bits) \
    __nv_bfloat16_raw { bits }
__HC_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_cvt_halfraw_to_fp8, __HC_HALF)
__HC_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw,
          __nv_cvt_bfloat16raw_to_fp8, __HC_BFLOAT)
#undef __HC_HALF
#undef __HC_BFLOAT
#undef __HC_PAIR
__HC __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                        __nv_fp8_interpretation_t kind)
{
    return __half(__hc_fp8_value(x, kind));
}
__HC __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                            __nv_fp8_interpretation_t kind)
{
    __half_raw low = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind);
    __half_raw high = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind);
    return {low.x, high.x};
}

/* -- Powers of two, e8m0, by which blocks of other numbers are scaled -- */

/* 2^(code - 127), 255 is NaN; of what is between two powers the nearer to zero, or with
   cudaRoundPosInf the other. Signs are dropped. */
__HC __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturate,
                                               cudaRoundMode mode)
{
    unsigned bits = __HC_BITS(unsigned, x) & 0x7fffffff, code = bits >> 23;
    unsigned between = code ? bits & 0x7fffff : bits > 0x400000;
    code += between && mode == cudaRoundPosInf;
    return (__nv_fp8_storage_t)(x == x && code > 254 && saturate == __NV_SATFINITE ? 254
                                : x == x ? (code < 255 ? code : 255)
                                         : 255);
}
__HC __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x,
                                                     __nv_saturation_t saturate,
                                                     cudaRoundMode mode)
{
    return __nv_cvt_float_to_e8m0(__nv_bfloat16(x), saturate, mode);
}
__HC __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturate,
                                                cudaRoundMode mode)
{
    return __nv_cvt_float_to_e8m0(__hc_round_odd(x), saturate, mode);
}
__HC __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 v,
                                                    __nv_saturation_t saturate,
                                                    cudaRoundMode mode)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_e8m0(v.x, saturate, mode) |
                                  __nv_cvt_float_to_e8m0(v.y, saturate, mode) << 8);
}
__HC __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x)
{
    return {(unsigned short)(x == 255 ? 0x7fff : x ? x << 7 : 0x40)};
}
__HC __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x)
{
    return {__nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)x).x,
            __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)(x >> 8)).x};
}
struct __nv_fp8_e8m0 {
    __nv_fp8_storage_t __x;
    __nv_fp8_e8m0() = default;
    __host__ __device__ explicit __nv_fp8_e8m0(float x)
        : __x(__nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf))
    {
    }
    __host__ __device__ explicit operator float() const
    {
        return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x));
    }
};

/* -- The classes -- */

/* To integers values are cut, and what is out of range becomes the nearest. */
#define __HC_FP8_FROM(name, T, kind, of) \
    __HC_FP8 explicit name(T v) : __x(of(v, __NV_SATFINITE, kind)) {}
#define __HC_FP8_FROM_INTEGER(name, T, kind)                         \
    __HC_FP8 explicit name(T v)                                      \
        : __x(__nv_cvt_float_to_fp8((float)v, __NV_SATFINITE, kind)) \
    {                                                                \
    }
#define __HC_FP8_TO(T, expression) \
    __HC_FP8 explicit operator T() const { return (T)(expression); }
#define __HC_FP8 __host__ __device__
#define __HC_FP8_TYPES(E, kind)                                                        \
    struct __align__(1) __nv_fp8_##E {                                                 \
        __nv_fp8_storage_t __x;                                                        \
        __nv_fp8_##E() = default;                                                      \
        __HC_FP8_FROM(__nv_fp8_##E, __half, kind, __nv_cvt_halfraw_to_fp8)             \
        __HC_FP8_FROM(__nv_fp8_##E, __nv_bfloat16, kind, __nv_cvt_bfloat16raw_to_fp8)  \
        __HC_FP8_FROM(__nv_fp8_##E, float, kind, __nv_cvt_float_to_fp8)                \
        __HC_FP8_FROM(__nv_fp8_##E, double, kind, __nv_cvt_double_to_fp8)              \
        __HC_FP8_FROM_INTEGER(__nv_fp8_##E, short, kind)                               \
        __HC_FP8_FROM_INTEGER(__nv_fp8_##E, unsigned short, kind)                      \
        __HC_FP8_FROM_INTEGER(__nv_fp8_##E, int, kind)                                 \
        __HC_FP8_FROM_INTEGER(__nv_fp8_##E, unsigned, kind)                            \
        __HC_FP8_FROM_INTEGER(__nv_fp8_##E, long, kind)                                \
        __HC_FP8_FROM_INTEGER(__nv_fp8_##E, unsigned long, kind)                       \
        __HC_FP8_FROM_INTEGER(__nv_fp8_##E, long long, kind)                           \
        __HC_FP8_FROM_INTEGER(__nv_fp8_##E, unsigned long long, kind)                  \
        __HC_FP8 float __hc_value() const { return __hc_fp8_value(__x, kind); }        \
        __HC_FP8_TO(float, __hc_value())                                               \
        __HC_FP8_TO(double, __hc_value())                                              \
        __HC_FP8_TO(__half, __hc_value())                                              \
        __HC_FP8_TO(__nv_bfloat16, __hc_value())                                       \
        __HC_FP8_TO(bool, __x & 0x7f)                                                  \
        __HC_FP8_TO(char, __hc_within(__float2int_rz(__hc_value()), -128, 127))        \
        __HC_FP8_TO(signed char, __hc_within(__float2int_rz(__hc_value()), -128, 127)) \
        __HC_FP8_TO(unsigned char, __hc_within(__float2int_rz(__hc_value()), 0, 255))  \
        __HC_FP8_TO(short, __hc_within(__float2int_rz(__hc_value()), -32768, 32767))   \
        __HC_FP8_TO(unsigned short,                                                    \
                    __hc_within(__float2int_rz(__hc_value()), 0, 65535))               \
        __HC_FP8_TO(int, __float2int_rz(__hc_value()))                                 \
        __HC_FP8_TO(unsigned, __float2uint_rz(__hc_value()))                           \
        __HC_FP8_TO(long, __float2ll_rz(__hc_value()))                                 \
        __HC_FP8_TO(unsigned long, __float2ull_rz(__hc_value()))                       \
        __HC_FP8_TO(long long, __float2ll_rz(__hc_value()))                            \
        __HC_FP8_TO(unsigned long long, __float2ull_rz(__hc_value()))                  \
    };                                                                                 \
    struct __align__(2) __nv_fp8x2_##E {                                               \
        __nv_fp8x2_storage_t __x;                                                      \
        __nv_fp8x2_##E() = default;                                                    \
        __HC_FP8_FROM(__nv_fp8x2_##E, __half2, kind, __nv_cvt_halfraw2_to_fp8x2)       \
        __HC_FP8_FROM(__nv_fp8x2_##E, __nv_bfloat162, kind,                            \
                      __nv_cvt_bfloat16raw2_to_fp8x2)                                  \
        __HC_FP8_FROM(__nv_fp8x2_##E, float2, kind, __nv_cvt_float2_to_fp8x2)          \
        __HC_FP8_FROM(__nv_fp8x2_##E, double2, kind, __nv_cvt_double2_to_fp8x2)        \
        __HC_FP8_TO(__half2, __nv_cvt_fp8x2_to_halfraw2(__x, kind))                    \
        __HC_FP8 explicit operator float2() const                                      \
        {                                                                              \
            return {__hc_fp8_value((__nv_fp8_storage_t)__x, kind),                     \
                    __hc_fp8_value((__nv_fp8_storage_t)(__x >> 8), kind)};             \
        }                                                                              \
    };                                                                                 \
    struct __align__(4) __nv_fp8x4_##E {                                               \
        __nv_fp8x4_storage_t __x;                                                      \
        __nv_fp8x4_##E() = default;                                                    \
        template <class V> __HC_FP8 static unsigned __hc_pairs(V low, V high)          \
        {                                                                              \
            return __nv_fp8x2_##E(low).__x | (unsigned)__nv_fp8x2_##E(high).__x << 16; \
        }                                                                              \
        __HC_FP8 explicit __nv_fp8x4_##E(__half2 low, __half2 high)                    \
            : __x(__hc_pairs(low, high))                                               \
        {                                                                              \
        }                                                                              \
        __HC_FP8 explicit __nv_fp8x4_##E(__nv_bfloat162 low, __nv_bfloat162 high)      \
            : __x(__hc_pairs(low, high))                                               \
        {                                                                              \
        }                                                                              \
        __HC_FP8 explicit __nv_fp8x4_##E(float4 v)                                     \
            : __x(__hc_pairs(float2{v.x, v.y}, float2{v.z, v.w}))                      \
        {                                                                              \
        }                                                                              \
        template <class V, class = decltype(V::w + 1.)>                                \
        __HC_FP8 explicit __nv_fp8x4_##E(V v)                                          \
            : __x(__hc_pairs(double2{v.x, v.y}, double2{v.z, v.w}))                    \
        {                                                                              \
        }                                                                              \
        __HC_FP8 explicit operator float4() const                                      \
        {                                                                              \
            return {__hc_fp8_value((__nv_fp8_storage_t)__x, kind),                     \
                    __hc_fp8_value((__nv_fp8_storage_t)(__x >> 8), kind),              \
                    __hc_fp8_value((__nv_fp8_storage_t)(__x >> 16), kind),             \
                    __hc_fp8_value((__nv_fp8_storage_t)(__x >> 24), kind)};            \
        }                                                                              \
    };
__HC_FP8_TYPES(e4m3, __NV_E4M3)
__HC_FP8_TYPES(e5m2, __NV_E5M2)
#undef __HC_FP8_TYPES
#undef __HC_FP8
#undef __HC_FP8_TO
#undef __HC_FP8_FROM_INTEGER
#undef __HC_FP8_FROM

#include "../pycuda/letters_back.cuh"

#endif
