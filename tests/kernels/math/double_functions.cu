/* Functions of one double.

   let    n = 500
   in     x = floats(n, f8, -8, 8)
   out    y = empty((n, 24), f8)
   let    p = abs(x) + 0.01
   let    q = x / 8.01
   call   functions(x, y, n)
   near   1e-13 y[:, :10] = stack([sin(x), cos(x), tan(q), exp(x), log(p), sqrt(p), 1 / sqrt(p), cbrt(x), exp2(x), 10 ** q], 1)
   near   1e-13 y[:, 10:19] = stack([log2(p), log10(p), log1p(p), expm1(q), arcsin(q), arccos(q), arctan(x), sinh(q), cosh(q)], 1)
   near   1e-13 y[:, 19:24] = stack([tanh(x), arcsinh(x), arccosh(p + 1), arctanh(q), sin(pi * (q - rint(q)))], 1)
*/
extern "C" __global__ void functions(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i], p = fabs(v) + 0.01, q = v / 8.01, *r = y + 24 * i;
    r[0] = sin(v);
    r[1] = cos(v);
    r[2] = tan(q);
    r[3] = exp(v);
    r[4] = log(p);
    r[5] = sqrt(p);
    r[6] = rsqrt(p);
    r[7] = cbrt(v);
    r[8] = exp2(v);
    r[9] = exp10(q);
    r[10] = log2(p);
    r[11] = log10(p);
    r[12] = log1p(p);
    r[13] = expm1(q);
    r[14] = asin(q);
    r[15] = acos(q);
    r[16] = atan(v);
    r[17] = sinh(q);
    r[18] = cosh(q);
    r[19] = tanh(v);
    r[20] = asinh(v);
    r[21] = acosh(p + 1);
    r[22] = atanh(q);
    r[23] = sinpi(q - rint(q));
}
