/* Constant and run-time strides, for reads and for writes.

   let    n = 500
   vary   step = 1, 5, 8
   in     x = ints(-999, 999, n * 8)
   inout  y = zeros(n * 8, i4)
   call   strides(x, y, step, n)
   expect y[:3 * n:3] = x[:2 * n:2] + x[:step * n:step]
   expect count_nonzero(y) - count_nonzero(y[:3 * n:3]) = 0
*/
extern "C" __global__ void strides(const int *x, int *y, int step, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[3 * i] = x[2 * i] + x[i * step];
}
