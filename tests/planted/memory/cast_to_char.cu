/* An int array as bytes, one byte past its end.

   block  1
   inout  x = zeros(10, i4)
   let    at = 39 if right else 40
   call   f(x, at)
   expect x[9] = 1 << 24
   report memory write: bytes == 1 and variable == "x" and offset == 40 and size == 40
*/
extern "C" __global__ void f(int *x, int at)
{
    ((char *)x)[at] = 1; // FAULT
}
