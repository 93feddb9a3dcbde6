/* __syncwarp where threads of two warps exchange values.

   block  64
   out    y = empty(64, i4)
   call   f(y)
   expect y = 63 - arange(64)
   report race: space == "shared" and variable == "s" and thread[0] // 32 != other_thread[0] // 32
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; // FAULT
#ifdef RIGHT
    __syncthreads();
#else
    __syncwarp();
#endif
    y[t] = s[63 - t]; // OTHER
}
