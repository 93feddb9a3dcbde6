/* Strided loads that reach into the next thread's structure, stores in another order than in memory, in
   place, backwards: the order of the program holds.

   let    n = 512
   let    i = arange(n)
   in     x = ints(-99, 99, 2 * n + 2)
   out    y = empty((n, 2), i4)
   inout  near = ints(-99, 99, 2 * n + 2)
   out    back = empty((n, 3), i4)
   call   overlap(x, y, near, back, n)
   expect y = stack([x[2 * i + 2], x[2 * i + 1] - x[2 * i]], 1)
   expect near[1:2*n:2] = near[1:2*n:2] + 1
   expect near[0:2*n:2] = near[1:2*n+1:2] + 1
   expect back = stack([x[2 * n - 2 * i], i, x[2 * n - 2 * i - 1]], 1)[::-1]
*/
extern "C" __global__ void overlap(const int *x, int *y, int *near, int *back, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int a = x[2 * i], b = x[2 * i + 1], c = x[2 * i + 2];
    y[2 * i + 1] = b - a;
    y[2 * i] = c;
    near[2 * i + 1] += 1;
    near[2 * i] = near[2 * i + 1];
    int *p = back + 3 * (n - 1 - i);
    p[2] = x[2 * n - 2 * i - 1];
    p[0] = x[2 * n - 2 * i];
    p[1] = i;
}
