/* Every other element of a shared array is written, and all are read.

   block  64
   out    y = empty(64, i4)
   call   f(y)
   expect y = 63 - arange(64)
   report init read: space == "shared" and variable == "s" and offset % 8 == 4
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s[64];
    int t = threadIdx.x;
#ifndef RIGHT
    if (t % 2 == 0)
#endif
        s[t] = t;
    __syncthreads();
    y[t] = s[63 - t]; // FAULT
}
