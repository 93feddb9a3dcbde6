/* Half precision: __half and __half2. Arithmetic is that of float, of fma that of
   double, rounded to half after each operation, which gives the correctly rounded
   result. */
#ifndef HOSTCC_CUDA_FP16_H
#define HOSTCC_CUDA_FP16_H
#include "../pycuda/letters_aside.cuh"

__HC unsigned short __hc_half_bits(float x)
{
    return __HC_BITS(unsigned short, (_Float16)x);
}
__HC float __hc_half_value(unsigned short bits)
{
    return (float)__HC_BITS(_Float16, bits);
}

#define __HC_T __half
#define __HC_T2 __half2
#define __HC_RAW __half_raw
#define __HC_RAW2 __half2_raw
#define __HC_PRODUCT(result, a, b) result
#define __HC_QUOTIENT(result, a, b) result
#define __HC_FUSED(a, b, c) __builtin_fma((double)a, (double)b, (double)c)
#define __HC_BITS_OF(x) __hc_half_bits(x)
#define __HC_VALUE_OF(bits) __hc_half_value(bits)
#define __HC_NAME(before, after) before##half##after
#include "hostcc/narrow.h"

__HC __half2 __half2half2(__half h) { return {h, h}; }
typedef __half half;
typedef __half2 half2;
#define __HALF_TO_US(h) (h).__x
__HC unsigned short __half_as_ushort(__half h) { return h.__x; }
__HC short __half_as_short(__half h) { return (short)h.__x; }
__HC __half __ushort_as_half(unsigned short bits) { return __half(__half_raw{bits}); }
__HC __half __short_as_half(short bits)
{
    return __half(__half_raw{(unsigned short)bits});
}

#include "../pycuda/letters_back.cuh"

#endif
