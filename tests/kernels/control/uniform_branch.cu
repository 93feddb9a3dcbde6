/* Branches that all threads take the same way: on an argument, on the block number, on memory.

   let    n = 2000
   vary   mode = 0, 1, 2, 7
   in     x = ints(-99, 99, n)
   in     setting = array([mode * 3])
   out    y = empty(n, i4)
   let    odd = arange(n) // threads % 2
   call   uniform(x, setting, y, mode, n)
   expect y = select([mode == 0, mode == 1, mode == 2], [x, -x, x * x], 0) + where(odd, 1000, 0) + (setting[0] > 3) * 5
*/
extern "C" __global__ void uniform(const int *x, const long long *setting, int *y, int mode, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int extra = 0;
    if (blockIdx.x & 1)
        extra = 1000;
    if (*setting > 3)
        extra += 5;
    if (i >= n)
        return;
    switch (mode) {
    case 0:
        y[i] = x[i];
        break;
    case 1:
        y[i] = -x[i];
        break;
    case 2:
        y[i] = x[i] * x[i];
        break;
    default:
        y[i] = 0;
    }
    y[i] += extra;
}
