/* Each thread runs its loop a different number of times, some not at all.

   let    n = 1000
   in     x = ints(0, 70, n)
   out    y = empty(n, i4)
   call   triangle(x, y, n)
   expect y = x * (x - 1) // 2
*/
extern "C" __global__ void triangle(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int sum = 0;
    for (int k = 0; k < x[i]; k++)
        sum += k;
    y[i] = sum;
}
