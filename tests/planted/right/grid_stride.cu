/* A grid-stride loop over a length that fits nothing.

   block  96
   vary   n = 1, 95, 1000, 4099
   let    grid = 3
   in     x = ints(0, 99, n)
   out    y = empty(n, i4)
   call   f(x, y, n)
   expect y = x + 1
*/
extern "C" __global__ void f(const int *x, int *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = x[i] + 1;
}
