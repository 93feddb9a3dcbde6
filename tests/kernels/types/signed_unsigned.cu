/* Comparisons and arithmetic that mix signed and unsigned operands, as C converts them.

   let    n = 400
   in     a = ints(-5, 5, n)
   in     u = ints(0, 5, n, u4)
   out    y = empty((n, 6), i4)
   let    A = a.astype(i8)
   let    U = u.astype(i8)
   call   mixed(a, u, y, n)
   expect y = stack([(A % 2**32) < U, A < U, wrap((A % 2**32) // 3, i4), wrap((A - U) % 2**32 >> 1, i4), A + U < 0, A * U], 1)
*/
extern "C" __global__ void mixed(const int *a, const unsigned *u, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int *r = y + 6 * i;
    r[0] = a[i] < u[i];
    r[1] = a[i] < (long long)u[i];
    r[2] = a[i] / 3u;
    r[3] = (a[i] - u[i]) >> 1;
    r[4] = a[i] + (int)u[i] < 0;
    r[5] = a[i] * u[i];
}
