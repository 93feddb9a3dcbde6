/* Counts in shared memory without atomics.

   block  128
   in     x = arange(128, dtype=i4) % 8
   out    y = empty(8, i4)
   call   f(x, y)
   expect y = 16
   report race: space == "shared" and variable == "bins" and severity == "error"
*/
extern "C" __global__ void f(const int *x, int *y)
{
    __shared__ int bins[8];
    int t = threadIdx.x;
    if (t < 8)
        bins[t] = 0;
    __syncthreads();
#ifdef RIGHT
    atomicAdd(&bins[x[t]], 1);
#else
    bins[x[t]]++; // FAULT
#endif
    __syncthreads();
    if (t < 8)
        y[t] = bins[t];
}
