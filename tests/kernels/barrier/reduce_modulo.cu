/* Block sum, interleaved with a divergent modulo test.

   let    n = 2000
   in     x = ints(-99, 99, n)
   out    y = empty(cdiv(n, threads), i4)
   let    pad = concatenate([x, zeros(-n % threads, i4)])
   call   sums[None, None, 4 * threads](x, y, n)
   expect y = pad.reshape(-1, threads).sum(1)
*/
extern "C" __global__ void sums(const int *x, int *y, int n)
{
    extern __shared__ int s[];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
        if (t % (2 * step) == 0 && t + step < blockDim.x)
            s[t] += s[t + step];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}
