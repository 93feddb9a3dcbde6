/* memcpy of a length that has become negative.

   block  32
   in     x = arange(64, dtype=i4)
   inout  y = zeros(64, i4)
   call   f(x, y, 4 if right else -4)
   expect y[::2] = arange(0, 64, 2)
   report memory write: variable == "y" and thread == (0, 0, 0)
*/
extern "C" __global__ void f(const int *x, int *y, int bytes)
{
    memcpy(y + 2 * threadIdx.x, x + 2 * threadIdx.x, bytes); // FAULT
}
