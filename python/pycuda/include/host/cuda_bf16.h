/* bfloat16: __nv_bfloat16 and __nv_bfloat162, the upper half of a float. Arithmetic as
   for __half, but for what float itself would round: tiny products and quotients, and
   sums of numbers of very different size. */
#ifndef HOSTCC_CUDA_BF16_H
#define HOSTCC_CUDA_BF16_H

#include "cuda_fp16.h"
#include "../pycuda/letters_aside.cuh"

__HC unsigned short __hc_bfloat16_bits(float x)
{
    unsigned bits = __HC_BITS(unsigned, x), even = bits >> 16 & 1;
    return (unsigned short)(x == x ? (bits + 0x7fff + even) >> 16 : bits >> 16 | 0x40);
}
__HC float __hc_bfloat16_value(unsigned short bits)
{
    return __HC_BITS(float, (unsigned)bits << 16);
}

/* By double, where the result as a float is not exact. */
#define __HC_TINY(result) \
    __builtin_expect(result != 0 && __builtin_fabsf(result) < 0x1p-125f, 0)
__HC float __hc_bfloat16_product(float p, float a, float b)
{
    return __HC_TINY(p) ? __hc_round_odd((double)a * b) : p;
}
__HC float __hc_bfloat16_quotient(float q, float a, float b)
{
    return __HC_TINY(q) ? __hc_round_odd((double)a / b) : q;
}
#undef __HC_TINY
/* The sum, rounded to zero with an odd last bit if inexact. */
__HC float __hc_bfloat16_fma(float a, float b, float c)
{
    __HC_EXACT double p = (double)a * b, s = p + c;
    double e = __hc_add_error(p, (double)c, s);
    long long bits = __HC_BITS(long long, s);
    bool even = !(bits & 1) && (e < 0 || e > 0);
    bits += even ? ((e < 0) == (s < 0) ? 1 : -1) : 0;
    return __hc_round_odd(__HC_BITS(double, bits));
}

#define __HC_T __nv_bfloat16
#define __HC_T2 __nv_bfloat162
#define __HC_RAW __nv_bfloat16_raw
#define __HC_RAW2 __nv_bfloat162_raw
#define __HC_PRODUCT(result, a, b) __hc_bfloat16_product(result, a, b)
#define __HC_QUOTIENT(result, a, b) __hc_bfloat16_quotient(result, a, b)
#define __HC_FUSED(a, b, c) __hc_bfloat16_fma(a, b, c)
#define __HC_BITS_OF(x) __hc_bfloat16_bits(x)
#define __HC_VALUE_OF(bits) __hc_bfloat16_value(bits)
#define __HC_NAME(before, after) before##bfloat16##after
#include "hostcc/narrow.h"

__HC __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 h) { return {h, h}; }
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
__HC unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.__x; }
__HC short __bfloat16_as_short(__nv_bfloat16 h) { return (short)h.__x; }
__HC __nv_bfloat16 __short_as_bfloat16(short bits)
{
    return __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)bits});
}
__HC __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
    return __nv_bfloat16(__nv_bfloat16_raw{bits});
}

#include "../pycuda/letters_back.cuh"

#endif
