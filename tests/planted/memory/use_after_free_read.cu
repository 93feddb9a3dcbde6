/* A large array that the program has freed.

   block  256
   let    grid = 1
   let    n = 100000
   inout  x = zeros(n, f4)
   out    y = empty(256, f4)
   do     None if right else free(x)
   call   f(x, y)
   expect y = 0
   report memory read: variable == "x" and bytes == 4 and state == "freed"
*/
extern "C" __global__ void f(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x * 300]; // FAULT
}
