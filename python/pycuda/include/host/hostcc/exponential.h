/* Exponentials, logarithms, powers, hyperbolic functions, roots and the error function.
   Included twice by mathematics.h, for float and for double: __T is the type,
   __F(exp) the function's name (expf or exp), __C(a, b) picks the constant for
   float or for double, __U and __I are the integers of the same size.
   Straight-line arithmetic, so that it becomes vector code: special values are put
   right by selects at the end, and integers are read from the low bits of x +
   __HC_MAGIC instead of by conversions, which would be undefined for a NaN. Polynomials
   are minimax fits of our own on the interval named beside them (Remez exchange, then
   rounded). */

/* -- Exponentials -- */

/* x, bounded, with a NaN passed on. */
__HC __T __hc_clamp(__T x, __T low, __T high)
{
    x = x > high ? high : x;
    return x < low ? low : x;
}

/* 2^k for a normal result. */
__HC __T __hc_power2(__I k)
{
    return __HC_BITS(__T, (__U)(k + __HC_BIAS) << __HC_MANTISSA);
}
/* p * 2^k, rounded once, for |k| below twice the range of exponents. What is given is
   the bits of k + __HC_MAGIC_2: the shifts leave two biased exponents whose sum is k.
 */
#define __HC_MAGIC_2 (__HC_MAGIC + 2 * __HC_BIAS)
__HC __T __hc_scale(__T p, __I bits)
{
    __U half = (__U)(bits >> 1), rest = (__U)bits - half;
    return p * __HC_BITS(__T, half << __HC_MANTISSA) *
           __HC_BITS(__T, rest << __HC_MANTISSA);
}

/* (e^r - 1 - r) / r^2 for |r| <= ln(2)/2. */
__HC __T __hc_exp_tail(__T r)
{
    return __C(__P6(r, 5.e-01f, 1.6666666e-01f, 4.1666463e-02f, 8.333556e-03f,
                    1.3935114e-03f, 1.9753142e-04f),
               __P11(r, 0.5, 0.16666666666666682, 0.041666666666666095,
                     0.008333333333317034, 0.001388888888911563, 0.00019841269896384492,
                     2.4801586926659453e-05, 2.7557234860956355e-06,
                     2.7557581804787664e-07, 2.5112037243593257e-08,
                     2.0826645347693766e-09));
}

/* x = k ln(2) + r + r_low, and the bits that __hc_scale takes. */
#define __HC_REDUCE_LN2(x, k, bits, r)                                     \
    __T k = __FMA(x, __C(1.4426950f, 1.4426950408889634), __HC_MAGIC_2);   \
    __I bits = __HC_BITS(__I, k);                                          \
    k -= __HC_MAGIC_2;                                                     \
    __T r_first = __FMA(k, -__C(0.693145752f, 0x1.62e42fefa38p-1), x);     \
    __T r = __FMA(k, -__C(1.42860677e-6f, 0x1.ef35793c7673p-45), r_first); \
    __T r_low = __FMA(k, -__C(1.42860677e-6f, 0x1.ef35793c7673p-45), r_first - r);

/* e^x * 2^shift, which keeps e^x / 2 from overflowing early, and what its rounding
 * lost. */
__HC __T __hc_exp(__T x, int shift, __T *low)
{
    x = __hc_clamp(x, __C(-105.f, -747.), __C(91.f, 712.));
    __HC_REDUCE_LN2(x, k, n, r)
    __T y = __FMA(r * r, __hc_exp_tail(r), r), e = 1 + y;
    *low = __hc_scale(y - (e - 1), n + shift);
    return __hc_scale(e, n + shift);
}
__HC __T __F(exp)(__T x)
{
    __T low;
    return __hc_exp(x, 0, &low);
}

__HC __T __F(exp2)(__T x)
{
    x = __hc_clamp(x, __C(-151.f, -1077.), __C(130.f, 1026.));
    __T t = x + __HC_MAGIC_2, r = x - (t - __HC_MAGIC_2);
    /* (2^r - 1) / r, |r| <= 1/2 */
    __T p = __C(
        __P6(r, 6.9314724e-01f, 2.4022655e-01f, 5.5502616e-02f, 9.617361e-03f,
             1.3423329e-03f, 1.5684386e-04f),
        __P12(r, 0.6931471805599453, 0.24022650695910072, 0.05550410866482177,
              0.009618129107628487, 0.0013333558146374188, 0.00015403530393354753,
              1.5252733871074593e-05, 1.3215486823316123e-06, 1.017804528020097e-07,
              7.0548914597429744e-09, 4.457535420954827e-10, 2.5737825390934916e-11));
    return __hc_scale(__FMA(r, p, 1), __HC_BITS(__I, t));
}

