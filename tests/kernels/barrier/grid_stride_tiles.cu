/* A grid-stride loop over tiles with barriers inside; the last tile is partial.

   vary   n = 5000, 1, 1024
   vary   grid = 1, 3
   in     x = ints(-99, 99, n)
   out    y = empty(n, i4)
   def    f(i):
              first = i // threads * threads
              m = min(threads, n - first)
              return x[first + (i - first + 1) % m] - x[i]
   call   tiles(x, y, n)
   expect y = [f(i) for i in range(n)]
*/
extern "C" __global__ void tiles(const int *x, int *y, int n)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    for (int first = blockIdx.x * blockDim.x; first < n; first += gridDim.x * blockDim.x) {
        int m = n - first < blockDim.x ? n - first : blockDim.x;
        if (t < m)
            s[t] = x[first + t];
        __syncthreads();
        if (t < m)
            y[first + t] = s[(t + 1) % m] - s[t];
        __syncthreads();
    }
}
