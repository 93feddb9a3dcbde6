/* All four shuffles in sub-warps of 4, 8 and 16 lanes; who would read past the edge keeps its own.

   block  32 64 128
   let    n = threads
   in     x = ints(-999, 999, n)
   out    y = empty((n, 6), i4)
   let    grid = 1
   let    i = arange(n)
   def    index(k, w): return x[i // w * w + k % w]
   def    up(d, w): return where(i % w >= d, x[maximum(i - d, 0)], x)
   def    down(d, w): return where(i % w + d < w, x[minimum(i + d, n - 1)], x)
   call   widths(x, y)
   expect y = stack([index(6, 4), index(i * 3, 8), up(3, 8), down(5, 16), down(2, 4), x[i ^ 3] + x[i ^ 8]], 1)
*/
extern "C" __global__ void widths(const int *x, int *y)
{
    const unsigned all = 0xffffffff;
    int t = threadIdx.x, v = x[t], *p = y + 6 * t;
    p[0] = __shfl_sync(all, v, 6, 4);
    p[1] = __shfl_sync(all, v, t * 3, 8);
    p[2] = __shfl_up_sync(all, v, 3, 8);
    p[3] = __shfl_down_sync(all, v, 5, 16);
    p[4] = __shfl_down_sync(all, v, 2, 4);
    p[5] = __shfl_xor_sync(all, v, 3, 4) + __shfl_xor_sync(all, v, 8, 16);
}
