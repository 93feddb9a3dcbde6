/* The first and the last thread read no neighbour: the address that they would read is before or behind the array.

   block  32 100
   let    n = threads
   out    y = empty(n, f8)
   call   f(y)
   expect y = where(arange(n) > 0, arange(n) - 1, 0) + where(arange(n) < n - 1, arange(n) + 1, 0)
*/
extern "C" __global__ void f(double *y)
{
    __shared__ double x[128];
    int t = threadIdx.x, n = blockDim.x;
    x[t] = t;
    __syncthreads();
    double left = t > 0 ? x[t - 1] : 0, right = t < n - 1 ? x[t + 1] : 0;
    y[t] = left + right;
}
