/* pow for float, computed in double, and for double, with the logarithm carried as a
   sum of two numbers (some 65 bits, for an error in it is multiplied by up to 745). */

/* C's table of special cases, from r = |x|^y; and small powers, of which only the
   product is left where y is a constant. */
#define __HC_POWER_SPECIAL(B)                                       \
    bool integer = __builtin_trunc##B(y) == y;                      \
    bool odd = integer && __builtin_trunc##B(y * 0.5f) != y * 0.5f; \
    r = x == 1 || y == 0 || (x == -1 && y == y) ? 1 : r;            \
    r = x < 0 && x > -__HC_INFINITY && !integer ? __HC_NAN : r;     \
    r = odd && __builtin_copysign##B(1, x) < 0 ? -r : r;            \
    return y == 2 ? x * x : y == 3 ? x * x * x : r;

__HC float powf(float x, float y)
{
    if (__HC_FAST)
        return exp2f(y * log2f(x));
    long long e;
    double a = __builtin_fabsf(x), m = __hc_split(a, &e), s = (m - 1) / (m + 1),
           z = s * s;
    /* log2(a) = e + 2 atanh(s) / log(2), |s| <= 0.172 */
    double p = __P6(z, 2.88539008177785, 0.9617966941134989, 0.5770779423159976,
                    0.41220925764535843, 0.3199054677422561, 0.28290361451955787);
    double t = __builtin_fma(s, p, __hc_number(e));
    t = a > 0 ? t : -__HC_INFINITY;
    t = __hc_clamp(y * (a < __HC_INFINITY ? t : a), -160, 130);
    double k = t + __HC_MAGIC;
    double u = t - (k - __HC_MAGIC);
    p = __P7(u, 1.0000000005544192, 0.6931472057374126, 0.24022646889227717,
             0.05550328776694655, 0.00961848908713374, 0.0013399931412521676,
             0.00015345781602418956);
    p *= __hc_power2(__HC_BITS(long long, k));
    float r = (float)p;
    __HC_POWER_SPECIAL(f)
}

__HC double pow(double x, double y)
{
#pragma clang fp contract(off)
    long long e;
    double a = __builtin_fabs(x), f = __hc_split(a, &e) - 1, k = __hc_number(e);
    /* s + sl = f / (2 + f), u + ul = s^3 */
    double d = 2 + f, dl = f - (d - 2), inverse = 1 / d, s = f * inverse;
    double sl = (__builtin_fma(-s, d, f) - s * dl) * inverse;
    double z = s * s, zl = __builtin_fma(s, s, -z) + 2 * s * sl;
    double u = z * s, ul = __builtin_fma(z, s, -u) + (z * sl + zl * s);
    /* log(1 + f) = 2 s + u (2/3 + z P(z)) as h + l */
    double q = z * __P7(z, 0.4000000000000225, 0.2857142857010157, 0.22222222519591953,
                        0.18181784394009837, 0.15386756182407488, 0.1325684253008012,
                        0.1319611590575019);
    double v = 0x1.5555555555555p-1 + q;
    double vl = 0x1.5555555555555p-1 - v + q + 0x1.5555555555555p-55;
    double p = u * v, pl = __builtin_fma(u, v, -p) + (u * vl + ul * v);
    double h = 2 * s + p, l = 2 * s - h + p + (pl + 2 * sl);
    /* + k log(2) */
    double b = k * 0x1.62e42fefa38p-1, t = b + h;
    l += b - t + h + k * 0x1.ef35793c7673p-45;
    h = t + l;
    l = t - h + l;
    h = a > 0 ? h : -__HC_INFINITY;
    h = a < __HC_INFINITY ? h : a;
    /* e^(y (h + l)) */
    p = y * h;
    pl = __builtin_fabs(p) < 800 ? __builtin_fma(y, h, -p) + y * l : 0;
    p = __hc_clamp(p, -747, 712);
    k = __builtin_fma(p, 1.4426950408889634, __HC_MAGIC_2);
    e = __HC_BITS(long long, k);
    k -= __HC_MAGIC_2;
    t = __builtin_fma(k, -0x1.62e42fefa38p-1, p);
    u = __builtin_fma(k, -0x1.ef35793c7673p-45, t);
    pl += __builtin_fma(k, -0x1.ef35793c7673p-45, t - u);
    t = u + pl;
    pl = u - t + pl;
    double r = 1 + (t + __builtin_fma(t * t, __hc_exp_tail(t), pl));
    r = __hc_scale(r, e);
    __HC_POWER_SPECIAL()
}
