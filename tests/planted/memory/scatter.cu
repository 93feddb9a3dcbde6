/* One bad number in an array of places.

   block  64
   in     at = where(arange(64) == 33, 33 if right else 100000, arange(64)).astype(i4)
   out    y = empty(64, u8)
   call   f(at, y)
   expect y = arange(64)
   report memory write: thread == (33, 0, 0) and bytes == 8 and variable == "y" and offset == 800000
*/
extern "C" __global__ void f(const int *at, unsigned long long *y)
{
    int i = threadIdx.x;
    y[at[i]] = i; // FAULT
}
