/* atomicMax of long long behind the end, in divergent code.

   block  32
   inout  y = zeros(16, i8)
   call   f(y, 0 if right else 1)
   expect y = 9
   report memory atomic: bytes == 8 and offset == 128 and thread == (31, 0, 0)
*/
extern "C" __global__ void f(long long *y, int shift)
{
    if (threadIdx.x & 1)
        atomicMax(y + threadIdx.x / 2 + shift, 9ll); // FAULT
}
