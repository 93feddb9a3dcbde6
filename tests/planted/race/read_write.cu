/* Thread 0 writes, all read, and no barrier between.

   block  64
   in     x = ints(5, 9, 1)
   out    y = empty(64, i4)
   call   f(x, y)
   expect y = x[0]
   report race: space == "shared" and variable == "v" and (0, 0, 0) in (thread, other_thread)
*/
extern "C" __global__ void f(const int *x, int *y)
{
    __shared__ int v;
    int t = threadIdx.x;
    if (t == 0)
        v = x[0]; // FAULT
#ifdef RIGHT
    __syncthreads();
#endif
    y[t] = v; // OTHER
}
