/* A memset of one element too few.

   block  100
   let    n = 100
   out    x = empty(n, i4)
   out    y = empty(n, i4)
   do     cuda.memset_d32(int(x), 5, n if right else n - 1)
   call   f(x, y)
   expect y = 5
   report init read: thread == (99, 0, 0) and variable == "x" and offset == 396
*/
extern "C" __global__ void f(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // FAULT
}
