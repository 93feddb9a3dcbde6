/* An atomic counter behind the last one.

   block  32
   inout  count = zeros(8, i4)
   in     x = where(arange(32) == 9, 7 if right else 8, arange(32) % 8).astype(i4)
   call   f(x, count)
   expect count.sum() = 32
   report memory atomic: thread == (9, 0, 0) and bytes == 4 and variable == "count" and offset == 32
*/
extern "C" __global__ void f(const int *x, int *count)
{
    atomicAdd(&count[x[threadIdx.x]], 1); // FAULT
}
