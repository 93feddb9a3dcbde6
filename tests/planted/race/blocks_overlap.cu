/* Pieces of an array, each with its right end in it: the next block writes there, too.

   block  1
   let    grid = 8
   let    m = 16
   out    y = empty(8 * m + 1, i4)
   call   f(y, m)
   expect y[:8 * m] = repeat(arange(8), m)
   report race: space == "global" and variable == "y" and severity == "error" and abs(block[0] - other_block[0]) == 1
*/
extern "C" __global__ void f(int *y, int m)
{
    int end = (blockIdx.x + 1) * m;
#ifndef RIGHT
    end++;
#endif
    for (int i = blockIdx.x * m; i < end; i++)
        y[i] = blockIdx.x; // FAULT
}
