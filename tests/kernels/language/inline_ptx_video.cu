/* PTX's instructions on a word as four, two or one number; with saturation, with their sum.

   let    n = 1200
   def    words(): return where(rng.random(n) < 0.5, ints(0, 2**32 - 1, n, u4), rng.choice(array([0, 1, 0x7f, 0x80, 0xff], u1), 4 * n).view(u4))
   in     x = words()
   in     y = where(rng.random(n) < 0.2, x, words())
   in     v = words()
   out    z = empty((n, 11), u4)
   def    lanes(w, t): return w.view(t).astype(i8).reshape(n, -1)
   def    whole(r, t): return wrap(r, t).reshape(-1).view(u4)
   def    cut(r, t): return clip(r, iinfo(t).min, iinfo(t).max).astype(t).reshape(-1).view(u4)
   def    total(r): return (r.sum(1) + v.astype(i8)).astype(u4)
   def    distance(t): return abs(lanes(x, t) - lanes(y, t))
   call   f(x, y, v, z, n)
   expect z[:, 0] = whole(distance(u1), u1)
   expect z[:, 1] = total(distance(u1))
   expect z[:, 2] = total(distance(i1))
   expect z[:, 3] = whole(lanes(x, u1) + lanes(y, u1), u1)
   expect z[:, 4] = cut(lanes(x, i1) + lanes(y, i1), i1)
   expect z[:, 5] = cut(lanes(x, u2) - lanes(y, u2), u2)
   expect z[:, 6] = whole(minimum(lanes(x, i2), lanes(y, i2)), i2)
   expect z[:, 7] = total(maximum(lanes(x, u1), lanes(y, u1)))
   expect z[:, 8] = whole((lanes(x, u1) + lanes(y, u1) + 1) >> 1, u1)
   expect z[:, 9] = total(distance(u4))
   expect z[:, 10] = cut(lanes(x, i4) - lanes(y, i4), i4)
*/
#define OF(k, name, c) asm(name " %0, %1, %2, %3;" : "=r"(z[k]) : "r"(x), "r"(y), "r"(c))
extern "C" __global__ void f(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = a[i], y = b[i], v = c[i];
    z += 11 * i;
    OF(0, "vabsdiff4.u32.u32.u32", 0);
    OF(1, "vabsdiff4.u32.u32.u32.add", v);
    OF(2, "vabsdiff4.s32.s32.s32.add", v);
    OF(3, "vadd4.u32.u32.u32", 0);
    OF(4, "vadd4.s32.s32.s32.sat", 0);
    OF(5, "vsub2.u32.u32.u32.sat", 0);
    OF(6, "vmin2.s32.s32.s32", 0);
    OF(7, "vmax4.u32.u32.u32.add", v);
    OF(8, "vavrg4.u32.u32.u32", 0);
    OF(9, "vabsdiff.u32.u32.u32.add", v);
    asm("vsub.s32.s32.s32.sat %0, %1, %2;" : "=r"(z[10]) : "r"(x), "r"(y));
}
