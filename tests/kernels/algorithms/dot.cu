/* Dot product: grid-stride, block tree, one integer atomic a block.

   block  1 2 32 64 256 1024
   vary   n = 10000, 5
   vary   grid = 1, 6
   in     a = ints(-999, 999, n)
   in     b = ints(-999, 999, n)
   inout  y = zeros(1, u8)
   call   dot(a, b, y, n)
   expect y.view(i8) = (a.astype(i8) * b).sum()
*/
extern "C" __global__ void dot(const int *a, const int *b, unsigned long long *y, int n)
{
    __shared__ long long s[1024];
    int t = threadIdx.x;
    long long sum = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x)
        sum += (long long)a[i] * b[i];
    s[t] = sum;
    __syncthreads();
    for (int half = blockDim.x >> 1; half; half >>= 1) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(y, (unsigned long long)s[0]);
}
