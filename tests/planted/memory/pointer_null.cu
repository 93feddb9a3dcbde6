/* A null pointer where an array is expected.

   block  1
   out    y = empty(4, i4)
   call   f(y if right else u8(0))
   expect y[2] = 1
   report memory write: bytes == 4 and address == 8
*/
extern "C" __global__ void f(int *y)
{
    y[2] = 1; // FAULT
}
