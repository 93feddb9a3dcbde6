/* Device pointers stored in device memory by one kernel and followed by the next.

   let    n = 100
   in     a = ints(0, 99, n)
   in     b = ints(100, 199, n)
   inout  table = zeros(n, u8)
   out    y = empty(n, i4)
   call   fill(a, b, table, n)
   call   follow(table, y, n)
   expect y = where(arange(n) % 3 == 0, a, b)[::-1]
*/
extern "C" __global__ void fill(const int *a, const int *b, const int **table, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        table[i] = (i % 3 ? b : a) + i;
}

extern "C" __global__ void follow(int **table, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = *table[n - 1 - i];
}
