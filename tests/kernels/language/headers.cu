/* The usual includes are accepted, and what they declare works.

   let    n = 60
   in     x = ints(-99, 99, n)
   out    y = empty((n, 3), i8)
   call   typed(x, y, n)
   expect y = stack([wrap(x, u1), wrap(x.astype(i8) * 2**33, i8), where(x < 0, 0, 2**32 - 1)], 1)
*/
#include <cuda_runtime.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

extern "C" __global__ void typed(const int32_t *x, int64_t *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint8_t low = x[i];
    y[3 * i] = low;
    y[3 * i + 1] = (int64_t)x[i] << 33;
    uint64_t all = UINT_MAX;
    y[3 * i + 2] = x[i] < 0 || FLT_MAX < 1 || INT_MAX < 0 ? 0 : all;
}
