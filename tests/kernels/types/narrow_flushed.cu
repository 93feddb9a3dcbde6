/* With -ftz=true, float to bfloat16 in each direction: of numbers so small that they differ from the nearest by a denormal number.

   options -ftz=true
   block  1 33
   let    n = 4000
   in     x = (rng.integers(0x00800000, 0x0a000000, n) + 2**31 * rng.integers(0, 2, n)).astype(u4)
   out    y = empty((n, 4), u2)
   let    cut = (x >> 16).astype(u2)
   let    more = (cut + (x % 65536 > 0)).astype(u2)
   let    half = x % 65536 + (cut & 1)
   call   f(x, y, n)
   expect y[:, 0] = where(half > 32768, more, cut)
   expect y[:, 1] = cut
   expect y[:, 2] = where(x >> 31, cut, more)
   expect y[:, 3] = where(x >> 31, more, cut)
*/
#include <cuda_bf16.h>

extern "C" __global__ void f(const float *x, __nv_bfloat16 *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[4 * i] = __float2bfloat16_rn(x[i]);
    y[4 * i + 1] = __float2bfloat16_rz(x[i]);
    y[4 * i + 2] = __float2bfloat16_ru(x[i]);
    y[4 * i + 3] = __float2bfloat16_rd(x[i]);
}
