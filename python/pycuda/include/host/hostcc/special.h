/* Special functions that the C library lacks: inverses of the error function and of the
   normal distribution, and modified Bessel functions; and Bessel functions, which it
   computes, but not close to their zeros. In double, and from there for float. */

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
/* Rational approximations of the middle, the tails and the far tails (Wichura,
   "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied
   Statistics 37(3), 1988), as one whose coefficients are chosen. */
__HC double normcdfinv(double p)
{
    double s = p - 0.5, tail = __builtin_sqrt(-log(p < 0.5 ? p : 1 - p));
    bool middle = __builtin_fabs(s) <= 0.425, near = tail <= 5;
    double x = middle ? 0.180625 - s * s : tail - (near ? 1.6 : 5);
    double above = 0, below = 0;
#define __HC_STEP(sum, in_middle, in_near, in_far) \
    sum = sum * x + (middle ? in_middle : near ? in_near : in_far);
    __HC_STEP(above, 2509.0809287301227, 0.0007745450142783414, 2.0103343992922881e-07)
    __HC_STEP(above, 33430.57558358813, 0.022723844989269184, 2.7115555687434876e-05)
    __HC_STEP(above, 67265.7709270087, 0.2417807251774506, 0.0012426609473880784)
    __HC_STEP(above, 45921.95393154987, 1.2704582524523684, 0.026532189526576124)
    __HC_STEP(above, 13731.69376550946, 3.6478483247632045, 0.29656057182850487)
    __HC_STEP(above, 1971.5909503065513, 5.769497221460691, 1.7848265399172913)
    __HC_STEP(above, 133.14166789178438, 4.630337846156546, 5.463784911164114)
    __HC_STEP(above, 3.3871328727963665, 1.4234371107496835, 6.657904643501103)
    __HC_STEP(below, 5226.495278852854, 1.0507500716444169e-09, 2.0442631033899397e-15)
    __HC_STEP(below, 28729.085735721943, 0.0005475938084995345, 1.421511758316446e-07)
    __HC_STEP(below, 39307.89580009271, 0.015198666563616457, 1.8463183175100548e-05)
    __HC_STEP(below, 21213.794301586597, 0.14810397642748008, 0.0007868691311456133)
    __HC_STEP(below, 5394.196021424751, 0.6897673349851, 0.014875361290850615)
    __HC_STEP(below, 687.1870074920579, 1.6763848301838038, 0.1369298809227358)
    __HC_STEP(below, 42.31333070160091, 2.053191626637759, 0.599832206555888)
    __HC_STEP(below, 1, 1, 1)
#undef __HC_STEP
    double y = p * (1 - p) == 0 ? __HC_INFINITY : above / below;
    return middle ? s * y : __builtin_copysign(y, s);
}

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

/* y, which is a Bessel function of order 0 or 1 at x, computed otherwise; but within
   reach of a zero of it, zero + low, where the slope is as given, the power series
   about that, whose coefficients follow from Bessel's equation. */
struct __hc_zero {
    double zero, low, slope;
};
__HC double __hc_bessel(int order, double x, double y, __hc_zero at)
{
    double z = at.zero, t = x - z - at.low, power = t, rest = 0;
    double a[4] = {0, 0, 0, at.slope}; /* of t^(m - 2) to t^(m + 1) */
    if (__builtin_expect(!(__builtin_fabs(t) < 0.25), 1))
        return y;
    for (int m = 0; m < 36; m++) {
        double next = z * ((m + 1) * (2 * m + 1)) * a[3] +
                      (m * m - order + z * z) * a[2] + 2 * z * a[1] + a[0];
        a[0] = a[1], a[1] = a[2], a[2] = a[3];
        a[3] = -next / (z * z * ((m + 2) * (m + 1)));
        power *= t;
        rest = __builtin_fma(a[3], power, rest);
    }
    return __builtin_fma(at.slope, t, rest);
}
__HC double j0(double x)
{
    const __hc_zero one = {2.404825557695773, -1.176691651530894e-16,
                           -0.5191474972894667},
                    two = {5.520078110286311, 8.088597146146722e-17,
                           0.34026480655836816};
    double a = __builtin_fabs(x);
    return __hc_bessel(0, a, __hostcc_libm_j0(a), a < 4 ? one : two);
}
__HC double j1(double x)
{
    const __hc_zero one = {3.8317059702075125, -1.5269184090088067e-16,
                           -0.402759395702553},
                    two = {7.015586669815619, -9.414165653410389e-17,
                           0.30011575252613254};
    double a = __builtin_fabs(x);
    double y = __hc_bessel(1, a, __hostcc_libm_j1(a), a < 5 ? one : two);
    return __builtin_copysign(1, x) < 0 ? -y : y;
}
__HC double y0(double x)
{
    const __hc_zero one = {0.8935769662791675, 2.6596231539720385e-17,
                           0.8794208024971948},
                    two = {3.957678419314858, -1.0764340697562706e-16,
                           -0.40254267177502423},
                    three = {7.086051060301773, -8.835285723085408e-17,
                             0.3000976149104752};
    return __hc_bessel(0, x, __hostcc_libm_y0(x), x < 2 ? one : x < 5 ? two : three);
}
__HC double y1(double x)
{
    const __hc_zero one = {2.197141326031017, -4.8259835876454966e-17,
                           0.5207864124022675},
                    two = {5.429681040794135, 4.162514026670377e-16,
                           -0.3403180455234406};
    return __hc_bessel(1, x, __hostcc_libm_y1(x), x < 4 ? one : two);
}

#define __HC_NARROW(name) \
    __HC float name##f(float x) { return (float)name((double)x); }
__HC_NARROW(erfinv)
__HC_NARROW(erfcinv)
__HC_NARROW(normcdfinv)
__HC_NARROW(cyl_bessel_i0)
__HC_NARROW(cyl_bessel_i1)
__HC_NARROW(j0)
__HC_NARROW(j1)
__HC_NARROW(y0)
__HC_NARROW(y1)
