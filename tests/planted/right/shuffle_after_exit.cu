/* A shuffle of all lanes after half of them have returned: those that have not are all that it waits for.

   block  32
   inout  y = zeros(32, i4)
   call   f(y)
   expect y[:16] = (arange(16) + 1) % 16
*/
extern "C" __global__ void f(int *y)
{
    int t = threadIdx.x;
    if (t >= 16)
        return;
    y[t] = __shfl_sync(0xffffffff, t, (t + 1) % 16);
}
