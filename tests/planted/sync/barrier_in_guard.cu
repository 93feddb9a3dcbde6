/* A barrier behind a guard that the last threads do not pass; they have another barrier to wait at.

   block  64
   let    n = 50
   in     x = ones(n, i4)
   out    y = empty(n, i4)
   call   f(x, y, n)
   expect y = 2
   report sync
*/
extern "C" __global__ void f(const int *x, int *y, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
#ifdef RIGHT
    s[t] = t < n ? x[t] : 0;
    __syncthreads();
#else
    if (t < n) {
        s[t] = x[t];
        __syncthreads(); // FAULT
    }
#endif
    int v = t < n ? 2 * s[n - 1 - t] : 0;
    __syncthreads(); // FAULT
    if (t < n)
        y[t] = v;
}
