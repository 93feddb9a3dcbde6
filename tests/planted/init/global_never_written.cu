/* An array of mem_alloc as it comes.

   block  32
   out    x = empty(32, f4)
   out    y = empty(32, f4)
   do     cuda.memset_d32(int(x), 0, 32) if right else None
   call   f(x, y)
   expect y = 1
   report init read: variable == "x" and bytes == 4 and space == "global"
*/
extern "C" __global__ void f(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x] + 1; // FAULT
}
