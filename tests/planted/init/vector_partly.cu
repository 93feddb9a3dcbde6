/* Three floats of four are written, and the vector is read.

   block  16
   out    x = empty((16, 4), f4)
   out    y = empty(16, f4)
   call   fill(x)
   call   f(x, y)
   expect y = 4
   report init read: variable == "x" and offset % 16 in (0, 12)
*/
extern "C" __global__ void fill(float *x)
{
    int t = threadIdx.x;
    x[4 * t] = 1;
    x[4 * t + 1] = 1;
    x[4 * t + 2] = 1;
#ifdef RIGHT
    x[4 * t + 3] = 1;
#endif
}

extern "C" __global__ void f(const float4 *x, float *y)
{
    float4 v = x[threadIdx.x]; // FAULT
    y[threadIdx.x] = v.x + v.y + v.z + v.w;
}
