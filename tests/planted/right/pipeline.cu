/* Asynchronous copies to shared memory in two stages.

   block  64
   let    n = 8
   in     x = ints(0, 99, (n, 64))
   out    y = empty((n, 64), i4)
   call   f(x, y, n)
   expect y = x[:, ::-1]
*/
#include <cuda_pipeline.h>

extern "C" __global__ void f(const int *x, int *y, int n)
{
    __shared__ int s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    for (int k = 0; k < n; k++) {
        if (k + 1 < n)
            __pipeline_memcpy_async(&s[(k + 1) % 2][t], x + (k + 1) * 64 + t, 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        y[k * 64 + t] = s[k % 2][63 - t];
        __syncthreads();
    }
}
