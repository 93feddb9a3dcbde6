/* What nvcc has built in, for hostcc, which includes this file before the user's first
   line: qualifiers, built-in variables and vector types here and in hostcc/vectors.h;
   synchronization and warp functions, atomics, integer and conversion intrinsics and
   mathematics in the other files of hostcc/. Everything is inline and ends in plain
   arithmetic, clang builtins or the `__hostcc_*` functions of docs/architecture.md. All
   own names begin with `__hc`. It is parsed for every compilation, so it stays lean:
   what CUDA keeps in a header of its own (half precision, cooperative groups) stays in
   one. Standard headers of the same folder hide the machine's slow ones. */
#ifndef HOSTCC_DEVICE_H
#define HOSTCC_DEVICE_H
#pragma clang system_header /* no warnings about us */

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device)) /* one memory: every variable is */
#define __grid_constant__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(...)
#define __cluster_dims__(...) __align__(sizeof(__hc_cluster<__VA_ARGS__>))
template <unsigned x, unsigned y = 1, unsigned z = 1> struct __hc_cluster {
    static_assert(x * y * z == 1, "the host device has no clusters of blocks");
    char bytes[16];
};
/* The threads of a block, of which a launch shall have as many, and a cluster's blocks. */
#define __block_size__(block, ...) \
    __launch_bounds__(             \
        __hc_block_size<__hc_volume block __VA_OPT__(, __hc_volume __VA_ARGS__)>::threads)
constexpr unsigned __hc_volume(unsigned x, unsigned y, unsigned z) { return x * y * z; }
template <unsigned n, unsigned blocks = 1> struct __hc_block_size : __hc_cluster<blocks> {
    enum { threads = n };
};
#define __inline_hint__
#define __nv_pure__ __attribute__((pure))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB

#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_DEVICE_ATOMIC_BUILTINS__ 1
#define __CUDA_API_VER_MAJOR__ 13
#define __CUDA_API_VER_MINOR__ 0
#define __CUDA_ARCH_LIST__ 750 /* as __CUDA_ARCH__ */
#define __NVCC_DIAG_PRAGMA_SUPPORT__ 1
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
/* NVIDIA's CCCL, where its folder is given, shall not look for what is not here. */
#define CCCL_DISABLE_NVFP8_SUPPORT
#define CUB_DISABLE_BF16_SUPPORT /* CCCL 2: without, it includes <cuda_fp8.h> */
#define CCCL_DISABLE_NVTX
/* Headers of a toolkit, where its folder is given, have nothing to add to this one. */
#define __CHANNEL_DESCRIPTOR_H__
#define __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#define __DEVICE_TYPES_H__
#define __DRIVER_TYPES_H__
#define __HOST_DEFINES_H__
#define __SURFACE_TYPES_H__
#define __TEXTURE_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_TYPES_H__

#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <sys/types.h>
typedef long clock_t;
typedef unsigned long long __hc_ull;

/* Most functions are for host code too, so that a source with host functions compiles;
   those that the C library's headers declare are for the device alone, beside them. */
#define __HC static __host__ __device__ __inline__
#define __HC_DEVICE static __device__ __inline__
#define __HC_BITS(T, x) __builtin_bit_cast(T, x)

#include "hostcc/vectors.h"
/* hostcc reads registers where these are loaded from. */
extern "C" const __device__ uint3 threadIdx, blockIdx;
extern "C" const __device__ dim3 blockDim, gridDim;
__device__ const int warpSize = 32;

/* printf: clang packs the arguments and calls vprintf. */
extern "C" __device__ int printf(const char *format, ...);
extern "C" __device__ int vprintf(const char *format, void *arguments);

extern "C" __device__ void *__hostcc_malloc(unsigned long);
extern "C" __device__ void __hostcc_free(void *);
__HC_DEVICE void *malloc(size_t size) { return __hostcc_malloc(size); }
__HC_DEVICE void free(void *p) { __hostcc_free(p); }
__HC_DEVICE void *memcpy(void *to, const void *from, size_t n)
{
    return __builtin_memcpy(to, from, n);
}
__HC_DEVICE void *memmove(void *to, const void *from, size_t n)
{
    return __builtin_memmove(to, from, n);
}
__HC_DEVICE void *memset(void *to, int value, size_t n)
{
    return __builtin_memset(to, value, n);
}
/* assert is there without its header, as in CUDA. */
extern "C" __device__ __attribute__((noreturn)) void __hostcc_assert_fail(
    const char *expression, const char *file, unsigned line, const char *function);
__attribute__((noreturn)) __HC_DEVICE void __assert_fail(const char *expression,
                                                         const char *file,
                                                         unsigned line,
                                                         const char *function) noexcept
{
    __hostcc_assert_fail(expression, file, line, function);
}
#include <assert.h>
#define __assume(condition) __builtin_assume(condition)

/* What tables of virtual functions name where there is none. */
extern "C" __device__ __attribute__((weak)) void __cxa_pure_virtual()
{
    __builtin_trap();
}

#include "hostcc/warp.h"
#include "hostcc/atomics.h"
#include "hostcc/integer.h"
#include "hostcc/conversion.h"
#include "hostcc/mathematics.h"
#include "hostcc/libdevice.h"
#include "hostcc/surface.h"
#include "hostcc/runtime.h"
#include "hostcc/c_library.h"
#include "hostcc/device_runtime.h"
#define _LIBCPP_REMOVE_TRANSITIVE_INCLUDES /* not all of <type_traits> */
#include <new> /* clang's, which adds the operators for the device */
#include <initializer_list>
#undef _LIBCPP_REMOVE_TRANSITIVE_INCLUDES
#include "hostcc/aligned_new.h"
#include "hostcc/std.h"
#define alloca(n) __builtin_alloca(n)

#endif /* HOSTCC_DEVICE_H */

/* Where a toolkit's folder is given, <cuda_runtime.h> brings its types of libraries. */
#if __has_include(<library_types.h>)
#include <library_types.h>
#endif
