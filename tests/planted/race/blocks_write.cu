/* All blocks write their own number to one place.

   block  32
   let    grid = 4
   inout  y = zeros(4, i4)
   call   f(y)
   expect y = arange(4)
   report race: severity == "error" and space == "global" and variable == "y" and block != other_block
*/
extern "C" __global__ void f(int *y)
{
    if (threadIdx.x == 0)
#ifdef RIGHT
        y[blockIdx.x] = blockIdx.x;
#else
        y[0] = blockIdx.x; // FAULT
#endif
}
