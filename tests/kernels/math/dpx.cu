/* DPX: minima and maxima of three or of a sum, with a floor of zero, with a word of which it was;
   of words and of their halves. Sums wrap around.

   let    n = 1500
   def    words(): return where(rng.random(n) < 0.5, ints(0, 2**32 - 1, n, u4), rng.choice(array([0, 1, 0x7fff, 0x8000, 0xffff], u2), 2 * n).view(u4))
   in     x = words()
   in     y = where(rng.random(n) < 0.2, x, words())
   in     v = words()
   out    z = empty((n, 44), u4)
   def    lanes(w, t): return w.view(t).astype(i8)
   def    whole(r, t): return r.astype(t).view(u4)
   def    of_three(f, t): return whole(f(lanes(x, t), lanes(y, t), lanes(v, t)), t)
   def    relu(f): return lambda a, b, c: maximum(f(a, b, c), 0)
   def    sums(f, t): return lambda a, b, c: f((a + b).astype(t).astype(i8), c)
   def    six(f): return [of_three(g, t) for g, t in ((f(i4), i4), (relu(f(i4)), i4), (f(u4), u4), (f(i2), i2), (relu(f(i2)), i2), (f(u2), u2))]
   def    which(f, t): return f(lanes(x, t), lanes(y, t)).reshape(n, -1).astype(u4)
   def    of_two(f, first): return ([of_three(relu(lambda a, b, c: f(a, b)), t) for t in (i4, i2)]
            + [column for t in (i4, u4) for column in (of_three(lambda a, b, c: f(a, b), t), which(first, t)[:, 0])]
            + [column for t in (i2, u2) for column in (of_three(lambda a, b, c: f(a, b), t), which(first, t)[:, 1] * 2 + which(first, t)[:, 0])])
   call   dpx(x, y, v, z, n)
   expect z = stack(six(lambda t: lambda a, b, c: maximum(maximum(a, b), c)) + six(lambda t: lambda a, b, c: minimum(minimum(a, b), c))
            + six(lambda t: sums(maximum, t)) + six(lambda t: sums(minimum, t))
            + of_two(maximum, greater_equal) + of_two(minimum, less_equal), 1)
*/
#define OF_THREE(name)                                                                  \
    *z++ = name##_s32(x, y, v), *z++ = name##_s32_relu(x, y, v), *z++ = name##_u32(x, y, v); \
    *z++ = name##_s16x2(x, y, v), *z++ = name##_s16x2_relu(x, y, v), *z++ = name##_u16x2(x, y, v);
#define OF_TWO(name)                                                         \
    *z++ = __vi##name##_s32_relu(x, y), *z++ = __vi##name##_s16x2_relu(x, y); \
    *z++ = __vib##name##_s32(x, y, &low), *z++ = low;                        \
    *z++ = __vib##name##_u32(x, y, &low), *z++ = low;                        \
    *z++ = __vib##name##_s16x2(x, y, &high, &low), *z++ = high * 2 + low;    \
    *z++ = __vib##name##_u16x2(x, y, &high, &low), *z++ = high * 2 + low;
extern "C" __global__ void dpx(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = a[i], y = b[i], v = c[i];
    bool high, low;
    z += 44 * i;
    OF_THREE(__vimax3)
    OF_THREE(__vimin3)
    OF_THREE(__viaddmax)
    OF_THREE(__viaddmin)
    OF_TWO(max)
    OF_TWO(min)
}
