/* A store of inline PTX behind the end.

   block  32
   out    y = empty(32, i4)
   call   f(y)
   expect y = arange(32)
   report memory write: bytes == 4 and offset == 128 and thread == (31, 0, 0)
*/
extern "C" __global__ void f(int *y)
{
#ifdef RIGHT
    int *to = y + threadIdx.x;
#else
    int *to = y + threadIdx.x + 1;
#endif
    asm volatile("st.global.s32 [%0], %1;" ::"l"(to), "r"(threadIdx.x) : "memory"); // FAULT
}
