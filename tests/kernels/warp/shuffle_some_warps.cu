/* Warps of one block take different paths: some shuffle, some vote, some return, then a barrier.

   block  32 64 128 256
   let    n = threads
   in     x = ints(0, 99, n)
   inout  y = full(n, -1, i4)
   let    grid = 1
   let    i = arange(n)
   let    w = i // 32
   let    sums = repeat(x.reshape(-1, 32).sum(1), 32)
   let    counts = repeat((x > 50).reshape(-1, 32).sum(1), 32)
   let    v = select([w % 4 == 0, w % 4 == 1, w % 4 == 2], [sums, counts, 7 * w], -1)
   let    alive = [k for k in range(threads // 32) if k % 4 != 3]
   call   paths(x, y)
   expect y = where(w % 4 == 3, -1, v + sum([v[32 * k] for k in alive]))
*/
extern "C" __global__ void paths(const int *x, int *y)
{
    __shared__ int s[8];
    int t = threadIdx.x, warp = t / 32, v = x[t];
    if (warp % 4 == 0) {
        for (int k = 16; k > 0; k /= 2)
            v += __shfl_xor_sync(0xffffffff, v, k);
    } else if (warp % 4 == 1) {
        v = __popc(__ballot_sync(0xffffffff, v > 50));
    } else if (warp % 4 == 2) {
        v = 7 * warp;
    } else {
        return;
    }
    if (t % 32 == 0)
        s[warp] = v;
    __syncthreads();
    int sum = v;
    for (int k = 0; k < blockDim.x / 32; k++)
        if (k % 4 != 3)
            sum += s[k];
    y[t] = sum;
}
