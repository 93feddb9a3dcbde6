/* Trigonometric functions and their inverses, included twice like exponential.h, which
   explains the conventions. The argument is reduced by three-part multiples of pi;
   beyond the limit of that the C library answers for float and angle.h for double, a
   branch that is hardly ever taken. */

#define __HC_SIN_LIMIT __C(1e5f, 1e9)
/* pi as a sum of three numbers of one sign (so that the remainder of -0 is -0), and
 * rounded. */
#define __HC_PI1 __C(0x1.921fb4p1f, 0x1.921fb54442d18p1)
#define __HC_PI2 __C(0x1.4442dp-23f, 0x1.1a62633145c06p-53)
#define __HC_PI3 __C(0x1.846988p-47f, 0x1.c1cd129024e08p-106)
#define __HC_PI __C(3.14159274f, 3.141592653589793)
#define __HC_PI_LOW __C(-8.74227766e-8f, 1.2246467991473532e-16)

/* sin(r) for |r| <= pi/2 and a little beyond, with the sign bit of s. */
__HC __T __hc_sine(__T r, __U s)
{
    __T z = r * r;
    __T p = __C(
        __P4(z, -1.666666e-01f, 8.333068e-03f, -1.9809665e-04f, 2.605777e-06f),
        __P9(z, -0.16666666666666666, 0.008333333333333333, -0.00019841269841269665,
             2.755731922393909e-06, -2.5052108378348316e-08, 1.6059043185661132e-10,
             -7.647126814163125e-13, 2.8101927983215335e-15, -7.980430694160662e-18));
    p = __B(fabs)(__FMA(r * z, p, r));
    return __B(copysign)(p > 1 ? 1 : p, __HC_BITS(__T, s));
}

/* x - k (pi1 + pi2 + pi3) */
__HC __T __hc_reduce(__T x, __T k)
{
    return __FMA(k, -__HC_PI3, __FMA(k, -__HC_PI2, __FMA(k, -__HC_PI1, x)));
}

/* For |x| up to the limit. */
__HC __T __hc_sin(__T x)
{
    __T t = __FMA(x, __C(0.318309873f, 0.3183098861837907), __HC_MAGIC);
    __T r = __hc_reduce(x, t - __HC_MAGIC);
    return __hc_sine(r, __HC_BITS(__U, r) ^ __HC_BITS(__U, t) << (8 * sizeof(__T) - 1));
}
__HC __T __hc_cos(__T x)
{
    /* cos(x) = -(-1)^k sin(r), r = x - (k + 1/2) pi */
    __T t = __FMA(x, __C(0.318309873f, 0.3183098861837907), -0.5f) + __HC_MAGIC;
    __T r = __hc_reduce(x, t - __HC_MAGIC + 0.5f);
    return __hc_sine(r, __HC_BITS(__U, r) ^ ~__HC_BITS(__U, t)
                                                << (8 * sizeof(__T) - 1));
}
/* tan(r + low), |r| <= pi/4, or if odd of pi/2 more; for float without low. */
__HC __T __hc_tan_reduced(__T r, __T low, bool odd)
{
#pragma clang fp contract(off)
    __T z = r * r;
    /* tan(r) = n / d, |r| <= pi/4: d is 1 for float and cos(r) for double */
    __T p =
        __C(__P7(z, 3.3333352e-01f, 1.3332571e-01f, 5.407098e-02f, 2.1222606e-02f,
                 1.0995553e-02f, -1.1876949e-04f, 4.481558e-03f),
            __P7(z, -0.16666666666666666, 0.008333333333333321, -0.0001984126984125322,
                 2.755731921324046e-06, -2.5052104665876672e-08, 1.6058335501224505e-10,
                 -7.577162084161917e-13));
    __T q = __C(0, __P7(z, 0.041666666666666664, -0.0013888888888888872,
                        2.4801587301569893e-05, -2.755731921468392e-07,
                        2.0876754209691552e-09, -1.1470275450106468e-11,
                        4.7373030957763915e-14));
    p = r * z * p + __C(0, __FMA(-0.5 * z, low, low));
    q = __C(0, __FMA(z * z, -q, 0.5 * z) + r * low);
    __T n = r + p, d = 1 - q;
    __T n_low = r - n + p, d_low = 1 - d - q - __C(0, 0.5 * __FMA(r, r, -z));
    __T inverse = 1 / (odd ? -n : d), y = odd ? inverse : n * inverse;
    /* y, and for double what its rounding and those of n and d lost */
    __T a = odd ? d : n, b = odd ? -n : d;
    y = __C(y, a * inverse);
    low = __FMA(-y, b, a) + (odd ? d_low : n_low) - y * (odd ? -n_low : d_low);
    y = __C(y, __FMA(low, inverse, y));
    return y;
}

