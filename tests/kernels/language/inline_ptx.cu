/* The inline PTX that programs use most: special registers, fences, bit fields.

   block  33 16x16
   let    n = threads
   let    grid = 2
   in     x = ints(0, 2**31 - 1, n, u4)
   in     k = ints(0, 40, n, u4)
   out    y = empty((2, n, 10), u4)
   def    bits(k): return 2**minimum(k.astype(i8), 32) - 1
   let    lane = arange(n) % 32
   let    below = bits(lane)
   call   f(x, k, y)
   expect y[0, :, :4] = stack([lane, below, below * 2 + 1, bits(full(n, 32)) - below], 1)
   expect y[1, :, 4] = arange(n) % bx + 100 * bx + 10000
   expect y[0, :, 5] = (x.astype(i8) >> minimum(k.astype(i8), 32)) & bits(k)
   expect y[0, :, 6] = x.astype(i8) & ~(bits(k) << minimum(k.astype(i8), 32)) | (0x55aa55aa << minimum(k.astype(i8), 32)) & (bits(k) << minimum(k.astype(i8), 32)) & 0xffffffff
   expect y[..., 7] = 1
   expect y[0, :, 8:] = stack([bits(full(n, 32)) - (below * 2 + 1), below + 1], 1)
*/
__device__ __forceinline__ unsigned lane_id()
{
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

extern "C" __global__ void f(const unsigned *x, const unsigned *k, unsigned *y)
{
    int i = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned lt, le, ge, gt, eq, tid, ntid, ctaid, field, all = 0x55aa55aa;
    unsigned *r = y + 10 * (blockIdx.x * blockDim.x * blockDim.y + i);
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
    asm("mov.u32 %0, %%lanemask_le;" : "=r"(le));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(ge));
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(gt));
    asm("mov.u32 %0, %%lanemask_eq;" : "=r"(eq));
    asm("mov.u32 %0, %%tid.x;" : "=r"(tid));
    asm("mov.u32 \t%0,%%ntid.x;" : "=r"(ntid));
    asm("mov.u32 %0, %%ctaid.x;\n" : "=r"(ctaid));
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(field) : "r"(x[i]), "r"(k[i]), "r"(k[i]));
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(all) : "r"(all), "r"(x[i]), "r"(k[i]), "r"(k[i]));
    unsigned long long before, after, cycles;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles));
    asm volatile("" ::: "memory");
    asm volatile("membar.gl;" ::: "memory");
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
    r[0] = lane_id();
    r[1] = lt;
    r[2] = le;
    r[3] = ge;
    r[4] = tid + 100 * ntid + 10000 * ctaid;
    r[5] = field;
    r[6] = all;
    r[7] = after >= before && cycles != 0;
    r[8] = gt;
    r[9] = eq;
}
