/* A loop with one turn too many.

   block  1
   let    grid = 1
   let    n = 50
   out    y = empty(n, f4)
   call   f(y, n)
   expect y = arange(n)
   report memory write: variable == "y" and offset == 200
*/
extern "C" __global__ void f(float *y, int n)
{
#ifdef RIGHT
    for (int k = 0; k < n; k++)
#else
    for (int k = 0; k <= n; k++)
#endif
        y[k] = k; // FAULT
}
