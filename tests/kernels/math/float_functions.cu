/* Functions of one float against double precision.

   let    n = 500
   in     x = floats(n, f4, -8, 8)
   out    y = empty((n, 28), f4)
   let    d = x.astype(f8)
   let    p = abs(d) + 0.01
   let    q = d / 8.01
   call   functions(x, y, n)
   near   4e-6 y[:, :10] = stack([sin(d), cos(d), tan(q), exp(d), log(p), sqrt(p), 1 / sqrt(p), cbrt(d), exp2(d), 10 ** q], 1)
   near   4e-6 y[:, 10:19] = stack([log2(p), log10(p), log1p(p), expm1(q), arcsin(q), arccos(q), arctan(d), sinh(q), cosh(q)], 1)
   near   4e-6 y[:, 19:24] = stack([tanh(d), arcsinh(d), arccosh(p + 1), arctanh(q), 1 / cbrt(p)], 1)
   near   4e-6 y[:, 24:28] = stack([sin(pi * d), cos(pi * d), d * d, abs(d)], 1)
*/
extern "C" __global__ void functions(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i], p = fabsf(v) + 0.01f, q = v / 8.01f, *r = y + 28 * i;
    r[0] = sinf(v);
    r[1] = cosf(v);
    r[2] = tanf(q);
    r[3] = expf(v);
    r[4] = logf(p);
    r[5] = sqrtf(p);
    r[6] = rsqrtf(p);
    r[7] = cbrtf(v);
    r[8] = exp2f(v);
    r[9] = exp10f(q);
    r[10] = log2f(p);
    r[11] = log10f(p);
    r[12] = log1pf(p);
    r[13] = expm1f(q);
    r[14] = asinf(q);
    r[15] = acosf(q);
    r[16] = atanf(v);
    r[17] = sinhf(q);
    r[18] = coshf(q);
    r[19] = tanhf(v);
    r[20] = asinhf(v);
    r[21] = acoshf(p + 1);
    r[22] = atanhf(q);
    r[23] = rcbrtf(p);
    r[24] = sinpif(v);
    r[25] = cospif(v);
    r[26] = powf(v, 2.0f);
    r[27] = fabsf(v);
}
