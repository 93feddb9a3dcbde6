/* Inline PTX on bfloat16, on pairs in a register and on floats of 8 bits; results that
   saturate, and maxima that are NaN where an operand is. Values are small whole
   numbers, which all types have.

   block  32
   let    n = threads
   in     a = floor(floats(n, f4, -7, 8))
   in     b = floor(floats(n, f4, 1, 8))
   out    y = empty((n, 14), f4)
   out    z = empty((n, 8), u4)
   def    half(v): return v.astype(f2).view(u2).astype(u4)
   def    brain(v): return v.astype(f4).view(u4) >> 16
   def    pair(high, low): return high << 16 | low
   let    f2 = dtype("f2")
   let    codes = array([0, 0x38, 0x40, 0x44, 0x48, 0x4a, 0x4c, 0x4e])
   def    code(v): return codes[abs(v).astype(int)] | where(v < 0, 0x80, 0)
   def    tiny(v): return array([0, 2, 4, 5, 6, 6, 7, 7])[abs(v).astype(int)] | where(v < 0, 8, 0)
   call   f(a, b, y, z)
   expect y[:, 0] = a + b
   expect y[:, 1] = a * b + a
   expect y[:, 2] = a * b
   expect y[:, 3] = a - b
   expect y[:, 4] = a * b + b
   expect y[:, 5] = a - b
   expect y[:, 6] = clip(a * b + a, 0, 1)
   expect isnan(y[:, 7])
   expect y[:, 8] = maximum(a, b)
   expect y[:, 9] = where(a < 0, -1, 1) * maximum(abs(a), b)
   expect y[:, 10] = abs(a)
   expect y[:, 11] = clip(a + b, 0, 1)
   expect y[:, 12] = a
   expect y[:, 13] = -b
   expect z[:, 0] = pair(brain(a * b + b), brain(b * b + a))
   expect z[:, 1] = pair(brain(maximum(a, b)), brain(b))
   expect z[:, 2] = pair(half(a + b), half(b + a))
   expect z[:, 3] = code(a) << 8 | code(b)
   expect z[:, 4] = pair(half(a), half(b))
   expect z[:, 6] = (tiny(a) << 4 | tiny(b)) * 0x101
   expect z[:, 7] = (a * b + a).astype(f4).view(u4)
   expect z[:, 5] = wrap(pair(minimum(a, b).astype(i4) & 0xffff, a.astype(i4) & 0xffff), u4)
*/
typedef unsigned short u16;
typedef unsigned long long u64;

__device__ float wide(u16 x)
{
    return __uint_as_float((unsigned)x << 16);
}
__device__ u64 two(float low, float high)
{
    return (u64)__float_as_uint(high) << 32 | __float_as_uint(low);
}
__device__ void store(float *to, u64 x)
{
    to[0] = __uint_as_float((unsigned)x);
    to[1] = __uint_as_float((unsigned)(x >> 32));
}

extern "C" __global__ void f(const float *a, const float *b, float *y, unsigned *z)
{
    int k = threadIdx.x;
    float p = a[k], q = b[k], *r = y + 14 * k;
    u16 s, t, d;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(s) : "f"(p));
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(t) : "f"(q));
    asm("add.rn.bf16 %0, %1, %2;" : "=h"(d) : "h"(s), "h"(t));
    r[0] = wide(d);
    asm("fma.rn.bf16 %0, %1, %2, %1;" : "=h"(d) : "h"(s), "h"(t));
    r[1] = wide(d);
    u64 both = two(p, q), other = two(q, p), result;
    asm("mul.rn.f32x2 %0, %1, %2;" : "=l"(result) : "l"(both), "l"(two(q, 1)));
    r[2] = __uint_as_float((unsigned)result);
    asm("sub.rn.ftz.f32x2 %0, %1, %2;" : "=l"(result) : "l"(both), "l"(other));
    r[3] = __uint_as_float((unsigned)result);
    asm("fma.rn.f32x2 %0, %1, %2, %3;"
        : "=l"(result)
        : "l"(both), "l"(two(q, 0)), "l"(two(q, p - q)));
    store(r + 4, result);

    asm("fma.rn.sat.f32 %0, %1, %2, %1;" : "=f"(r[6]) : "f"(p), "f"(q));
    asm("max.NaN.f32 %0, %1, %2;"
        : "=f"(r[7])
        : "f"(p), "f"(__int_as_float(0x7fc00000)));
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(r[8]) : "f"(p), "f"(q));
    asm("max.NaN.xorsign.abs.f32 %0, %1, %2;"
        : "=f"(r[9])
        : "f"(p < 0 ? p : -p), "f"(p < 0 ? q : -q));
    asm("abs.bf16 %0, %1;" : "=h"(d) : "h"(s));
    r[10] = wide(d);
    asm("add.sat.f32 %0, %1, %2;" : "=f"(r[11]) : "f"(p), "f"(q));
    asm("cvt.f32.bf16 %0, %1;" : "=f"(r[12]) : "h"(s));
    asm("neg.bf16 %0, %1;" : "=h"(d) : "h"(t));
    r[13] = wide(d);

    unsigned st, ts, *w = z + 8 * k, halves, swapped;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(st) : "f"(p), "f"(q));
    asm("cvt.rn.bf16x2.f32 %0, %2, %1;" : "=r"(ts) : "f"(p), "f"(q));
    unsigned tt = (unsigned)t << 16 | t;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(w[0]) : "r"(st), "r"(tt), "r"(ts));
    asm("max.bf16x2 %0, %1, %2;" : "=r"(w[1]) : "r"(st), "r"(tt));
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(p), "f"(q));
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(swapped) : "f"(q), "f"(p));
    asm("add.rn.f16x2 %0, %1, %2;" : "=r"(w[2]) : "r"(halves), "r"(swapped));
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(d) : "f"(p), "f"(q));
    w[3] = d;
    asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(w[4]) : "h"(d));
    asm("min.s16x2 %0, %1, %2;"
        : "=r"(w[5])
        : "r"((unsigned)(int)p << 16 | ((int)p & 0xffff)),
          "r"((unsigned)(int)q << 16 | 7));
    asm("{ .reg .b8 one; cvt.rn.satfinite.e2m1x2.f32 one, %1, %2; mov.b32 %0, {one, one, 0, 0}; }"
        : "=r"(w[6])
        : "f"(p), "f"(q));
    float sum;
    asm("fma.rn.f32.bf16 %0, %1, %2, %3;" : "=f"(sum) : "h"(s), "h"(t), "f"(p));
    w[7] = __float_as_uint(sum);
}
