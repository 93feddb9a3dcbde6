/* Forms of inline PTX that programs use: labels with the statement's number, registers declared
   without a blank or numbered, comments, doubles in hexadecimal, halves of a register that
   nobody wants; what saturates, and pairs that are compared.

   block  33
   let    n = threads
   in     a = ints(0, 2**32 - 1, n, u4)
   in     x = resize(array([-2, -0.0, 0, 0.25, 1, 1.75, 3e38, inf, nan, -inf, 0.1], f4), n)
   in     p = resize(array([[1, 2], [2, 1], [1, 1], [nan, 1], [-1, 0]], f2), (n, 2))
   in     q = resize(array([[2, 1], [1, 2], [1, 0], [1, nan], [-1, 0]], f2), (n, 2))
   out    y = empty((n, 12), u4)
   out    z = empty((n, 8), f4)
   out    h = empty((n, 3), u4)
   out    w = empty((n, 4), f8)
   out    s = empty((n, 6), u4)
   let    unit = where(x > 0, minimum(x, 1), f4(0))
   let    bound = where(abs(x) > 65504, copysign(65504, x), x).astype(f2)
   def    both(v): return where(v[:, 0], 0xffff, 0) | where(v[:, 1], 0xffff0000, 0)
   def    rounded(v, way): return array([r if r == t or isnan(t) else nextafter(r, f4(way * inf)) if way * (t - f8(r)) > 0 else r for t, r in zip(v.astype(f8), v.astype(f8).astype(f4))])
   let    third = a.astype(f8) / 3
   def    cut(v, more): return where(isfinite(v), v.view(u4) + more & 0xffffe000, v.view(u4))
   let    third4 = third.astype(f4)
   let    small = (x * 1000.3).astype(f4)
   def    to_zero(v): return array([r if not isfinite(t) or abs(r) <= abs(t) else nextafter(r, f2(0)) for r, t in zip(v.astype(f2), v)], f2)
   call   f(a, x, p, q, y, z, w, s, h)
   expect y[:, 0] = where(a % 2 == 0, a + 5, a)
   expect y[:, 6] = where(a % 2, a + 6, a + 1)
   expect y[:, 1] = where(a > 2**31, a, 7)
   expect y[:, 2] = (a + a * 3 & 0xffffffff)
   expect y[:, 3] = a & 0xffff
   expect y[:, 4] = a >> 16
   expect y[:, 5] = clip(nan_to_num(rint(x.astype(f8)), nan=0), -2**31, 2**31 - 1).astype(i8) & 0xffffffff
   expect z[:, 0] = unit
   expect z[:, 1] = unit
   expect z[:, 2] = where(x > 0, minimum(rint(x), 1), f4(0))
   expect z[:, 3] = rounded(third, -1)
   expect z[:, 4] = rounded(third, 1)
   expect z[:, 5] = rounded(third, -1)
   expect z[:, 6] = where(x == x, x + 0, x)
   expect h[:, 0] = cut(third4, 0xfff + (third4.view(u4) >> 13 & 1))
   expect h[:, 1] = cut(third4, 0)
   expect all(isnan(x) | (h[:, 2] == to_zero(small).view(u2)))
   expect w[:, 0] = unit.astype(f8)
   expect w[:, 1] = where(third % 2 > 1, 1.0, third % 2)
   expect w[:, 2] = 2.75
   expect s[:, 0] = both(p > q)
   expect s[:, 1] = both((p < q) | isnan(p) | isnan(q))
   expect s[:, 2] = (p[:, 0] > q[:, 0]) + 2 * (p[:, 1] > q[:, 1])
   expect s[:, 3] = where((p > q)[:, 0], 0x3c00, 0) | where((p > q)[:, 1], 0x3c000000, 0)
   expect all(isnan(x) | (s[:, 4] == (bound.view(u2).astype(u4) << 16 | 0x3c00)))
   expect all(isnan(x) | (s[:, 5] == where(x > 0, bound, f2(0)).view(u2).astype(u4) << 16))
*/
extern "C" __global__ void f(const unsigned *a, const float *x, const unsigned *p, const unsigned *q,
                             unsigned *y, float *z, double *w, unsigned *s, unsigned *h)
{
    int t = threadIdx.x;
    unsigned i = a[t], r = i, bits = __float_as_uint(x[t]);
    double third = i / 3.0, odd = fmod(third, 2.0);
    y += 12 * t, z += 8 * t, w += 4 * t, s += 6 * t, h += 3 * t;
#pragma unroll
    for (int k = 0; k < 2; k++) { // the same statement twice
        r = i + k;
        asm("{ .reg.pred odd; .reg .b32 low; and.b32 low, %0, 1; setp.ne.u32 odd, low, 0;\n"
            "  @odd bra SKIP_%=; add.u32 %0, %0, 5; SKIP_%=: }"
            : "+r"(r));
        y[6 * k] = r;
    }
    asm("{ .reg.pred over; setp.gt.u32 over, %1, 0x80000000; /* half */ selp.u32 %0, %1, 7, over; }"
        : "=r"(y[1])
        : "r"(i));
    asm("{ .reg .u32 t<3>; mul.lo.u32 t0, %1, 3; add.u32 t2, %1, t0; mov.u32 %0, t2; }" : "=r"(y[2]) : "r"(i));
    unsigned short half;
    asm("mov.b32 {%0, _}, %1;" : "=h"(half) : "r"(i));
    y[3] = half;
    asm("mov.b32 {_, %0}, %1;" : "=h"(half) : "r"(i));
    y[4] = half;
    asm("cvt.rni.sat.s32.f32 %0, %1;" : "=r"(y[5]) : "f"(x[t]));
    asm("cvt.sat.f32.f32 %0, %1;" : "=f"(z[0]) : "f"(x[t]));
    asm("cvt.rn.ftz.sat.f32.f64 %0, %1;" : "=f"(z[1]) : "d"((double)x[t]));
    asm("cvt.rni.sat.f32.f32 %0, %1;" : "=f"(z[2]) : "f"(x[t]));
    asm("cvt.rm.f32.f64 %0, %1;" : "=f"(z[3]) : "d"(third));
    asm("cvt.rp.f32.f64 %0, %1;" : "=f"(z[4]) : "d"(third));
    asm("cvt.rz.f32.f64 %0, %1;" : "=f"(z[5]) : "d"(third));
    asm("mov.b32 %0, %1;" : "=f"(z[6]) : "r"(bits));
    asm("cvt.sat.f64.f32 %0, %1;" : "=d"(w[0]) : "f"(x[t]));
    asm("cvt.sat.f64.f64 %0, %1;" : "=d"(w[1]) : "d"(odd));
    asm("add.f64 %0, 0d3ff0000000000000, 0d3FFC000000000000;" : "=d"(w[2]));
    asm("set.gt.u32.f16x2 %0, %1, %2;" : "=r"(s[0]) : "r"(p[t]), "r"(q[t]));
    asm("set.ltu.u32.f16x2 %0, %1, %2;" : "=r"(s[1]) : "r"(p[t]), "r"(q[t]));
    asm("{ .reg .pred l, h; .reg .u32 m; setp.gt.f16x2 l|h, %1, %2; selp.u32 %0, 1, 0, l;\n"
        "  selp.u32 m, 2, 0, h; add.u32 %0, %0, m; }"
        : "=&r"(s[2])
        : "r"(p[t]), "r"(q[t]));
    asm("set.gt.f16x2.f16x2 %0, %1, %2;" : "=r"(s[3]) : "r"(p[t]), "r"(q[t]));
    asm("cvt.rn.satfinite.f16x2.f32 %0, %1, %2;" : "=r"(s[4]) : "f"(x[t]), "f"(1.0f));
    asm("cvt.rn.relu.satfinite.f16x2.f32 %0, %1, %2;" : "=r"(s[5]) : "f"(x[t]), "f"(-1.0f));
    asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(h[0]) : "f"((float)third));
    asm("cvt.rz.tf32.f32 %0, %1;" : "=r"(h[1]) : "f"((float)third));
    asm("cvt.rz.f16.f32 %0, %1;" : "=h"(half) : "f"((float)(x[t] * 1000.3)));
    h[2] = half;
}
