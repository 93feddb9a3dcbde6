/* Stores inside a divergent loop, to changing and to fixed places; the last one wins.

   let    n = 300
   in     x = ints(0, 8, n)
   inout  y = full((n, 8), -1)
   inout  last = full(n, -5)
   call   store(x, y, last, n)
   expect y = where(arange(8) < x[:, None], arange(8) * 10 + x[:, None], -1)
   expect last = where(x > 0, x - 1, -5)
*/
extern "C" __global__ void store(const int *x, long long *y, long long *last, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < x[i]; k++) {
        y[8 * i + k] = k * 10 + x[i];
        last[i] = k;
    }
}
