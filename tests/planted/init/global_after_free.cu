/* Memory that is freed and allocated again is as good as new, whatever it holds.

   block  64
   inout  a = ones(64, i4)
   out    y = empty(64, i4)
   do     free(a)
   do     b = cuda.mem_alloc(256)
   do     cuda.memset_d32(b, 1, 64) if right else None
   call   f(b, y)
   expect y = 1
   report init read: bytes == 4 and variable == "x"
*/
extern "C" __global__ void f(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // FAULT
}
