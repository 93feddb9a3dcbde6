/* Threads that have nothing to do return; the others go on with barriers among themselves.

   block  64
   let    n = 40
   in     x = ints(0, 9, n)
   out    y = empty(n, i4)
   call   f(x, y, n)
   expect y = x[::-1]
*/
extern "C" __global__ void f(const int *x, int *y, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= n)
        return;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[n - 1 - t];
}
