/* A scan in one launch with decoupled look-back: sum and state of a block in one word, read as volatile.

   block  64
   let    grid = 9
   let    n = 64 * grid
   in     x = ints(0, 9, n)
   out    y = empty(n, i4)
   inout  state = zeros(grid, u8)
   inout  next = zeros(1, i4)
   call   f(x, y, state, next)
   expect y = cumsum(x)
*/
extern "C" __global__ void f(const int *x, int *y, volatile unsigned long long *state, int *next)
{
    __shared__ int s[64], before, b;
    int t = threadIdx.x;
    if (t == 0)
        b = atomicAdd(next, 1);
    __syncthreads();
    int block = b;
    s[t] = x[block * 64 + t];
    for (int by = 1; by < 64; by *= 2) {
        __syncthreads();
        int v = t >= by ? s[t - by] : 0;
        __syncthreads();
        s[t] += v;
    }
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        if (block)
            state[block] = 1ull << 32 | (unsigned)s[63];
        for (int k = block - 1; k >= 0; k--) {
            unsigned long long word;
            while ((word = state[k]) >> 32 == 0)
                ;
            sum += (int)word;
            if (word >> 32 == 2)
                break;
        }
        state[block] = 2ull << 32 | (unsigned)(sum + s[63]);
        before = sum;
    }
    __syncthreads();
    y[block * 64 + t] = before + s[t];
}
