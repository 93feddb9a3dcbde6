/* A function of the C library gives its second result to where no memory is.

   block  32
   in     x = arange(32, dtype=f4) + 1
   inout  y = zeros(32, i4)
   call   f(x, y, 0 if right else 1)
   expect y = around((arange(32) + 1) / 8).astype(i4)
   report memory write: bytes == 4 and offset == 128 and thread == (31, 0, 0)
*/
extern "C" __global__ void f(const float *x, int *y, int shift)
{
    remquof(x[threadIdx.x], 8, y + threadIdx.x + shift); // FAULT
}
