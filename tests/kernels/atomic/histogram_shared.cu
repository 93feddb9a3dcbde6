/* Histogram with bins in shared memory, cleared and merged by strided loops.

   vary   grid = 1, 3
   let    n = 4000
   in     x = ints(0, 63, n, u4)
   inout  bins = zeros(64, u4)
   call   histogram(x, bins, n)
   expect bins = bincount(x, minlength=64)
*/
extern "C" __global__ void histogram(const unsigned *x, unsigned *bins, int n)
{
    __shared__ unsigned s[64];
    for (int k = threadIdx.x; k < 64; k += blockDim.x)
        s[k] = 0;
    __syncthreads();
    int step = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        atomicAdd(&s[x[i]], 1u);
    __syncthreads();
    for (int k = threadIdx.x; k < 64; k += blockDim.x)
        if (s[k])
            atomicAdd(&bins[k], s[k]);
}
