/* Input and output overlap by one element: it is read and written by two threads.

   block  32
   let    grid = 2
   inout  x = zeros(65, f4)
   out    z = empty(64, f4)
   call   f(x, x + 4 if not right else z)
   expect x = 0
   report race: space == "global" and variable in ("x", "y")
*/
extern "C" __global__ void f(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i]; // FAULT
}
