/* The neighbour's value in one warp, without __syncwarp.

   block  32
   out    y = empty(32, i4)
   call   f(y)
   expect y = (arange(32) + 1) % 32
   report race: space == "shared" and variable == "s"
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t; // FAULT
#ifdef RIGHT
    __syncwarp();
#endif
    y[t] = s[(t + 1) % 32]; // OTHER
}
