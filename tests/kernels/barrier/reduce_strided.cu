/* Block maximum, interleaved with a strided index and few working threads.

   block  1 2 32 64 256 1024
   let    n = 3000
   in     x = floats(n)
   out    y = empty(cdiv(n, threads), f4)
   let    pad = concatenate([x, full(-n % threads, -inf, f4)])
   call   maxima(x, y, n)
   expect y = pad.reshape(-1, threads).max(1)
*/
extern "C" __global__ void maxima(const float *x, float *y, int n)
{
    __shared__ float s[1024];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : -INFINITY;
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step <<= 1) {
        unsigned k = 2 * step * t;
        if (k < blockDim.x)
            s[k] = fmaxf(s[k], s[k + step]);
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}
