/* a x + y under the usual guard; the last block is partial.

   vary   n = 1000, 1, 1024
   in     x = floats(n)
   inout  y = floats(n)
   call   saxpy(2.5, x, y, n)
   near   1e-6 y = f4(2.5) * x + y
*/
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
