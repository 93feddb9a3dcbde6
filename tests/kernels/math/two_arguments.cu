/* Functions of two and three arguments, float and double, and the overloads that choose by type.

   let    n = 400
   in     x = floats(n, f4, -8, 8)
   in     w = floats(n, f4, 0.1, 3)
   out    y = empty((n, 14), f4)
   out    z = empty((n, 7), f8)
   let    a = x.astype(f8)
   let    b = w.astype(f8)
   call   functions(x, w, y, z, n)
   near   4e-6 y = stack([abs(a) ** b, arctan2(a, b), hypot(a, b), fmod(a, b), a - b * rint(a / b), copysign(b, a), maximum(a - b, 0), maximum(a, b), minimum(a, b), a * b + a, ldexp(a, 3), sqrt(a * a + b * b + 1), a ** 3, (abs(a) + 1) ** -0.5], 1)
   near   1e-12 z = stack([abs(a) ** b, arctan2(a, b), hypot(a, b), fmod(a, b), a * b + b, maximum(a, b) - minimum(a, b), ldexp(b, -2)], 1)
*/
extern "C" __global__ void functions(const float *x, const float *w, float *y, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = x[i], b = w[i], *r = y + 14 * i;
    r[0] = powf(fabsf(a), b);
    r[1] = atan2f(a, b);
    r[2] = hypotf(a, b);
    r[3] = fmodf(a, b);
    r[4] = remainderf(a, b);
    r[5] = copysignf(b, a);
    r[6] = fdimf(a, b);
    r[7] = fmaxf(a, b);
    r[8] = fminf(a, b);
    r[9] = fmaf(a, b, a);
    r[10] = ldexpf(a, 3);
    r[11] = norm3df(a, b, 1);
    r[12] = pow(a, 3);
    r[13] = rsqrt(abs(a) + 1);
    double c = a, d = b, *s = z + 7 * i;
    s[0] = pow(abs(c), d);
    s[1] = atan2(c, d);
    s[2] = hypot(c, d);
    s[3] = fmod(c, d);
    s[4] = fma(c, d, d);
    s[5] = max(c, d) - min(c, d);
    s[6] = ldexp(d, -2);
}
