/* Headers of the C library within extern "C", and functions by the C library's own names.

   let    n = 64
   in     x = concatenate([floats(n - 3), [inf, -inf, nan]]).astype(f4)
   out    y = empty((n, 4), f4)
   call   f(x, y, n)
   expect y = stack([abs(x), isnan(x), isinf(x), isfinite(x)], 1)
   nvcc
*/
extern "C" {
#include <math.h>
#include <stdlib.h>
#include <cmath>
#include <cstdlib>

__global__ void f(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[4 * i] = abs(x[i]);
    y[4 * i + 1] = __isnanf(x[i]) && __isnan((double)x[i]);
    y[4 * i + 2] = __isinff(x[i]) && __isinf((double)x[i]);
    y[4 * i + 3] = __finitef(x[i]) && __finite((double)x[i]);
}
}
