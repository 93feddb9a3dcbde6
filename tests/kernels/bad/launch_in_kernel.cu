/* A kernel that launches a kernel.

   host
   error  8 does not launch kernels from kernels
*/
__global__ void g(int *y) { *y = 1; }
extern "C" __global__ void f(int *y)
{ g<<<1, 1>>>(y); }
