/* A read three branches deep, wrong for one thread.

   block  64
   in     x = arange(64, dtype=i4)
   out    y = empty(64, i4)
   call   f(x, y)
   expect y[63] = 0
   report memory read: thread == (63, 0, 0) and variable == "x" and offset == 256
*/
extern "C" __global__ void f(const int *x, int *y)
{
    int i = threadIdx.x, v = 0;
    if (x[i] > 10) {
        if (x[i] % 2) {
            v = x[i] / 2;
        } else if (i > 5) {
            v = 1;
        }
        if (x[i] % 7 == 0) {
#ifdef RIGHT
            v = x[(i + 1) % 64];
#else
            v = x[i + 1]; // FAULT
#endif
        }
    }
    y[i] = v;
}
