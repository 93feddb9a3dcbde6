/* Left of the first element of a shared array.

   block  32
   out    y = empty(32, i4)
   call   f(y)
   expect y = maximum(arange(32) - 1, 0)
   report memory read: thread == (0, 0, 0) and space == "shared" and variable == "s" and offset == -4
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
#ifdef RIGHT
    y[t] = s[t ? t - 1 : 0];
#else
    y[t] = s[t - 1]; // FAULT
#endif
}
