/* Largest errors of the device library's mathematics over random and special arguments,
   against long double, in units of the last place; fails where one is above its row's
   bound. The bounds are those of the CUDA programming guide, or tighter. `accuracy
   COUNT [NAME...]` takes more arguments, or only some functions. */
#include "shim.h"

typedef long double wide;

/* |got - want| in units of the last place of a type with so many bits and so small a
   normal exponent; a wrong NaN, infinity or sign of zero is infinitely wrong. */
static double distance(double got, wide want, int bits, int least, double largest)
{
    if (want != want || got != got)
        return want != want && got != got ? 0 : INFINITY;
    if (std::isinf(got) || fabsl(want) > largest)
        return std::isinf(got) && fabsl(want) > largest && (got > 0) == (want > 0) ? 0
               : std::isinf(got) || std::isinf(want) ? INFINITY
                                                     : 0;
    if (want == 0 && got == 0)
        return std::signbit(want) == std::signbit(got) ? 0 : INFINITY;
    int e;
    frexpl(want, &e);
    e = want == 0 || e < least ? least : e;
    return (double)(fabsl(got - want) / ldexpl(1, e - bits));
}
static double distance(float got, wide want)
{
    return distance(got, want, 24, -125, 0x1.ffffffp127);
}
static double distance(double got, wide want)
{
    return distance(got, want, 53, -1021, 0x1.fffffffffffffp1023);
}

/* -- References that the C library lacks -- */

static const wide pi = 3.14159265358979323846264338327950288L;
static wide sinpil(wide x)
{
    if (std::isinf(x))
        return NAN;
    wide a = fabsl(fmodl(x, 2)), s = a > 1 ? -1 : 1;
    a = a >= 1 ? a - 1 : a;
    wide r = a == 0 ? 0
                    : s * (a <= 0.25L   ? sinl(pi * a)
                           : a <= 0.75L ? cosl(pi * (a - 0.5L))
                                        : sinl(pi * (1 - a)));
    return x < 0 || (x == 0 && std::signbit(x)) ? -r : r;
}
static wide cospil(wide x)
{
    wide a = fabsl(fmodl(x, 2));
    a = a > 1 ? 2 - a : a;
    return a <= 0.25L   ? cosl(pi * a)
           : a <= 0.75L ? sinl(pi * (0.5L - a))
                        : -cosl(pi * (1 - a));
}
static wide rsqrtl(wide x)
{
    return 1 / sqrtl(x);
}
static wide rcbrtl(wide x)
{
    return 1 / cbrtl(x);
}
static wide rhypotl(wide x, wide y)
{
    return 1 / hypotl(x, y);
}
static wide normcdfl(wide x)
{
    return 0.5L * erfcl(-x * sqrtl(0.5L));
}
static wide erfcxl(wide a)
{
    if (a < 20)
        return expl(a * a) * erfcl(a);
    wide sum = 1, term = 1;
    for (int n = 1; n < 20; n++)
        sum += term *= -(2 * n - 1) / (2 * a * a);
    return sum / (a * sqrtl(pi));
}

/* The inverses are ours, improved by Newton steps in long double. */
static wide erfcinvl(wide c)
{
    if (!(c > 0 && c < 2))
        return c == 0 ? INFINITY : c == 2 ? -INFINITY : NAN;
    wide y = device::erfcinv((double)c);
    for (int i = 0; i < 2; i++)
        y += (erfcl(y) - c) * expl(y * y) * sqrtl(pi) / 2;
    return y;
}
static wide erfinvl(wide x)
{
    if (!(fabsl(x) < 1))
        return fabsl(x) == 1 ? x * INFINITY : NAN;
    wide y = device::erfinv((double)x);
    for (int i = 0; i < 2; i++)
        y += (x - erfl(y)) * expl(y * y) * sqrtl(pi) / 2;
    return x == 0 ? x : y;
}
static wide normcdfinvl(wide p)
{
    return 0 - sqrtl(2) * erfcinvl(2 * p); /* 0 in the middle, not -0 */
}
static wide bessel_i(int order, wide x)
{
    if (!(fabsl(x) < 800))
        return x != x ? x : order && x < 0 ? -INFINITY : INFINITY;
    wide term = order ? x / 2 : 1, sum = term;
    for (int k = 1; fabsl(term) > fabsl(sum) * 1e-22L; k++)
        sum += term *= x * x / 4 / ((wide)k * (k + order));
    return sum;
}
static wide cyl_bessel_i0l(wide x)
{
    return bessel_i(0, x);
}
static wide cyl_bessel_i1l(wide x)
{
    return bessel_i(1, x);
}

