/* atomicMax of 64 bits behind the end.

   block  4
   inout  most = zeros(4, u8)
   call   f(most)
   expect most = arange(4)
   report memory atomic: thread == (3, 0, 0) and bytes == 8 and variable == "most" and offset == 32
*/
extern "C" __global__ void f(unsigned long long *most)
{
    int t = threadIdx.x;
#ifdef RIGHT
    atomicMax(&most[t], (unsigned long long)t);
#else
    atomicMax(&most[t + 1], (unsigned long long)t); // FAULT
#endif
}
