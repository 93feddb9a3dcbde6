/* Atomics on shared memory at indices of 8, 16 and 32 bits, signed and unsigned, where lanes meet: each adds once, finds
   an old value of its own, and floats and maxima do what they do. An index is what was read, whatever is written there since.

   block  1 31 32 33 40x3 64 256 1000
   vary   n = 1, 700, 5000
   let    grid = 3
   in     b = ints(0, 255, n, u1)
   in     c = ints(-128, 127, n, i1)
   in     h = ints(-300, 300, n, i2)
   in     w = ints(-2**31, 2**31 - 1, n, i4)
   inout  bytes = zeros(256, u4)
   inout  chars = zeros(256, i4)
   inout  shorts = zeros(601, i4)
   inout  words = zeros(64, i4)
   inout  halves = zeros(256, f4)
   inout  largest = zeros(64, i4)
   inout  taken = zeros(n, i4)
   inout  left = array(b)
   inout  seen = zeros(256, u4)
   call   count(bytes, chars, shorts, words, halves, largest, b, c, h, w, n)
   call   order[1, None](taken, b, n)
   call   replace(seen, left, n)
   expect bytes = bincount(b, minlength=256)
   expect chars = bincount(c.astype(i4) + 128, minlength=256)
   expect shorts = bincount(h.astype(i4) + 300, minlength=601)
   expect words = bincount(w & 63, minlength=64)
   expect halves = bincount(b, minlength=256) * 0.5
   expect largest = array([max([0, *w[(w & 63) == k]]) for k in range(64)])
   expect taken = 1
   expect seen = bincount(b, minlength=256)
   expect left = 255 - b
*/
extern "C" __global__ void count(unsigned *bytes, int *chars, int *shorts, int *words, float *halves, int *largest,
                                 const unsigned char *b, const signed char *c, const short *h, const int *w, int n)
{
    __shared__ unsigned s_bytes[256];
    __shared__ int s_chars[256], s_shorts[601], s_words[64], s_largest[64];
    __shared__ float s_halves[256];
    int t = threadIdx.x + threadIdx.y * blockDim.x, threads = blockDim.x * blockDim.y;
    for (int k = t; k < 601; k += threads) {
        s_shorts[k] = 0;
        if (k < 256) {
            s_bytes[k] = 0;
            s_chars[k] = 0;
            s_halves[k] = 0;
        }
        if (k < 64)
            s_words[k] = s_largest[k] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) {
        atomicAdd(&s_bytes[b[i]], 1u);
        atomicAdd(&s_chars[c[i] + 128], 1);
        atomicAdd(&s_shorts[300 + h[i]], 1);
        atomicAdd(&s_words[w[i] & 63], 1);
        atomicAdd(&s_halves[b[i]], 0.5f);
        atomicMax(&s_largest[w[i] & 63], w[i]);
    }
    __syncthreads();
    for (int k = t; k < 601; k += threads) {
        atomicAdd(&shorts[k], s_shorts[k]);
        if (k < 256) {
            atomicAdd(&bytes[k], s_bytes[k]);
            atomicAdd(&chars[k], s_chars[k]);
            atomicAdd(&halves[k], s_halves[k]);
        }
        if (k < 64) {
            atomicAdd(&words[k], s_words[k]);
            atomicMax(&largest[k], s_largest[k]);
        }
    }
}

/* Places of equal keys are handed out by what atomics return: none twice, none left out. */
extern "C" __global__ void order(int *taken, const unsigned char *b, int n)
{
    __shared__ int start[16], next[16];
    int t = threadIdx.x + threadIdx.y * blockDim.x, threads = blockDim.x * blockDim.y;
    for (int k = t; k < 16; k += threads)
        start[k] = next[k] = 0;
    __syncthreads();
    for (int i = t; i < n; i += threads)
        atomicAdd(&start[b[i] & 15], 1);
    __syncthreads();
    if (t == 0)
        for (int k = 0, sum = 0; k < 16; k++) {
            int here = start[k];
            start[k] = sum;
            sum += here;
        }
    __syncthreads();
    for (int i = t; i < n; i += threads)
        atomicAdd(&taken[start[b[i] & 15] + atomicAdd(&next[b[i] & 15], 1)], 1);
}

extern "C" __global__ void replace(unsigned *seen, unsigned char *x, int n)
{
    __shared__ unsigned s[256];
    int t = threadIdx.x + threadIdx.y * blockDim.x, threads = blockDim.x * blockDim.y;
    for (int k = t; k < 256; k += threads)
        s[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) {
        unsigned char v = x[i];
        x[i] = 255 - v;
        atomicAdd(&s[v], 1u);
    }
    __syncthreads();
    for (int k = t; k < 256; k += threads)
        atomicAdd(&seen[k], s[k]);
}
