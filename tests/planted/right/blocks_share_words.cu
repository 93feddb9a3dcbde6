/* Blocks write neighbouring bytes and halves of words in global memory.

   block  1
   let    grid = 63
   out    a = empty(63, u1)
   out    b = empty(63, u2)
   call   f(a, b)
   expect a = arange(63)
   expect b = 1000 * arange(63)
*/
extern "C" __global__ void f(unsigned char *a, unsigned short *b)
{
    a[blockIdx.x] = blockIdx.x;
    b[blockIdx.x] = 1000 * blockIdx.x;
}
