/* Local arrays of many lengths, sorted by exchanges: some are registers, some stay memory; each thread has a length of its own.

   block  1 33 96
   let    n = 192
   let    x = ints(0, 2**32 - 1, (n + 24,), u4)
   in     a = x
   out    y = empty((n, 24), u4)
   call   sorts(y, a, n)
   expect y = array([concatenate([sort(x[i:i + 1 + i % 24]), zeros(23 - i % 24, u4)]) for i in range(n)])
*/
template <int N> __device__ void sorted(unsigned *y, const unsigned *x)
{
    unsigned own[N];
    #pragma unroll
    for (int j = 0; j < N; j++)
        own[j] = x[j];
    #pragma unroll
    for (int j = 0; j < N; j++)
        for (int q = 0; q < N - 1 - j; q++)
            if (own[q] > own[q + 1]) {
                unsigned greater = own[q];
                own[q] = own[q + 1];
                own[q + 1] = greater;
            }
    for (int j = 0; j < N; j++)
        y[j] = own[j];
}

template <int N> __device__ void choose(int length, unsigned *y, const unsigned *x)
{
    if (length == N)
        sorted<N>(y, x);
    else if constexpr (N > 1)
        choose<N - 1>(length, y, x);
}

extern "C" __global__ void sorts(unsigned *y, const unsigned *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int j = i % 24; j < 24; j++)
        y[24 * i + j] = 0;
    choose<24>(1 + i % 24, y + 24 * i, x + i);
}
