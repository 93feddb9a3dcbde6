/* A mask that was taken before the branch it is used in.

   block  32
   inout  y = zeros(32, i4)
   call   f(y)
   expect y[:8] = 7
   report sync
*/
extern "C" __global__ void f(int *y)
{
    int t = threadIdx.x;
    unsigned mask = __activemask();
    if (t < 8) {
#ifdef RIGHT
        mask = __activemask();
#endif
        y[t] = __shfl_sync(mask, t, 7); // FAULT
    }
    __syncwarp(); // FAULT
    y[t] += 0;
}
