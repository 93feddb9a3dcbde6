/* The integer reductions of a warp (compute capability 8.0): all operations, partial masks; and in both arms of a branch,
   each with the full mask, where the two meet.

   block  32 64 256
   let    n = threads
   in     x = ints(-2**31, 2**31 - 1, n)
   out    y = empty((n, 8), u4)
   out    z = empty((n, 8), u4)
   let    grid = 1
   let    odd = (arange(n) % 2)[:, None] == arange(32) % 2
   def    warps(v): return repeat(v.reshape(-1, 32), 32, 0)
   def    all_of(w, u, some): return stack([u.sum(1, dtype=u4), u.min(1), u.max(1), w.min(1).view(u4), w.max(1).view(u4), bitwise_and.reduce(u | u4(0x00ffff00), 1), bitwise_or.reduce(where(some, u & u4(0xff), 0), 1), bitwise_xor.reduce(u, 1)], 1)
   let    w = warps(x)
   let    v = warps(where(arange(n) % 3 == 0, x, ~x))
   call   reduce(x, y)
   call   reduce_in_arms(x, z)
   expect y = all_of(w, w.view(u4), odd)
   expect z = all_of(v, v.view(u4), True)
*/
__device__ __forceinline__ void reductions(unsigned *p, int v, unsigned some)
{
    const unsigned all = 0xffffffff, u = v;
    p[0] = __reduce_add_sync(all, u);
    p[1] = __reduce_min_sync(all, u);
    p[2] = __reduce_max_sync(all, u);
    p[3] = __reduce_min_sync(all, v);
    p[4] = __reduce_max_sync(all, v);
    p[5] = __reduce_and_sync(all, u | 0x00ffff00);
    p[6] = __reduce_or_sync(some, u & 0xff);
    p[7] = __reduce_xor_sync(all, u);
}

extern "C" __global__ void reduce(const int *x, unsigned *y)
{
    int t = threadIdx.x;
    reductions(y + 8 * t, x[t], 0x55555555u << t % 2);
}

extern "C" __global__ void reduce_in_arms(const int *x, unsigned *z)
{
    int t = threadIdx.x;
    if (t % 3 == 0)
        reductions(z + 8 * t, x[t], 0xffffffff);
    else
        reductions(z + 8 * t, ~x[t], 0xffffffff);
}
