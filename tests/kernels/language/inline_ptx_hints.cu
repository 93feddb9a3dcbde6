/* Inline PTX whose words or operands are hints: policies of caches, memory that is
   asked for ahead, launches that may overlap. A copy that ignores its source writes
   zeros; one thread of a warp is elected.

   block  32
   let    n = 32
   in     a = ints(0, 99, (n, 8), u4)
   out    y = empty((n, 8), u4)
   out    z = empty((n, 4), u4)
   call   f(a, y, z)
   expect y = a[::-1]
   expect z[:, 0] = where(arange(n) % 2, 0, a[:, 0])
   expect sum(z[:, 1]) == 1
   expect all(z[:, 2] == argmax(z[:, 1]))
   expect z[:, 3] = a[:, 7]
*/
extern "C" __global__ void f(const unsigned *a, unsigned *y, unsigned *z)
{
    __shared__ unsigned tile[32];
    int k = threadIdx.x;
    unsigned v[8], elected, leader, last;
    unsigned long long policy;
    asm volatile("griddepcontrol.wait;");
    asm volatile("prefetch.global.L2 [%0];" ::"l"(a + 8 * k));
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    for (int j = 0; j < 8; j += 4)
        asm("ld.global.L2::cache_hint.v4.b32 {%0, %1, %2, %3}, [%4], %5;"
            : "=r"(v[j]), "=r"(v[j + 1]), "=r"(v[j + 2]), "=r"(v[j + 3])
            : "l"(a + 8 * (31 - k) + j), "l"(policy));
    for (int j = 0; j < 8; j += 2)
        asm volatile(
            "st.global.L2::cache_hint.v2.b32 [%0], {%1, %2}, %3;" ::"l"(y + 8 * k + j),
            "r"(v[j]), "r"(v[j + 1]), "l"(policy)
            : "memory");
    unsigned to = (unsigned)__cvta_generic_to_shared(tile + k);
    tile[k] = 1;
    asm volatile("{ .reg .pred none; setp.ne.u32 none, %2, 0;\n"
                 "  cp.async.ca.shared.global [%0], [%1], 4, none; }" ::"r"(to),
                 "l"(a + 8 * k), "r"(k % 2)
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    z[4 * k] = tile[k];
    asm volatile(
        "{ .reg .pred one; elect.sync _|one, 0xffffffff; selp.u32 %0, 1, 0, one; }"
        : "=r"(elected));
    asm volatile("{ .reg .pred one; elect.sync %0|one, 0xffffffff; }" : "=r"(leader));
    z[4 * k + 1] = elected;
    z[4 * k + 2] = leader;
    asm volatile("ld.global.L1::no_allocate.L2::128B.u32 %0, [%1];"
                 : "=r"(last)
                 : "l"(a + 8 * k + 7));
    z[4 * k + 3] = last;
    asm volatile("griddepcontrol.launch_dependents;");
}
