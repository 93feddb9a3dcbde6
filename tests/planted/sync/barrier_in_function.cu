/* A function with a barrier, called by some.

   block  64
   out    y = empty(64, i4)
   call   f(y)
   expect y = 1
   report sync
*/
__device__ void wait()
{
    __syncthreads(); // FAULT
}

extern "C" __global__ void f(int *y)
{
    int t = threadIdx.x;
#ifndef RIGHT
    if (t >= 32)
#endif
        wait();
    y[t] = 1;
    __syncthreads(); // FAULT
}
