/* The right halo of the last block.

   block  32
   let    grid = 4
   let    n = 128
   in     x = ones(n, f4)
   out    y = empty(n, f4)
   call   f(x, y, n)
   expect y[1:-1] = 3
   report memory read: block == (3, 0, 0) and thread == (31, 0, 0) and variable == "x" and offset == 512
*/
extern "C" __global__ void f(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = x[i];
    if (i > 0)
        sum += x[i - 1];
#ifdef RIGHT
    if (i < n - 1)
#endif
        sum += x[i + 1]; // FAULT
    y[i] = sum;
}
