/* One byte of a text is left out.

   block  64
   let    n = 64
   out    x = empty(n, u1)
   out    y = empty(n, u1)
   do     cuda.memset_d8(int(x), 65, 33)
   do     cuda.memset_d8(int(x) + (33 if right else 34), 65, 30)
   do     cuda.memset_d8(int(x) + 60, 65, 4)
   call   f(x, y)
   expect y = 66
   report init read: thread == (33, 0, 0) and variable == "x" and bytes == 1 and offset == 33
*/
extern "C" __global__ void f(const unsigned char *x, unsigned char *y)
{
    y[threadIdx.x] = x[threadIdx.x] + 1; // FAULT
}
