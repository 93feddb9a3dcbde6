/* A shuffle from a lane that its mask does not name.

   block  32
   in     x = arange(32, dtype=i4)
   inout  y = zeros(32, i4)
   call   f(x, y)
   expect y[:16] = 3
   report sync
*/
extern "C" __global__ void f(const int *x, int *y)
{
    int t = threadIdx.x;
    if (t < 16)
#ifdef RIGHT
        y[t] = __shfl_sync(0xffff, x[t], 3);
#else
        y[t] = __shfl_sync(0xffff, x[t], 20); // FAULT
#endif
}
