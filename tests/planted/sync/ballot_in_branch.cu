/* A vote of all lanes in a branch that some take.

   block  32
   in     x = arange(32, dtype=i4) % 4
   inout  y = zeros(32, u4)
   call   f(x, y)
   expect y[::4] = 0x11111111
   report sync
*/
extern "C" __global__ void f(const int *x, unsigned *y)
{
    int t = threadIdx.x;
#ifdef RIGHT
    unsigned who = __ballot_sync(0xffffffff, x[t] == 0);
    if (x[t] == 0)
        y[t] = who;
#else
    if (x[t] == 0)
        y[t] = __ballot_sync(0xffffffff, 1); // FAULT
#endif
    __syncwarp(); // FAULT
    y[t] += 0;
}
