/* Overloads, default arguments, namespaces, and names that shadow.

   let    n = 90
   in     x = ints(-9, 9, n)
   out    y = empty((n, 5), f8)
   call   names(x, y, n)
   expect y = stack([x + 1, x + 0.5, x * 10 + 3, x * 2 - 5, x + 100], 1)
*/
namespace outer {
__device__ int twist(int v, int more = 1)
{
    return v + more;
}
__device__ double twist(double v)
{
    return v + 0.5;
}
namespace inner {
__device__ int twist(int v)
{
    return v * 2 - 5;
}
} // namespace inner
namespace {
__device__ int hidden(int v)
{
    return v + 100;
}
} // namespace
} // namespace outer

__device__ int x(int v)
{
    return v * 10;
}

extern "C" __global__ void names(const int *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    using outer::twist;
    y[5 * i] = twist(x[i]);
    y[5 * i + 1] = twist((double)x[i]);
    {
        int n = 3;
        y[5 * i + 2] = twist(::x(x[i]), n);
    }
    y[5 * i + 3] = outer::inner::twist(x[i]);
    y[5 * i + 4] = outer::hidden(x[i]);
}
