/* A loop that reads back what its own thread stored an iteration before.

   let    n = 257
   in     x = ints(1, 9, n)
   inout  y = ones(n, i4)
   call   power(x, y, n)
   expect y = x ** (arange(n) % 7)
*/
extern "C" __global__ void power(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int k = 0; k < i % 7; k++)
            y[i] *= x[i];
}
