/* Numbers of 16 bits, one of which is half written.

   block  16
   out    x = empty(16, u2)
   out    y = empty(16, u2)
   do     cuda.memset_d8(int(x), 0, 32 if right else 31)
   call   f(x, y)
   expect y = 1
   report init read: thread == (15, 0, 0) and variable == "x" and bytes == 2 and offset == 30
*/
extern "C" __global__ void f(const unsigned short *x, unsigned short *y)
{
    y[threadIdx.x] = x[threadIdx.x] + 1; // FAULT
}
