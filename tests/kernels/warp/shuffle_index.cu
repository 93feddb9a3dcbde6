/* Shuffles from a constant lane, from a lane that each thread chooses, and from lanes out of range,
   which wrap.

   block  32 64 256 1024
   let    n = threads
   in     x = ints(-999, 999, n)
   in     k = ints(-64, 64, n)
   out    y = empty((n, 3), i4)
   let    grid = 1
   let    i = arange(n)
   let    w = i // 32 * 32
   call   shuffle(x, k, y)
   expect y = stack([x[w + 5], x[w + k % 32], x[w + (i * 7 + 3) % 32] - x], 1)
*/
extern "C" __global__ void shuffle(const int *x, const int *k, int *y)
{
    int t = threadIdx.x, v = x[t];
    y[3 * t] = __shfl_sync(0xffffffff, v, 5);
    y[3 * t + 1] = __shfl_sync(0xffffffff, v, k[t]);
    y[3 * t + 2] = __shfl_sync(0xffffffff, v, t * 7 + 3) - v;
}
