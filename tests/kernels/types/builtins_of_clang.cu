/* What LLVM makes of clang's builtins: saturation, overflow, rounding to even, rotation, scaling, kinds of numbers.

   host
   let    n = 100
   in     x = ints(-2**31, 2**31 - 1, n)
   in     u = ints(0, 2**32 - 1, n, u4)
   in     f = resize(array([0.5, -1.5, 2.5, 3.7, -inf, nan, 1e-40, 0], f4), n)
   out    y = empty((n, 7), i4)
   out    g = empty((n, 2), f4)
   let    x8 = x.astype(i8)
   let    z8 = roll(x8, -1)
   let    u8_ = u.astype(i8)
   let    w8 = roll(u8_, -1)
   def    s(v): return clip(v, -2**31, 2**31 - 1)
   call   integers(x, u, y, n)
   expect y[:, 0] = s(x8 + z8) ^ s(x8 - z8)
   expect y[:, 1] = wrap(minimum(u8_ + w8, 2**32 - 1) ^ maximum(u8_ - w8, 0), i4)
   expect y[:, 2] = (x8 - z8 != s(x8 - z8)) + 2 * (x8 + 5 != s(x8 + 5))
   expect y[:, 3] = (u8_ + w8 > 2**32 - 1) + 2 * (u8_ < w8) + 4 * (u8_ * 3 > 2**32 - 1)
   expect y[:, 4] = (abs(x8 * 3) > 2**31)
   expect y[:, 5] = wrap(u8_ >> (x & 31) | u8_ << (32 - (x & 31)), i4)
   expect y[:, 6] = wrap(u8_ << (x & 31) | u8_ >> (32 - (x & 31)), i4)
   call   floats_of(f, x, g, n)
   expect g[:, 0] = rint(f)
   expect g[:, 1] = where(isnan(f), 1, where(isinf(f), 2, ldexp(f, x & 7)))
*/
extern "C" __global__ void integers(const int *x, const unsigned *u, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, *r = y + 7 * i, ignored;
    unsigned unsigned_ignored;
    if (i >= n)
        return;
    int a = x[i], b = x[(i + 1) % n];
    unsigned c = u[i], d = u[(i + 1) % n];
    r[0] = __builtin_elementwise_add_sat(a, b) ^ __builtin_elementwise_sub_sat(a, b);
    r[1] = __builtin_elementwise_add_sat(c, d) ^ __builtin_elementwise_sub_sat(c, d);
    r[2] = __builtin_ssub_overflow(a, b, &ignored) + 2 * __builtin_sadd_overflow(a, 5, &ignored);
    r[3] = __builtin_uadd_overflow(c, d, &unsigned_ignored) +
           2 * __builtin_usub_overflow(c, d, &unsigned_ignored) +
           4 * __builtin_umul_overflow(c, 3, &unsigned_ignored);
    r[4] = __builtin_smul_overflow(a, 3, &ignored);
    r[5] = __builtin_rotateright32(c, a);
    r[6] = __builtin_rotateleft32(c, a);
}

extern "C" __global__ void floats_of(const float *f, const int *x, float *g, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    g[2 * i] = __builtin_roundevenf(f[i]);
    g[2 * i + 1] = __builtin_isnan(f[i]) ? 1 : __builtin_isinf(f[i]) ? 2 : __builtin_ldexpf(f[i], x[i] & 7);
}
