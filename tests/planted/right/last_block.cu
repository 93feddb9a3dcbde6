/* Sums of blocks, added by the block that comes last: a fence, a counter, and a fence.

   block  64
   vary   grid = 1, 5
   in     x = ints(-9, 9, 64 * grid)
   out    part = empty(grid, i4)
   inout  count = zeros(1, u4)
   out    y = empty(1, i4)
   call   f(x, part, count, y)
   expect y = x.sum()
*/
extern "C" __global__ void f(const int *x, volatile int *part, unsigned *count, int *y)
{
    __shared__ int s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * blockDim.x + t];
    for (int half = 32; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            s[t] += s[t + half];
    }
    if (t == 0) {
        part[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    int sum = 0;
    for (int k = t; k < gridDim.x; k += blockDim.x)
        sum += part[k];
    s[t] = sum;
    __syncthreads();
    if (t == 0) {
        sum = 0;
        for (int k = 0; k < 64; k++)
            sum += s[k];
        *y = sum;
    }
}
