/* The end mark of a text, one byte past its room.

   block  16
   out    y = empty(16, u1)
   call   f(y)
   expect y[:15] = 97
   report memory write: bytes == 1 and offset == 16 and thread == (0, 0, 0) and variable == "y" and size == 16
*/
extern "C" __global__ void f(char *y)
{
    y[threadIdx.x] = 'a';
    __syncthreads();
    if (threadIdx.x == 0)
#ifdef RIGHT
        y[15] = 0;
#else
        y[16] = 0; // FAULT
#endif
}
