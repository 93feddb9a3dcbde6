/* One past the end of a shared array.

   block  32
   out    y = empty(32, i4)
   call   f(y)
   expect y = roll(arange(32), 1)
   report memory write: thread == (31, 0, 0) and space == "shared" and variable == "s" and size == 128 and offset == 128
*/
extern "C" __global__ void f(int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
#ifdef RIGHT
    s[(t + 1) % 32] = t;
#else
    s[t + 1] = t; // FAULT
#endif
    __syncthreads();
    y[t] = s[t];
}
