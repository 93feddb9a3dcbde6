/* A shuffle of all lanes after half of them have returned, whose last lane asks for the value of one of those.

   block  32
   inout  y = zeros(32, i4)
   call   f(y)
   expect y[:15] = arange(15) + 1
   report sync: thread == (15, 0, 0)
*/
extern "C" __global__ void f(int *y)
{
    int t = threadIdx.x;
    if (t >= 16)
        return;
#ifdef RIGHT
    int v = __shfl_sync(0xffffffff, t, (t + 1) % 16);
    y[t] = v;
#else
    y[t] = __shfl_sync(0xffffffff, t, t + 1); // FAULT
#endif
}
