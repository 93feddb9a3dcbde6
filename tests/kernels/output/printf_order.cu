/* One thread's lines, and those on either side of a barrier, keep their order; the number is checked
   by the line itself.

   block  1 32 64
   let    grid = 1
   out    y = empty(threads, i4)
   call   stages(y)
   prints [f"stage {k} thread {t}" for k in range(3) for t in range(0, threads, 31)]
   expect y = 3
*/
#include <stdio.h>

extern "C" __global__ void stages(int *y)
{
    __shared__ int stage;
    int t = threadIdx.x;
    if (t == 0)
        stage = 0;
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        if (t % 31 == 0)
            printf("stage %d thread %d\n", stage, t);
        __syncthreads();
        if (t == 0)
            stage++;
        __syncthreads();
    }
    y[t] = stage;
}
