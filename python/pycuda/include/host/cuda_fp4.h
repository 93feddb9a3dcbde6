/* Floating point of 4 bits: __nv_fp4_e2m1, 0 0.5 1 1.5 2 3 4 6 and their negatives, and
   two and four of them in a word; as hostcc/small_floats.h says. */
#ifndef HOSTCC_CUDA_FP4_H
#define HOSTCC_CUDA_FP4_H

#include "hostcc/small_floats.h"
#include "../pycuda/letters_aside.cuh"

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;
enum __nv_fp4_interpretation_t { __NV_E2M1 };

__HC unsigned __hc_fp4_code(float x, __nv_fp4_interpretation_t)
{
    return __hc_small<1, 1, 7>::code(x);
}
__HC float __hc_fp4_value(unsigned x, __nv_fp4_interpretation_t)
{
    return __hc_small<1, 1, 7>::value(x);
}
__HC_SMALL_FUNCTIONS(fp4, 4)
__HC_SMALL_CLASSES(fp4, e2m1, __NV_E2M1, 4)

#include "../pycuda/letters_back.cuh"

#endif
