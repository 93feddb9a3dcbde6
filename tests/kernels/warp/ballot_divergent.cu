/* Ballots inside divergent branches and loops, with masks that name just the threads that are there.

   block  32 64 256
   let    n = threads
   in     x = ints(0, 9, n)
   out    y = empty((n, 2), u4)
   let    grid = 1
   def    bits(b): return repeat(packbits(b.reshape(-1, 32), axis=1, bitorder="little").view(u4)[:, 0], 32)
   def    rounds():
              r = zeros(n, u4)
              for k in range(9):
                  live = x > k
                  r = where(live, r * u4(31) + bits(live & (x % (k + 2) == 1)), r)
              return r
   call   ballots(x, y)
   expect y = stack([where(x % 3 == 0, bits((x % 3 == 0) & (x > 3)), bits((x % 3 != 0) & (x < 5))), rounds()], 1)
*/
extern "C" __global__ void ballots(const int *x, unsigned *y)
{
    int t = threadIdx.x, v = x[t];
    unsigned third = __ballot_sync(0xffffffff, v % 3 == 0), seen;
    if (v % 3 == 0)
        seen = __ballot_sync(third, v > 3);
    else
        seen = __ballot_sync(~third, v < 5);
    y[2 * t] = seen;
    unsigned live = __ballot_sync(0xffffffff, v > 0), sum = 0;
    for (int k = 0; k < v; k++) {
        sum = sum * 31 + __ballot_sync(live, v % (k + 2) == 1);
        live = __ballot_sync(live, v > k + 1);
    }
    y[2 * t + 1] = sum;
}
