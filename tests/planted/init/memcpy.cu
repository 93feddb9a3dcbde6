/* memcpy in a kernel of an array that nobody has written.

   block  1
   out    x = empty(8, i4)
   out    y = empty(8, i4)
   do     cuda.memset_d32(int(x), 1, 8) if right else None
   call   f(x, y, 32)
   expect y = 1
   report init read: variable == "x"
*/
extern "C" __global__ void f(const int *x, int *y, int bytes)
{
    memcpy(y, x, bytes); // FAULT
}