__HC __T __hc_tan(__T x)
{
#pragma clang fp contract(off)
    __T t = __FMA(x, __C(0.636619747f, 0.6366197723675814), __HC_MAGIC);
    __T k = 0.5f * (t - __HC_MAGIC), first = __FMA(k, -__HC_PI1, x);
    /* The rest of k pi: for double with what the subtraction loses. */
    __T second = k * __HC_PI2, r = first - second, back = r - first;
    __T low = first - (r - back) - (second + back) - __FMA(k, __HC_PI2, -second);
    low -= k * __HC_PI3;
    r = __C(__hc_reduce(x, k), r);
    __T y = __hc_tan_reduced(r, low, __HC_BITS(__U, t) & 1);
    return x == 0 ? x : y;
}

#define __HC_TRIGONOMETRIC(name)                                                      \
    __HC __T __F(name)(__T x)                                                         \
    {                                                                                 \
        __T y = __hc_##name(x);                                                       \
        if (!__C(__HC_FAST, 0) && __builtin_expect(__B(fabs)(x) > __HC_SIN_LIMIT, 0)) \
            y = __HC_LARGE(name)(x);                                                  \
        return y;                                                                     \
    }
__HC_TRIGONOMETRIC(sin)
__HC_TRIGONOMETRIC(cos)
__HC_TRIGONOMETRIC(tan)
__HC void __F(sincos)(__T x, __T *s, __T *c)
{
    *s = __F(sin)(x);
    *c = __F(cos)(x);
}

/* sin(pi y) or cos(pi y), 0 <= y <= 1/2 */
__HC __T __hc_sinpi(__T y, bool cosine)
{
    cosine ^= y > 0.25f;
    y = y > 0.25f ? 0.5f - y : y;
    __T z = y * y;
    __T s = __C(__P4(z, -5.1677127e+00f, 2.5501547e+00f, -5.989812e-01f, 7.915745e-02f),
                __P7(z, -5.16771278004997, 2.550164039877342, -0.5992645293203376,
                     0.08214588658154186, -0.007370429914616108, 0.0004662830370845936,
                     -2.171867077898439e-05));
    __T c = __C(__P4(z, -4.934802e+00f, 4.0586967e+00f, -1.3347582e+00f, 2.289885e-01f),
                __P7(z, -4.934802200544679, 4.058712126416749, -1.3352627688520031,
                     0.23533063019284312, -0.025806885669403264, 0.001929465697808039,
                     -0.0001035664629358977));
    s = __FMA(y, __HC_PI, __FMA(y * z, s, y * __HC_PI_LOW));
    return cosine ? __FMA(z, c, 1) : s;
}
__HC __T __F(sinpi)(__T x)
{
    __T y = __FMA(-2, __B(rint)(0.5f * x), x), a = __B(fabs)(y); /* exact, |y| <= 1 */
    a = a > 0.5f ? 1 - a : a;
    return __B(copysign)(__hc_sinpi(a, false), a == 0 ? x : y);
}
__HC __T __F(cospi)(__T x)
{
    __T a = __B(fabs)(__FMA(-2, __B(rint)(0.5f * x), x));
    __T c = __hc_sinpi(a > 0.5f ? 1 - a : a, true);
    return a > 0.5f ? -c : c;
}
__HC void __F(sincospi)(__T x, __T *s, __T *c)
{
    *s = __F(sinpi)(x);
    *c = __F(cospi)(x);
}

