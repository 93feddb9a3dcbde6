/* Inclusive scan by doubling in place: read, barrier, write, barrier.

   let    n = 3000
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   let    pad = concatenate([x, zeros(-n % threads, i4)]).reshape(-1, threads)
   call   scan(x, y, n)
   expect y = cumsum(pad, 1).reshape(-1)[:n]
*/
extern "C" __global__ void scan(const int *x, int *y, int n)
{
    __shared__ int s[1024];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (unsigned by = 1; by < blockDim.x; by <<= 1) {
        int v = 0;
        if (t >= by)
            v = s[t - by];
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (i < n)
        y[i] = s[t];
}
