/* Neighbours whose index is clamped to the ends of an array, in the ways that people write it: consecutive loads but
   where a lane clamps.

   vary   n = 1, 2, 16, 17, 100, 1000
   vary   low = 0, 5
   in     x = ints(-99, 99, n + 8)
   out    y = empty((12, n), i4)
   call   f(x, y, n, low)
   let    i = arange(n)
   let    before = maximum(i - 1, 0)
   let    after = minimum(i + 1, n - 1)
   expect y = array([x[before], x[after], x[before], x[after], x[before], x[after], x[clip(i - 3, low, n + 2)],
                     x[n - 1 - before], x[maximum(2 * i - 4, 0) // 2], x[before] + x[before + 1] * x[before + 2],
                     x[i + (x[:n] > 0)], x[clip(i - 2, 0, n - 1)] + x[clip(i + 2, 0, n - 1)]])
*/
extern "C" __global__ void f(const int *x, int *y, int n, int low)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned u = i;
    y[i] = x[max(i - 1, 0)];
    y[n + i] = x[min(i + 1, n - 1)];
    y[2 * n + i] = x[i == 0 ? i : i - 1];
    y[3 * n + i] = x[i == n - 1 ? i : i + 1];
    y[4 * n + i] = x[u > 0 ? u - 1 : 0];
    y[5 * n + i] = x[min(u + 1, (unsigned)n - 1)];
    y[6 * n + i] = x[min(max(i - 3, low), n + 2)];
    y[7 * n + i] = x[n - 1 - max(i - 1, 0)];
    y[8 * n + i] = x[max(2 * i - 4, 0) / 2];
    const int *three = x + max(i - 1, 0);
    y[9 * n + i] = three[0] + three[1] * three[2];
    y[10 * n + i] = x[i + (x[i] > 0)];
    int left = i - 2 < 0 ? 0 : i - 2, right = i + 2 > n - 1 ? n - 1 : i + 2;
    y[11 * n + i] = x[left] + x[right];
}