__HC __T __F(exp10)(__T x)
{
    x = __hc_clamp(x, __C(-46.f, -325.), __C(39.f, 309.));
    __T t = __FMA(x, __C(3.3219281f, 3.321928094887362), __HC_MAGIC_2);
    __T k = t - __HC_MAGIC_2;
    __T first = __FMA(k, -__C(0.30103302f, 0x1.34413509f78p-2), x);
    __T low = __C(-3.02435546e-6f, 0x1.fef311f12b358p-46), r = __FMA(k, -low, first);
    low = __FMA(k, -low, first - r);
    /* (10^r - 1 - r ln(10)) / r^2, |r| <= log10(2)/2 */
    __T p = __C(__P5(r, 2.6509488e+00f, 2.034661e+00f, 1.1712933e+00f, 5.416604e-01f,
                     2.0628873e-01f),
                __P11(r, 2.650949055239199, 2.0346785922934782, 1.171255148912251,
                      0.5393829291945265, 0.2069958487002474, 0.06808936526357423,
                      0.019597694330218397, 0.005013913484306108, 0.0011545107796866788,
                      0.00024224483301098232, 4.626020851374352e-05));
    /* for double also what r and ln(10) lost in rounding */
    p *= r * r;
    p = __C(p, __FMA(low, 2.302585092994046, __FMA(r, -0x1.f48ad494ea3e9p-53, p)));
    p = 1 + __FMA(r, __C(2.3025851f, 2.302585092994046), p);
    return __hc_scale(p, __HC_BITS(__I, t));
}

__HC __T __F(expm1)(__T x)
{
    __T y = __hc_clamp(x, __C(-20.f, -40.), __C(89.f, 710.));
    __HC_REDUCE_LN2(y, k, n, r)
    /* 2^n (e^r - 1) + 2^n - 1, where 2^n itself could overflow, with what the roundings
       of r and of the leading sums lose */
    __T half = __hc_power2(n - 1 - 2 * __HC_BIAS), base = half - 0.5f,
        sum = __FMA(half, r, base);
    __T rest = __FMA(half, r, base - sum) + (half - base - 0.5f);
    __T p =
        2 * (sum +
             __FMA(half, __FMA(r * r, __hc_exp_tail(r), __FMA(r, r_low, r_low)), rest));
    return __B(fabs)(x) < __C(0x1p-26f, 0x1p-55) ? x : p;
}

/* -- Logarithms -- */

/* A small integer as a floating-point number, also where the processor lacks the
 * conversion. */
__HC __T __hc_number(__I k)
{
    return __HC_BITS(__T, k + __HC_BITS(__I, __HC_MAGIC)) - __HC_MAGIC;
}

/* x = 2^k m with m in [sqrt(1/2), sqrt(2)), for positive finite x; returns m. */
__HC __T __hc_split(__T x, __I *k)
{
    bool tiny = x < __C(0x1p-126f, 0x1p-1022);
    x = tiny ? x * __C(0x1p24f, 0x1p54) : x;
    __I bits = __HC_BITS(__I, x);
    __I e =
        (bits - __HC_BITS(__I, __C(0.70710678f, 0.7071067811865476))) >> __HC_MANTISSA;
    *k = e - (tiny ? __C(24, 54) : 0);
    return __HC_BITS(__T, bits - (__I)((__U)e << __HC_MANTISSA));
}

/* log(1 + f) - f for 1 + f in that interval; for double through log((1 + s) / (1 - s)).
 */
__HC __T __hc_log_tail(__T f)
{
    __T s = __C(f, f / (2 + f)), z = s * s, half = 0.5f * f * f;
    __T p = __C(__P9(f, -4.9999988e-01f, 3.3333325e-01f, -2.5001612e-01f,
                     2.0002016e-01f, -1.6608374e-01f, 1.418048e-01f, -1.3247958e-01f,
                     1.291583e-01f, -7.623345e-02f),
                __P7(z, 0.6666666666666734, 0.3999999999941566, 0.28571428742190114,
                     0.22222198591354575, 0.18183563489861032, 0.15314069252149798,
                     0.1479578868692396));
    return __C(__FMA(z, p, __FMA(f, f, -z) * p), __FMA(s, __FMA(z, p, half), -half));
}

/* log(2^k (1 + f)) / log(b), where tail is log(1 + f) - f, from log(2) / log(b) and
   log(e) / log(b) each as a sum of two numbers, the first so short that k * two_high is
   exact. The roundings of the leading terms are kept. */
