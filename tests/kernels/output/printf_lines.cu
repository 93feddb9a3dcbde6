/* One line of output from each thread that passes a test; lines are whole, in any order.

   block  1 32 33 256
   vary   grid = 1, 3
   let    n = threads * grid
   in     x = ints(0, 99, n)
   call   show(x)
   prints [f"block {i // threads} thread {i % threads}: {v}" for i, v in enumerate(x) if v % 7 == 0]
*/
#include <stdio.h>

extern "C" __global__ void show(const int *x)
{
    int v = x[blockIdx.x * blockDim.x + threadIdx.x];
    if (v % 7 == 0)
        printf("block %d thread %d: %d\n", blockIdx.x, threadIdx.x, v);
}
