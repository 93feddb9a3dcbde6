/* bfloat16: __nv_bfloat16 and __nv_bfloat162, the upper half of a float. Arithmetic as
 * for __half. */
#ifndef HOSTCC_CUDA_BF16_H
#define HOSTCC_CUDA_BF16_H

__HC unsigned short __hc_bfloat16_bits(float x)
{
    unsigned bits = __HC_BITS(unsigned, x), even = bits >> 16 & 1;
    return (unsigned short)(x == x ? (bits + 0x7fff + even) >> 16 : bits >> 16 | 0x40);
}
__HC float __hc_bfloat16_value(unsigned short bits)
{
    return __HC_BITS(float, (unsigned)bits << 16);
}

#define __HC_T __nv_bfloat16
#define __HC_T2 __nv_bfloat162
#define __HC_RAW __nv_bfloat16_raw
#define __HC_BITS_OF(x) __hc_bfloat16_bits(x)
#define __HC_VALUE_OF(bits) __hc_bfloat16_value(bits)
#define __HC_NAME(before, after) before##bfloat16##after
#include "hostcc/narrow.h"

__HC __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 h) { return {h, h}; }
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
__HC unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.__x; }
__HC __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
    return __nv_bfloat16(__nv_bfloat16_raw{bits});
}

#endif
