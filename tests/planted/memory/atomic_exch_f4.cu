/* atomicExch of float behind the end, in divergent code.

   block  32
   inout  y = zeros(16, f4)
   call   f(y, 0 if right else 1)
   expect y = 2
   report memory atomic: bytes == 4 and offset == 64 and thread == (31, 0, 0)
*/
extern "C" __global__ void f(float *y, int shift)
{
    if (threadIdx.x & 1)
        atomicExch(y + threadIdx.x / 2 + shift, 2.0f); // FAULT
}
