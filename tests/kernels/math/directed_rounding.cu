/* Sums, products and quotients of double rounded up, down and to zero, near both ends of the range; a sum of zero.

   let    top = 1.7976931348623157e308
   let    pairs = [(1.0, -1.0), (0.0, -0.0), (-0.0, -0.0), (1.0, 1e-30), (-1.0, 1e-30), (top, -0.3 * top), (0.3 * top, -top), (0.1, 0.7), (3.0, -1e-320), (5e-324, 5e-324), (-5e-324, 1e-300), (1e-310, -0.4), (1e-170, 1e-160), (1e300, 7e-20)]
   let    n = 14
   in     a = array([x for x, _ in pairs], f8)
   in     b = array([x for _, x in pairs], f8)
   out    y = empty((n, 3, 3), f8)
   let    F = __import__("fractions").Fraction
   def    held(s): return float(clip(s, -top, top))
   def    up(s, exact): return float(s if F(s) >= exact else nextafter(s, inf))
   def    down(s, exact): return float(s if F(s) <= exact else nextafter(s, -inf))
   def    three(s, exact): return [up(held(s), exact), down(held(s), exact), (up if exact < 0 else down)(held(s), exact)]
   let    sums = [three(p + q, F(p) + F(q)) for p, q in pairs]
   let    products = [three(p * q, F(p) * F(q)) for p, q in pairs]
   let    quotients = [three(p / q, F(p) / F(q)) for p, q in pairs[3:]]
   call   rounded(a, b, y, n)
   expect y[:, 0] = sums
   expect y[:, 1] = products
   expect y[3:, 2] = quotients
   expect signbit(y[:3, 0]) = [[False, True, False], [False, True, False], [True, True, True]]
*/
extern "C" __global__ void rounded(const double *a, const double *b, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double *r = y + 9 * i;
    r[0] = __dadd_ru(a[i], b[i]);
    r[1] = __dadd_rd(a[i], b[i]);
    r[2] = __dadd_rz(a[i], b[i]);
    r[3] = __dmul_ru(a[i], b[i]);
    r[4] = __dmul_rd(a[i], b[i]);
    r[5] = __dmul_rz(a[i], b[i]);
    r[6] = __ddiv_ru(a[i], b[i]);
    r[7] = __ddiv_rd(a[i], b[i]);
    r[8] = __ddiv_rz(a[i], b[i]);
}
