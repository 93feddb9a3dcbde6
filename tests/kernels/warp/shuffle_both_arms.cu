/* A shuffle in both arms of a branch, each with the full mask: legal since Volta, the two meet.

   block  32 64 256
   let    n = threads
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   let    grid = 1
   let    i = arange(n)
   let    shown = where(i % 2 == 1, x * 2, x + 1000)
   call   arms(x, y)
   expect y = x + where(i % 2 == 1, shown[i // 32 * 32], shown[i ^ 1])
*/
extern "C" __global__ void arms(const int *x, int *y)
{
    int t = threadIdx.x, v = x[t];
    if (t % 2)
        v += __shfl_sync(0xffffffff, v * 2, 0);
    else
        v += __shfl_sync(0xffffffff, v + 1000, (t ^ 1) % 32);
    y[t] = v;
}
