/* Counters are set to zero by some threads while others count already.

   block  64
   out    y = empty(8, i4)
   call   f(y)
   expect y = 8
   report race: space == "shared" and variable == "bins"
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int bins[8];
    int t = threadIdx.x;
    if (t < 8)
        bins[t] = 0; // FAULT
#ifdef RIGHT
    __syncthreads();
#endif
    atomicAdd(&bins[t / 8], 1); // OTHER
    __syncthreads();
    if (t < 8)
        y[t] = bins[t];
}
