/* Read before every source that NVRTC compiles: what nvcc has without any #include, because it always
   reads parts of the C library. NVRTC has the functions built in (printf, assert, sinf, memcpy, ...),
   and size_t and the vector types. */
#pragma once

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef long ptrdiff_t, ssize_t;
typedef unsigned char u_char;
typedef unsigned short ushort, u_short;
typedef unsigned int uint, u_int;
typedef unsigned long ulong, u_long;

/* An alignment as nvcc takes it: one that is less than the type's own, or stands where it
   says something else to NVRTC, is an error. src/compile puts it around the alignments of
   classes and members; macros in them are replaced first. */
#define __pycuda_aligned(...) __pycuda_strict(__VA_ARGS__)
#define __pycuda_strict(...) __pycuda_##__VA_ARGS__
#define __pycuda_
#define __pycuda_alignas alignas
#define __pycuda___attribute__(list) __pycuda_list list
#define __pycuda___attribute(list) __pycuda_list list
#define __pycuda_list(...) __pycuda_one_##__VA_ARGS__
#define __pycuda_one_aligned alignas
#define __pycuda_one___aligned__ alignas

/* NVRTC has it as 0, which is defined; nvcc has it with -use_fast_math alone. */
#if !__USE_FAST_MATH__
#undef __USE_FAST_MATH__
#endif

/* What nvcc takes from the compiler of the host, whose types the device shares: a source
   that asks would find 0 in their place and go the other way. */
#ifndef __CHAR_BIT__
#define __CHAR_BIT__ 8
#define __SIZEOF_SHORT__ 2
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_LONG_LONG__ 8
#define __SIZEOF_FLOAT__ 4
#define __SIZEOF_DOUBLE__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_SIZE_T__ 8
#define __SIZEOF_PTRDIFF_T__ 8
#define __SIZEOF_WCHAR_T__ 4
#define __SCHAR_MAX__ 0x7f
#define __SHRT_MAX__ 0x7fff
#define __INT_MAX__ 0x7fffffff
#define __LONG_MAX__ 0x7fffffffffffffffL
#define __LONG_LONG_MAX__ 0x7fffffffffffffffLL
#define __SIZE_TYPE__ long unsigned int
#define __PTRDIFF_TYPE__ long int
#define __WCHAR_TYPE__ int
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __ORDER_PDP_ENDIAN__ 3412
#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
#define __FLOAT_WORD_ORDER__ __ORDER_LITTLE_ENDIAN__
#define __FLT_MANT_DIG__ 24
#define __FLT_MAX__ 3.40282346638528859811704183484516925e+38F
#define __FLT_MIN__ 1.17549435082228750796873653722224568e-38F
#define __FLT_EPSILON__ 1.19209289550781250000000000000000000e-7F
#define __DBL_MANT_DIG__ 53
#define __DBL_MAX__ 1.79769313486231570814527423731704357e+308
#define __DBL_MIN__ 2.22507385850720138309023271733240406e-308
#define __DBL_EPSILON__ 2.22044604925031308084726333618164062e-16
#endif
#ifndef _LP64
#define _LP64 1
#endif
#ifndef __linux__
#define __linux__ 1
#define __linux 1
#define __unix__ 1
#define __unix 1
#define __gnu_linux__ 1
#endif

/* No macros: a header that defines these, such as CUDA's own, must not find them defined. */
enum : int { CHAR_BIT = 8, INT_MAX = 2147483647, INT_MIN = -INT_MAX - 1 };
enum : unsigned int { UINT_MAX = 4294967295U };
enum : long { LONG_MAX = 9223372036854775807L, LONG_MIN = -LONG_MAX - 1 };
enum : unsigned long { ULONG_MAX = 18446744073709551615UL };

#define HUGE_VAL __longlong_as_double(0x7ff0000000000000LL)
#define HUGE_VALF __int_as_float(0x7f800000)
#ifndef INFINITY
#define INFINITY HUGE_VALF
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fc00000)
#endif
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#ifndef NULL
#define NULL 0
#endif
#ifndef offsetof
#define offsetof(type, member) ((size_t) & ((type *)0)->member)
#endif

namespace std
{
using ::ptrdiff_t;
using ::size_t;
using ::abs;
using ::acos;
using ::asin;
using ::atan;
using ::atan2;
using ::ceil;
using ::cos;
using ::cosh;
using ::exp;
using ::fabs;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::log;
using ::log10;
using ::log2;
using ::pow;
using ::round;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::trunc;
} // namespace std
