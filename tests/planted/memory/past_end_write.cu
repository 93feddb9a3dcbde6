/* One element past the end, by the last thread.

   block  32
   let    n = 31
   out    y = empty(n, i4)
   call   f(y, n)
   expect y = arange(n)
   report memory write: thread == (31, 0, 0) and bytes == 4 and variable == "y" and offset == 4 * n and size == 4 * n
*/
extern "C" __global__ void f(int *y, int n)
{
    int i = threadIdx.x;
#ifdef RIGHT
    if (i < n)
#endif
        y[i] = i; // FAULT
}
