/* Blocks wait until one more has come than there are.

   block  32
   let    grid = 2
   inout  come = zeros(1, i4)
   inout  y = zeros(2, i4)
   call   f(come, y, 2 if right else 3)
   expect y = 1
   report sync
*/
extern "C" __global__ void f(int *come, int *y, int wanted)
{
    if (threadIdx.x == 0) {
        atomicAdd(come, 1);
        while (atomicAdd(come, 0) < wanted) // FAULT
            ;
        y[blockIdx.x] = 1;
    }
}
