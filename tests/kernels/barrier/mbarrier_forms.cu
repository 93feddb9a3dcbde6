/* The forms of mbarrier of PTX: counts that arrive, threads that drop out, tokens and
   parities, arriving once copies are done; and clusters of one block; and labels.

   block  32 50 128
   let    n = threads
   in     a = ints(-1000, 1000, n)
   out    seen = empty(10, i4)
   out    y = empty(n, i4)
   out    z = empty(n, i4)
   call   f[1](a, seen, y, z)
   expect seen = [5, 4, 2, 0, 1, 1, 0, 4, 1, 55]
   expect y = a[::-1]
   expect z = a[::-1] + 100 * (n - 1) + 1
*/
__device__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ unsigned pending(unsigned long long token)
{
    unsigned n;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(token));
    return n;
}

__device__ int over(unsigned bar, unsigned long long token)
{
    int is;
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.test_wait.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(is)
                 : "r"(bar), "l"(token)
                 : "memory");
    return is;
}

__device__ int parity_over(unsigned bar, unsigned parity)
{
    int is;
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2, %3;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(is)
                 : "r"(bar), "r"(parity), "r"(100)
                 : "memory");
    return is;
}

__device__ void init(unsigned bar, unsigned n)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(bar), "r"(n) : "memory");
}

/* What one thread sees. */
__device__ void alone(unsigned bar, int *seen)
{
    unsigned long long first, token;
    init(bar, 5);
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                 : "=l"(first)
                 : "r"(bar)
                 : "memory");
    seen[0] = pending(first);
    asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 2;"
                 : "=l"(token)
                 : "r"(bar)
                 : "memory");
    seen[1] = pending(token);
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                 : "=l"(token)
                 : "r"(bar)
                 : "memory");
    seen[2] = pending(token);
    seen[3] = over(bar, first);
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(bar) : "memory");
    seen[4] = over(bar, first);
    seen[5] = parity_over(bar, 0);
    seen[6] = parity_over(bar, 1);
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], 4;"
                 : "=l"(token)
                 : "r"(bar)
                 : "memory");
    seen[7] = pending(token);
    seen[8] = parity_over(bar, 1);
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(bar) : "memory");
    asm volatile("{\n.reg .pred more;\n.reg .u32 k;\n"
                 "mov.u32 %0, 0;\nmov.u32 k, 10;\n"
                 "loop: add.u32 %0, %0, k;\n"
                 "sub.u32 k, k, 1;\n"
                 "setp.ne.u32 more, k, 0;\n"
                 "@more bra loop;\n}"
                 : "=r"(seen[9]));
}

extern "C" __global__ void f(const int *a, int *seen, int *y, int *z)
{
    __shared__ unsigned long long mine, counted, beside;
    __shared__ int part[128], other[128];
    unsigned t = threadIdx.x, n = blockDim.x, rank, ranks, cluster, remote;
    if (t == 0) {
        alone(shared_address(&mine), seen);
        init(shared_address(&counted), n);
        init(shared_address(&beside), n);
    }
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                     shared_address(part + t)),
                 "l"(a + t)
                 : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(
                     shared_address(&counted))
                 : "memory");
    while (!parity_over(shared_address(&counted), 0))
        continue;
    y[t] = part[n - 1 - t];

    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                     shared_address(other + t)),
                 "l"(a + t)
                 : "memory");
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(
                     shared_address(&beside))
                 : "memory");
    unsigned long long token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                 : "=l"(token)
                 : "r"(shared_address(&beside))
                 : "memory");
    while (!over(shared_address(&beside), token))
        continue;
    int from = other[n - 1 - t];

    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(ranks));
    asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(cluster));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(remote)
                 : "r"(shared_address(part + t)), "r"(rank));
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(shared_address(part + t)), "r"(100 * t)
                 : "memory");
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
    z[t] = from + part[n - 1] + ranks + cluster + (remote != shared_address(part + t));
}
