/* A scan over many blocks in three launches: block scans, scan of sums, add back.

   block  32 64 256
   let    n = 5000
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   out    sums = empty(cdiv(n, threads), i4)
   call   scan_blocks(x, y, sums, n)
   call   scan_sums[1, 1](sums, cdiv(n, threads))
   call   add(y, sums, n)
   expect y = cumsum(x)
*/
extern "C" __global__ void scan_blocks(const int *x, int *y, int *sums, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? x[i] : 0;
    for (int by = 1; by < blockDim.x; by *= 2) {
        __syncthreads();
        int v = t >= by ? s[t - by] : 0;
        __syncthreads();
        s[t] += v;
    }
    if (i < n)
        y[i] = s[t];
    if (t == blockDim.x - 1)
        sums[blockIdx.x] = s[t];
}

extern "C" __global__ void scan_sums(int *sums, int count)
{
    int total = 0;
    for (int k = 0; k < count; k++) {
        int v = sums[k];
        sums[k] = total;
        total += v;
    }
}

extern "C" __global__ void add(int *y, const int *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += sums[blockIdx.x];
}
