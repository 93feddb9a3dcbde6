/* One case of a switch reads the wrong side of the array.

   block  32
   in     x = ones(32, f4)
   out    y = empty(32, f4)
   call   f(x, y)
   expect y[0] = 1
   report memory read: thread == (0, 0, 0) and variable == "x" and offset == -4
*/
extern "C" __global__ void f(const float *x, float *y)
{
    int i = threadIdx.x;
    switch (i % 4) {
    case 0:
#ifdef RIGHT
        y[i] = x[i];
#else
        y[i] = x[i - 1]; // FAULT
#endif
        break;
    case 1:
        y[i] = 2 * x[i];
        break;
    default:
        y[i] = 0;
    }
}
