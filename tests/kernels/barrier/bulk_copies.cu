/* Copies in bulk that a barrier in shared memory waits for (mbarrier of PTX), several
   stages at a time: bytes that are expected count before, at and after arriving.

   block  32 33 128
   let    stages = 4
   let    n = 512
   in     a = ints(-1000, 1000, (2, 3 * stages, n))
   out    y = empty((2, 3 * stages, n), i4)
   inout  sums = ints(0, 9, n)
   call   f[2](a, y, sums)
   expect y = 2 * a + 1
   expect sums = sums + (2 * a + 1).sum(axis=(0, 1))
*/
#define N 512
#define STAGES 4

__device__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* The stage's copy; its bytes are told the barrier in one of three ways. */
__device__ void fetch(int *to, const int *from, unsigned long long *full, int way)
{
    unsigned bar = shared_address(full), bytes = N * sizeof(int);
    if (way == 0)
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar),
                     "r"(bytes)
                     : "memory");
    if (way == 1)
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(bar),
                     "r"(bytes)
                     : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(bar)
                 : "memory");
    if (way == 2)
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar),
                     "r"(bytes)
                     : "memory");
    if (way == 1)
        asm volatile("{\n.reg .b64 state;\n"
                     "mbarrier.arrive.shared::cta.b64 state, [%0];\n}" ::"r"(bar)
                     : "memory");
}

__device__ void wait(unsigned long long *full, unsigned parity)
{
    asm volatile("{\n.reg .pred done;\n"
                 "AGAIN:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@done bra OVER;\n"
                 "bra.uni AGAIN;\n"
                 "OVER:\n}" ::"r"(shared_address(full)),
                 "r"(parity)
                 : "memory");
}

extern "C" __global__ void f(const int *a, int *y, int *sums)
{
    __shared__ __align__(128) int part[STAGES][N];
    __shared__ unsigned long long full[STAGES];
    a += blockIdx.x * 3 * STAGES * N, y += blockIdx.x * 3 * STAGES * N;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++)
            asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                             shared_address(full + s)),
                         "r"(1)
                         : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int s = 0; s < STAGES; s++)
            fetch(part[s], a + s * N, full + s, s % 3);
    for (int k = 0; k < 3 * STAGES; k++) {
        int s = k % STAGES;
        wait(full + s, k / STAGES % 2);
        for (int i = threadIdx.x; i < N; i += blockDim.x)
            part[s][i] = 2 * part[s][i] + 1;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile(
                "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                    y + k * N),
                "r"(shared_address(part[s])), "r"(N * (int)sizeof(int))
                : "memory");
            asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 "
                         "[%0], [%1], %2;" ::"l"(sums),
                         "r"(shared_address(part[s])), "r"(N * (int)sizeof(int))
                         : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
            if (k + STAGES < 3 * STAGES)
                fetch(part[s], a + (k + STAGES) * N, full + s, k % 3);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
