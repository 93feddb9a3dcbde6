/* Named barriers of some warps: one half fills what the other empties, in turns; a third part
   has a barrier of its own, or is not there; dynamic shared memory by its special register.

   block  64 96 160 1024
   let    rounds = 9
   let    grid = 3
   out    y = empty((3, rounds, 32), i4)
   out    z = empty((3, threads), i4)
   call   f[None, None, 512](y, z, rounds)
   expect y = [[(arange(32) ^ 5) * 100 + r for r in range(rounds)]] * 3
   expect z = [where(arange(threads) < 64, 512, threads + 63 - arange(threads))] * 3
*/
extern "C" __global__ void f(int *y, int *z, int rounds)
{
    extern __shared__ int box[];
    __shared__ int other[1024];
    int t = threadIdx.x, warp = t / 32, rest = blockDim.x - 64;
    if (warp == 0) {
        for (int r = 0; r < rounds; r++) {
            box[t] = t * 100 + r;
            asm volatile("bar.sync 1, 64;" ::: "memory");
            asm volatile("bar.sync 2, 64;" ::: "memory");
        }
    } else if (warp == 1) {
        for (int r = 0; r < rounds; r++) {
            __barrier_sync_count(1, 64);
            y[(blockIdx.x * rounds + r) * 32 + t % 32] = box[(t % 32) ^ 5];
            if (r % 2)
                asm volatile("bar.arrive 2, 64;" ::: "memory");
            else
                asm volatile("barrier.sync 2, 64;" ::: "memory");
        }
    } else {
        other[t] = t;
        asm volatile("bar.sync 3, %0;" : : "r"(rest) : "memory");
        z[blockIdx.x * blockDim.x + t] = other[blockDim.x + 63 - t];
    }
    __barrier_sync(0);
    if (t < 64) {
        unsigned bytes;
        asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
        z[blockIdx.x * blockDim.x + t] = bytes;
    }
}
