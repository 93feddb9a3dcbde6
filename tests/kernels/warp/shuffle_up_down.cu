/* Up and down by amounts that differ per thread, to 31 and beyond.

   block  32 64 256
   let    n = threads
   in     x = ints(-999, 999, n)
   out    y = empty((n, 4), i4)
   let    grid = 1
   let    l = arange(n) % 32
   let    i = arange(n)
   call   move(x, y)
   expect y[:, 0] = where(l >= 1, x[i - 1], x)
   expect y[:, 1] = where(l == 0, x[(i + 31) % n], x)
   expect y[:, 2] = x[i - l % 5]
   expect y[:, 3] = x[where(l + l % 7 < 32, (i + l % 7) % n, i)]
*/
extern "C" __global__ void move(const int *x, int *y)
{
    int t = threadIdx.x, l = t % 32, v = x[t];
    y[4 * t] = __shfl_up_sync(0xffffffff, v, 1);
    y[4 * t + 1] = __shfl_down_sync(0xffffffff, v, 31);
    y[4 * t + 2] = __shfl_sync(0xffffffff, v, l - l % 5);
    y[4 * t + 3] = __shfl_down_sync(0xffffffff, v, l % 7);
}
