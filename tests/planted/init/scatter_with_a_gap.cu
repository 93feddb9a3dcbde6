/* A permutation that is none: one place is written twice, one never.

   block  32
   in     at = where(arange(32) == 9, 9 if right else 10, arange(32)).astype(i4)
   out    x = empty(32, i4)
   out    y = empty(32, i4)
   call   scatter(at, x)
   call   f(x, y)
   expect y = 5
   report init read: thread == (9, 0, 0) and variable == "x" and kernel == "f" and offset == 36
*/
extern "C" __global__ void scatter(const int *at, int *x)
{
    x[at[threadIdx.x]] = 5;
}

extern "C" __global__ void f(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // FAULT
}
