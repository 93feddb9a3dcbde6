/* Branches whose lanes meet only at the kernel's end, as each holds a warp function: one after the other, one that
   leaves a loop, one that returns, and a loop of different lengths behind them.

   block  1 31 32 40
   let    grid = 2
   let    n = 2 * threads
   in     x = ints(0, 63, n, i4)
   out    y = empty(n, i4)
   def    together(v, who, f):
          out = v.copy()
          for start in range(0, n, threads):
              for warp in range(start, start + threads, 32):
                  lanes = [k for k in range(warp, min(warp + 32, start + threads)) if who[k]]
                  for k in lanes:
                      out[k] = f(v, lanes, k)
          return out
   def    sum_in(v, lanes, k): return v[k] + sum(v[lanes])
   def    count_in(v, lanes, k): return v[k] + 100 * len(lanes)
   let    a = together(x, (x & 1) > 0, sum_in)
   let    left = minimum(a % 5, 3)
   let    b = together(a + left, left == 3, count_in)
   let    gone = b % 11 == 0
   let    c = together(b, ~gone & (b % 3 == 0), sum_in)
   call   f(x, y)
   expect y = where(gone, -b, c + where(gone, 0, c % 7) * 3)
*/
extern "C" __global__ void f(const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
    int here = blockDim.x - (threadIdx.x & ~31);
    unsigned all = here >= 32 ? ~0u : (1u << here) - 1, lanes = __ballot_sync(all, v & 1);
    if (v & 1)
        v += __reduce_add_sync(lanes, v);
    int most = v % 5, k = 0;
    lanes = __ballot_sync(all, most >= 3);
    for (; k < most; k++) {
        v++;
        if (k == 2) {
            v += 100 * __popc(__ballot_sync(lanes, 1));
            break;
        }
    }
    unsigned gone = __ballot_sync(all, v % 11 == 0);
    if (v % 11 == 0) {
        y[i] = -v;
        return;
    }
    unsigned rest = __match_any_sync(all & ~gone, v % 3 == 0);
    if (v % 3 == 0)
        v += __reduce_add_sync(rest, v);
    for (int turns = v % 7; turns > 0; turns--)
        v += 3;
    y[i] = v;
}
