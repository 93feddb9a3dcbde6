/* A copy from device to device of one element less than the kernel reads.

   block  32
   in     x = ones(32, i4)
   out    y = empty(32, i4)
   out    z = empty(32, i4)
   do     cuda.memcpy_dtod(int(y), int(x), 128 if right else 124)
   call   f(y, z)
   expect z = 1
   report init read: thread == (31, 0, 0) and variable == "y" and offset == 124
*/
extern "C" __global__ void f(const int *y, int *z)
{
    z[threadIdx.x] = y[threadIdx.x]; // FAULT
}
