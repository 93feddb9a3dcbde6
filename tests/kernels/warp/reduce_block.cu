/* Block sum in two stages of shuffles, grid-stride loads, shared memory for the warps' sums.

   block  32 64 256 1024
   vary   n = 5000, 1
   vary   grid = 1, 3
   in     x = floats(n, f8)
   out    y = empty(grid, f8)
   let    step = grid * threads
   def    part(b): return sum([x[b * threads + t::step].sum() for t in range(threads)])
   call   sums(x, y, n)
   near   1e-12 y = [part(b) for b in range(grid)]
*/
__device__ __forceinline__ double warp_sum(double v)
{
#pragma unroll
    for (int step = 16; step; step /= 2)
        v += __shfl_down_sync(0xffffffff, v, step);
    return v;
}

extern "C" __global__ void sums(const double *x, double *y, int n)
{
    __shared__ double s[32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    double v = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x)
        v += x[i];
    v = warp_sum(v);
    if (lane == 0)
        s[warp] = v;
    __syncthreads();
    v = t < blockDim.x / 32 ? s[lane] : 0;
    if (warp == 0) {
        v = warp_sum(v);
        if (lane == 0)
            y[blockIdx.x] = v;
    }
}
