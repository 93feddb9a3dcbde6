/* A tree for any block size: the upper half is rounded up.

   block  1 3 31 33 100 1000
   let    n = 2500
   in     x = ints(-999, 999, n, i8)
   out    y = empty(cdiv(n, threads), i8)
   let    pad = concatenate([x, full(-n % threads, 2**40)])
   call   minima(x, y, n)
   expect y = pad.reshape(-1, threads).min(1)
*/
extern "C" __global__ void minima(const long long *x, long long *y, int n)
{
    __shared__ long long s[1024];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, count = blockDim.x;
    s[t] = i < n ? x[i] : 1LL << 40;
    while (count > 1) {
        __syncthreads();
        unsigned half = (count + 1) / 2;
        if (t < count / 2 && s[t + half] < s[t])
            s[t] = s[t + half];
        count = half;
    }
    __syncthreads();
    if (t == 0)
        y[blockIdx.x] = s[0];
}