#define __HC_LOG_SUM(...) __HC_LOG_TERMS(__VA_ARGS__)
#define __HC_LOG_TERMS(f, k, tail, two_high, two_low, e_high, e_low)          \
    __T base = k * (two_high), lead = f * (e_high), sum = base + lead;        \
    __T rest = base - sum + lead, extra = __FMA(f, e_high, -lead);            \
    tail = (e_low) != 0 ? __FMA(tail, e_high, __FMA(f, e_low, extra)) : tail; \
    sum += (two_low) != 0 ? rest + __FMA(k, two_low, tail) : rest + tail;
#define __HC_LOG(name, ...)                                                         \
    __HC __T __F(name)(__T x)                                                       \
    {                                                                               \
        _Pragma("clang fp contract(off)") __I e;                                    \
        __T f = __hc_split(x, &e) - 1, k = __hc_number(e), tail = __hc_log_tail(f); \
        __HC_LOG_SUM(f, k, tail, __VA_ARGS__)                                       \
        sum = x < __HC_INFINITY ? sum : x; /* infinity, NaN */                      \
        sum = x == 0 ? -__HC_INFINITY : sum;                                        \
        return x < 0 ? __HC_NAN : sum;                                              \
    }
#define __HC_LN2 \
    __C(0.693145752f, 0x1.62e42fefa38p-1), __C(1.42860677e-6f, 0x1.ef35793c7673p-45)
__HC_LOG(log, __HC_LN2, 1, 0)
__HC_LOG(log2, 1, 0, __C(1.44269502f, 0x1.71547652b82fep+0),
         __C(1.92596303e-8f, 0x1.777d0ffda0d24p-56))
__HC_LOG(log10, __C(0.30103302f, 0x1.34413509f78p-2),
         __C(-3.02435546e-6f, 0x1.fef311f12b358p-46),
         __C(0.434294492f, 0x1.bcb7b1526e50ep-2),
         __C(-1.0103049952e-8f, 0x1.95355baaafad3p-57))

__HC __T __F(log1p)(__T x)
{
#pragma clang fp contract(off)
    __T u = 1 + x;
    __I e =
        (__HC_BITS(__I, u) - __HC_BITS(__I, __C(0.70710678f, 0.7071067811865476))) >>
        __HC_MANTISSA;
    __T k = __hc_number(e), s = __hc_power2(-e);
    /* u 2^-e - 1 without the rounding of u; where that does not matter 2^-e may be out
     * of range */
    __T m = __HC_BITS(__T, __HC_BITS(__I, u) - (__I)((__U)e << __HC_MANTISSA));
    __T f = e > 60 ? m - 1 : __FMA(x, s, s - 1), low = __FMA(x, s, s - 1 - f);
    __T tail = __hc_log_tail(f) + (e > 60 ? 0 : __FMA(-f, low, low));
    __HC_LOG_SUM(f, k, tail, __HC_LN2, 1, 0)
    sum = x < __HC_INFINITY ? sum : x;
    sum = __B(fabs)(x) < __C(0x1p-26f, 0x1p-55) ? x : sum;
    sum = x == -1 ? -__HC_INFINITY : sum;
    return x < -1 ? __HC_NAN : sum;
}

/* -- Hyperbolic functions -- */

