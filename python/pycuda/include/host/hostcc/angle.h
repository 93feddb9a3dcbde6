/* sin, cos and tan of double beyond the limit of trigonometric.h, for the C library's
   own lose all digits close to multiples of pi / 2. Payne and Hanek's reduction: of
   x * 2 / pi only the bits that count modulo 4 are multiplied, and enough of them that
   what is left is good to the last place however close x comes. */

__HC double __hc_sin(double x);
__HC double __hc_cos(double x);
__HC double __hc_tan_reduced(double r, double low, bool odd);

/* |x| = quadrant * pi / 2 + (r + low), |r| <= pi / 4 */
__HC unsigned __hc_quadrant(double x, double *r, double *low)
{
#pragma clang fp contract(off)
    /* the bits of 2 / pi after a word of zeros */
    static const __hc_ull two_over_pi[] = {
        0,
        0xa2f9836e4e441529u,
        0xfc2757d1f534ddc0u,
        0xdb6295993c439041u,
        0xfe5163abdebbc561u,
        0xb7246e3a424dd2e0u,
        0x06492eea09d1921cu,
        0xfe1deb1cb129a73eu,
        0xe88235f52ebb4484u,
        0xe99c7026b45f7e41u,
        0x3991d639835339f4u,
        0x9c845f8bbdf9283bu,
        0x1ff897ffde05980fu,
        0xef2f118b5a0a6d1fu,
        0x6d367ecf27cb09b7u,
        0x4f463f669e5fea2du,
        0x7527bac7ebe5f17bu,
        0x3d0739f78a5292eau,
        0x6bfb5fb11f8d5d08u,
        0x56033046fc7b6babu,
        0xf0cfbc209af4361du,
    };
    __hc_ull bits = __HC_BITS(__hc_ull, x), m = (bits & ~0ull >> 12) | 1ull << 52;
    unsigned at = (unsigned)(bits >> 52 & 0x7ff) - 1075 + 62, by = at % 64;
    const __hc_ull *w = two_over_pi + at / 64;
    __hc_ull a = w[0] << by | w[1] >> 1 >> (63 - by);
    __hc_ull b = w[1] << by | w[2] >> 1 >> (63 - by);
    __hc_ull c = w[2] << by | w[3] >> 1 >> (63 - by);
    __hc_ull next = m * b + __umul64hi(m, c);
    __hc_ull first = m * a + __umul64hi(m, b) + (next < m * b);
    unsigned quadrant = (unsigned)((first + (1ull << 61)) >> 62);
    first -= (__hc_ull)quadrant << 62;
    /* first 2^-62 + next 2^-126 as a sum of two numbers */
    double p = 0x1p-30 * (int)(first >> 32), q = 0x1p-62 * (unsigned)first;
    double s = p + q, rest = __hc_add_error(p, q, s);
    p = s, q = 0x1p-94 * (unsigned)(next >> 32), s = p + q;
    rest += __hc_add_error(p, q, s) + 0x1p-126 * (unsigned)next;
    p = s + rest, q = __hc_add_error(s, rest, p);
    const double half_pi = 1.5707963267948966, half_pi_low = 6.123233995736766e-17;
    *r = p * half_pi;
    *low = __builtin_fma(p, half_pi, -*r) + (p * half_pi_low + q * half_pi);
    return quadrant;
}
__HC double __hc_large_sine(double x, unsigned further)
{
    double r, low;
    unsigned quadrant = __hc_quadrant(x, &r, &low) + further;
    double s = __hc_sin(r), c = __hc_cos(r);
    double y = quadrant & 1 ? __builtin_fma(-low, s, c) : __builtin_fma(low, c, s);
    y = quadrant & 2 ? -y : y;
    return __builtin_fabs(x) < __HC_INFINITY ? y : x - x;
}
__HC double __hc_large_sin(double x)
{
    double y = __hc_large_sine(x, 0);
    return x < 0 ? -y : y;
}
__HC double __hc_large_cos(double x) { return __hc_large_sine(x, 1); }
__HC double __hc_large_tan(double x)
{
    double r, low;
    unsigned quadrant = __hc_quadrant(x, &r, &low);
    double t = __hc_tan_reduced(r, low, quadrant & 1);
    t = x < 0 ? -t : t;
    return __builtin_fabs(x) < __HC_INFINITY ? t : x - x;
}
