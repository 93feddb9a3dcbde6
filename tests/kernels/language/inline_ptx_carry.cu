/* A carry that outlasts its asm statement, as libraries of long integers have it: through
   functions that are inlined, a barrier, loops that are unrolled or not, and a function
   that is not inlined, which carries by itself.

   block  33
   let    n = 70
   in     a = where(rng.random((n, 6)) < 0.4, 2**32 - 1, ints(0, 2**32 - 1, (n, 6), u4)).astype(u4)
   in     b = where(rng.random((n, 6)) < 0.4, a ^ u4(2**32 - 1), ints(0, 2**32 - 1, (n, 6), u4)).astype(u4)
   out    sum = empty((n, 7), u4)
   out    rest = empty((n, 7), u4)
   out    product = empty((n, 4), u4)
   out    wide = empty((n, 3), u8)
   def    whole(row): return int.from_bytes(row.tobytes(), "little")
   def    words(v, count, size = 32): return [v >> size * k & 2**size - 1 for k in range(count)]
   call   f(a, b, i4(n), sum, rest, product, wide)
   expect sum = [words(whole(p) + whole(q), 7) for p, q in zip(a, b)]
   expect rest = [words(whole(p) - whole(q), 7) for p, q in zip(a, b)]
   expect product = [words(whole(p[:2]) * whole(q[:2]), 4) for p, q in zip(a, b)]
   expect wide = array([words(whole(p[:4]) + whole(q[:4]), 3, 64) for p, q in zip(a, b)], u8)
*/
typedef unsigned u32;
typedef unsigned long long u64;
#define OF_TWO(name, type, letter, code)                                                    \
    __device__ __forceinline__ type name(type a, type b)                                    \
    {                                                                                       \
        type r;                                                                             \
        asm volatile(code " %0, %1, %2;" : "=" letter(r) : letter(a), letter(b));           \
        return r;                                                                           \
    }
OF_TWO(add_cc, u32, "r", "add.cc.u32")
OF_TWO(addc_cc, u32, "r", "addc.cc.u32")
OF_TWO(addc, u32, "r", "addc.u32")
OF_TWO(sub_cc, u32, "r", "sub.cc.u32")
OF_TWO(subc_cc, u32, "r", "subc.cc.u32")
OF_TWO(subc, u32, "r", "subc.u32")
OF_TWO(add_cc_64, u64, "l", "add.cc.u64")
OF_TWO(addc_cc_64, u64, "l", "addc.cc.u64")
OF_TWO(addc_64, u64, "l", "addc.u64")
#define OF_THREE(name, code)                                                                \
    __device__ __forceinline__ u32 name(u32 a, u32 b, u32 c)                                \
    {                                                                                       \
        u32 r;                                                                              \
        asm volatile(code " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));           \
        return r;                                                                           \
    }
OF_THREE(mad_lo_cc, "mad.lo.cc.u32")
OF_THREE(madc_lo_cc, "madc.lo.cc.u32")
OF_THREE(madc_hi_cc, "madc.hi.cc.u32")
OF_THREE(madc_hi, "madc.hi.u32")
OF_THREE(mad_hi_cc, "mad.hi.cc.u32")

__device__ __noinline__ void multiply(u32 *r, const u32 *a, const u32 *b)
{
    r[0] = a[0] * b[0];
    r[1] = mad_hi_cc(a[0], b[0], 0);
    r[2] = madc_hi_cc(a[0], b[1], 0);
    r[3] = addc(0, 0);
    r[1] = mad_lo_cc(a[0], b[1], r[1]);
    r[2] = madc_lo_cc(a[1], b[1], r[2]);
    r[3] = madc_hi(a[1], b[1], r[3]);
    r[1] = mad_lo_cc(a[1], b[0], r[1]);
    r[2] = madc_hi_cc(a[1], b[0], r[2]);
    r[3] = addc(r[3], 0);
}

extern "C" __global__ void f(const u32 *a, const u32 *b, int n, u32 *sum, u32 *rest,
                             u32 *product, u64 *wide)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    a += 6 * t, b += 6 * t, sum += 7 * t, rest += 7 * t, product += 4 * t, wide += 3 * t;
    sum[0] = add_cc(a[0], b[0]);
    __syncthreads();
    for (int k = 1; k < 6; k++)
        sum[k] = addc_cc(a[k], b[k]);
    sum[6] = addc(0, 0);
    rest[0] = sub_cc(a[0], b[0]);
#pragma unroll 1
    for (int k = 1; k < 6; k++)
        rest[k] = subc_cc(a[k], b[k]);
    rest[6] = subc(0, 0);
    multiply(product, a, b);
    u64 p[2] = {(u64)a[1] << 32 | a[0], (u64)a[3] << 32 | a[2]};
    u64 q[2] = {(u64)b[1] << 32 | b[0], (u64)b[3] << 32 | b[2]};
    wide[0] = add_cc_64(p[0], q[0]);
    wide[1] = addc_cc_64(p[1], q[1]);
    wide[2] = addc_64(0, 0);
}
