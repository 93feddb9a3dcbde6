/* Floats in fours, where their number is no multiple of four.

   block  8
   let    grid = 1
   let    n = 32 if right else 30
   in     x = ones(n, f4)
   out    y = empty(8, f4)
   call   f(x, y)
   expect y = 4
   report memory read: thread == (7, 0, 0) and variable == "x" and 112 <= offset < 128 and size == 120
*/
extern "C" __global__ void f(const float *x, float *y)
{
    float4 v = reinterpret_cast<const float4 *>(x)[threadIdx.x]; // FAULT
    y[threadIdx.x] = v.x + v.y + v.z + v.w;
}
