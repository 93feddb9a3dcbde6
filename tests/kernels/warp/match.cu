/* __match_any_sync and __match_all_sync on 32- and 64-bit values, full and partial masks.

   block  32 64 256
   let    n = threads
   in     x = where(arange(n) // 32 % 2 == 1, 3, ints(0, 4, n)).astype(i4)
   out    y = empty((n, 4), u4)
   let    grid = 1
   def    same(v, k): return sum([(1 << j) for j in range(32) if v[k // 32 * 32 + j] == v[k]])
   let    wide = x.astype(i8) % 3 * 2**40 + x % 2
   def    every(k): return len(set(x[k // 32 * 32:k // 32 * 32 + 32].tolist())) == 1
   call   match(x, y)
   expect y = stack([[same(x, k) for k in range(n)], [same(wide, k) for k in range(n)], [0xffffffff if every(k) else 0 for k in range(n)], [same(x, k) & (0x55555555 << k % 2) for k in range(n)]], 1)
*/
extern "C" __global__ void match(const int *x, unsigned *y)
{
    int t = threadIdx.x, v = x[t], all;
    y[4 * t] = __match_any_sync(0xffffffff, v);
    long long wide = ((long long)(v % 3) << 40) + v % 2;
    y[4 * t + 1] = __match_any_sync(0xffffffff, wide);
    unsigned m = __match_all_sync(0xffffffff, v, &all);
    y[4 * t + 2] = all ? m : m * 100;
    y[4 * t + 3] = __match_any_sync(0x55555555u << t % 2, v);
}
