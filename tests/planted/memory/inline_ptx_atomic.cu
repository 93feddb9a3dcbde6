/* An atomic instruction of inline PTX behind the end.

   block  32
   inout  y = zeros(32, u4)
   call   f(y, 0 if right else 1)
   expect y = 7
   report memory atomic: bytes == 4 and offset == 128 and thread == (31, 0, 0)
*/
extern "C" __global__ void f(unsigned *y, int shift)
{
    unsigned old;
    unsigned *to = y + threadIdx.x + shift;
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(to), "r"(7) : "memory"); // FAULT
}
