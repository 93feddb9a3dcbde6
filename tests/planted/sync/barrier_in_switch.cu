/* One case of a switch has a barrier.

   block  32
   in     x = arange(32, dtype=i4) % 4
   out    y = empty(32, i4)
   call   f(x, y)
   expect y = x * 2
   report sync
*/
extern "C" __global__ void f(const int *x, int *y)
{
    int t = threadIdx.x, v = 0;
    switch (x[t]) {
    case 0:
        v = 0;
        break;
    case 1:
        v = 2;
#ifndef RIGHT
        __syncthreads(); // FAULT
#endif
        break;
    default:
        v = 2 * x[t];
    }
    __syncthreads(); // FAULT
    y[t] = v;
}
