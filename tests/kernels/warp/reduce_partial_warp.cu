/* Sum in a warp of which some lanes are missing: the last of the block, by a mask from a ballot.

   block  1 31 32 33 47 256
   vary   n = 1000, 3, 64
   in     x = ints(-99, 99, n)
   inout  y = zeros(cdiv(n, threads) * cdiv(threads, 32), i4)
   def    parts():
              r = []
              for b in range(0, cdiv(n, threads) * threads, threads):
                  for w in range(0, threads, 32):
                      r.append(x[b + w:min(b + w + 32, b + threads)].sum())
              return r
   call   partial(x, y, n)
   expect y = parts()
*/
extern "C" __global__ void partial(const int *x, int *y, int n)
{
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int lane = t % 32, width = min(32, (int)blockDim.x - (t - lane));
    unsigned present = width == 32 ? 0xffffffffu : (1u << width) - 1;
    unsigned mask = __ballot_sync(present, i < n);
    if (i >= n)
        return;
    int v = x[i];
    for (int step = 16; step > 0; step /= 2) {
        int other = __shfl_down_sync(mask, v, step);
        if (lane + step < 32 && (mask >> (lane + step) & 1))
            v += other;
    }
    if (lane == 0)
        y[blockIdx.x * ((blockDim.x + 31) / 32) + t / 32] = v;
}
