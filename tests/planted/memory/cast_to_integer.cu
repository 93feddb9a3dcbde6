/* A pointer that is an integer for a while.

   block  16
   let    n = 16
   out    x = empty(n, u2)
   call   f(x)
   expect x = arange(n)
   report memory write: thread == (15, 0, 0) and bytes == 2 and offset == 32 and size == 32
*/
extern "C" __global__ void f(unsigned short *x)
{
    unsigned long long at = (unsigned long long)x;
#ifdef RIGHT
    at += 2 * threadIdx.x;
#else
    at += 2 * threadIdx.x + 2;
#endif
    *(unsigned short *)at = threadIdx.x; // FAULT
}
