/* Each arm of a branch has a barrier of its own.

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
#else
    if (t % 2) {
        s[t] = t;
        __syncthreads(); // FAULT
        s[0] = 0;
    } else {
        __syncthreads(); // FAULT
    }
#endif
    y[t] = s[63 - t];
}
