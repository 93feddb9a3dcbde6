/* The same array as input and as output, and an output that overlaps its own input one row up.

   let    n = 256
   inout  x = ints(-99, 99, 2 * n)
   call   twice(x, x, n)
   expect x[:n] = 2 * x[:n] + 1
   expect x[n:] = 2 * x[:n] + 1 - x[n:]
*/
extern "C" __global__ void twice(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = 2 * x[i] + 1;
    y[i + n] = x[i] - x[i + n];
}
