/* Histogram by atomics on global memory, byte data, grid-stride.

   vary   grid = 1, 5
   let    n = 4000
   in     x = rng.binomial(255, 0.3, n).astype(u1)
   inout  bins = zeros(256, u4)
   call   histogram(x, bins, n)
   expect bins = bincount(x, minlength=256)
*/
extern "C" __global__ void histogram(const unsigned char *x, unsigned *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[x[i]], 1u);
}