__HC __T __F(sinh)(__T x)
{
    __T a = __B(fabs)(x), z = a * a, low, e = __hc_exp(a, -1, &low);
    /* (sinh(a) - a) / a^3, a <= 1 */
    __T p =
        __C(__P3(z, 1.6666716e-01f, 8.330271e-03f, 2.037334e-04f),
            __P7(z, 0.16666666666666669, 0.008333333333333148, 0.00019841269841431867,
                 2.7557319157073305e-06, 2.505212313651968e-08, 1.6057259783146183e-10,
                 7.758748397631205e-13));
    e = e < __HC_INFINITY ? e - (0.25f / e - low) : e;
    return __B(copysign)(a < 1 ? __FMA(a * z, p, a) : e, x);
}
__HC __T __F(cosh)(__T x)
{
    __T low, e = __hc_exp(__B(fabs)(x), -1, &low);
    return e < __HC_INFINITY ? e + (0.25f / e + low) : e;
}
__HC __T __F(tanh)(__T x)
{
    __T a = __B(fabs)(x), z = a * a, low, e = __hc_exp(a < 30 ? 2 * a : 60, 0, &low);
    /* 1 - 2 / (e^(2a) + 1), for double with what the roundings lost */
    __T d = e + 1, q = 2 / d, t = 1 - q;
    low = 0.5f * q * (__FMA(-q, d, 2) - q * (e - d + 1 + low));
    t = __C(t, t + (1 - t - q - low));
    /* (tanh(a) - a) / a^3, a <= 0.625 */
    __T p = __C(
        __P5(z, -3.333328e-01f, 1.3331406e-01f, -5.3736515e-02f, 2.0628167e-02f,
             -5.692296e-03f),
        __P12(z, -0.33333333333333315, 0.13333333333329742, -0.05396825396605873,
              0.02186948846871113, -0.00886323431251687, 0.003592113999302824,
              -0.001455725944547372, 0.0005894517845345235, -0.00023701169122450528,
              9.155834518212154e-05, -3.0187155159980798e-05, 6.042440307473865e-06));
    t = a < 0.625f ? __FMA(a * z, p, a) : t;
    return __B(copysign)(x == x ? t : x, x);
}
/* For large arguments log(2a), which is log1p(a) + log(2) then. */
__HC __T __F(asinh)(__T x)
{
    __T a = __B(fabs)(x), u = a + a * a / (1 + __B(sqrt)(__FMA(a, a, 1)));
    bool large = a > 0x1p60f;
    u = __F(log1p)(large ? a : u);
    return __B(copysign)(large ? u + __C(0.69314718f, 0.6931471805599453) : u, x);
}
__HC __T __F(acosh)(__T x)
{
    __T t = x - 1, u = t + __B(sqrt)(__FMA(t, t, 2 * t));
    bool large = x > 0x1p60f;
    u = __F(log1p)(large ? x : u);
    u = large ? u + __C(0.69314718f, 0.6931471805599453) : u;
    return x < 1 ? __HC_NAN : u;
}
__HC __T __F(atanh)(__T x)
{
    __T a = __B(fabs)(x);
    return __B(copysign)(0.5f * __F(log1p)(2 * a / (1 - a)), x);
}

/* -- Roots -- */

__HC __T __F(rsqrt)(__T x)
{
    bool tiny = x < __C(0, 0x1p-900);
    x = tiny ? x * __C(1, 0x1p100) : x;
    __T s = __B(sqrt)(x), y = 1 / s;
    /* For double one step for what both roundings lost. */
    __T c = __C(0, y * (__FMA(-s, y, 1) - 0.5f * __FMA(-s, s, x) * y * y));
    y = __B(fabs)(c) < y ? y + c : y;
    return tiny ? y * __C(1, 0x1p50) : y;
}

/* x^(-1/3) for normal x > 0: the exponent divided by -3 gives 5 bits, each step thrice
 * as many. */
__HC __T __hc_rcbrt_step(__T x, __T y)
{
    __T e = __FMA(-x * y, y * y, 1), third = __C(0.33333333f, 0.3333333333333333);
    return __FMA(y * e, __FMA(e, __C(0.22222222f, 0.2222222222222222), third), y);
}
__HC __T __hc_rcbrt(__T x)
{
    const int low =
        __C(0, 32); /* the upper word alone: 32-bit division is cheap in vectors */
    unsigned top =
        __C(0x54a1f400u, 0x553ee980u) - (unsigned)(__HC_BITS(__U, x) >> low) / 3;
    __T y = __HC_BITS(__T, (__U)top << low);
    y = __hc_rcbrt_step(x, __hc_rcbrt_step(x, y));
    return __C(y, __hc_rcbrt_step(x, y));
}
#define __HC_CBRT_SCALED                                                           \
    __T a = __B(fabs)(x);                                                          \
    bool tiny = a < __C(0x1p-126f, 0x1p-1022), plain = a > 0 && a < __HC_INFINITY; \
    a = tiny ? a * __C(0x1p24f, 0x1p54) : a;                                       \
    __T y = __hc_rcbrt(a);
__HC __T __F(cbrt)(__T x)
{
    __HC_CBRT_SCALED
    __T c = a * y * y, square = c * c;
    __T rest = __FMA(-c, square, a) - c * __FMA(c, c, -square);
    c = __FMA(rest * y * y, __C(0.33333333f, 0.3333333333333333), c);
    c = tiny ? c * __C(0x1p-8f, 0x1p-18) : c;
    return plain ? __B(copysign)(c, x) : x;
}
__HC __T __F(rcbrt)(__T x)
{
    __HC_CBRT_SCALED
    __T square = y * y, u = a * y; /* a y^3 - 1 with the errors of both products */
    __T rest =
        __FMA(-u, square, 1) - u * __FMA(y, y, -square) - square * __FMA(a, y, -u);
    y = __FMA(y * rest, __C(0.33333333f, 0.3333333333333333), y);
    y = tiny ? y * __C(0x1p8f, 0x1p18) : y;
    return plain ? __B(copysign)(y, x) : 1 / x;
}

