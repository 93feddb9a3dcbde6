/* Stack memory of a size known at run time: in a loop, in a branch, in a function that is inlined.

   nvcc
   vary   n = 1, 700
   in     m = ints(0, 20, n)
   out    y = empty((n, 3), i4)
   call   f(m, y, n)
   expect y = stack([m * (m - 1) // 2, where(m % 3 == 0, 7 * m, 0), (2 * m) * (2 * m + 1) // 2], 1)
*/
__device__ int sum_to(int n)
{
    int *a = (int *)alloca((n + 1) * sizeof(int)), s = 0;
    for (int k = 0; k <= n; k++)
        a[k] = k;
    for (int k = 0; k <= n; k++)
        s += a[k];
    return s;
}

extern "C" __global__ void f(const int *m, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = 0, some = 0;
    for (int k = 0; k < m[i]; k++) {
        volatile int *one = (int *)alloca(4);
        *one = k;
        sum += *one;
    }
    if (m[i] % 3 == 0) {
        long *b = (long *)alloca(8 * (m[i] + 1));
        for (int k = 0; k < m[i]; k++)
            b[k] = 7;
        for (int k = 0; k < m[i]; k++)
            some += (int)b[k];
    }
    y[3 * i] = sum;
    y[3 * i + 1] = some;
    y[3 * i + 2] = sum_to(2 * m[i]);
}
