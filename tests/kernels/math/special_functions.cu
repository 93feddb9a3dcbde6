/* erf, erfc, gamma functions and the normal distribution.

   let    n = 200
   in     x = floats(n, f8, -2.5, 2.5)
   out    y = empty((n, 6), f8)
   out    z = empty((n, 4), f4)
   def    each(f, v): return [f(a) for a in v.tolist()]
   let    m = __import__("math")
   let    p = abs(x) + 0.3
   call   functions(x, y, z, n)
   near   1e-12 y = stack([each(m.erf, x), each(m.erfc, x), each(m.lgamma, p), each(m.gamma, p), each(m.erfc, -x / sqrt(2)), exp(x * x) * each(m.erfc, x)], 1) * array([1, 1, 1, 1, 0.5, 1])
   near   1e-5 z = stack([each(m.erf, x), each(m.erfc, x), each(m.lgamma, p), each(m.gamma, p)], 1)
*/
extern "C" __global__ void functions(const double *x, double *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], p = fabs(v) + 0.3, *r = y + 6 * i;
    r[0] = erf(v);
    r[1] = erfc(v);
    r[2] = lgamma(p);
    r[3] = tgamma(p);
    r[4] = normcdf(v);
    r[5] = erfcx(v);
    float *s = z + 4 * i;
    s[0] = erff(v);
    s[1] = erfcf(v);
    s[2] = lgammaf(p);
    s[3] = tgammaf(p);
}
