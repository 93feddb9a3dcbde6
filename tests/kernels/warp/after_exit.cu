/* Votes and shuffles among the lanes that are left after others have returned.

   block  32 64 256
   let    n = threads
   in     x = ints(0, 9, n)
   inout  y = full((n, 2), -1, i4)
   let    grid = 1
   let    live = (x > 3).reshape(-1, 32)
   let    w = x.reshape(-1, 32)
   let    total = repeat(where(live, w, 0).sum(1), 32)
   let    first = w[arange(len(w)), live.argmax(1)]
   call   rest(x, y)
   expect y = where((x > 3)[:, None], stack([total, repeat(first, 32)], 1), -1)
*/
extern "C" __global__ void rest(const int *x, int *y)
{
    int t = threadIdx.x, v = x[t];
    unsigned mask = __ballot_sync(0xffffffff, v > 3);
    if (v <= 3)
        return;
    int total = 0;
    for (unsigned m = mask; m; m &= m - 1)
        total += __shfl_sync(mask, v, __ffs(m) - 1);
    y[2 * t] = total;
    y[2 * t + 1] = __shfl_sync(mask, v, __ffs(mask) - 1);
}
