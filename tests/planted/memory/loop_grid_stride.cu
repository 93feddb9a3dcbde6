/* A grid-stride loop that takes n as the last index.

   block  32
   let    grid = 3
   let    n = 400
   inout  y = zeros(n, i4)
   call   f(y, n)
   expect y = 1
   report memory write: variable == "y" and offset == 1600 and block == (0, 0, 0) and thread == (16, 0, 0)
*/
extern "C" __global__ void f(int *y, int n)
{
#ifndef RIGHT
    n++;
#endif
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = 1; // FAULT
}
