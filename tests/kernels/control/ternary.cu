/* Nested ?: with loads that only the chosen arm may make, and with stores as operands.

   let    n = 300
   in     x = ints(-50, 50, n)
   in     t = ints(0, 999, 51)
   out    y = empty(n, i4)
   call   pick(x, t, y, n)
   expect y = where(x < 0, where(x < -25, -1, x * x), where(x > 40, t[50] + t[minimum(abs(x), 50)], t[abs(x)]))
*/
extern "C" __global__ void pick(const int *x, const int *t, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = x[i];
    y[i] = v < 0 ? (v < -25 ? -1 : v * v) : v > 40 ? t[50] + t[v] : t[v];
}
