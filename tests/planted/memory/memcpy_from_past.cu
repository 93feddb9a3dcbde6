/* memcpy in a kernel that reads behind the end of its source.

   block  1
   in     x = ones(10, i4)
   out    y = empty(20, i4)
   call   f(x, y, 40 if right else 80)
   expect y[:10] = 1
   report memory read: variable == "x"
*/
extern "C" __global__ void f(const int *x, int *y, int bytes)
{
    memcpy(y, x, bytes); // FAULT
}
