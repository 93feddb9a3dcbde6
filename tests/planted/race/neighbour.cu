/* The neighbour's value without a barrier.

   block  64
   out    y = empty(64, i4)
   call   f(y)
   expect y = (arange(64) + 1) % 64
   report race: space == "shared" and variable == "s" and bytes == 4
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; // FAULT
#ifdef RIGHT
    __syncthreads();
#endif
    y[t] = s[(t + 1) % 64]; // OTHER
}
