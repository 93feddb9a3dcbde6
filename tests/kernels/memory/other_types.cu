/* Memory seen as another type holds what was written last; a function that ends without a return harms nobody else.

   vary   n = 1, 100
   in     x = floats(n)
   inout  y = full(n, 7, i4)
   out    z = empty((n, 3), i4)
   call   f(x, y, y, z, n)
   expect y = x.view(i4)
   expect z = stack([x.view(i4), (x + 1).view(i4), where(x > 0, 1, 7)], 1)
*/
__device__ int sign(float x)
{
    if (x > 0)
        return 1;
}

extern "C" __global__ void f(const float *x, int *as_int, float *as_float, int *z, int n)
{
    __shared__ float tile[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x, *words = (int *)tile + threadIdx.x;
    if (i >= n)
        return;
    as_int[i] = 5;
    as_float[i] = x[i];
    z[3 * i] = as_int[i];
    *words = 6;
    tile[threadIdx.x] = x[i] + 1;
    z[3 * i + 1] = *words;
    int positive = sign(x[i]);
    z[3 * i + 2] = x[i] > 0 ? positive : 7;
}
