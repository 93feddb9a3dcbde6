/* Three kernels of one file in a pipeline, each with its own geometry.

   let    n = 1000
   in     x = ints(-99, 99, n)
   out    a = empty(n, i4)
   out    b = empty(n // 4, i4)
   out    total = empty(1, i8)
   call   square(x, a, n)
   call   fold[cdiv(n // 4, 50), 50](a, b, n // 4)
   call   finish[1, 1](b, total, n // 4)
   expect a = x * x
   expect b = (x * x).reshape(-1, 4).sum(1)
   expect total = (x * x).sum()
*/
extern "C" __global__ void square(const int *x, int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = x[i] * x[i];
}

extern "C" __global__ void fold(const int *a, int *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[4 * i] + a[4 * i + 1] + a[4 * i + 2] + a[4 * i + 3];
}

extern "C" __global__ void finish(const int *b, long long *total, int n)
{
    long long sum = 0;
    for (int k = 0; k < n; k++)
        sum += b[k];
    *total = sum;
}
