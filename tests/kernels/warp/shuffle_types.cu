/* Shuffles of all the types: int, unsigned, long long, unsigned long long, float, double, and a
   structure in two parts.

   block  32 96
   let    n = threads
   in     a = ints(-2**31, 2**31 - 1, n)
   in     l = ints(-2**63, 2**63 - 1, n, i8)
   in     f = floats(n)
   in     d = floats(n, f8)
   out    y = empty((n, 3), i8)
   out    z = empty((n, 3), f8)
   let    grid = 1
   let    i = arange(n)
   let    w = i // 32 * 32
   def    from_(v, k): return v[w + k % 32]
   call   types(a, l, f, d, y, z)
   expect y = stack([from_(a, i + 1), from_(l, i ^ 9), from_(a.astype(i8) % 2**32, i + 30)], 1)
   expect z = stack([from_(f, i ^ 1), from_(d, 31 - i), from_(f, i + 1) + from_(d, i + 1)], 1)
*/
extern "C" __global__ void types(const int *a, const long long *l, const float *f, const double *d,
                                 long long *y, double *z)
{
    const unsigned all = 0xffffffff;
    int t = threadIdx.x;
    y[3 * t] = __shfl_sync(all, a[t], t + 1);
    y[3 * t + 1] = __shfl_xor_sync(all, (unsigned long long)l[t], 9);
    y[3 * t + 2] = __shfl_sync(all, (unsigned)a[t], t + 30);
    z[3 * t] = __shfl_xor_sync(all, f[t], 1);
    z[3 * t + 1] = __shfl_sync(all, d[t], 31 - t);
    struct {
        float f;
        double d;
    } v = {f[t], d[t]}, r;
    r.f = __shfl_sync(all, v.f, t + 1);
    r.d = __shfl_sync(all, v.d, t + 1);
    z[3 * t + 2] = r.f + r.d;
}
