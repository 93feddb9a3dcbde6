/* Assertions that hold cost nothing and change nothing, in divergent code too.

   let    n = 200
   in     x = ints(1, 99, n)
   out    y = empty(n, i4)
   call   halve(x, y, n)
   expect y = x // 2
*/
#include <assert.h>

extern "C" __global__ void halve(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(blockDim.x > 0);
    if (i >= n)
        return;
    assert(x[i] > 0 && "positive");
    if (x[i] & 1) {
        assert(x[i] % 2 == 1);
        y[i] = (x[i] - 1) / 2;
    } else {
        y[i] = x[i] / 2;
    }
}
