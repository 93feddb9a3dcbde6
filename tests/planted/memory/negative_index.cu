/* The left neighbour of the first element.

   block  32
   let    n = 32
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   call   f(x, y)
   expect y = concatenate([x[:1], diff(x)])
   report memory read: thread == (0, 0, 0) and variable == "x" and offset == -4
*/
extern "C" __global__ void f(const int *x, int *y)
{
    int i = threadIdx.x;
#ifdef RIGHT
    y[i] = i > 0 ? x[i] - x[i - 1] : x[i];
#else
    int before = x[i - 1]; // FAULT
    y[i] = x[i] - before;
#endif
}
