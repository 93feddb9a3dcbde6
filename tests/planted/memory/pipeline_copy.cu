/* An asynchronous copy to shared memory, 16 bytes past its end for one thread.

   block  8
   in     x = ones(40, f4)
   out    y = empty(8, f4)
   call   f(x, y)
   expect y = 1
   report memory write: thread == (7, 0, 0) and space == "shared" and variable == "s"
*/
#include <cuda_pipeline.h>

extern "C" __global__ void f(const float *x, float *y)
{
    __shared__ __align__(16) float s[32];
    int t = threadIdx.x;
#ifdef RIGHT
    __pipeline_memcpy_async(s + 4 * t, x + 4 * t, 16);
#else
    __pipeline_memcpy_async(s + 4 * t + 4, x + 4 * t, 16); // FAULT
#endif
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[t] = s[4 * t];
}