/* -- The table -- */

struct row {
    const char *name;
    double bound[2]; /* float, double; 0: exact */
    float (*f)(float);
    double (*d)(double);
    wide (*want)(wide);
    float (*f2)(float, float);
    double (*d2)(double, double);
    wide (*want2)(wide, wide);
};
#define ONE(name, bound_f, bound_d)              \
    {#name,                                      \
     {bound_f, bound_d},                         \
     [](float x) { return device::name##f(x); }, \
     [](double x) { return device::name(x); },   \
     [](wide x) { return name##l(x); },          \
     nullptr,                                    \
     nullptr,                                    \
     nullptr},
#define TWO(name, bound_f, bound_d)                          \
    {#name,                                                  \
     {bound_f, bound_d},                                     \
     nullptr,                                                \
     nullptr,                                                \
     nullptr,                                                \
     [](float x, float y) { return device::name##f(x, y); }, \
     [](double x, double y) { return device::name(x, y); },  \
     [](wide x, wide y) { return name##l(x, y); }},

// clang-format off
static const row rows[] = {
    ONE(acos, 2, 2)
    ONE(acosh, 4, 3)
    ONE(asin, 2, 2)
    ONE(asinh, 3, 3)
    ONE(atan, 1.2, 2)
    ONE(atanh, 3, 2)
    ONE(cbrt, 1, 1)
    ONE(ceil, 0, 0)
    ONE(cos, 2, 2)
    ONE(cosh, 2, 1)
    ONE(cospi, 1, 2)
    ONE(cyl_bessel_i0, 6, 6)
    ONE(cyl_bessel_i1, 6, 6)
    ONE(erf, 2, 2)
    ONE(erfc, 4, 5)
    ONE(erfcinv, 4, 6)
    ONE(erfcx, 4, 4)
    ONE(erfinv, 2, 5)
    ONE(exp, 1, 1)
    ONE(exp10, 2, 1)
    ONE(exp2, 2, 1)
    ONE(expm1, 1, 1)
    ONE(floor, 0, 0)
    ONE(log, 1, 1)
    ONE(log10, 2, 1)
    ONE(log1p, 1, 1)
    ONE(log2, 1, 1)
    ONE(normcdf, 5, 5)
    ONE(normcdfinv, 5, 8)
    ONE(rcbrt, 1, 1)
    ONE(rint, 0, 0)
    ONE(round, 0, 0)
    ONE(rsqrt, 2, 1)
    ONE(sin, 2, 2)
    ONE(sinh, 3, 2)
    ONE(sinpi, 1, 2)
    ONE(sqrt, 0.5, 0.5)
    ONE(tan, 4, 2)
    ONE(tanh, 2, 1)
    ONE(trunc, 0, 0)
    TWO(atan2, 3, 2)
    TWO(copysign, 0, 0)
    TWO(fdim, 0.5, 0.5)
    TWO(fmod, 0, 0)
    TWO(hypot, 3, 2)
    TWO(pow, 4, 2)
    TWO(remainder, 0, 0)
    TWO(rhypot, 2, 1)
};
// clang-format on

template <class T>
static bool check(const row &r, double bound, T (*f)(T), T (*f2)(T, T), long count)
{
    double worst = 0;
    T at[2] = {0, 0};
    for (long i = 0; i < count; i++) {
        T x = random_number<T>(), y = random_number<T>();
        double e = f ? distance(f(x), r.want(x)) : distance(f2(x, y), r.want2(x, y));
        if (e > worst)
            worst = e, at[0] = x, at[1] = y;
    }
    bool good = worst <= bound;
    printf("%-10s %-6s %6.3f of %g at %a", r.name, sizeof(T) == 4 ? "float" : "double",
           worst, bound, (double)at[0]);
    if (f2)
        printf(", %a", (double)at[1]);
    puts(good ? "" : "  TOO LARGE");
    return good;
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 40000;
    bool good = true;
    for (const row &r : rows) {
        bool named = argc < 3;
        for (int i = 2; i < argc; i++)
            named |= !strcmp(argv[i], r.name);
        if (!named)
            continue;
        good &= check<float>(r, r.bound[0], r.f, r.f2, count);
        good &= check<double>(r, r.bound[1], r.d, r.d2, count);
    }
    return !good;
}
