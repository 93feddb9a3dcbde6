/* Half precision and bfloat16: conversions and arithmetic against one rounding of the
   exact result, and comparisons of NaNs, over random numbers that often lie at ties.
   `narrow COUNT` takes more of them. */
#include "shim.h"

#include <cfenv>
#pragma STDC FENV_ACCESS ON

#define __align__(n) __attribute__((aligned(n)))
struct float2 {
    float x, y;
};
namespace device
{
#include "host/cuda_fp16.h"
#include "host/cuda_bf16.h"
} // namespace device
using namespace device;

typedef __float128 quad;
static int failures;

/* The number of that many bits that x rounds to in the mode in force. */
static double rounded(quad x, int bits, int least, double largest, int mode)
{
    if (x == 0 || x - x != 0)
        return (double)x;
    quad a = x < 0 ? -x : x;
    int e = std::ilogb((double)a);
    e -= a < (quad)std::ldexp(1, e); /* rounded up to a power of two */
    e = (e < least ? least : e) - bits + 1;
    quad scaled = x * std::ldexp(1, -e / 2) * std::ldexp(1, -e - -e / 2);
    long whole = (long)scaled;
    quad rest = scaled - whole;
    rest = rest < 0 ? -rest : rest;
    int away = x < 0 ? -1 : 1;
    bool up = mode == FE_TONEAREST  ? rest > 0.5 || (rest == 0.5 && whole % 2)
              : mode == FE_UPWARD   ? rest != 0 && x > 0
              : mode == FE_DOWNWARD ? rest != 0 && x < 0
                                    : false;
    double r = std::ldexp((double)(whole + (up ? away : 0)), e);
    if (std::fabs(r) > largest)
        r = mode == FE_TOWARDZERO || (mode == FE_UPWARD && x < 0) ||
                    (mode == FE_DOWNWARD && x > 0)
                ? away * largest
                : away * INFINITY;
    return r == 0 ? away * 0. : r;
}
static double reference(__half, quad x, int mode = FE_TONEAREST)
{
    return rounded(x, 11, -14, 65504, mode);
}
static double reference(__nv_bfloat16, quad x, int mode = FE_TONEAREST)
{
    return rounded(x, 8, -126, 0x1.fep127, mode);
}
static void expect(const char *name, double got, double want, double a, double b = 0,
                   double c = 0)
{
    if ((got == want && std::signbit(got) == std::signbit(want)) ||
        (got != got && want != want))
        return;
    if (failures++ < 20)
        printf("%s(%a, %a, %a): got %a, want %a\n", name, a, b, c, got, want);
}

template <class T> static T number(void)
{
    unsigned short bits = (unsigned short)random_bits();
    T x;
    memcpy((void *)&x, &bits, 2);
    return x == x ? x : T(NAN); /* quiet ones: the C library minds */
}

/* a * b + c; of an addend far below the product, no more than that there is one. */
static quad exact_fma(double a, double b, double c)
{
    double p = a * b;
    if (c != 0 && p != 0 && std::isfinite(c) && std::ilogb(p) - std::ilogb(c) > 80)
        c = std::copysign(std::ldexp(1, std::ilogb(p) - 80), c);
    if (c != 0 && p != 0 && std::isfinite(c) && std::ilogb(c) - std::ilogb(p) > 80)
        p = std::copysign(std::ldexp(1, std::ilogb(c) - 80), p);
    return (quad)p + c;
}

