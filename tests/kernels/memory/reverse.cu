/* Reads from the far end: a negative stride.

   vary   n = 1000, 1
   in     x = ints(-99, 99, n, i2)
   out    y = empty(n, i2)
   call   reverse(x, y, n)
   expect y = x[::-1]
*/
extern "C" __global__ void reverse(const short *x, short *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[n - 1 - i];
}
