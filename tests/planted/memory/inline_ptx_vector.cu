/* A vector load of inline PTX, half of it behind the end.

   block  8
   in     x = arange(32, dtype=f4)
   out    y = empty(8, f4)
   call   f(x, y, 0 if right else 2)
   expect y = 16 * arange(8) + 6
   report memory read: offset + bytes > 128 and thread == (7, 0, 0)
*/
extern "C" __global__ void f(const float *x, float *y, int shift)
{
    float a, b, c, d;
    const float *from = x + 4 * threadIdx.x + shift;
    asm("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(from)); // FAULT
    y[threadIdx.x] = a + b + c + d;
}
