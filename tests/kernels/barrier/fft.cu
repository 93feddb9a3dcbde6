/* A radix-2 FFT in shared memory with bit reversal.

   block  1 2 32 128 512
   let    n = 2 * threads
   in     x = (floats((2, n)) + 1j * floats((2, n))).astype(complex64)
   out    y = empty((2, n), complex64)
   let    grid = 2
   call   fft[None, None, 8 * n](x, y, n, int(log2(n)))
   near   1e-3 y = np.fft.fft(x)
*/
extern "C" __global__ void fft(const float2 *x, float2 *y, int n, int bits)
{
    extern __shared__ float2 s[];
    int t = threadIdx.x;
    x += blockIdx.x * n;
    y += blockIdx.x * n;
    for (int k = t; k < n; k += blockDim.x)
        s[__brev(k) >> (32 - bits)] = x[k];
    __syncthreads();
    for (int half = 1; half < n; half *= 2) {
        int low = t & half - 1, k = 2 * (t - low) + low;
        float c, d;
        sincosf(-3.14159265358979f * low / half, &d, &c);
        float2 a = s[k], b = s[k + half];
        float2 w = make_float2(b.x * c - b.y * d, b.x * d + b.y * c);
        s[k] = make_float2(a.x + w.x, a.y + w.y);
        s[k + half] = make_float2(a.x - w.x, a.y - w.y);
        __syncthreads();
    }
    for (int k = t; k < n; k += blockDim.x)
        y[k] = s[k];
}
