/* A value that thread 0 replaces while others may still read the old one.

   block  64
   in     x = ints(5, 9, 3)
   inout  y = zeros(64, i4)
   call   f(x, y)
   expect y = x.sum()
   report race: space == "shared" and variable == "v"
*/
extern "C" __global__ void f(const int *x, int *y)
{
    __shared__ int v;
    int t = threadIdx.x;
    for (int k = 0; k < 3; k++) {
        if (t == 0)
            v = x[k]; // FAULT
        __syncthreads();
        y[t] += v; // OTHER
#ifdef RIGHT
        __syncthreads();
#endif
    }
}
