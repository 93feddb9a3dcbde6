/* The headers of the device library and those of libstdc++ together, and their uses in device code. */
#include <cmath>
#include <complex>
#include <cooperative_groups.h>
#include <builtin_types.h>
#include <channel_descriptor.h>
#include <common_functions.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_pipeline.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_texture_types.h>
#include <cuda_awbarrier.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <curand.h>
#include <device_atomic_functions.h>
#include <device_double_functions.h>
#include <device_functions.h>
#include <device_launch_parameters.h>
#include <driver_types.h>
#include <host_defines.h>
#include <math.h>
#include <mma.h>
#include <math_constants.h>
#include <math_functions.h>
#include <sm_20_atomic_functions.h>
#include <sm_20_intrinsics.h>
#include <sm_30_intrinsics.h>
#include <sm_32_intrinsics.h>
#include <sm_35_atomic_functions.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_61_intrinsics.h>
#include <vector_functions.h>
#include <vector_types.h>
#include <algorithm>
#include <array>
#include <assert.h>
#include <atomic>
#include <bitset>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <float.h>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <limits>
#include <limits.h>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <random>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <string.h>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#include <pycuda-complex.hpp>
#include <pycuda-helpers.hpp>

template <class T> __device__ T largest() { return std::numeric_limits<T>::max(); }
struct shape {
    float a;
    __device__ shape(float x) : a(x) {}
    __device__ virtual float area() { return a; }
};
__global__ void standard(float *x, double *d, int n)
{
    x[0] = std::sin(x[1]) + std::pow(x[1], 2.0f) + std::abs(x[2]) + std::abs(n) +
           std::max(x[1], x[2]) + std::min(n, 3) + largest<float>() + std::sqrt(n);
    std::array<float, 4> a = {1, 2, 3, 4};
    auto t = std::make_tuple(1, 2.0f);
    x[2] = std::get<1>(t) + a[n & 3] + std::is_same<int, int>::value;
    assert(x[2] > 0);
    d[0] = std::isnan(x[5]) + isinf(x[4]) + CUDART_PI + std::hypot(d[1], 2);
    shape *p = new shape(3), *q = new (x) shape(4);
    x[6] = p->area() + q->area();
    delete p;
    std::complex<float> c(1, 2);
    c = c * c / std::complex<float>(x[8], x[9]);
    x[10] = c.real() + std::abs(c) + std::exp(c).imag();
    pycuda::complex<float> z(x[1], x[2]);
    x[11] = abs(z * z) + pycuda::real(z);
    std::printf("%s %f\n", "a", x[0]);
    uint32_t word = std::numeric_limits<int>::max();
    d[3] = word + sizeof(fp_tex_double);
}

__global__ void narrow(half *h, half2 *p, nv_bfloat16 *b, __nv_bfloat162 *q, float *f)
{
    __shared__ half shared[32];
    half a = h[0], t = __float2half(f[0]);
    shared[threadIdx.x] = a;
    h[0] = a + t * a - a / t, h[1] = -a, h[2] = 1, h[3] = 2.0, h[4] = 3.f, h[5] = hsqrt(a);
    h[6] = __hfma(a, t, a), f[1] = a, f[2] = __half2float(a), h[9] = __float2half_rz(f[5]);
    if (a > t && __hlt(a, t))
        h[7] += a;
    p[0] = __hadd2(p[1], p[2]) + __floats2half2_rn(f[3], f[4]);
    p[1] = __hfma2(p[1], p[2], __half2half2(a));
    h[8] = __shfl_xor_sync(~0u, a, 1);
    f[8] = __half22float2(p[5]).x + __half2int_rz(a) + __low2float(p[6]);
    atomicAdd(h, a), atomicAdd(b, b[1]);
    b[0] = b[1] + b[2] * __float2bfloat16(f[5]), f[6] = __bfloat162float(b[3]);
    q[0] = __hmul2(q[1], __floats2bfloat162_rn(f[1], f[2]));
}

__global__ void complex_numbers(cuComplex *c, cuDoubleComplex *z)
{
    c[0] = cuCaddf(c[1], cuCmulf(c[2], make_cuComplex(1, 2)));
    c[1].x = cuCabsf(cuCdivf(c[1], c[2]));
    z[0] = cuCsub(cuCmul(z[1], cuConj(z[2])), cuComplexFloatToDouble(c[0]));
}

namespace cg = cooperative_groups;
__global__ void groups(int *x, float *f)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<16>(block);
    auto four = cg::tiled_partition<4>(warp);
    int v = x[block.thread_rank()];
    for (int i = tile.size() / 2; i > 0; i /= 2)
        v += tile.shfl_down(v, i);
    block.sync(), cg::sync(tile);
    x[0] = v + tile.meta_group_rank() + warp.ballot(v > 3) + four.thread_rank();
    auto active = cg::coalesced_threads();
    if (active.thread_rank() == 0)
        atomicAdd(x, active.size());
    x[1] = cg::reduce(warp, v, cg::plus<int>()) + cg::reduce(active, v, cg::greater<int>());
    f[0] = warp.shfl(f[1], 3) + active.shfl(f[1], 0) + cg::this_grid().thread_rank();
}
