/* Exactly rounded double arithmetic; the error of a product by fma; a compensated sum.

   let    n = 200
   let    m = 50
   in     x = floats((n, m), f8) * 10.0 ** ints(-9, 9, (n, m))
   out    y = empty((n, 3), f8)
   let    F = __import__("fractions").Fraction
   def    error(a, b): return float(F(a) * F(b) - F(a * b))
   let    m_ = __import__("math")
   call   exact(x, y, n, m)
   expect y[:, 0] = x[:, 0] / x[:, 1] + sqrt(abs(x[:, 2]))
   expect y[:, 1] = [error(float(r[0]), float(r[1])) for r in x]
   near   1e-15 y[:, 2] = [m_.fsum(r) for r in x]
*/
extern "C" __global__ void exact(const double *x, double *y, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    x += i * m;
    y[3 * i] = __dadd_rn(__ddiv_rn(x[0], x[1]), __dsqrt_rn(fabs(x[2])));
    double p = __dmul_rn(x[0], x[1]);
    y[3 * i + 1] = __fma_rn(x[0], x[1], -p);
    double sum = 0, lost = 0;
    for (int k = 0; k < m; k++) {
        double t = __dadd_rn(sum, x[k]);
        lost += fabs(sum) >= fabs(x[k]) ? __dadd_rn(__dadd_rn(sum, -t), x[k])
                                        : __dadd_rn(__dadd_rn(x[k], -t), sum);
        sum = t;
    }
    y[3 * i + 2] = sum + lost;
}