/* asin(x) on [0, 1/2], and for larger a through asin(a) = pi/2 - 2 asin(sqrt((1 - a) /
 * 2)). */
#define __HC_ASIN_CORE                                                              \
    __T a = __B(fabs)(x);                                                           \
    bool large = a > 0.5f;                                                          \
    __T z = large ? __FMA(a, -0.5f, 0.5f) : a * a, s = large ? __B(sqrt)(z) : a;    \
    __T p =                                                                         \
        __C(__P5(z, 1.6666752e-01f, 7.4953094e-02f, 4.546915e-02f, 2.4184778e-02f,  \
                 4.215831e-02f),                                                    \
            __P12(z, 0.16666666666665408, 0.07500000000336934, 0.04464285682838102, \
                  0.03038195913517841, 0.02237175808698954, 0.01735970427963245,    \
                  0.01388523975927927, 0.012169185827150094, 0.006528078933595386,  \
                  0.019527999092558968, -0.0162238579608007, 0.03191201223230365)); \
    p *= s * z;
__HC __T __F(asin)(__T x)
{
    __HC_ASIN_CORE
    __T far = __FMA(-2, s, 0.5f * __HC_PI), low = __FMA(-2, s, 0.5f * __HC_PI - far);
    far += __FMA(-2, p, low + 0.5f * __HC_PI_LOW);
    return __B(copysign)(large ? far : s + p, x);
}
__HC __T __F(acos)(__T x)
{
    __HC_ASIN_CORE
    s += p;
    __T far = x < 0 ? __FMA(-2, s, __HC_PI) : 2 * s;
    return large ? far : 0.5f * __HC_PI - __B(copysign)(s, x);
}

/* atan(t), 0 <= t <= 1. */
__HC __T __hc_atan(__T t)
{
    __T z = t * t;
    __T p = __C(__P8(z, -3.3333153e-01f, 1.9993767e-01f, -1.4211e-01f, 1.06657565e-01f,
                     -7.551619e-02f, 4.320407e-02f, -1.6362684e-02f, 2.9192718e-03f),
                __P19(z, -0.3333333333333186, 0.1999999999975507, -0.14285714271336553,
                      0.11111110678781407, -0.09090901235792788, 0.07692212934163527,
                      -0.06665860388652473, 0.05877307911577705, -0.052392335993025015,
                      0.04673951565268258, -0.04092643130551989, 0.034067905116193196,
                      -0.025826934624247462, 0.01697818819067504, -0.009184683977117273,
                      0.00385604822702208, -0.0011641009635525972,
                      0.00022302945628155127, -2.02593335842747e-05));
    return __FMA(t * z, p, t);
}
__HC __T __F(atan)(__T x)
{
    __T a = __B(fabs)(x), r = __hc_atan(a > 1 ? 1 / a : a);
    return __B(copysign)(a > 1 ? 0.5f * __HC_PI + (0.5f * __HC_PI_LOW - r) : r, x);
}
__HC __T __F(atan2)(__T y, __T x)
{
    __T a = __B(fabs)(y), b = __B(fabs)(x);
    bool steep = a > b;
    __T t = steep ? b / a : a / b;
    t = a == b ? 1 : t; /* both infinite */
    t = a == 0 ? 0 : t; /* both zero */
    __T r = __hc_atan(t);
    r = steep ? 0.5f * __HC_PI - r : r;
    r = __B(copysign)(1, x) < 0 ? __HC_PI - r : r;
    r = x == x ? r : x;
    return __B(copysign)(r, y);
}
