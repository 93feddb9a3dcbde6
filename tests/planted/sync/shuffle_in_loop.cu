/* A shuffle in a loop that some lanes leave a turn before the others, for another warp function.

   block  32
   let    grid = 1
   let    n = 96 if right else 80
   in     x = ones(96, i4)
   out    y = empty(32, i4)
   call   f(x, y, n)
   expect y = 3
   report sync
*/
extern "C" __global__ void f(const int *x, int *y, int n)
{
    int t = threadIdx.x, sum = 0;
    for (int i = t; i < n; i += 32)
        sum += __shfl_xor_sync(0xffffffff, x[i], 1); // FAULT
    y[t] = sum;
    if (__all_sync(0xffffffff, sum == 0)) // FAULT
        y[t] = -1;
}
