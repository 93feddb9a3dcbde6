/* atomicInc of unsigned behind the end, in divergent code.

   block  32
   inout  y = zeros(16, u4)
   call   f(y, 0 if right else 1)
   expect y = 1
   report memory atomic: bytes == 4 and offset == 64 and thread == (31, 0, 0)
*/
extern "C" __global__ void f(unsigned *y, int shift)
{
    if (threadIdx.x & 1)
        atomicInc(y + threadIdx.x / 2 + shift, 100u); // FAULT
}
