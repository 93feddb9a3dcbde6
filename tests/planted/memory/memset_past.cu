/* memset in a kernel of one row too many.

   block  4
   out    y = empty((3 if not right else 4, 16), u1)
   call   f(y)
   expect y = 9
   report memory write: thread == (3, 0, 0) and variable == "y"
*/
extern "C" __global__ void f(char *y)
{
    memset(y + 16 * threadIdx.x, 9, 16); // FAULT
}
