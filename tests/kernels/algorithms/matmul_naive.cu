/* Matrix product, one thread an element, a dot product in the thread.

   block  16x16 32 8x4 1x32
   vary   size = (20, 33, 45), (1, 5, 1)
   let    m = size[0]
   let    k = size[1]
   let    n = size[2]
   let    grid = (cdiv(n, bx), cdiv(m, by))
   in     a = ints(-99, 99, (m, k))
   in     b = ints(-99, 99, (k, n))
   out    c = empty((m, n), i4)
   call   product(a, b, c, m, k, n)
   expect c = a @ b
*/
extern "C" __global__ void product(const int *a, const int *b, int *c, int m, int k, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n)
        return;
    int sum = 0;
    for (int j = 0; j < k; j++)
        sum += a[row * k + j] * b[j * n + column];
    c[row * n + column] = sum;
}