/* -- The error function -- */

/* e^(a^2) erfc(a) for a >= 0: times (1 + 2a) it is smooth in q = (a - c) / (a + c), |q|
 * <= 1. */
__HC __T __hc_erfcx(__T a)
{
    __T c = __C(2.f, 4.), b = a < 0x1p60f ? a : 0x1p60f, q = (b - c) / (b + c);
    __T p = __C(
        __P12(q, 1.2769784f, -9.276377e-02f, -1.6603068e-01f, 1.6404913e-01f,
              -5.4214418e-02f, -8.016166e-03f, 8.694697e-03f, 1.2096724e-03f,
              -1.4010196e-03f, -3.4926494e-04f, 1.6262721e-04f, 5.9973034e-05f),
        __P24(q, 1.2329951186255526, -0.1396211168405621, 0.015379652102610972,
              0.06809705425465198, -0.10103906603588418, 0.09373283499953526,
              -0.06633036582003235, 0.037167515521312415, -0.01619773398357813,
              0.005031970102295493, -0.0007577736976215379, -0.00019925728640945943,
              0.00015062307095110682, -2.4397384026345693e-05, -1.1225054898836113e-05,
              5.705988491721907e-06, 2.9795940758781897e-07, -8.204112142971e-07,
              7.119219126834021e-08, 1.0586328494473062e-07, -1.6387538723817082e-08,
              -1.21582072343782e-08, 1.5765966157304098e-09, 8.986038928553413e-10));
    return 0.5f * p / (a + 0.5f);
}
/* erfc(a + low) for a >= 0 and a small correction. */
__HC __T __hc_erfc(__T a, __T low)
{
    __T b = a < 30 ? a : 30, s = b * b, e = __F(exp)(-s) * __hc_erfcx(a);
    return __FMA(-e, __FMA(b, b, -s) + 2 * b * low, e);
}
/* erf(x), |x| <= 1 */
__HC __T __hc_erf(__T x)
{
    __T z = x * x;
    __T p = __C(__P7(z, 1.2837917e-01f, -3.7612626e-01f, 1.1283579e-01f,
                     -2.6853347e-02f, 5.187162e-03f, -7.997853e-04f, 7.806904e-05f),
                __P13(z, 0.1283791670955126, -0.3761263890318375, 0.11283791670954857,
                      -0.026866170645072907, 0.0052239776247809695,
                      -0.0008548326978747522, 0.00012055331037075158,
                      -1.4925593510732992e-05, 1.6460972873581224e-06,
                      -1.6350025776643451e-07, 1.465788330799922e-08,
                      -1.1365678497323962e-09, 5.945281698914021e-11));
    return __FMA(x, p, x);
}
__HC __T __F(erf)(__T x)
{
    __T a = __B(fabs)(x), near = __hc_erf(a), far = 1 - __hc_erfc(a, 0);
    return __B(copysign)(a < 1 ? near : far, x);
}
__HC __T __F(erfc)(__T x)
{
    __T a = __B(fabs)(x), near = 1 - __hc_erf(x), c = __hc_erfc(a, 0);
    c = x < 0 ? 2 - c : c;
    return a < 0.5f ? near : c;
}
__HC __T __F(erfcx)(__T x)
{
    __T a = __B(fabs)(x), c = __hc_erfcx(a), s = a * a, low, e = __hc_exp(s, 1, &low);
    e = e < __HC_INFINITY ? __FMA(e, __FMA(a, a, -s), e) : e;
    c = a < 0.5f ? 0.5f * e * (1 - __hc_erf(a)) : c;
    return x < 0 ? e - c : c;
}
__HC __T __F(normcdf)(__T x)
{
    __T a = __B(fabs)(x), root = __C(0.70710678f, 0.7071067811865476);
    a = a > 64 ? 64 : a;
    __T h = a * root;
    __T low = __FMA(a, root, -h) + a * __C(1.21016175e-8f, -4.833646656726457e-17);
    __T c = 0.5f * __hc_erfc(h, low), middle = 0.5f * __hc_erf(h);
    c = x > 0 ? 1 - c : c;
    return h < 0.5f ? 0.5f + (x > 0 ? middle : -middle) : c;
}
