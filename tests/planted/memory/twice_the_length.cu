/* A grid for twice as many elements as there are.

   block  64
   let    n = 128
   let    grid = 2 if right else 4
   out    y = empty(n, f8)
   call   f(y)
   expect y = 0.5 * arange(n)
   report memory write: block in ((2, 0, 0), (3, 0, 0)) and bytes == 8 and variable == "y" and offset >= 8 * n
*/
extern "C" __global__ void f(double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 0.5 * i; // FAULT
}
