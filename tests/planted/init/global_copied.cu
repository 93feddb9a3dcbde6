/* A copy from device to device of an array that nobody has written.

   block  32
   out    x = empty(32, i4)
   inout  y = zeros(32, i4)
   out    z = empty(32, i4)
   do     cuda.memset_d32(int(x), 3, 32) if right else None
   do     cuda.memcpy_dtod(int(y), int(x), 128)
   call   f(y, z)
   expect z = 3
   report init read: variable == "y" and bytes == 4
*/
extern "C" __global__ void f(const int *y, int *z)
{
    z[threadIdx.x] = y[threadIdx.x]; // FAULT
}
