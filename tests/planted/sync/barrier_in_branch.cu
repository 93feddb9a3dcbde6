/* Half of the threads wait at a barrier in a branch, the others go past it to the next one.

   block  64
   out    y = empty(64, i4)
   call   f(y)
   expect y = 63 - arange(64)
   report sync
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
#ifdef RIGHT
    __syncthreads();
    __syncthreads();
#else
    if (t < 32)
        __syncthreads(); // FAULT
    __syncthreads(); // FAULT
#endif
    y[t] = s[63 - t];
}
