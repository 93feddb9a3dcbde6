/* PTX's conversions: `cvt.rounding.sat.to.from d, a`. */
#ifndef HOSTCC_PTX_CONVERSIONS_H
#define HOSTCC_PTX_CONVERSIONS_H

/* The nearest integer that T has. */
template <class T> __HC_DEVICE T ptx_nearest(__int128 a)
{
    __int128 least = (T)-1 < 0 ? (T)(1ull << (BITS(T) - 1)) : 0, most = (T)~least;
    return (T)(a < least ? least : a > most ? most : a);
}
template <class T> struct ptx_from; /* two values in a register: ptx_narrow.h */
template <class T, class F, class X> __HC_DEVICE F ptx_converted(X a)
{
    return as<F>(a);
}
template <class T, class F, class X> __HC_DEVICE T ptx_converted(X a, X b)
{
    return ptx_from<T>::of(as<F>(a), as<F>(b));
}
#define ptx_cvt(T, F, d, ...) put<T>(d, ptx_converted<T, F>(__VA_ARGS__))
/* A whole number as T, the nearest that T has. */
template <class T, class F> __HC_DEVICE T ptx_whole(F x)
{
    if constexpr (__is_integral(T) && sizeof(T) < 4)
        return ptx_nearest<T>((s32)x);
    else
        return (T)x;
}
#define ptx_cvt_rzi(T, F, d, a) put<T>(d, ptx_whole<T>(trunc(as<F>(a))))
#define ptx_cvt_rni(T, F, d, a) put<T>(d, ptx_whole<T>(rint(as<F>(a))))
#define ptx_cvt_rmi(T, F, d, a) put<T>(d, ptx_whole<T>(floor(as<F>(a))))
#define ptx_cvt_rpi(T, F, d, a) put<T>(d, ptx_whole<T>(ceil(as<F>(a))))
/* Saturated: the nearest integer that T has; floats lie from 0 to 1. */
template <class T> __HC_DEVICE T ptx_unit(T x)
{
    if constexpr (__is_arithmetic(T))
        return x > 0 ? x < 1 ? x : (T)1 : (T)0;
    else
        return ptx_each(ptx_unit_of(), x);
}
template <class T, class F> __HC_DEVICE T ptx_within(F x)
{
    if constexpr (__is_integral(T))
        return ptx_nearest<T>(x);
    else
        return ptx_unit((T)x);
}
template <class T, class F> __HC_DEVICE T ptx_whole_within(F x)
{
    if constexpr (__is_integral(T))
        return ptx_whole<T>(x);
    else
        return ptx_unit((T)x);
}
#define ptx_cvt_rzi_sat(T, F, d, a) put<T>(d, ptx_whole_within<T>(trunc(as<F>(a))))
#define ptx_cvt_rni_sat(T, F, d, a) put<T>(d, ptx_whole_within<T>(rint(as<F>(a))))
#define ptx_cvt_rmi_sat(T, F, d, a) put<T>(d, ptx_whole_within<T>(floor(as<F>(a))))
#define ptx_cvt_rpi_sat(T, F, d, a) put<T>(d, ptx_whole_within<T>(ceil(as<F>(a))))
#define ptx_cvt_sat(T, F, d, a) put<T>(d, ptx_within<T>(as<F>(a)))

__HC_DEVICE f16 ptx_half_rz(float x)
{
    f16 near = (f16)x;
    bool beyond = fabsf((float)near) > fabsf(x) && !isinf(x);
    return as<f16>((u16)(as<u16>(near) - beyond));
}
/* Towards zero, down and up, to floats: CUDA's functions, named by types. */
#define PTX_TO_f16_f32(mode) ptx_half_##mode
#define PTX_TO_f32_f64(mode) __double2float_##mode
#define PTX_TO_f32_s32(mode) __int2float_##mode
#define PTX_TO_f32_u32(mode) __uint2float_##mode
#define PTX_TO_f32_s64(mode) __ll2float_##mode
#define PTX_TO_f32_u64(mode) __ull2float_##mode
#define PTX_TO_f64_s64(mode) __ll2double_##mode
#define PTX_TO_f64_u64(mode) __ull2double_##mode
#define PTX_ROUNDED_TO(T, F, mode, d, a) put<T>(d, PTX_TO_##T##_##F(mode)(as<F>(a)))
#define ptx_cvt_rz(T, F, d, a) PTX_ROUNDED_TO(T, F, rz, d, a)
#define ptx_cvt_rm(T, F, d, a) PTX_ROUNDED_TO(T, F, rd, d, a)
#define ptx_cvt_rp(T, F, d, a) PTX_ROUNDED_TO(T, F, ru, d, a)
#define ptx_cvta(T, d, a) put<T>(d, a)
/* 13 bits of a float are cut off: halves go away from zero, to even, or all to zero. */
#define ptx_cvt_rna_tf32(F, d, a) put<f32>(d, __hc_tf32(as<f32>(a)))
__HC_DEVICE u32 ptx_tf32_even(float x)
{
    u32 bits = as<u32>(x);
    return isfinite(x) ? (bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu : bits;
}
#define ptx_cvt_tf32(F, d, a) put<u32>(d, ptx_tf32_even(as<f32>(a)))
#define ptx_cvt_rz_tf32(F, d, a) put<u32>(d, as<u32>(a) & ~0x1fffu)

#endif
