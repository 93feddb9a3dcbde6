/* Memory that one kernel fills, another copies, and a third reads.

   block  32
   let    n = 100
   out    x = empty(n, f4)
   out    y = empty(n, f4)
   out    z = empty(n, f4)
   call   fill[4](x, n)
   do     cuda.memcpy_dtod(int(y), int(x), 400)
   call   f[4](y, z, n)
   expect z = 2 * arange(n)
*/
extern "C" __global__ void fill(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i;
}

extern "C" __global__ void f(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i];
}
