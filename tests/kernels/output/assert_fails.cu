/* One thread's assertion fails: the launch reports it, with expression, block and thread.

   block  64
   let    n = 100
   in     x = ints(0, 9, n)
   call   check(x, n)
   fails  [Aa]ssert
   fails  x\[i\] > 1000 \|\| i != 70
   fails  block: \[1,0,0\], thread: \[6,0,0\]
*/
#include <assert.h>

extern "C" __global__ void check(const int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        assert(x[i] > 1000 || i != 70);
}
