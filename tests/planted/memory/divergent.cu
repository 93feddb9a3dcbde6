/* A write in a branch that few threads take.

   block  96
   let    grid = 1
   let    n = 100
   inout  y = zeros(n, i4)
   call   f(y)
   expect y[::3][:32] = arange(32) * 3
   report memory write: thread == (51, 0, 0) and variable == "y" and offset == 4 * 102
*/
extern "C" __global__ void f(int *y)
{
    int i = threadIdx.x;
    if (i % 3 == 0) {
#ifdef RIGHT
        y[i] = i;
#else
        y[i == 51 ? 102 : i] = i; // FAULT
#endif
    }
}
