/* The old style: the last warp works without barriers, in lock-step over volatile shared memory.

   block  64 128 256
   let    n = 4000
   in     x = ints(-99, 99, n)
   out    y = empty(cdiv(n, 2 * threads), i4)
   let    pad = concatenate([x, zeros(-n % (2 * threads), i4)])
   let    grid = cdiv(n, 2 * threads)
   call   sums(x, y, n)
   expect y = pad.reshape(-1, 2 * threads).sum(1)
   out    z = empty(grid, i4)
   call   half_sums(x, z, n)
   expect z = pad.reshape(-1, 2 * threads)[:, :64].sum(1)
*/
__device__ void fold_warp(volatile int *v, unsigned t)
{
    v[t] += v[t + 32];
    v[t] += v[t + 16];
    v[t] += v[t + 8];
    v[t] += v[t + 4];
    v[t] += v[t + 2];
    v[t] += v[t + 1];
}

extern "C" __global__ void sums(const int *x, int *y, int n)
{
    __shared__ int s[256];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
    s[t] = (i < n ? x[i] : 0) + (i + blockDim.x < n ? x[i + blockDim.x] : 0);
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 32; half >>= 1) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t < 32)
        fold_warp(s, t);
    if (t == 0)
        y[blockIdx.x] = s[0];
}

/* In one of two arrays, which one not known when compiled. */
extern "C" __global__ void half_sums(const int *x, int *y, int n)
{
    __shared__ int s[2][64], q[64];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
    volatile int *v = blockIdx.x & 1 ? s[1] : q;
    if (t < 64)
        v[t] = i < n ? x[i] : 0;
    __syncthreads();
    if (t < 32)
        fold_warp(v, t);
    if (t == 0)
        y[blockIdx.x] = v[0];
}
