/* Two threads free the same memory at once.

   block  32
   out    y = empty(32, i4)
   call   f(y)
   expect y = arange(32)
   report memory free: thread == (1, 0, 0)
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int *p;
    if (threadIdx.x == 0)
        p = (int *)malloc(128);
    __syncthreads();
    p[threadIdx.x] = threadIdx.x;
    y[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
#ifdef RIGHT
    if (threadIdx.x == 0)
#endif
        free(p); // FAULT
}
