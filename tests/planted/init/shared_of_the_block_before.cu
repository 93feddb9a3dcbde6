/* The first block alone fills the table; others find what blocks before them have left, or nothing.

   block  32
   let    grid = 3
   out    y = empty(96, i4)
   call   f(y)
   expect y = tile(arange(32), 3)
   report init read: block != (0, 0, 0) and space == "shared" and variable == "s"
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
#ifndef RIGHT
    if (blockIdx.x == 0)
#endif
        s[t] = t;
    __syncthreads();
    y[blockIdx.x * 32 + t] = s[t]; // FAULT
}
