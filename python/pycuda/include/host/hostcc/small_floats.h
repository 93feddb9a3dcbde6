/* What cuda_fp4.h and cuda_fp6.h have in common: floating point of few bits without
   infinities and NaN, and two and four of them in a word. They are for storage: all
   arithmetic is that of what they are converted to. Conversions round once, to the
   nearest, ties to even; what is too large becomes the greatest number, and so does
   NaN, which has no sign then. */
#ifndef HOSTCC_SMALL_FLOATS_H
#define HOSTCC_SMALL_FLOATS_H

#include <cuda_fp8.h>
#include "../../pycuda/letters_aside.cuh"

/* Codes up to `most`, behind which is the sign; so many bits of them are the fraction.
 */
template <int fraction, int bias, unsigned most> struct __hc_small {
    static __device__ float power(int e) { return __HC_BITS(float, (127 + e) << 23); }
    static __device__ unsigned code(float x)
    {
        unsigned bits = __HC_BITS(unsigned, x), sign = x != x ? 0 : bits >> 31;
        float size = __builtin_fabsf(x);
        int e = (int)(bits >> 23 & 255) - 127;
        e = e < 1 - bias ? 1 - bias : e > 6 ? 6 : e; /* 2^6 is more than any has */
        unsigned parts =
            size < 64 ? (unsigned)__builtin_rintf(size * power(fraction - e)) : most;
        parts += (unsigned)(e + bias - 1) << fraction;
        return (parts < most ? parts : most) | sign * (most + 1);
    }
    static __device__ float value(unsigned x)
    {
        int e = (int)(x & most) >> fraction, part = (int)x & ((1 << fraction) - 1);
        float size = e ? (float)(part + (1 << fraction)) * power(e - bias - fraction)
                       : (float)part * power(1 - bias - fraction);
        return x & (most + 1) ? -size : size;
    }
};

#include "../../pycuda/letters_back.cuh"

/* -- Functions: pairs have their first element in the low bits -- */

