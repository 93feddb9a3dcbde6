/* Horner's rule with coefficients in an argument struct, and Newton steps to a root.

   let    n = 250
   let    coefficients = array(([-3.0, 1.0, 0.5, 2.0],), [("c", f8, 4)])
   in     x = floats(n, f8)
   out    y = empty((n, 2), f8)
   let    p = array([2.0, 0.5, 1.0, -3.0])
   let    root = [v.real for v in roots(p) if abs(v.imag) < 1e-9][0]
   call   newton(coefficients, x, y, n)
   near   1e-12 y = stack([polyval(p, x), full(n, root)], 1)
*/
struct cubic {
    double c[4];
};

__device__ double value(const cubic &p, double x, double *slope)
{
    double v = 0, d = 0;
#pragma unroll
    for (int k = 3; k >= 0; k--) {
        d = d * x + v;
        v = v * x + p.c[k];
    }
    if (slope)
        *slope = d;
    return v;
}

extern "C" __global__ void newton(cubic p, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[2 * i] = value(p, x[i], nullptr);
    double v = x[i] + 1.5, d;
    for (int k = 0; k < 60; k++) {
        double f = value(p, v, &d);
        if (fabs(f) < 1e-14)
            break;
        v -= f / d;
    }
    y[2 * i + 1] = v;
}
