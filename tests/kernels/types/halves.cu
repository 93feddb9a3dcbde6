/* Half precision in pairs: arithmetic, comparisons, swaps of halves, conversions, atomics.

   vary   n = 1, 500
   in     a = floats((n, 2), float16)
   in     b = floats((n, 2), float16)
   out    y = empty((n, 2), float16)
   out    z = empty((n, 4), float16)
   out    i = empty((n, 3), i4)
   inout  sum = zeros(2, float16)
   call   f(a, b, y, z, i, sum, n)
   expect y = where(a > b, (a.astype(f8) * b + a).astype(float16), a * b)
   expect z = stack([a[:, 0], b[:, 0], a[:, 1] + float16(1), a[:, 1]], 1)
   expect i = stack([rint((a[:, 0] * f4(90)).astype(float16)), 32767 + 0 * a[:, 0].astype(i4), fix(maximum((a[:, 1] * f4(90)).astype(float16), 0))], 1)
   expect sum = [2 * n, n]
*/
#include <cuda_fp16.h>

extern "C" __global__ void f(const half2 *a, const half2 *b, half2 *y, half2 *z, int *i, half2 *sum, int n)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n)
        return;
    half2 x = a[at], w = b[at], product = __hmul2(x, w), more = __hgt2(x, w);
    half2 fused = __hfma2(x, w, x);
    y[at] = __halves2half2(__low2half(more) != __float2half(0.f) ? __low2half(fused) : __low2half(product),
                           __hgt(__high2half(x), __high2half(w)) ? __high2half(fused) : __high2half(product));
    half high = __high2half(x), before = high++;
    z[2 * at] = __lows2half2(x, w);
    z[2 * at + 1] = __halves2half2(high, before);
    i[3 * at] = __half2short_rn(__float2half(__low2float(x) * 90.f));
    i[3 * at + 1] = __half2short_rz(__float2half(60000.f));
    i[3 * at + 2] = __half2ushort_rz(__float2half(__high2float(x) * 90.f));
    atomicAdd(sum, __floats2half2_rn(2.f, 1.f));
}
