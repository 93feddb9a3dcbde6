/* A kernel that launches a kernel.

   error  7 does not launch kernels from kernels|kernel launch
*/
__global__ void g(int *y) { *y = 1; }
extern "C" __global__ void f(int *y)
{ g<<<1, 1>>>(y); }
