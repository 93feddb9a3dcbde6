/* An atomic of 64 bits half way between two of them.

   block  1
   inout  x = zeros(4, u4)
   call   f(x)
   expect x = [1, 0, 0, 0]
   report memory atomic: bytes == 8 and variable == "x" and offset == 4
*/
extern "C" __global__ void f(unsigned *x)
{
#ifdef RIGHT
    atomicAdd((unsigned long long *)x, 1ull);
#else
    atomicAdd((unsigned long long *)(x + 1), 1ull); // FAULT
#endif
}
