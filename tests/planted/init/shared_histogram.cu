/* Counters in shared memory that nobody has set to zero.

   block  64
   out    y = empty(8, i4)
   call   f(y)
   expect y = 8
   report init: space == "shared" and variable == "bins"
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int bins[8];
    int t = threadIdx.x;
#ifdef RIGHT
    if (t < 8)
        bins[t] = 0;
#endif
    __syncthreads();
    atomicAdd(&bins[t % 8], 1); // FAULT
    __syncthreads();
    if (t < 8)
        y[t] = bins[t];
}
