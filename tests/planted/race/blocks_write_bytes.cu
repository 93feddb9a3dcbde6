/* Blocks that write bytes, one of which belongs to two of them.

   block  1
   let    grid = 8
   out    y = empty(80, u1)
   call   f(y)
   expect y[::10] = arange(8)
   report race: space == "global" and variable == "y" and bytes == 1 and {block[0], other_block[0]} == {3, 6}
*/
extern "C" __global__ void f(unsigned char *y)
{
    int b = blockIdx.x;
    for (int k = 0; k < 10; k++)
#ifdef RIGHT
        y[10 * b + k] = b;
#else
        y[b == 3 && k == 9 ? 61 : 10 * b + k] = b; // FAULT
#endif
}
