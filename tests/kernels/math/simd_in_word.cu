/* Comparisons that give 1, negation and magnitudes that saturate, sums of differences: of the
   bytes and of the halves of a word, extremes among them.

   let    n = 1500
   def    words(): return where(rng.random(n) < 0.5, ints(0, 2**32 - 1, n, u4), rng.choice(array([0, 1, 0x7f, 0x80, 0xff], u1), 4 * n).view(u4))
   in     x = words()
   in     y = where(rng.random(n) < 0.2, x, words())
   out    z = empty((n, 28), u4)
   def    lanes(v, t): return v.view(t).astype(i8)
   def    per_lane(f, t): return f(lanes(x, t), lanes(y, t)).astype(t).view(u4)
   def    sums(t): return abs(lanes(x, t) - lanes(y, t)).reshape(n, -1).sum(1)
   def    columns(s, u): return ([per_lane(equal, u), per_lane(not_equal, u)]
            + [per_lane(f, t) for f in (greater, greater_equal, less, less_equal) for t in (s, u)]
            + [per_lane(lambda a, b: minimum(-a, iinfo(s).max), s), per_lane(lambda a, b: minimum(abs(a), iinfo(s).max), s)]
            + [sums(s), sums(u)])
   call   simd(x, y, z, n)
   expect z = stack(columns(i1, u1) + columns(i2, u2), 1).astype(u4)
*/
#define LANES(n)                                                               \
    *z++ = __vseteq##n(x, y), *z++ = __vsetne##n(x, y);                        \
    *z++ = __vsetgts##n(x, y), *z++ = __vsetgtu##n(x, y);                      \
    *z++ = __vsetges##n(x, y), *z++ = __vsetgeu##n(x, y);                      \
    *z++ = __vsetlts##n(x, y), *z++ = __vsetltu##n(x, y);                      \
    *z++ = __vsetles##n(x, y), *z++ = __vsetleu##n(x, y);                      \
    *z++ = __vnegss##n(x), *z++ = __vabsss##n(x);                              \
    *z++ = __vsads##n(x, y), *z++ = __vsadu##n(x, y);
extern "C" __global__ void simd(const unsigned *in, const unsigned *other, unsigned *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = in[i], y = other[i];
    z += 28 * i;
    LANES(4)
    LANES(2)
}
