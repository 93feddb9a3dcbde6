/* Functions of NVIDIA's libdevice, which sources may declare for themselves and call:
   names of the mathematics in other words. */
#ifndef HOSTCC_LIBDEVICE_H
#define HOSTCC_LIBDEVICE_H

#define __HC_NV(T, name, parameters, value) \
    extern "C" __device__ inline T __nv_##name parameters { return value; }
#define __HC_NV_ONE(name)                       \
    __HC_NV(float, name##f, (float x), name(x)) \
    __HC_NV(double, name, (double x), name(x))
#define __HC_NV_TWO(name)                                   \
    __HC_NV(float, name##f, (float x, float y), name(x, y)) \
    __HC_NV(double, name, (double x, double y), name(x, y))
__HC_NV_ONE(exp)
__HC_NV_ONE(exp2)
__HC_NV_ONE(exp10)
__HC_NV_ONE(expm1)
__HC_NV_ONE(log)
__HC_NV_ONE(log2)
__HC_NV_ONE(log10)
__HC_NV_ONE(log1p)
__HC_NV_ONE(sin)
__HC_NV_ONE(cos)
__HC_NV_ONE(tan)
__HC_NV_ONE(asin)
__HC_NV_ONE(acos)
__HC_NV_ONE(atan)
__HC_NV_ONE(sinh)
__HC_NV_ONE(cosh)
__HC_NV_ONE(tanh)
__HC_NV_ONE(sqrt)
__HC_NV_ONE(rsqrt)
__HC_NV_ONE(cbrt)
__HC_NV_ONE(erf)
__HC_NV_ONE(erfc)
__HC_NV_ONE(fabs)
__HC_NV_ONE(floor)
__HC_NV_ONE(ceil)
__HC_NV_ONE(trunc)
__HC_NV_ONE(rint)
__HC_NV_ONE(round)
__HC_NV_TWO(pow)
__HC_NV_TWO(atan2)
__HC_NV_TWO(fmod)
__HC_NV_TWO(hypot)
__HC_NV_TWO(fmin)
__HC_NV_TWO(fmax)
__HC_NV_TWO(copysign)
__HC_NV(float, fmaf, (float x, float y, float z), fmaf(x, y, z))
__HC_NV(double, fma, (double x, double y, double z), fma(x, y, z))
__HC_NV(float, fast_expf, (float x), __expf(x))
__HC_NV(float, fast_logf, (float x), __logf(x))
__HC_NV(float, fast_sinf, (float x), __sinf(x))
__HC_NV(float, fast_cosf, (float x), __cosf(x))
__HC_NV(float, fast_powf, (float x, float y), __powf(x, y))
#undef __HC_NV_TWO
#undef __HC_NV_ONE
#undef __HC_NV

#endif
