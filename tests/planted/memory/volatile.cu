/* A volatile read behind the end whose value nobody uses.

   block  1
   in     x = ones(10, i4)
   out    y = empty(1, i4)
   call   f(x, y, 9 if right else 10)
   expect y = 1
   report memory read: variable == "x" and offset == 40
*/
extern "C" __global__ void f(const volatile int *x, int *y, int at)
{
    (void)x[at]; // FAULT
    *y = x[0];
}
