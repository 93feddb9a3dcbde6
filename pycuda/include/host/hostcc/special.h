/* Special functions that the C library lacks: inverses of the error function and of the
   normal distribution, and modified Bessel functions; in double, and from there for
   float. */

/* y >= 0 with erfc(y) = c <= 1 and erf(y) = x: a closed formula good to two digits
   (Winitzki's), then Newton's method, on erf (with Halley's factor) or, to stay exact
   far out, on the logarithm of erfc. */
__HC double __hc_erfcinv(double c, double x)
{
    double log_c = log(c), l = x < 0.5 ? log1p(-x * x) : log_c + log(2 - c),
           b = 4.3307 + 0.5 * l;
    double y = __builtin_sqrt(__builtin_sqrt(b * b - l * 6.8027) - b);
    for (int i = 0; i < 3; i++) {
        double near = 0.886226925452758 * (x - erf(y)) * exp(y * y),
               scaled = __hc_erfcx(y);
        double far =
            0.886226925452758 * scaled * __builtin_fma(-y, y, log(scaled) - log_c);
        y += x < 0.5 ? near / (1 - y * near) : far;
    }
    y = c == 0 ? __HC_INFINITY : y;
    return c < 0 ? __HC_NAN : y;
}
__HC double erfinv(double x)
{
    double a = __builtin_fabs(x);
    return __builtin_copysign(__hc_erfcinv(1 - a, a), x);
}
__HC double erfcinv(double c)
{
    bool upper = c > 1;
    double y = __hc_erfcinv(upper ? 2 - c : c, upper ? c - 1 : 1 - c);
    return upper ? -y : y;
}
__HC double normcdfinv(double p) { return -1.4142135623730951 * erfcinv(2 * p); }

/* I_order(x), order 0 or 1: the power series, whose terms all have one sign, with terms
   as sums of two numbers, for their errors add up; or the asymptotic series where that
   reaches full precision. */
__HC double __hc_bessel_i(int order, double x)
{
#pragma clang fp contract(off)
    double a = __builtin_fabs(x), term = 1, sum = 1, low = 0, rest = 0;
    if (a < 20) {
        double h = 0.5 * a, q = h * h, q_low = __builtin_fma(h, h, -q);
        for (int k = 1; k < 64; k++) {
            double d = k * (k + order), p = term * q;
            double p_low = __builtin_fma(term, q, -p) + (term * q_low + low * q);
            term = p / d;
            low = (__builtin_fma(-term, d, p) + p_low) / d;
            rest += __hc_add_error(sum, term, sum + term) + low;
            sum += term;
        }
        sum += rest;
        sum *= order ? h : 1;
    } else {
        for (int k = 1; k < 42; k++)
            rest += term *= ((2 * k - 1) * (2 * k - 1) - 4 * order) / (8 * k * a);
        double half = exp(0.5 * a);
        sum = half / __builtin_sqrt(6.283185307179586 * a) * half * (1 + rest);
        sum = a < 720 ? sum : a * __HC_INFINITY;
    }
    return order ? __builtin_copysign(sum, x) : sum;
}
__HC double cyl_bessel_i0(double x) { return __hc_bessel_i(0, x); }
__HC double cyl_bessel_i1(double x) { return __hc_bessel_i(1, x); }

#define __HC_NARROW(name) \
    __HC float name##f(float x) { return (float)name((double)x); }
__HC_NARROW(erfinv)
__HC_NARROW(erfcinv)
__HC_NARROW(normcdfinv)
__HC_NARROW(cyl_bessel_i0)
__HC_NARROW(cyl_bessel_i1)
