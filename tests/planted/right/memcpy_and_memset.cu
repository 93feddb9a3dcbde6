/* memcpy and memset in a kernel, exactly as long as the arrays.

   block  4
   in     x = ints(0, 99, (4, 10))
   out    y = empty((4, 10), i4)
   out    z = empty((4, 10), i4)
   call   f(x, y, z, 40)
   expect y = x
   expect z = 0
*/
extern "C" __global__ void f(const int *x, int *y, int *z, int bytes)
{
    int at = 10 * threadIdx.x;
    memcpy(y + at, x + at, bytes);
    memset(z + at, 0, bytes);
}
