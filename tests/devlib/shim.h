/* The mathematics of the device library as host C++: the same headers inside a
   namespace, with the CUDA words empty and the C library behind __hostcc_libm_*. Must
   be included first. */
#ifndef DEVLIB_SHIM_H
#define DEVLIB_SHIM_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmath>
#include <limits.h>

#define __host__
#define __device__
#define __HC static inline __attribute__((unused, always_inline))
#define __HC_DEVICE __HC
#define __HC_BITS(T, x) __builtin_bit_cast(T, x)
typedef unsigned long long __hc_ull;
template <class T> struct __hc_same {
    typedef T type;
};
#undef HUGE_VAL
#undef HUGE_VALF
#undef FP_ILOGB0
#undef FP_ILOGBNAN
namespace device
{
#include "host/hostcc/integer.h"
#include "host/hostcc/conversion.h"
#include "host/hostcc/mathematics.h"
} // namespace device

#define SHIM1(name)                                   \
    extern "C" double __hostcc_libm_##name(double x)  \
    {                                                 \
        return name(x);                               \
    }                                                 \
    extern "C" float __hostcc_libm_##name##f(float x) \
    {                                                 \
        return name##f(x);                            \
    }
#define SHIM2(name)                                            \
    extern "C" double __hostcc_libm_##name(double x, double y) \
    {                                                          \
        return name(x, y);                                     \
    }                                                          \
    extern "C" float __hostcc_libm_##name##f(float x, float y) \
    {                                                          \
        return name##f(x, y);                                  \
    }
SHIM1(sin)
SHIM1(cos)
SHIM1(tan)
SHIM1(j0)
SHIM1(j1)
SHIM1(y0)
SHIM1(y1)
SHIM1(lgamma)
SHIM1(tgamma)
SHIM2(fmod)
SHIM2(remainder)

/* A fixed sequence of random bits (xorshift). */
static uint64_t random_bits(void)
{
    static uint64_t state = 88172645463325252ull;
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* Any bit pattern, a number of ordinary size, one near 1, or a special value. */
template <class T> static T random_number(void)
{
    static const double special[] = {0.0,    -0.0,  1,        -1,        2,     -2,
                                     0.5,    -0.5,  INFINITY, -INFINITY, NAN,   5e-324,
                                     1e-310, 1e-40, 1e-45,    709.78,    710.5, -745.1,
                                     89.4,   88.7,  -103.9,   1024,      -1075, 3,
                                     1.5,    0.25,  1e5,      1e9,       1e22,  -0.125};
    uint64_t u = random_bits();
    T x;
    memcpy(&x, &u, sizeof x);
    switch (u >> 61) {
    case 0:
        return (T)special[u % (sizeof special / sizeof *special)];
    case 1:
        return (T)((double)(int64_t)random_bits() * 0x1p-63);
    case 2:
        return (T)((double)(int64_t)random_bits() * 0x1p-60);
    case 3:
        return (T)((double)(int64_t)random_bits() * 0x1p-53);
    case 4:
        return (T)(1 + (double)(int64_t)random_bits() * 0x1p-75);
    }
    return x;
}

#endif
