/* A grid-stride loop at several grid sizes, also more threads than elements.

   vary   n = 5000, 3
   vary   grid = 1, 3, cdiv(n, threads), 7
   in     x = floats(n)
   out    y = empty(n, f4)
   call   stride(x, y, n)
   expect y = x * f4(2) + f4(1)
*/
extern "C" __global__ void stride(const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = x[i] * 2.0f + 1.0f;
}
