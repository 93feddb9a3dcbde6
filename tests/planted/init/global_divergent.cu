/* Results of some threads only, summed by all.

   block  64
   in     x = arange(64, dtype=i4) - 32
   out    y = empty(64, i4)
   out    z = empty(64, i4)
   call   f(x, y, z)
   expect z = maximum(x, 0) + 1
   report init read: variable == "y" and offset <= 4 * 32
*/
extern "C" __global__ void f(const int *x, int *y, int *z)
{
    int t = threadIdx.x;
    if (x[t] > 0)
        y[t] = x[t];
#ifdef RIGHT
    else
        y[t] = 0;
#endif
    __syncthreads();
    z[t] = ((volatile int *)y)[t] + 1; // FAULT
}
