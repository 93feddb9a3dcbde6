/* The fast intrinsics, to their documented loose bounds, and the exactly rounded ones.

   let    n = 300
   in     x = floats(n, f4, -3, 3)
   in     w = floats(n, f4, 0.5, 2)
   out    y = empty((n, 10), f4)
   out    z = empty((n, 8), f4)
   let    d = x.astype(f8)
   let    e = w.astype(f8)
   call   fast(x, w, y, z, n)
   near   1e-5 y = stack([sin(d), cos(d), exp(d), log(e), log2(e), log10(e), e ** d, d / e, clip(x, 0, 1), sin(d) + cos(d)], 1)
   expect z = stack([x + w, x - w, x * w, x / w, sqrt(w), 1 / w, (d * e + e).astype(f4), (d * e).astype(f4) + x], 1).astype(f4)
*/
extern "C" __global__ void fast(const float *x, const float *w, float *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i], b = w[i], *r = y + 10 * i, *s = z + 8 * i, p, q;
    r[0] = __sinf(a);
    r[1] = __cosf(a);
    r[2] = __expf(a);
    r[3] = __logf(b);
    r[4] = __log2f(b);
    r[5] = __log10f(b);
    r[6] = __powf(b, a);
    r[7] = __fdividef(a, b);
    r[8] = __saturatef(a);
    __sincosf(a, &p, &q);
    r[9] = p + q;
    s[0] = __fadd_rn(a, b);
    s[1] = __fsub_rn(a, b);
    s[2] = __fmul_rn(a, b);
    s[3] = __fdiv_rn(a, b);
    s[4] = __fsqrt_rn(b);
    s[5] = __frcp_rn(b);
    s[6] = __fmaf_rn(a, b, b);
    s[7] = __fadd_rn(__fmul_rn(a, b), a);
}
