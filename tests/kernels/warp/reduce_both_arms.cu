/* The integer reductions in both arms of a branch, each with the full mask: the two meet.

   block  32 64 256
   let    n = threads
   in     x = ints(-2**31, 2**31 - 1, n)
   out    y = empty((n, 8), u4)
   let    grid = 1
   let    w = repeat(where(arange(n) % 3 == 0, x, ~x).reshape(-1, 32), 32, 0)
   let    u = w.view(u4)
   call   reduce(x, y)
   expect y = stack([u.sum(1, dtype=u4), u.min(1), u.max(1), w.min(1).view(u4), w.max(1).view(u4), bitwise_and.reduce(u | u4(0x00ffff00), 1), bitwise_or.reduce(u & u4(0xff), 1), bitwise_xor.reduce(u, 1)], 1)
*/
__device__ __forceinline__ void reductions(unsigned *p, int v)
{
    const unsigned all = 0xffffffff, u = v;
    p[0] = __reduce_add_sync(all, u);
    p[1] = __reduce_min_sync(all, u);
    p[2] = __reduce_max_sync(all, u);
    p[3] = __reduce_min_sync(all, v);
    p[4] = __reduce_max_sync(all, v);
    p[5] = __reduce_and_sync(all, u | 0x00ffff00);
    p[6] = __reduce_or_sync(all, u & 0xff);
    p[7] = __reduce_xor_sync(all, u);
}

extern "C" __global__ void reduce(const int *x, unsigned *y)
{
    int t = threadIdx.x;
    if (t % 3 == 0)
        reductions(y + 8 * t, x[t]);
    else
        reductions(y + 8 * t, ~x[t]);
}
