/* Pointers one past the end, and further: they are made, compared and never followed.

   block  32
   let    n = 32
   in     x = ones(n, i4)
   out    y = empty(n, i4)
   call   f(x, y, n)
   expect y = 32
*/
extern "C" __global__ void f(const int *x, int *y, int n)
{
    int sum = 0;
    for (const int *p = x, *end = x + n; p < end; p++)
        sum += *p;
    const int *before = x - 1;
    for (int k = 1; k <= 1; k++)
        sum += before[k] - x[0];
    y[threadIdx.x] = sum;
}
