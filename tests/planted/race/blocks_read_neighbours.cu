/* One launch computes and reads what the next block computes.

   block  32
   let    grid = 4
   let    n = 128
   inout  y = zeros(n, i4)
   out    z = empty(n, i4)
   call   f(y, z, n)
   expect z = (arange(n) // 32 * 32 + (arange(n) + 1) % 32)
   report race: space == "global" and variable == "y" and block != other_block
*/
extern "C" __global__ void f(int *y, int *z, int n)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    y[i] = i; // FAULT
    __syncthreads();
#ifdef RIGHT
    z[i] = y[blockIdx.x * blockDim.x + (t + 1) % blockDim.x];
#else
    z[i] = y[(i + blockDim.x) % n]; // OTHER
#endif
}
