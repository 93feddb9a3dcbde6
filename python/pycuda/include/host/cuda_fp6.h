/* Floating point of 6 bits, in the low ones of a byte: __nv_fp6_e2m3, multiples of an
   eighth up to 7.5, and __nv_fp6_e3m2, up to 28; two and four of them in a word; as
   hostcc/small_floats.h says. */
#ifndef HOSTCC_CUDA_FP6_H
#define HOSTCC_CUDA_FP6_H

#include "hostcc/small_floats.h"
#include "../pycuda/letters_aside.cuh"

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;
typedef unsigned __nv_fp6x4_storage_t;
enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 };

__HC unsigned __hc_fp6_code(float x, __nv_fp6_interpretation_t kind)
{
    return kind == __NV_E2M3 ? __hc_small<3, 1, 31>::code(x)
                             : __hc_small<2, 3, 31>::code(x);
}
__HC float __hc_fp6_value(unsigned x, __nv_fp6_interpretation_t kind)
{
    return kind == __NV_E2M3 ? __hc_small<3, 1, 31>::value(x)
                             : __hc_small<2, 3, 31>::value(x);
}
__HC_SMALL_FUNCTIONS(fp6, 8)
__HC_SMALL_CLASSES(fp6, e2m3, __NV_E2M3, 8)
__HC_SMALL_CLASSES(fp6, e3m2, __NV_E3M2, 8)

#include "../pycuda/letters_back.cuh"

#endif
