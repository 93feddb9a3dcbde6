/* CUDA's C-style complex numbers: cuFloatComplex (names ending in f) and
 * cuDoubleComplex. */
#ifndef HOSTCC_CUCOMPLEX_H
#define HOSTCC_CUCOMPLEX_H
#include "../pycuda/letters_aside.cuh"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define __HC_COMPLEX(T, C, F, make)                                     \
    __HC C make(T re, T im) { return {re, im}; }                        \
    __HC T F(Creal)(C a) { return a.x; }                                \
    __HC T F(Cimag)(C a) { return a.y; }                                \
    __HC C F(Conj)(C a) { return {a.x, -a.y}; }                         \
    __HC C F(Cadd)(C a, C b) { return {a.x + b.x, a.y + b.y}; }         \
    __HC C F(Csub)(C a, C b) { return {a.x - b.x, a.y - b.y}; }         \
    __HC C F(Cmul)(C a, C b)                                            \
    {                                                                   \
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};          \
    }                                                                   \
    __HC C F(Cdiv)(C a, C b)                                            \
    {                                                                   \
        T s = 1 / (fabs(b.x) + fabs(b.y)), x = b.x * s, y = b.y * s,    \
          d = 1 / (x * x + y * y);                                      \
        a.x *= s, a.y *= s;                                             \
        return {(a.x * x + a.y * y) * d, (a.y * x - a.x * y) * d};      \
    }                                                                   \
    __HC C F(Cfma)(C a, C b, C c) { return F(Cadd)(F(Cmul)(a, b), c); } \
    __HC T F(Cabs)(C a) { return hypot(a.x, a.y); }
#define __HC_NAME(name) cu##name##f
__HC_COMPLEX(float, cuFloatComplex, __HC_NAME, make_cuFloatComplex)
#undef __HC_NAME
#define __HC_NAME(name) cu##name
__HC_COMPLEX(double, cuDoubleComplex, __HC_NAME, make_cuDoubleComplex)
#undef __HC_NAME
__HC cuComplex make_cuComplex(float re, float im) { return {re, im}; }
__HC cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
__HC cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return {(float)a.x, (float)a.y};
}

#include "../pycuda/letters_back.cuh"

#endif
