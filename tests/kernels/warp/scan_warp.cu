/* Inclusive and exclusive scans by shuffles up, and a block scan on top of them.

   block  32 64 256 1024
   let    n = threads * 2
   in     x = ints(-99, 99, n)
   out    y = empty((n, 2), i4)
   let    grid = 2
   let    c = cumsum(x.reshape(2, threads), 1).reshape(-1)
   let    w = cumsum(x.reshape(-1, 32), 1).reshape(-1)
   call   scan(x, y)
   expect y = stack([c, w - x], 1)
*/
__device__ int inclusive(int v)
{
    int lane = threadIdx.x & 31;
    for (int by = 1; by < 32; by *= 2) {
        int other = __shfl_up_sync(0xffffffff, v, by);
        if (lane >= by)
            v += other;
    }
    return v;
}

extern "C" __global__ void scan(const int *x, int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, warp = t / 32;
    int v = inclusive(x[i]);
    y[2 * i + 1] = v - x[i];
    if (t % 32 == 31)
        s[warp] = v;
    __syncthreads();
    if (warp == 0)
        s[t] = inclusive(t < blockDim.x / 32 ? s[t] : 0);
    __syncthreads();
    y[2 * i] = v + (warp ? s[warp - 1] : 0);
}
