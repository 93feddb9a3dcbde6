/* A stencil in place: neighbours are old or new.

   block  32
   let    grid = 4
   let    n = 128
   inout  x = ones(n + 2, f4)
   out    z = empty(n + 2, f4)
   call   f(x, z)
   expect z[1:-1] = 3
   report race: space == "global" and variable == "x"
*/
extern "C" __global__ void f(float *x, float *z)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    float sum = x[i - 1] + x[i] + x[i + 1]; // FAULT
#ifdef RIGHT
    z[i] = sum;
#else
    x[i] = sum; // OTHER
#endif
}
