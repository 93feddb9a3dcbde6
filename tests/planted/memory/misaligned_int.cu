/* An int at each byte of a text.

   block  8
   inout  x = zeros(64, u1)
   out    y = empty(8, i4)
   call   f(x, y)
   expect y = 0
   report memory read: thread[0] % 4 and bytes == 4 and variable == "x" and offset == thread[0]
*/
extern "C" __global__ void f(const char *x, int *y)
{
#ifdef RIGHT
    int at = 4 * threadIdx.x;
#else
    int at = threadIdx.x;
#endif
    y[threadIdx.x] = *(const int *)(x + at); // FAULT
}