#define CONVERT(type, mode, number)                                                \
    expect("double to " #type "_" #mode, (float)type(x), reference(type(), x), x); \
    expect("float to " #type "_" #mode, (float)FLOAT(type, mode)(f),               \
           reference(type(), f, number), f);                                       \
    expect("ll to " #type "_" #mode, (float)LL(type, mode)(l),                     \
           reference(type(), l, number), (double)l);                               \
    expect("ull to " #type "_" #mode, (float)ULL(type, mode)(u),                   \
           reference(type(), u, number), (double)u);                               \
    expect("int to " #type "_" #mode, (float)INT(type, mode)((int)l),              \
           reference(type(), (int)l, number), (int)l);
#define FLOAT(type, mode) NAME_##type(__float2, _##mode)
#define LL(type, mode) NAME_##type(__ll2, _##mode)
#define ULL(type, mode) NAME_##type(__ull2, _##mode)
#define INT(type, mode) NAME_##type(__int2, _##mode)
#define NAME___half(before, after) before##half##after
#define NAME___nv_bfloat16(before, after) before##bfloat16##after

/* -0 is below 0. */
static double larger(double x, double y)
{
    return x > y || (x == y && std::signbit(y)) ? x : y;
}

template <class T> static void arithmetic(void)
{
    T a = number<T>(), b = number<T>(), c = number<T>();
    double x = (float)a, y = (float)b, z = (float)c;
    if (random_bits() & 1) { /* near a tie of the product */
        c = T(std::ldexp(x * y, -(int)(random_bits() % 60)));
        z = (float)c;
    }
    bool finite = std::isfinite(x) && std::isfinite(y);
    expect("+", (float)(a + b), finite ? reference(a, exact_fma(x, 1, y)) : x + y, x,
           y);
    expect("-", (float)(a - b), finite ? reference(a, exact_fma(x, 1, -y)) : x - y, x,
           y);
    expect("*", (float)(a * b), finite ? reference(a, (quad)x * y) : x * y, x, y);
    expect("/", (float)(a / b),
           finite && y != 0 && x != 0 ? reference(a, (quad)x / y) : x / y, x, y);
    if (finite && std::isfinite(z) && x * y + z != 0)
        expect("fma", (float)__hfma(a, b, c), reference(a, exact_fma(x, y, z)), x, y,
               z);
    bool ordered = x == x && y == y;
#define COMPARE(op, name)                                         \
    expect(#op, a op b, x op y, x, y);                            \
    expect("__h" #name, __h##name(a, b), ordered &&x op y, x, y); \
    expect("__h" #name "u", __h##name##u(a, b), !ordered || x op y, x, y);
    COMPARE(==, eq)
    COMPARE(!=, ne)
    COMPARE(<, lt)
    COMPARE(<=, le)
    COMPARE(>, gt)
    COMPARE(>=, ge)
    expect("max", (float)__hmax(a, b), x != x ? y : y != y ? x : larger(x, y), x, y);
    expect("max_nan", (float)__hmax_nan(a, b), ordered ? larger(x, y) : NAN, x, y);
}

template <class T, class T2> static void pairs(T, T2)
{
    const T nan = NAN, one = 1, zero = 0;
    T2 with = T2(nan, one), other = T2(one, zero);
    expect("__hbne2", __hbne2(with, other), 0, 0);
    expect("__hbneu2", __hbneu2(with, other), 1, 0);
    expect("__hbeq2", __hbeq2(with, with), 0, 0);
    expect("__hbequ2", __hbequ2(with, with), 1, 0);
    expect("__hne2_mask", __hne2_mask(with, other), 0xffff0000u, 0);
    expect("__hneu2_mask", __hneu2_mask(with, other), 0xffffffffu, 0);
    expect("==", with == with, 0, 0);
    expect("!=", with != other, 1, 0);
    expect("__hisnan2", __low2float(__hisnan2(with)), 1, 0);
    expect("max(-0, 0)", (float)__hmax(-zero, zero), 0., 0);
    expect("min(0, -0)", (float)__hmin(zero, -zero), -0., 0);
    T2 product = __hcmadd(T2(2, 3), T2(5, 7), T2(11, 13)); /* -11 + 29 i + c */
    expect("__hcmadd", __low2float(product), 0, 0);
    expect("__hcmadd", __high2float(product), 42, 0);
    expect("__hfma_relu", (float)__hfma_relu(one, -one, zero), 0, 0);
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 40000;
    for (long i = 0; i < count; i++) {
        float f = (float)number<__half>();
        double x = random_number<double>(), g = (float)number<__nv_bfloat16>();
        long long l = (long long)random_bits() >> (random_bits() & 63);
        unsigned long long u = random_bits() >> (random_bits() & 63);
        if (i & 1) { /* at and beside ties of both types */
            int shift = i & 2 ? 12 : 9, drop = (int)(random_bits() % 52);
            x = std::ldexp((double)(2 * (random_bits() >> (65 - shift)) + 1),
                           (int)(random_bits() % 20) - 16);
            x += std::ldexp(x, -drop) * (double)(random_bits() % 3 - 1.);
            u = (1ull << 63 | (random_bits() | 1ull << (64 - shift)) >> 0) &
                ~0ull << (64 - shift);
            u = (u | (random_bits() & 1)) >> (random_bits() % 50);
            l = (long long)(u >> 1);
        }
        f = i & 4 ? (float)x : i & 8 ? f : (float)g;
        if (x != x || std::isinf(x))
            continue;
        CONVERT(__half, rn, FE_TONEAREST)
        CONVERT(__half, rz, FE_TOWARDZERO)
        CONVERT(__half, ru, FE_UPWARD)
        CONVERT(__half, rd, FE_DOWNWARD)
        CONVERT(__nv_bfloat16, rn, FE_TONEAREST)
        CONVERT(__nv_bfloat16, rz, FE_TOWARDZERO)
        CONVERT(__nv_bfloat16, ru, FE_UPWARD)
        CONVERT(__nv_bfloat16, rd, FE_DOWNWARD)
        arithmetic<__half>();
        arithmetic<__nv_bfloat16>();
    }
    pairs(__half(), __half2());
    pairs(__nv_bfloat16(), __nv_bfloat162());
    printf("%d failures\n", failures);
    return failures != 0;
}
