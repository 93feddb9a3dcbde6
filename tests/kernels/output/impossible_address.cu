/* An address that no memory can have, of which processors do not say what it was, ends the launch all the same.

   block  32
   host
   in     x = zeros(1)
   out    y = empty(32)
   call   f(x, y)
   fails  illegal memory access
   fails  , kernel\.cu:13: invalid access, misaligned or at an address that no memory can have
*/
extern "C" __global__ void f(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x + (1ull << 60)];
}
