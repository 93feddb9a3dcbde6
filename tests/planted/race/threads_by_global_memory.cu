/* Threads of a block exchange values in global memory without a barrier.

   block  64
   out    y = empty(64, i4)
   out    z = empty(64, i4)
   call   f[1](y, z)
   expect z = 63 - arange(64)
   report race: space == "global" and variable == "y" and block == other_block and thread != other_thread
*/
extern "C" __global__ void f(int *y, int *z)
{
    int t = threadIdx.x;
    y[t] = t; // FAULT
#ifdef RIGHT
    __syncthreads();
#endif
    z[t] = y[63 - t]; // OTHER
}
