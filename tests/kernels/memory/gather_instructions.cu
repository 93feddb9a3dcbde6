/* Gathers that stay instructions, as on processors where those are fast.

   host
   options --gathers=instructions
   vary   n = 1, 100, 1000
   in     x = ints(-99, 99, n)
   in     d = ints(-99, 99, n).astype(f8)
   in     b = ints(-99, 99, n, i1)
   in     where_from = ints(0, n - 1, n)
   out    y = empty((3, n), f8)
   call   f(x, d, b, where_from, y, n)
   expect y = array([x[where_from], d[where_from], b[where_from]])
*/
extern "C" __global__ void f(const int *x, const double *d, const signed char *b, const int *from, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = from[i];
    y[i] = x[at];
    y[n + i] = d[at];
    y[2 * n + i] = b[at];
}
