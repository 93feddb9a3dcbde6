/* So many loops that wait for a lock, some threads in each, that regions end between them.

   vary   n = 1000, 33
   in     x = ints(0, 1 << 20, n, u4)
   inout  sums = zeros(16, u4)
   inout  locks = zeros(16, u4)
   out    y = empty(n, u4)
   call   waits(x, sums, locks, y, n)
   let    adds = x[:, None] * u4(3) + np.arange(20, dtype=u4)
   let    taken = (x[:, None] >> np.arange(20, dtype=u4) & u4(1)) != 0
   expect sums = np.array([adds[taken & (adds % 16 == k)].sum(dtype=u4) for k in range(16)], u4)
   expect y = where(taken, adds, 0).sum(axis=1, dtype=u4)
*/
extern "C" __global__ void waits(const unsigned *x, unsigned *sums, unsigned *locks, unsigned *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned total = 0;
    #pragma unroll
    for (int k = 0; k < 20; k++) {
        unsigned a = x[i] * 3 + k;
        if (x[i] >> k & 1) {
            for (bool done = false; !done;)
                if (atomicCAS(&locks[a % 16], 0, 1) == 0) {
                    __threadfence();
                    *(volatile unsigned *)&sums[a % 16] += a;
                    __threadfence();
                    atomicExch(&locks[a % 16], 0);
                    done = true;
                }
            total += a;
        }
    }
    y[i] = total;
}
