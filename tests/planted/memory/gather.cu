/* One bad number in an array of indices.

   block  64
   in     x = arange(64, dtype=f4)
   in     at = where(arange(64) == 40, 0 if right else -3, 63 - arange(64)).astype(i4)
   out    y = empty(64, f4)
   call   f(x, at, y)
   expect y = at
   report memory read: thread == (40, 0, 0) and variable == "x" and offset == -12
*/
extern "C" __global__ void f(const float *x, const int *at, float *y)
{
    int i = threadIdx.x;
    y[i] = x[at[i]]; // FAULT
}
