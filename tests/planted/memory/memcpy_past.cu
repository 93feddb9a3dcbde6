/* memcpy in a kernel of more than there is.

   block  1
   in     x = ones(20, i4)
   out    y = empty(10, i4)
   call   f(x, y, 40 if right else 44)
   expect y = 1
   report memory write: variable == "y"
*/
extern "C" __global__ void f(const int *x, int *y, int bytes)
{
    memcpy(y, x, bytes); // FAULT
}
