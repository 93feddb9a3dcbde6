/* Functions that take numbers apart or compare them, fmod, and square roots of sums of squares;
   included twice like exponential.h, which explains the conventions. */

__HC __HC_T __HC_F(fdim)(__HC_T x, __HC_T y)
{
    return x <= y ? 0 : x - y;
}
#define __HC_TO_LONG(name, T, round, to)                                                       \
    __HC T __HC_F(name)(__HC_T x) { return __hc_to_##to(__HC_B(round)(x)); }
__HC_TO_LONG(lrint, long, rint, ll)
__HC_TO_LONG(llrint, long long, rint, ll)
__HC_TO_LONG(lround, long, round, ll)
__HC_TO_LONG(llround, long long, round, ll)
#undef __HC_TO_LONG
/* Two large steps that leave room for the whole mantissa, so that only the last product is rounded. */
__HC __HC_T __hc_ldexp_step(__HC_T x, int *n)
{
    const int down = __HC_BIAS - 1 - __HC_MANTISSA - 1;
    bool low = *n < 1 - __HC_BIAS, high = *n > __HC_BIAS;
    __HC_I step = low ? -down : high ? __HC_BIAS : 0;
    *n -= (int)step;
    return x * __HC_BITS(__HC_T, (step + __HC_BIAS) << __HC_MANTISSA);
}
__HC __HC_T __HC_F(ldexp)(__HC_T x, int n)
{
    x = __hc_ldexp_step(x, &n);
    x = __hc_ldexp_step(x, &n);
    __HC_I last = n < 1 - __HC_BIAS ? 1 - __HC_BIAS : n > __HC_BIAS ? __HC_BIAS : n;
    return x * __HC_BITS(__HC_T, (last + __HC_BIAS) << __HC_MANTISSA);
}
__HC __HC_T __HC_F(scalbn)(__HC_T x, int n)
{
    return __HC_F(ldexp)(x, n);
}
__HC __HC_T __HC_F(scalbln)(__HC_T x, long n)
{
    return __HC_F(ldexp)(x, n > 9999 ? 9999 : n < -9999 ? -9999 : (int)n);
}
__HC __HC_T __HC_F(frexp)(__HC_T x, int *exponent)
{
    bool tiny = __HC_B(fabs)(x) < __HC_C(0x1p-126f, 0x1p-1022);
    __HC_U bits = __HC_BITS(__HC_U, tiny ? x * __HC_C(0x1p24f, 0x1p54) : x);
    const __HC_U field = (__HC_U)(2 * __HC_BIAS + 1) << __HC_MANTISSA;
    int e = (int)((bits & field) >> __HC_MANTISSA) - (__HC_BIAS - 1) - (tiny ? __HC_C(24, 54) : 0);
    bool plain = x != 0 && __HC_B(fabs)(x) < __HC_INFINITY;
    *exponent = plain ? e : 0;
    bits = (bits & ~field) | (__HC_U)(__HC_BIAS - 1) << __HC_MANTISSA;
    return plain ? __HC_BITS(__HC_T, bits) : x;
}
__HC int __HC_F(ilogb)(__HC_T x)
{
    int e;
    __HC_F(frexp)(x, &e);
    int rest = __HC_B(fabs)(x) == __HC_INFINITY ? 0x7fffffff : -0x7fffffff - 1;
    return x != 0 && __HC_B(fabs)(x) < __HC_INFINITY ? e - 1 : rest;
}
__HC __HC_T __HC_F(logb)(__HC_T x)
{
    __HC_T e = (__HC_T)__HC_F(ilogb)(x);
    e = x == 0 ? -__HC_INFINITY : e;
    return __HC_B(fabs)(x) < __HC_INFINITY ? e : x * x;
}
__HC __HC_T __HC_F(modf)(__HC_T x, __HC_T *whole)
{
    *whole = __HC_B(trunc)(x);
    return __HC_B(copysign)(__HC_B(fabs)(x) == __HC_INFINITY ? 0 : x - *whole, x);
}
__HC __HC_T __HC_F(nextafter)(__HC_T x, __HC_T y)
{
    __HC_T next = x < y ? __hc_next_up(x) : -__hc_next_up(-x);
    return x == y ? y : x == x && y == y ? next : x + y;
}
__HC __HC_T __HC_F(fmod)(__HC_T x, __HC_T y)
{
    __HC_T a = __HC_B(fabs)(x), b = __HC_B(fabs)(y), q = __HC_B(trunc)(a / b);
    __HC_T r = __HC_FMA(-q, b, a);
    r = r < 0 ? r + b : r; /* a / b was rounded up to q */
    r = b == __HC_INFINITY && a < b ? a : r;
    r = __HC_B(copysign)(r, x);
    if (__builtin_expect(!(q < __HC_C(0x1p23f, 0x1p52)), 0))
        r = __HC_LIBM(fmod)(x, y);
    return r;
}

/* sum + low + x^2; for float, where more errors are allowed, without a low part. */
__HC __HC_T __hc_add_square(__HC_T sum, __HC_T x, __HC_T *low)
{
#pragma clang fp contract(off)
    __HC_T p = x * x, s = sum + p, back = s - sum;
    *low += __HC_C(0, sum - (s - back) + (p - back) + __HC_FMA(x, x, -p));
    return __HC_C(__HC_FMA(x, x, sum), s);
}
/* The root of a^2 + b^2 + c^2 + d^2, or its inverse, scaled by the power of two of the largest. */
__HC __HC_T __hc_norm(__HC_T a, __HC_T b, __HC_T c, __HC_T d, bool inverse)
{
    __HC_T m = __HC_B(fmax)(__HC_B(fmax)(__HC_B(fabs)(a), __HC_B(fabs)(b)),
                            __HC_B(fmax)(__HC_B(fabs)(c), __HC_B(fabs)(d)));
    __HC_I e = __HC_BITS(__HC_I, m) >> __HC_MANTISSA;
    e = e < 1 ? 1 : e > 2 * __HC_BIAS - 1 ? 2 * __HC_BIAS - 1 : e;
    __HC_T scale = __HC_BITS(__HC_T, (2 * __HC_BIAS - e) << __HC_MANTISSA);
    __HC_T back = __HC_BITS(__HC_T, e << __HC_MANTISSA), low = 0, sum = 0;
    sum = __hc_add_square(sum, a * scale, &low);
    sum = __hc_add_square(sum, b * scale, &low);
    sum = __hc_add_square(sum, c * scale, &low);
    sum = __hc_add_square(sum, d * scale, &low);
    __HC_T s = __HC_B(sqrt)(sum + low), y = 1 / s;
    if (inverse) {
        /* As in rsqrt. */
        c = y * (__HC_FMA(-s, y, 1) - 0.5f * (__HC_FMA(-s, s, sum) + low) * y * y);
        y = __HC_B(fabs)(c) < y ? y + c : y;
        return m == __HC_INFINITY ? 0 : y * scale;
    }
    return m == __HC_INFINITY ? m : s * back;
}
#define __HC_NORM(name, params, args)                                                          \
    __HC __HC_T __HC_F(name) params { return __hc_norm args; }
__HC_NORM(hypot, (__HC_T x, __HC_T y), (x, y, 0, 0, false))
__HC_NORM(rhypot, (__HC_T x, __HC_T y), (x, y, 0, 0, true))
__HC_NORM(norm3d, (__HC_T x, __HC_T y, __HC_T z), (x, y, z, 0, false))
__HC_NORM(rnorm3d, (__HC_T x, __HC_T y, __HC_T z), (x, y, z, 0, true))
__HC_NORM(norm4d, (__HC_T x, __HC_T y, __HC_T z, __HC_T w), (x, y, z, w, false))
__HC_NORM(rnorm4d, (__HC_T x, __HC_T y, __HC_T z, __HC_T w), (x, y, z, w, true))
#undef __HC_NORM
__HC __HC_T __HC_F(norm)(int n, const __HC_T *v)
{
    __HC_T r = 0;
    for (int i = 0; i < n; i++)
        r = __hc_norm(r, v[i], 0, 0, false);
    return r;
}
__HC __HC_T __HC_F(rnorm)(int n, const __HC_T *v)
{
    return 1 / __HC_F(norm)(n, v);
}
