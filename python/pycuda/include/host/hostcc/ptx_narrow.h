/* PTX's instructions on bfloat16, on pairs in a register (bf16x2, f16x2, f32x2, s16x2)
   and on floating point of 8 and 4 bits; included by hostcc behind ptx.h where a
   statement names such a type. */
#ifndef HOSTCC_PTX_NARROW_H
#define HOSTCC_PTX_NARROW_H

#include "cuda_fp4.h"

namespace narrow
{
typedef __nv_bfloat16 bf16;
typedef __nv_bfloat162 bf16x2;
typedef __half2 f16x2;
typedef float f32x2 __attribute__((ext_vector_type(2)));
typedef s16 s16x2 __attribute__((ext_vector_type(2)));
typedef u16 u16x2 __attribute__((ext_vector_type(2)));
} // namespace narrow
using namespace narrow;

/* -- Arithmetic -- */

__HC bf16 ptx_fused(bf16 a, bf16 b, bf16 c) { return __hfma(a, b, c); }
__HC bf16x2 ptx_fused(bf16x2 a, bf16x2 b, bf16x2 c) { return __hfma2(a, b, c); }
__HC f16x2 ptx_fused(f16x2 a, f16x2 b, f16x2 c) { return __hfma2(a, b, c); }

/* A function of floats for each element, where that is exact or rounds once. */
#define PTX_EACH_OF(T)                                         \
    template <class F> __HC_DEVICE T ptx_each(F f, T a)        \
    {                                                          \
        return {ptx_each(f, a.x), ptx_each(f, a.y)};           \
    }                                                          \
    template <class F> __HC_DEVICE T ptx_each(F f, T a, T b)   \
    {                                                          \
        return {ptx_each(f, a.x, b.x), ptx_each(f, a.y, b.y)}; \
    }
PTX_EACH_OF(bf16x2)
PTX_EACH_OF(f16x2)
PTX_EACH_OF(f32x2)
#define PTX_OF_EACH(name, f)                                \
    __HC bf16 name(bf16 a) { return ptx_each(f(), a); }     \
    __HC bf16x2 name(bf16x2 a) { return ptx_each(f(), a); } \
    __HC f16x2 name(f16x2 a) { return ptx_each(f(), a); }
#define PTX_OF_EACH_TWO(name, f)                                         \
    __HC bf16 name(bf16 a, bf16 b) { return ptx_each(f(), a, b); }       \
    __HC bf16x2 name(bf16x2 a, bf16x2 b) { return ptx_each(f(), a, b); } \
    __HC f16x2 name(f16x2 a, f16x2 b) { return ptx_each(f(), a, b); }
PTX_OF_EACH(ptx_size, ptx_size_of)
PTX_OF_EACH(ptx_power, ptx_power_of)
PTX_OF_EACH(ptx_tangent, ptx_tangent_of)
PTX_OF_EACH_TWO(ptx_least, ptx_least_of)
PTX_OF_EACH_TWO(ptx_most, ptx_most_of)

/* -- Comparisons of pairs: two results -- */

