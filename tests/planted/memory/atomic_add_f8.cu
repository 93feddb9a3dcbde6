/* atomicAdd of double behind the end, in divergent code.

   block  32
   inout  y = zeros(16, f8)
   call   f(y, 0 if right else 1)
   expect y = 3
   report memory atomic: bytes == 8 and offset == 128 and thread == (31, 0, 0)
*/
extern "C" __global__ void f(double *y, int shift)
{
    if (threadIdx.x & 1)
        atomicAdd(y + threadIdx.x / 2 + shift, 3.0); // FAULT
}
