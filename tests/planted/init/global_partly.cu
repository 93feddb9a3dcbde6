/* One kernel fills the first half, another reads all.

   block  32
   let    grid = 1
   let    n = 64
   out    x = empty(n, i4)
   out    y = empty(n, i4)
   call   fill(x, n if right else n // 2)
   call   f[2](x, y)
   expect y = 7
   report init read: variable == "x" and kernel == "f" and block == (1, 0, 0) and offset >= 128
*/
extern "C" __global__ void fill(int *x, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        x[i] = 7;
}

extern "C" __global__ void f(const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i]; // FAULT
}