struct ptx_two {
    bool low, high;
    __device__ ptx_two operator!() const { return {!low, !high}; }
    __device__ ptx_two operator&(bool x) const { return {low && x, high && x}; }
    __device__ ptx_two operator|(bool x) const { return {low || x, high || x}; }
    __device__ ptx_two operator^(bool x) const { return {low != x, high != x}; }
};
#define PTX_PAIRS_ARE(op)                                                           \
    template <class T> __HC_DEVICE ptx_two ptx_pairs_are_##op(T a, T b)             \
    {                                                                               \
        return {ptx_is_##op<float>(a.x, b.x), ptx_is_##op<float>(a.y, b.y)};        \
    }                                                                               \
    __HC ptx_two ptx_is_##op(f16x2 a, f16x2 b) { return ptx_pairs_are_##op(a, b); } \
    __HC ptx_two ptx_is_##op(bf16x2 a, bf16x2 b) { return ptx_pairs_are_##op(a, b); }
__HC_EACH8(PTX_PAIRS_ARE, eq, ne, lt, le, gt, ge, num, nan)
__HC_EACH4(PTX_PAIRS_ARE, equ, neu, ltu, leu)
PTX_PAIRS_ARE(gtu)
PTX_PAIRS_ARE(geu)
/* As two predicates; as ones, or all bits, in the halves of a register. */
template <class D, class E> __HC_DEVICE void ptx_both(D &d, E &e, ptx_two is, ptx_two)
{
    d = is.low, e = is.high;
}
template <class T, class D> __HC_DEVICE void ptx_set_to(D &d, ptx_two is)
{
    if constexpr (__is_integral(T))
        put<u32>(d, (is.low ? 0xffff : 0) | (is.high ? 0xffff0000 : 0));
    else
        put<T>(d, T{is.low ? 1.0f : 0.0f, is.high ? 1.0f : 0.0f});
}

/* -- Conversions: of two values the first becomes the upper half -- */

template <> struct ptx_from<bf16> {
    __device__ static bf16 of(float x) { return x; }
};
template <> struct ptx_from<bf16x2> {
    __device__ static bf16x2 of(float high, float low) { return {low, high}; }
};
template <> struct ptx_from<f16x2> {
    __device__ static f16x2 of(float high, float low) { return {low, high}; }
};
#define PTX_PAIR(T, word, to_halves, of_floats)                               \
    namespace narrow                                                          \
    {                                                                         \
    struct T {                                                                \
        word bits;                                                            \
        __device__ operator f16x2() const { return to_halves; }               \
    };                                                                        \
    }                                                                         \
    template <> struct ptx_from<T> {                                          \
        __device__ static T of(float high, float low) { return {of_floats}; } \
        __device__ static T of(f16x2 x) { return of(x.y, x.x); }              \
        __device__ static T of(bf16x2 x) { return of(x.y, x.x); }             \
    };
#define PTX_FP8(T, kind)                                     \
    PTX_PAIR(T, u16, __nv_cvt_fp8x2_to_halfraw2(bits, kind), \
             __nv_cvt_float2_to_fp8x2({low, high}, __NV_SATFINITE, kind))
PTX_FP8(e4m3x2, __NV_E4M3)
PTX_FP8(e5m2x2, __NV_E5M2)
PTX_PAIR(e2m1x2, u8, __nv_cvt_fp4x2_to_halfraw2(bits, __NV_E2M1),
         __nv_cvt_float2_to_fp4x2({low, high}, __NV_E2M1, cudaRoundNearest))
/* .satfinite: no infinities come of it; the conversions to 8 and 4 bits know that. */
template <class T> __HC_DEVICE float ptx_finite(float x)
{
    const float most = __is_same(T, f16x2) ? 65504 : 0x1.fep127f;
    return x > most ? most : x < -most ? -most : x;
}
template <class T, class X> __HC_DEVICE X ptx_finite_part(X x)
{
    if constexpr (__is_same(X, float) &&
                  (__is_same(T, f16x2) || __is_same(T, bf16x2) || __is_same(T, bf16)))
        return ptx_finite<T>(x);
    else
        return x;
}
template <class T, class F, class... X> __HC_DEVICE auto ptx_narrowed(X... x)
{
    return ptx_from<T>::of(ptx_finite_part<T>(as<F>(x))...);
}
/* What is negative becomes 0, with .relu. */
template <class T, class F, class... X> __HC_DEVICE auto ptx_narrowed_relu(X... x)
{
    return ptx_from<T>::of(ptx_each(ptx_relu_of(), as<F>(x))...);
}
template <class T, class F, class... X>
__HC_DEVICE auto ptx_narrowed_finite_relu(X... x)
{
    return ptx_from<T>::of(ptx_finite_part<T>(ptx_each(ptx_relu_of(), as<F>(x)))...);
}
#define ptx_cvt_satfinite(T, F, d, ...) put<T>(d, ptx_narrowed<T, F>(__VA_ARGS__))
#define ptx_cvt_relu(T, F, d, ...) put<T>(d, ptx_narrowed_relu<T, F>(__VA_ARGS__))
#define ptx_cvt_satfinite_relu(T, F, d, ...) \
    put<T>(d, ptx_narrowed_finite_relu<T, F>(__VA_ARGS__))
#define ptx_cvt_relu_satfinite ptx_cvt_satfinite_relu

#endif
