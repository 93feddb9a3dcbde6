/* The last block to come sums up, and sets the counter back by a plain write for the next launch.

   block  32
   let    grid = 9
   in     x = ints(-9, 9, 32 * grid)
   inout  part = zeros(grid, i4)
   inout  count = zeros(1, u4)
   out    y = empty(1, i4)
   call   f(x, part, count, y)
   call   f(x, part, count, y)
   expect y = x.sum()
   expect count = 0
*/
extern "C" __global__ void f(const int *x, volatile int *part, unsigned *count, int *y)
{
    int sum = 0;
    if (threadIdx.x != 0)
        return;
    for (int k = 0; k < blockDim.x; k++)
        sum += x[blockIdx.x * blockDim.x + k];
    part[blockIdx.x] = sum;
    __threadfence();
    if (atomicInc(count, gridDim.x) == gridDim.x - 1) {
        sum = 0;
        for (int k = 0; k < gridDim.x; k++)
            sum += part[k];
        *y = sum;
        *count = 0;
    }
}
