/* __match_any_sync of all lanes where the first one is elsewhere.

   block  32
   in     x = zeros(32, i4)
   inout  y = zeros(32, u4)
   call   f(x, y)
   expect y[1:] = 0xfffffffe
   report sync
*/
extern "C" __global__ void f(const int *x, unsigned *y)
{
    int t = threadIdx.x;
    if (t > 0)
#ifdef RIGHT
        y[t] = __match_any_sync(0xfffffffe, x[t]);
#else
        y[t] = __match_any_sync(0xffffffff, x[t]); // FAULT
#endif
    __syncwarp(); // FAULT
}
