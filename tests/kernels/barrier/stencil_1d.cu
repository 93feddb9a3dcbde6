/* A stencil of radius 3 whose halo some threads load in a second round.

   block  8 31 32 33 256 1024
   let    n = 3000
   in     x = ints(-99, 99, n + 6)
   out    y = empty(n, i4)
   call   stencil(x, y, n)
   expect y = sum([x[k:k + n] * (k + 1) for k in range(7)], 0)
*/
#define RADIUS 3

extern "C" __global__ void stencil(const int *x, int *y, int n)
{
    __shared__ int s[1024 + 2 * RADIUS];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, m = blockDim.x;
    int total = n + 2 * RADIUS;
    for (int k = t; k < m + 2 * RADIUS; k += m) {
        int from = blockIdx.x * m + k;
        s[k] = from < total ? x[from] : 0;
    }
    __syncthreads();
    if (i >= n)
        return;
    int sum = 0;
    for (int k = 0; k <= 2 * RADIUS; k++)
        sum += s[t + k] * (k + 1);
    y[i] = sum;
}