#define __HC_SMALL_FROM(fp, T, name, expression)                          \
    __HC __nv_##fp##_storage_t __nv_cvt_##name##_to_##fp(                 \
        T x, __nv_##fp##_interpretation_t kind, cudaRoundMode)            \
    {                                                                     \
        return (__nv_##fp##_storage_t)__hc_##fp##_code(expression, kind); \
    }
#define __HC_SMALL_PAIR(fp, V, name, expression, shift)                           \
    __HC __nv_##fp##x2_storage_t __nv_cvt_##name##_to_##fp##x2(                   \
        V v, __nv_##fp##_interpretation_t kind, cudaRoundMode)                    \
    {                                                                             \
        auto x = v.x;                                                             \
        unsigned low = __hc_##fp##_code(expression, kind);                        \
        x = v.y;                                                                  \
        return (__nv_##fp##x2_storage_t)(low | __hc_##fp##_code(expression, kind) \
                                                   << shift);                     \
    }
#define __HC_SMALL_FUNCTIONS(fp, shift)                                               \
    __HC_SMALL_FROM(fp, float, float, x)                                              \
    __HC_SMALL_FROM(fp, double, double, __hc_round_odd(x))                            \
    __HC_SMALL_FROM(fp, __half_raw, halfraw, (float)__half(x))                        \
    __HC_SMALL_FROM(fp, __nv_bfloat16_raw, bfloat16raw, (float)__nv_bfloat16(x))      \
    __HC_SMALL_PAIR(fp, float2, float2, x, shift)                                     \
    __HC_SMALL_PAIR(fp, double2, double2, __hc_round_odd(x), shift)                   \
    __HC_SMALL_PAIR(fp, __half2_raw, halfraw2, (float)__half(__half_raw{x}), shift)   \
    __HC_SMALL_PAIR(fp, __nv_bfloat162_raw, bfloat16raw2,                             \
                    (float)__nv_bfloat16(__nv_bfloat16_raw{x}), shift)                \
    __HC __half_raw __nv_cvt_##fp##_to_halfraw(__nv_##fp##_storage_t x,               \
                                               __nv_##fp##_interpretation_t kind)     \
    {                                                                                 \
        return __half(__hc_##fp##_value(x, kind));                                    \
    }                                                                                 \
    __HC __half2_raw __nv_cvt_##fp##x2_to_halfraw2(__nv_##fp##x2_storage_t x,         \
                                                   __nv_##fp##_interpretation_t kind) \
    {                                                                                 \
        __half_raw low = __half(__hc_##fp##_value(x, kind)),                          \
                   high = __half(__hc_##fp##_value(x >> shift, kind));                \
        return {low.x, high.x};                                                       \
    }

/* -- Classes -- */

#define __HC_SMALL_MADE(name, fp, T, kind, from)          \
    __host__ __device__ explicit name(T v)                \
        : __x(__nv_cvt_##from(v, kind, cudaRoundNearest)) \
    {                                                     \
    }
#define __HC_SMALL_WHOLE(name, T, fp, kind)            \
    __HC_SMALL_MADE(name, fp, T, kind, double_to_##fp) \
    __host__ __device__ explicit operator T() const    \
    {                                                  \
        return (T)__hc_##fp##_value(__x, kind);        \
    }
#define __HC_SMALL_AS(T, value) \
    __host__ __device__ explicit operator T() const { return value; }
#define __HC_SMALL_CLASSES(fp, name, kind, shift)                                      \
    struct __nv_##fp##_##name {                                                        \
        __nv_##fp##_storage_t __x;                                                     \
        __nv_##fp##_##name() = default;                                                \
        __HC_SMALL_MADE(__nv_##fp##_##name, fp, __half, kind, halfraw_to_##fp)         \
        __HC_SMALL_MADE(__nv_##fp##_##name, fp, __nv_bfloat16, kind,                   \
                        bfloat16raw_to_##fp)                                           \
        __HC_SMALL_MADE(__nv_##fp##_##name, fp, float, kind, float_to_##fp)            \
        __HC_SMALL_MADE(__nv_##fp##_##name, fp, double, kind, double_to_##fp)          \
        __HC_SMALL_AS(float, __hc_##fp##_value(__x, kind))                             \
        __HC_SMALL_AS(double, __hc_##fp##_value(__x, kind))                            \
        __HC_SMALL_AS(__half, __hc_##fp##_value(__x, kind))                            \
        __HC_SMALL_AS(__nv_bfloat16, __hc_##fp##_value(__x, kind))                     \
        __HC_SMALL_AS(bool, __hc_##fp##_value(__x, kind) != 0)                         \
        __HC_SMALL_WHOLE(__nv_##fp##_##name, short, fp, kind)                          \
        __HC_SMALL_WHOLE(__nv_##fp##_##name, unsigned short, fp, kind)                 \
        __HC_SMALL_WHOLE(__nv_##fp##_##name, int, fp, kind)                            \
        __HC_SMALL_WHOLE(__nv_##fp##_##name, unsigned, fp, kind)                       \
        __HC_SMALL_WHOLE(__nv_##fp##_##name, long, fp, kind)                           \
        __HC_SMALL_WHOLE(__nv_##fp##_##name, unsigned long, fp, kind)                  \
        __HC_SMALL_WHOLE(__nv_##fp##_##name, long long, fp, kind)                      \
        __HC_SMALL_WHOLE(__nv_##fp##_##name, unsigned long long, fp, kind)             \
    };                                                                                 \
    struct __nv_##fp##x2_##name {                                                      \
        __nv_##fp##x2_storage_t __x;                                                   \
        __nv_##fp##x2_##name() = default;                                              \
        __HC_SMALL_MADE(__nv_##fp##x2_##name, fp, __half2, kind, halfraw2_to_##fp##x2) \
        __HC_SMALL_MADE(__nv_##fp##x2_##name, fp, __nv_bfloat162, kind,                \
                        bfloat16raw2_to_##fp##x2)                                      \
        __HC_SMALL_MADE(__nv_##fp##x2_##name, fp, float2, kind, float2_to_##fp##x2)    \
        __HC_SMALL_MADE(__nv_##fp##x2_##name, fp, double2, kind, double2_to_##fp##x2)  \
        __HC_SMALL_AS(__half2, __nv_cvt_##fp##x2_to_halfraw2(__x, kind))               \
        __host__ __device__ explicit operator float2() const                           \
        {                                                                              \
            return {__hc_##fp##_value(__x, kind),                                      \
                    __hc_##fp##_value(__x >> shift, kind)};                            \
        }                                                                              \
    };                                                                                 \
    struct __align__(sizeof(__nv_##fp##x4_storage_t)) __nv_##fp##x4_##name {           \
        __nv_##fp##x4_storage_t __x;                                                   \
        __nv_##fp##x4_##name() = default;                                              \
        template <class V>                                                             \
        __host__ __device__ explicit __nv_##fp##x4_##name(V low, V high)               \
            : __x((__nv_##fp##x4_storage_t)(__nv_##fp##x2_##name(low).__x |            \
                                            (unsigned)__nv_##fp##x2_##name(high).__x   \
                                                << 2 * shift))                         \
        {                                                                              \
        }                                                                              \
        __host__ __device__ explicit __nv_##fp##x4_##name(float4 v)                    \
            : __nv_##fp##x4_##name(float2{v.x, v.y}, float2{v.z, v.w})                 \
        {                                                                              \
        }                                                                              \
        __host__ __device__ explicit __nv_##fp##x4_##name(double4 v)                   \
            : __nv_##fp##x4_##name(double2{v.x, v.y}, double2{v.z, v.w})               \
        {                                                                              \
        }                                                                              \
        __host__ __device__ explicit operator float4() const                           \
        {                                                                              \
            return {__hc_##fp##_value(__x, kind),                                      \
                    __hc_##fp##_value(__x >> shift, kind),                             \
                    __hc_##fp##_value(__x >> 2 * shift, kind),                         \
                    __hc_##fp##_value(__x >> 3 * shift, kind)};                        \
        }                                                                              \
    };

#endif
