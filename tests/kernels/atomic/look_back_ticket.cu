/* Blocks take their number from a counter and look back over several predecessors: state and value in
   one 64-bit word, read by a whole warp.

   block  32 64 256
   let    n = 50 * threads - 5
   in     x = ints(0, 99, n, u4)
   out    y = empty(n, u4)
   inout  state = zeros(50, u8)
   inout  ticket = zeros(1, u4)
   let    grid = 50
   call   scan(x, y, state, ticket, n)
   expect y = cumsum(x)
   expect state >> u8(32) = 2
*/
extern "C" __global__ void scan(const unsigned *x, unsigned *y, unsigned long long *state,
                                unsigned *ticket, int n)
{
    __shared__ unsigned s[256], number, before;
    int t = threadIdx.x;
    if (t == 0)
        number = atomicAdd(ticket, 1u);
    __syncthreads();
    int b = number, i = b * blockDim.x + t;
    s[t] = i < n ? x[i] : 0;
    for (int by = 1; by < blockDim.x; by *= 2) {
        __syncthreads();
        unsigned v = t >= by ? s[t - by] : 0;
        __syncthreads();
        s[t] += v;
    }
    __syncthreads();
    unsigned own = s[blockDim.x - 1];
    if (t == 0) {
        before = 0;
        atomicExch(&state[b], (b == 0 ? 2ull : 1ull) << 32 | own);
    }
    if (t < 32 && b > 0) {
        unsigned sum = 0;
        for (int k = b - 1;;) {
            int at = k - t;
            unsigned long long v;
            do
                v = at >= 0 ? atomicAdd(&state[at], 0ull) : 2ull << 32;
            while (v >> 32 == 0);
            unsigned full = __ballot_sync(0xffffffff, v >> 32 == 2);
            int stop = full ? __ffs(full) - 1 : 31;
            unsigned part = t <= stop ? (unsigned)v : 0;
            for (int step = 16; step; step /= 2)
                part += __shfl_xor_sync(0xffffffff, part, step);
            sum += part;
            if (full)
                break;
            k -= 32;
        }
        if (t == 0) {
            before = sum;
            atomicExch(&state[b], 2ull << 32 | (sum + own));
        }
    }
    __syncthreads();
    if (i < n)
        y[i] = before + s[t];
}
