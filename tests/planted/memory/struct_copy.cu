/* A struct of three floats, assigned to one place too many.

   block  11
   let    n = 10
   out    y = empty((n, 3), f4)
   call   f(y)
   expect y[9] = [9, 10, 11]
   report memory write: thread == (10, 0, 0) and variable == "y" and 120 <= offset < 132
*/
struct point {
    float x, y, z;
};

extern "C" __global__ void f(point *y)
{
    int t = threadIdx.x;
    point p = {t + 0.f, t + 1.f, t + 2.f};
#ifdef RIGHT
    if (t < 10)
#endif
        y[t] = p; // FAULT
}
