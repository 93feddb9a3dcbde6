/* Functions that take numbers apart or compare them, fmod, and square roots of sums of
   squares; included twice like exponential.h, which explains the conventions. */

__HC __T __F(fdim)(__T x, __T y) { return x <= y ? 0 : x - y; }
#define __HC_TO_LONG(name, T, round, to) \
    __HC T __F(name)(__T x) { return __hc_to_##to(__B(round)(x)); }
__HC_TO_LONG(lrint, long, rint, ll)
__HC_TO_LONG(llrint, long long, rint, ll)
__HC_TO_LONG(lround, long, round, ll)
__HC_TO_LONG(llround, long long, round, ll)
/* Two large steps that leave room for the whole mantissa, so that only the last product
 * is rounded. */
__HC __T __hc_ldexp_step(__T x, int *n)
{
    const int down = __HC_BIAS - 1 - __HC_MANTISSA - 1;
    bool low = *n<1 - __HC_BIAS, high = *n> __HC_BIAS;
    __I step = low ? -down : high ? __HC_BIAS : 0;
    *n -= (int)step;
    return x * __HC_BITS(__T, (step + __HC_BIAS) << __HC_MANTISSA);
}
__HC __T __F(ldexp)(__T x, int n)
{
    x = __hc_ldexp_step(x, &n);
    x = __hc_ldexp_step(x, &n);
    __I last = n < 1 - __HC_BIAS ? 1 - __HC_BIAS : n > __HC_BIAS ? __HC_BIAS : n;
    return x * __HC_BITS(__T, (last + __HC_BIAS) << __HC_MANTISSA);
}
__HC __T __F(scalbn)(__T x, int n) { return __F(ldexp)(x, n); }
__HC __T __F(scalbln)(__T x, long n)
{
    return __F(ldexp)(x, n > 9999 ? 9999 : n < -9999 ? -9999 : (int)n);
}
__HC __T __F(frexp)(__T x, int *exponent)
{
    bool tiny = __B(fabs)(x) < __C(0x1p-126f, 0x1p-1022);
    __U bits = __HC_BITS(__U, tiny ? x * __C(0x1p24f, 0x1p54) : x);
    const __U field = (__U)(2 * __HC_BIAS + 1) << __HC_MANTISSA;
    int e = (int)((bits & field) >> __HC_MANTISSA) - (__HC_BIAS - 1) -
            (tiny ? __C(24, 54) : 0);
    bool plain = x != 0 && __B(fabs)(x) < __HC_INFINITY;
    *exponent = plain ? e : 0;
    bits = (bits & ~field) | (__U)(__HC_BIAS - 1) << __HC_MANTISSA;
    return plain ? __HC_BITS(__T, bits) : x;
}
__HC int __F(ilogb)(__T x)
{
    int e;
    __F(frexp)(x, &e);
    int rest = __B(fabs)(x) == __HC_INFINITY ? 0x7fffffff : -0x7fffffff - 1;
    return x != 0 && __B(fabs)(x) < __HC_INFINITY ? e - 1 : rest;
}
__HC __T __F(logb)(__T x)
{
    __T e = (__T)__F(ilogb)(x);
    e = x == 0 ? -__HC_INFINITY : e;
    return __B(fabs)(x) < __HC_INFINITY ? e : x * x;
}
__HC __T __F(modf)(__T x, __T *whole)
{
    *whole = __B(trunc)(x);
    return __B(copysign)(__B(fabs)(x) == __HC_INFINITY ? 0 : x - *whole, x);
}
__HC __T __F(nextafter)(__T x, __T y)
{
    __T next = x < y ? __hc_next_up(x) : -__hc_next_up(-x);
    return x == y ? y : x == x && y == y ? next : x + y;
}
__HC __T __F(fmod)(__T x, __T y)
{
    __T a = __B(fabs)(x), b = __B(fabs)(y), q = __B(trunc)(a / b);
    __T r = __FMA(-q, b, a);
    r = r < 0 ? r + b : r; /* a / b was rounded up to q */
    r = b == __HC_INFINITY && a < b ? a : r;
    r = __B(copysign)(r, x);
    if (__builtin_expect(!(q < __C(0x1p23f, 0x1p52)), 0))
        r = __HC_LIBM(fmod)(x, y);
    return r;
}

/* sum + low + x^2; for float, where more errors are allowed, without a low part. */
__HC __T __hc_add_square(__T sum, __T x, __T *low)
{
#pragma clang fp contract(off)
    __T p = x * x, s = sum + p, back = s - sum;
    *low += __C(0, sum - (s - back) + (p - back) + __FMA(x, x, -p));
    return __C(__FMA(x, x, sum), s);
}
/* The root of a^2 + b^2 + c^2 + d^2, or its inverse, scaled by the power of two of the
 * largest. */
__HC __T __hc_norm(__T a, __T b, __T c, __T d, bool inverse)
{
    __T m = __B(fmax)(__B(fmax)(__B(fabs)(a), __B(fabs)(b)),
                      __B(fmax)(__B(fabs)(c), __B(fabs)(d)));
    __I e = __HC_BITS(__I, m) >> __HC_MANTISSA;
    e = e < 1 ? 1 : e > 2 * __HC_BIAS - 1 ? 2 * __HC_BIAS - 1 : e;
    __T scale = __HC_BITS(__T, (2 * __HC_BIAS - e) << __HC_MANTISSA);
    __T back = __HC_BITS(__T, e << __HC_MANTISSA), low = 0, sum = 0;
    sum = __hc_add_square(sum, a * scale, &low);
    sum = __hc_add_square(sum, b * scale, &low);
    sum = __hc_add_square(sum, c * scale, &low);
    sum = __hc_add_square(sum, d * scale, &low);
    __T s = __B(sqrt)(sum + low), y = 1 / s;
    if (inverse) {
        /* As in rsqrt. */
        c = y * (__FMA(-s, y, 1) - 0.5f * (__FMA(-s, s, sum) + low) * y * y);
        y = __B(fabs)(c) < y ? y + c : y;
        return m == __HC_INFINITY ? 0 : y * scale;
    }
    return m == __HC_INFINITY ? m : s * back;
}
#define __HC_NORM(name, params, args) \
    __HC __T __F(name) params { return __hc_norm args; }
__HC_NORM(hypot, (__T x, __T y), (x, y, 0, 0, false))
__HC_NORM(rhypot, (__T x, __T y), (x, y, 0, 0, true))
__HC_NORM(norm3d, (__T x, __T y, __T z), (x, y, z, 0, false))
__HC_NORM(rnorm3d, (__T x, __T y, __T z), (x, y, z, 0, true))
__HC_NORM(norm4d, (__T x, __T y, __T z, __T w), (x, y, z, w, false))
__HC_NORM(rnorm4d, (__T x, __T y, __T z, __T w), (x, y, z, w, true))
__HC __T __F(norm)(int n, const __T *v)
{
    __T r = 0;
    for (int i = 0; i < n; i++)
        r = __hc_norm(r, v[i], 0, 0, false);
    return r;
}
__HC __T __F(rnorm)(int n, const __T *v) { return 1 / __F(norm)(n, v); }
