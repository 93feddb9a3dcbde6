/* __any_sync and __all_sync of warps and half-warps; a loop that a whole warp leaves together.

   block  32 64 256 1024
   let    n = threads
   in     x = ints(0, 200, n)
   out    y = empty((n, 4), i4)
   let    grid = 1
   let    w = x.reshape(-1, 32)
   let    h = x.reshape(-1, 16)
   call   votes(x, y)
   expect y = stack([repeat((w == 7).any(1), 32), repeat((w < 190).all(1), 32), repeat((h > 20).all(1), 16), repeat(w.max(1) // 3 + 1, 32)], 1)
*/
extern "C" __global__ void votes(const int *x, int *y)
{
    int t = threadIdx.x, v = x[t], rounds = 0;
    y[4 * t] = __any_sync(0xffffffff, v == 7) != 0;
    y[4 * t + 1] = __all_sync(0xffffffff, v < 190) != 0;
    y[4 * t + 2] = __all_sync(t % 32 < 16 ? 0xffff : 0xffff0000, v > 20) != 0;
    while (__any_sync(0xffffffff, v >= 0)) {
        v -= 3;
        rounds++;
    }
    y[4 * t + 3] = rounds;
}
