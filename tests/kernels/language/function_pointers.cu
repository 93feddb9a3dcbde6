/* Device functions called through pointers: chosen per thread, kept in a table and in an array.

   let    n = 256
   in     x = ints(-50, 50, n)
   in     k = ints(0, 3, n)
   out    y = empty((n, 2), i4)
   call   dispatch(x, k, y, n)
   expect y = stack([choose(k, [x + 1, x * 2, -x, x * x]), choose((k + 1) % 4, [x + 1, x * 2, -x, x * x]) + where(x > 0, x + 1, -x)], 1)
*/
typedef int (*operation)(int);

__device__ int increment(int v)
{
    return v + 1;
}
__device__ int twice(int v)
{
    return v * 2;
}
__device__ int negate(int v)
{
    return -v;
}
__device__ __noinline__ int square(int v)
{
    return v * v;
}

__device__ operation table[4] = {increment, twice, negate, square};

__device__ int apply(operation f, int v)
{
    return f(v);
}

extern "C" __global__ void dispatch(const int *x, const int *k, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[2 * i] = table[k[i]](x[i]);
    operation local[4] = {twice, negate, square, increment};
    y[2 * i + 1] = apply(local[k[i]], x[i]) + apply(x[i] > 0 ? increment : negate, x[i]);
}
