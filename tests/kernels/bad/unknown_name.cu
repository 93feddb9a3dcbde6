/* A name that nobody declared.

   error  8 (use of undeclared )?identifier ["']m["'](| is undefined)
*/
extern "C" __global__ void f(int *y, int n)
{
    int i = threadIdx.x;
    if (i < m)
        y[i] = 0;
}
