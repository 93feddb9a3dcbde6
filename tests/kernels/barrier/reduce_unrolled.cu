/* The whole tree unrolled by a template over the block size, last steps with __syncwarp.

   block  64 128 512
   let    n = 5000
   in     x = floats(n, f8)
   out    y = empty(3, f8)
   let    kernel = {64: 0, 128: 1, 512: 2}[threads]
   let    grid = 3
   let    step = 3 * threads
   def    part(b): return sum([x[b * threads + t::step].sum() for t in range(threads)])
   call   sums(kernel, x, y, n)
   near   1e-12 y = [part(b) for b in range(3)]
*/
template <int SIZE> __device__ void reduce(const double *x, double *y, int n)
{
    __shared__ double s[SIZE];
    int t = threadIdx.x;
    double sum = 0;
    for (int i = blockIdx.x * SIZE + t; i < n; i += SIZE * gridDim.x)
        sum += x[i];
    s[t] = sum;
    __syncthreads();
    if (SIZE >= 512) {
        if (t < 256)
            s[t] += s[t + 256];
        __syncthreads();
    }
    if (SIZE >= 256) {
        if (t < 128)
            s[t] += s[t + 128];
        __syncthreads();
    }
    if (SIZE >= 128) {
        if (t < 64)
            s[t] += s[t + 64];
        __syncthreads();
    }
    if (t < 32) {
        s[t] += s[t + 32];
        __syncwarp();
#pragma unroll
        for (int half = 16; half > 0; half /= 2) {
            if (t < half)
                s[t] += s[t + half];
            __syncwarp();
        }
    }
    if (t == 0)
        y[blockIdx.x] = s[0];
}

extern "C" __global__ void sums(int kernel, const double *x, double *y, int n)
{
    switch (kernel) {
    case 0:
        reduce<64>(x, y, n);
        break;
    case 1:
        reduce<128>(x, y, n);
        break;
    case 2:
        reduce<512>(x, y, n);
        break;
    }
}
