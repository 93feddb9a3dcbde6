/* Ballots of full warps, of masks, and as seen by each lane; popc and ffs on them.

   block  32 64 256
   let    n = threads
   in     x = ints(0, 9, n)
   out    y = empty((n, 3), u4)
   let    grid = 1
   def    bits(b): return repeat(packbits(b.reshape(-1, 32), axis=1, bitorder="little").view(u4)[:, 0], 32)
   let    low = arange(n) % 32 < 16
   call   ballots(x, y)
   expect y = stack([bits(x > 4), where(low, bits((x % 2 == 1) & low), bits((x % 2 == 1) & ~low)), [bin(int(m) & (1 << k % 32) - 1).count("1") for k, m in enumerate(bits(x > 4))]], 1)
*/
extern "C" __global__ void ballots(const int *x, unsigned *y)
{
    int t = threadIdx.x, lane = t % 32;
    unsigned big = __ballot_sync(0xffffffff, x[t] > 4);
    y[3 * t] = big;
    unsigned half = lane < 16 ? 0xffffu : 0xffff0000u;
    y[3 * t + 1] = __ballot_sync(half, x[t] % 2);
    y[3 * t + 2] = __popc(big & (1u << lane) - 1);
}
