/* A running total in shared memory whose first value is what was there.

   block  1
   in     x = ones(8, i4)
   out    y = empty(1, i4)
   call   f(x, y)
   expect y = 8
   report init read: space == "shared" and variable == "total"
*/
extern "C" __global__ void f(const int *x, int *y)
{
    __shared__ int total;
#ifdef RIGHT
    total = 0;
#endif
    for (int k = 0; k < 8; k++)
        *(volatile int *)&total += x[k]; // FAULT
    *y = *(volatile int *)&total;
}
