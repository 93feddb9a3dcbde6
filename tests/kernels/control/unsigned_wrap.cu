/* x[i - 1] with an unsigned i: thread 0 would wrap around, but a guard keeps it out.

   vary   n = 1000, 1, 2
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   call   edges(x, y, u4(n))
   expect y = (append(x[1:], 0) if n > 1 else 0) - insert(x[:-1], 0, 0) + 10 * x
*/
extern "C" __global__ void edges(const int *x, int *y, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int left = 0, right = 0;
    if (i > 0)
        left = x[i - 1];
    if (i < n - 1)
        right = x[i + 1];
    y[i] = right - left + 10 * x[i];
}
