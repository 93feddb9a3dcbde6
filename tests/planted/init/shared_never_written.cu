/* A shared array that nobody writes.

   block  32
   out    y = empty(32, i4)
   call   f(y)
   expect y = 1
   report init read: space == "shared" and variable == "s" and bytes == 4
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
#ifdef RIGHT
    s[t] = 1;
    __syncthreads();
#endif
    y[t] = s[31 - t]; // FAULT
}
