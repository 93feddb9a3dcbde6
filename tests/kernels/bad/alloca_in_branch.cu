/* The same where not all threads come to it: stack memory of a size that is not known when compiled.

   error  * f.*size not known at compile time|identifier "__builtin
*/
extern "C" __global__ void f(int *y, int n)
{
    if (n == threadIdx.x)
        return;
    int *a = (int *)__builtin_alloca(4 * n);
    for (int k = 0; k < n; k++)
        a[k] = k;
    y[threadIdx.x] = a[threadIdx.x];
}
