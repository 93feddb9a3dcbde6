/* One thread's assertion fails: the launch reports it, and on the host device with expression,
   block, thread and line.

   block  64
   let    n = 100
   in     x = ints(0, 9, n)
   call   check(x, n)
   fails  assert triggered( \(710\))? - the context and all memory in it are lost|check, block \(1,0,0\): thread \(6,0,0\): .*x\[i\] > 1000 \|\| i != 70.*:\d+; the context and all memory in it are lost
*/
#include <assert.h>

extern "C" __global__ void check(const int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        assert(x[i] > 1000 || i != 70);
}
