/* Sums are added to an array that nobody has cleared.

   block  32
   in     x = ones(32, f4)
   out    y = empty(32, f4)
   do     cuda.memset_d8(int(y), 0, 128) if right else None
   call   f(x, y)
   expect y = 1
   report init read: variable == "y" and bytes == 4
*/
extern "C" __global__ void f(const float *x, float *y)
{
    y[threadIdx.x] += x[threadIdx.x]; // FAULT
}
