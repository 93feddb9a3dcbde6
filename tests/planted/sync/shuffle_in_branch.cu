/* A shuffle of all lanes in a branch that half of them take.

   block  32
   out    y = empty(32, i4)
   call   f(y)
   expect y[:16] = (arange(16) + 1) % 16
   report sync
*/
extern "C" __global__ void f(int *y)
{
    int t = threadIdx.x, v = -1;
    if (t < 16)
#ifdef RIGHT
        v = __shfl_sync(0xffff, t, (t + 1) % 16);
#else
        v = __shfl_sync(0xffffffff, t, (t + 1) % 16); // FAULT
#endif
    y[t] = v;
    __syncwarp(); // FAULT
    y[t] += 0 * t;
}
