/* A product of indices that has no room in 32 bits becomes negative.

   block  32
   let    n = 32
   inout  x = zeros(n, u1)
   let    row = 0 if right else 40000
   call   f(x, row)
   expect x[:1] = 7
   report memory write: thread == (0, 0, 0) and bytes == 1 and variable == "x" and offset == 40000 * 65537 - 2**32
*/
extern "C" __global__ void f(unsigned char *x, unsigned row)
{
    int at = (int)(row * 65537u);
    if (threadIdx.x == 0)
        x[at] = 7; // FAULT
}
