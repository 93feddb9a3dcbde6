/* A vector of four floats at an address that is no multiple of 16.

   block  4
   let    grid = 1
   let    n = 20
   in     x = floats(n)
   out    y = empty(16, f4)
   call   f(x, y)
   expect y = x[:16]
   report memory read: bytes == 16 and variable == "x" and offset % 16 == 4
*/
extern "C" __global__ void f(const float *x, float4 *y)
{
#ifdef RIGHT
    y[threadIdx.x] = ((const float4 *)x)[threadIdx.x];
#else
    y[threadIdx.x] = ((const float4 *)(x + 1))[threadIdx.x]; // FAULT
#endif
}
