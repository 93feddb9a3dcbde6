/* Doubles in reversed order without a barrier.

   block  64
   out    y = empty(64, f8)
   call   f(y)
   expect y = 63 - arange(64)
   report race: space == "shared" and variable == "s" and bytes == 8
*/
extern "C" __global__ void f(double *y)
{
    __shared__ double s[64];
    int t = threadIdx.x;
    s[t] = t; // FAULT
#ifdef RIGHT
    __syncthreads();
#endif
    y[t] = s[63 - t]; // OTHER
}
