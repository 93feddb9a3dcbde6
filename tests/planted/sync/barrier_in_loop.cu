/* A barrier in a loop whose turns differ between threads.

   block  64
   in     x = arange(64, dtype=i4) % 3 + 1
   out    y = empty(64, i4)
   call   f(x, y)
   expect y = x
   report sync
*/
extern "C" __global__ void f(const int *x, int *y)
{
    int t = threadIdx.x, v = 0;
#ifdef RIGHT
    for (int k = 0; k < 3; k++) {
        v += k < x[t];
        __syncthreads();
    }
#else
    for (int k = 0; k < x[t]; k++) {
        v++;
        __syncthreads(); // FAULT
    }
#endif
    __syncthreads(); // FAULT
    y[t] = v;
}
