/* A pointer to the middle of an array: what is before it belongs to the array, too, but not so far.

   block  1
   inout  x = arange(100, dtype=i4)
   call   f(x + u8(200), -50 if right else -51)
   expect x[0] = 7
   report memory write: variable == "x" and offset == -4 and size == 400
*/
extern "C" __global__ void f(int *x, int at)
{
    x[at] = 7; // FAULT
}
