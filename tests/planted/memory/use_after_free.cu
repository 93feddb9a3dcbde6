/* An array that the program has freed.

   block  32
   let    n = 32
   inout  x = zeros(n, i4)
   do     None if right else free(x)
   call   f(x)
   expect x = arange(n)
   report memory write: variable == "x" and bytes == 4 and state == "freed"
*/
extern "C" __global__ void f(int *x)
{
    x[threadIdx.x] = threadIdx.x; // FAULT
}
