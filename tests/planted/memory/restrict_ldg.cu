/* A load by __ldg behind the end.

   block  32
   in     x = ones(32 if right else 30, f4)
   out    y = empty(32, f4)
   call   f(x, y)
   expect y = 1
   report memory read: variable == "x" and thread[0] in (30, 31)
*/
extern "C" __global__ void f(const float *__restrict__ x, float *__restrict__ y)
{
    y[threadIdx.x] = __ldg(&x[threadIdx.x]); // FAULT
}
