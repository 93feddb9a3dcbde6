/* __syncthreads_count in a branch.

   block  64
   out    y = empty(64, i4)
   call   f(y)
   expect y = 32
   report sync
*/
extern "C" __global__ void f(int *y)
{
    int t = threadIdx.x;
#ifdef RIGHT
    y[t] = __syncthreads_count(t < 32);
#else
    y[t] = 0;
    if (t < 40)
        y[t] = __syncthreads_count(t < 32); // FAULT
    __syncthreads(); // FAULT
#endif
}
