/* A loop that fills from 1 on.

   block  1
   let    grid = 1
   let    n = 10
   out    x = empty(n, f8)
   out    y = empty(1, f8)
   call   fill(x, n)
   call   sum(x, y, n)
   expect y = 10
   report init read: variable == "x" and kernel == "sum" and bytes == 8 and offset == 0
*/
extern "C" __global__ void fill(double *x, int n)
{
#ifdef RIGHT
    for (int k = 0; k < n; k++)
#else
    for (int k = 1; k < n; k++)
#endif
        x[k] = 1;
}

extern "C" __global__ void sum(const double *x, double *y, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k]; // FAULT
    *y = sum;
}
