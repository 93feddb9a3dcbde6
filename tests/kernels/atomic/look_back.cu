/* A scan in one launch: each block waits for the flag of the block before it.

   block  1 32 64 256
   let    n = 64 * threads - threads // 2
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   inout  prefix = zeros(64, i4)
   inout  flag = zeros(64, i4)
   call   scan(x, y, prefix, flag, n)
   expect y = cumsum(x)
   expect flag = 1
*/
extern "C" __global__ void scan(const int *x, int *y, volatile int *prefix, volatile int *flag, int n)
{
    __shared__ int s[256], before;
    int t = threadIdx.x, b = blockIdx.x, i = b * blockDim.x + t;
    s[t] = i < n ? x[i] : 0;
    for (int by = 1; by < blockDim.x; by *= 2) {
        __syncthreads();
        int v = t >= by ? s[t - by] : 0;
        __syncthreads();
        s[t] += v;
    }
    __syncthreads();
    if (t == 0) {
        before = 0;
        if (b > 0) {
            while (flag[b - 1] == 0)
                ;
            __threadfence();
            before = prefix[b - 1];
        }
        prefix[b] = before + s[blockDim.x - 1];
        __threadfence();
        flag[b] = 1;
    }
    __syncthreads();
    if (i < n)
        y[i] = before + s[t];
}
