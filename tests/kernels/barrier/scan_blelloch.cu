/* Exclusive scan up and down a tree, two elements a thread, padded indices.

   block  1 2 32 128 512
   let    n = 2 * threads
   in     x = ints(-99, 99, (3, n))
   out    y = empty((3, n), i4)
   let    grid = 3
   call   scan(x, y, n)
   expect y = cumsum(x, 1) - x
*/
#define PAD(i) ((i) + ((i) >> 5))

extern "C" __global__ void scan(const int *x, int *y, int n)
{
    __shared__ int s[PAD(1024)];
    int t = threadIdx.x, step = 1;
    x += blockIdx.x * n;
    y += blockIdx.x * n;
    s[PAD(t)] = x[t];
    s[PAD(t + n / 2)] = x[t + n / 2];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            s[PAD(step * (2 * t + 2) - 1)] += s[PAD(step * (2 * t + 1) - 1)];
        step *= 2;
    }
    if (t == 0)
        s[PAD(n - 1)] = 0;
    for (int d = 1; d < n; d *= 2) {
        step >>= 1;
        __syncthreads();
        if (t < d) {
            int a = PAD(step * (2 * t + 1) - 1), b = PAD(step * (2 * t + 2) - 1);
            int v = s[a];
            s[a] = s[b];
            s[b] += v;
        }
    }
    __syncthreads();
    y[t] = s[PAD(t)];
    y[t + n / 2] = s[PAD(t + n / 2)];
}
