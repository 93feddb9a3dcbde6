/* cp.async copies 16 bytes a thread: all, or as many as it is told, with zeros behind;
   in long straight code, too.

   block  32
   let    n = 32
   in     a = ints(1, 255, (n, 16), u1)
   in     given = ints(0, 4, n, u4) * 4
   out    y = empty((n, 16), u1)
   out    z = empty((n, 256), u1)
   call   f(a, given, y, z)
   expect y = where(arange(16) < given[:, None], a, 0)
   expect z = tile(a, (1, 16))
*/
extern "C" __global__ void f(const unsigned char *a, const unsigned *given,
                             unsigned char *y, unsigned char *z)
{
    __shared__ __align__(16) unsigned char part[32][16], all[32][256];
    int k = threadIdx.x;
    unsigned to = (unsigned)__cvta_generic_to_shared(part[k]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                 "l"(a + 16 * k), "r"(given[k])
                 : "memory");
    to = (unsigned)__cvta_generic_to_shared(all[k]);
#pragma unroll
    for (int j = 0; j < 16; j++)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + 16 * j),
                     "l"(a + 16 * k)
                     : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    for (int j = 0; j < 16; j++)
        y[16 * k + j] = part[k][j];
    for (int j = 0; j < 256; j++)
        z[256 * k + j] = all[k][j];
}
