/* What has one right answer: arithmetic and conversions in the four rounding modes
   against the processor's own, functions that take numbers apart against the C library,
   integer intrinsics against examples. Prints the first failures of each and fails if
   there are any. */
#include "shim.h"

#include <cfenv>
#include <limits>
#pragma STDC FENV_ACCESS ON

static int failures;
/* Zeros with their signs. */
template <class T> static bool same(T a, T b)
{
    return a == b ? (a != 0 || std::signbit((double)a) == std::signbit((double)b))
                  : a != a && b != b;
}
#define EXPECT(got, want, ...)                                           \
    do {                                                                 \
        auto g = got;                                                    \
        decltype(g) w = want;                                            \
        static int shown;                                                \
        if (!same(g, w) && (failures++, shown++ < 3)) {                  \
            printf("%s: got %a, want %a; ", #got, (double)g, (double)w); \
            printf(__VA_ARGS__);                                         \
            puts("");                                                    \
        }                                                                \
    } while (0)
/* `want` is computed by the processor in rounding mode number m. */
static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
template <class F> static __attribute__((noinline)) auto in_mode(int m, F f)
{
    fesetround(modes[m]);
    auto result = f();
    fesetround(FE_TONEAREST);
    return result;
}

/* of_nan: what PTX gives, the highest bit where double or 64 bits are involved. */
template <class T>
static double saturated(double x, double low, double limit, double of_nan)
{
    return x != x ? of_nan : x >= limit ? limit : x <= low ? low : (double)(T)x;
}

#define ARITHMETIC(mode, m, T, p, fused)                                               \
    EXPECT(device::__##p##add_##mode(a, b), in_mode(m, [&] { return va + vb; }),       \
           "%a %a", a, b);                                                             \
    EXPECT(device::__##p##sub_##mode(a, b), in_mode(m, [&] { return va - vb; }),       \
           "%a %a", a, b);                                                             \
    EXPECT(device::__##p##mul_##mode(a, b), in_mode(m, [&] { return va * vb; }),       \
           "%a %a", a, b);                                                             \
    EXPECT(device::__##p##div_##mode(a, b), in_mode(m, [&] { return va / vb; }),       \
           "%a %a", a, b);                                                             \
    EXPECT(device::__##p##rcp_##mode(a), in_mode(m, [&] { return 1 / va; }), "%a", a); \
    EXPECT(device::__##p##sqrt_##mode(a), in_mode(m, [&] { return std::sqrt(va); }),   \
           "%a", a);                                                                   \
    EXPECT(device::__##fused##_##mode(a, b, c),                                        \
           in_mode(m, [&] { return std::fma(va, vb, vc); }), "%a %a %a", a, b, c);
#define CONVERSIONS(mode, m)                                                         \
    EXPECT(device::__double2float_##mode(x), in_mode(m, [&] { return (float)vx; }),  \
           "%a", x);                                                                 \
    EXPECT(device::__ll2float_##mode(l), in_mode(m, [&] { return (float)vl; }),      \
           "%lld", l);                                                               \
    EXPECT(device::__ull2float_##mode(u), in_mode(m, [&] { return (float)vu; }),     \
           "%llu", u);                                                               \
    EXPECT(device::__ll2double_##mode(l), in_mode(m, [&] { return (double)vl; }),    \
           "%lld", l);                                                               \
    EXPECT(device::__ull2double_##mode(u), in_mode(m, [&] { return (double)vu; }),   \
           "%llu", u);                                                               \
    EXPECT(device::__int2float_##mode((int)l),                                       \
           in_mode(m, [&] { return (float)(int)vl; }), "%d", (int)l);                \
    EXPECT((double)device::__double2int_##mode(x),                                   \
           saturated<int>(whole, -0x1p31, 0x1p31 - 1, -0x1p31), "%a", x);            \
    EXPECT((double)device::__double2uint_##mode(x),                                  \
           saturated<unsigned>(whole, 0, 0x1p32 - 1, 0x1p31), "%a", x);              \
    EXPECT((double)device::__double2ll_##mode(x),                                    \
           saturated<long long>(whole, -0x1p63, 0x1p63, -0x1p63), "%a", x);          \
    EXPECT((double)device::__double2ull_##mode(x),                                   \
           saturated<__hc_ull>(whole, 0, 0x1p64, 0x1p63), "%a", x);                  \
    EXPECT((double)device::__float2int_##mode((float)x),                             \
           saturated<int>(in_mode(m, [&] { return std::rint(vf); }), -0x1p31,        \
                          0x1p31 - 1, 0),                                            \
           "%a", x);                                                                 \
    EXPECT((double)device::__float2ll_##mode((float)x),                              \
           saturated<long long>(in_mode(m, [&] { return std::rint(vf); }), -0x1p63,  \
                                0x1p63, -0x1p63),                                    \
           "%a", x);                                                                 \
    EXPECT((double)device::__float2ull_##mode((float)x),                             \
           saturated<__hc_ull>(in_mode(m, [&] { return std::rint(vf); }), 0, 0x1p64, \
                               0x1p63),                                              \
           "%a", x);

/* At both ends of the range, where errors of rounding, or what they are computed from,
   leave it. */
template <class T> static T number_at_an_end(void)
{
    int top = std::numeric_limits<T>::max_exponent,
        digits = std::numeric_limits<T>::digits;
    int lowest = std::numeric_limits<T>::min_exponent - digits;
    int power = (int)(random_bits() % (unsigned)(3 * digits));
    T part = 1 + (T)((double)(random_bits() >> 12) * 0x1p-52), x = 1;
    switch (random_bits() & 7) {
    case 0:
        return 0;
    case 1:
        x = std::numeric_limits<T>::max();
        break;
    case 2:
        x = std::ldexp(part, top - 1 - power / digits);
        break;
    case 3:
        x = std::ldexp(part, top / 2 - digits + power);
        break;
    case 4:
        x = std::ldexp(part, lowest / 2 - digits + power);
        break;
    case 5:
        x = std::ldexp(part, lowest + power);
        break;
    case 6:
        x = std::ldexp((T)1, power - digits);
        break;
    case 7:
        x = part;
    }
    return random_bits() & 1 ? x : -x;
}

/* A number of its own, or one that nearly cancels x. */
template <class T> static T number_beside(T x)
{
    uint64_t bits = random_bits();
    T near =
        bits & 16 ? -x : std::nextafter(-x, bits & 32 ? (T)INFINITY : (T)-INFINITY);
    return bits & 1 ? random_number<T>() : bits & 2 ? number_at_an_end<T>() : near;
}

template <class T> static void arithmetic(int m)
{
    T a = random_bits() & 1 ? random_number<T>() : number_at_an_end<T>();
    T b = number_beside(a), c = number_beside(a * b);
    volatile T va = a, vb = b, vc = c;
#define MODE(mode, number, T, p, fused)       \
    if (m == number) {                        \
        ARITHMETIC(mode, number, T, p, fused) \
    }
    if constexpr (sizeof(T) == 4) {
        MODE(rn, 0, float, f, fmaf)
        MODE(rz, 1, float, f, fmaf)
        MODE(ru, 2, float, f, fmaf)
        MODE(rd, 3, float, f, fmaf)
    } else {
        MODE(rn, 0, double, d, fma)
        MODE(rz, 1, double, d, fma)
        MODE(ru, 2, double, d, fma)
        MODE(rd, 3, double, d, fma)
    }
}

static void conversions(int m)
{
    long long l = (long long)random_bits() >> (random_bits() & 63);
    unsigned long long u = random_bits() >> (random_bits() & 63);
    double x = random_number<double>() * (random_bits() & 1 ? 1 : 0x1p40);
    volatile long long vl = l;
    volatile unsigned long long vu = u;
    volatile double vx = x;
    volatile float vf = (float)x;
    double whole = in_mode(m, [&] { return std::rint(vx); });
    if (m == 0) {
        CONVERSIONS(rn, 0)
    } else if (m == 1) {
        CONVERSIONS(rz, 1)
    } else if (m == 2) {
        CONVERSIONS(ru, 2)
    } else {
        CONVERSIONS(rd, 3)
    }
}

template <class T> static void parts(void)
{
    T x = random_number<T>(), y = random_number<T>(), w1, w2;
    int n = (int)(random_bits() % (sizeof(T) == 4 ? 600 : 4400)) -
            (sizeof(T) == 4 ? 300 : 2200),
        e1, e2;
    EXPECT(device::ldexp(x, n), std::ldexp(x, n), "%a %d", x, n);
    EXPECT(device::scalbn(x, n), std::scalbn(x, n), "%a %d", x, n);
    EXPECT(device::frexp(x, &e1), std::frexp(x, &e2), "%a", x);
    if (std::isfinite(x))
        EXPECT(e1, e2, "frexp %a", x);
    EXPECT(device::modf(x, &w1), std::modf(x, &w2), "%a", x);
    EXPECT(w1, w2, "modf %a", x);
    EXPECT(device::nextafter(x, y), std::nextafter(x, y), "%a %a", x, y);
    EXPECT(device::logb(x), std::logb(x), "%a", x);
    EXPECT(device::ilogb(x), std::ilogb(x), "%a", x);
    if (std::fabs(x) < (T)1e18) {
        EXPECT(device::lrint(x), std::lrint(x), "%a", x);
        EXPECT(device::llround(x), std::llround(x), "%a", x);
    }
    x = x == x ? x : (T)NAN, y = y == y ? y : (T)NAN; /* quiet ones */
    T larger = x > y || (x == y && std::signbit(y)) || y != y ? x : y;
    T smaller = x < y || (x == y && std::signbit(x)) || y != y ? x : y;
    T zero = x == x && y == y ? 1 : 0; /* of 1 / 0 and 1 / -0 */
    EXPECT(device::fmax(x, y), larger, "%a %a", x, y);
    EXPECT(device::fmin(x, y), smaller, "%a %a", x, y);
    EXPECT(zero / device::max(x, y), zero / larger, "%a %a", x, y);
    EXPECT(zero / device::min(x, y), zero / smaller, "%a %a", x, y);
    EXPECT(device::isnan(x), std::isnan(x), "%a", x);
    EXPECT(device::isinf(x), std::isinf(x), "%a", x);
    EXPECT(device::isfinite(x), std::isfinite(x), "%a", x);
    EXPECT(device::signbit(x), std::signbit(x), "%a", x);
    EXPECT(device::__saturatef((float)x), (float)(x > 0 ? x < 1 ? x : 1 : 0), "%a", x);
}

static void integers(void)
{
    using namespace device;
    struct {
        long long got, want;
    } rows[] = {
        {__popc(0xf0f0u), 8},
        {__popcll(~0ull), 64},
        {__clz(0), 32},
        {__clz(1), 31},
        {__clzll(1), 63},
        {__clzll(0), 64},
        {__ffs(0), 0},
        {__ffs(8), 4},
        {__ffsll(1ll << 40), 41},
        {__brev(1), 0x80000000u},
        {(long long)__brevll(1), (long long)(1ull << 63)},
        {__byte_perm(0x33221100, 0x77665544, 0x5140), 0x55114400},
        {__mul24(0xffffff, 2), -2},
        {__umul24(0xff000003u, 2), 6},
        {__mulhi(1 << 30, 8), 2},
        {__mulhi(-1, 1), -1},
        {__umulhi(~0u, ~0u), 0xfffffffeu},
        {__mul64hi(-1, 1), -1},
        {(long long)__umul64hi(~0ull, 2), 1},
        {__sad(-3, 4, 10), 17},
        {__usad(1, 5, 2), 6},
        {__hadd(-3, 2), -1},
        {__rhadd(3, 4), 4},
        {__uhadd(~0u, 1), 0x80000000u},
        {__urhadd(1, 2), 2},
        {__funnelshift_l(0x12345678, 0x9abcdef0, 8), 0xbcdef012u},
        {__funnelshift_r(0x12345678, 0x9abcdef0, 8), 0xf0123456u},
        {__funnelshift_l(1, 2, 32), 2},
        {__funnelshift_lc(1, 2, 40), 1},
        {__funnelshift_rc(1, 2, 40), 2},
        {__dp4a(0x01020304, 0x01ff01ff, 5), 3},
        {__dp4a(0x01020304u, 0x01010101u, 1u), 11},
        {__dp2a_lo(0x00020003, 0x0102, 0), 8},
        {__dp2a_hi(0x00020003, 0x01020000, 0), 8},
        {__vadd4(0xff010203u, 0x01010101u), 0x00020304},
        {__vaddss4(0x7f80017fu, 0x01ff0101u), 0x7f80027f},
        {__vsubus4(0x01020304u, 0x02020202u), 0x00000102},
        {__vmaxs2(0xffff0001u, 0x00000000u), 1},
        {__vminu4(0xff00ff00u, 0x01010101u), 0x01000100},
        {__vcmpgts4(0x01ff0200u, 0), 0xff00ff00u},
        {__vavgu4(0x01020304u, 0x02020202u), 0x02020303},
        {__vabs4(0xff80017fu), 0x0180017f},
        {__vsadu4(0x01020304u, 0x04030201u), 8},
        {__vneg2(0x00010002u), 0xfffffffeu},
        {__hiloint2double(0x3ff00000, 0) == 1.0, 1},
        {__double2hiint(-2.0), (int)0xc0000000},
        {__double2loint(0x1.00000000000ffp0), 0xff},
        {__float_as_int(1.0f), 0x3f800000},
        {__int_as_float(0x40000000) == 2.0f, 1},
        {max(-1, 1), 1},
        {max(-1, 1u), 0xffffffffu},
        {min(2ll, 3), 2},
        {max(1.5f, 2) == 2, 1},
        {max(NAN, 1.f) == 1, 1},
        {device::abs(-3), 3},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        EXPECT(rows[i].got, rows[i].want, "row %u", i);
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 100000;
    for (long i = 0; i < count; i++) {
        arithmetic<float>(i & 3);
        arithmetic<double>(i & 3);
        conversions(i & 3);
        parts<float>();
        parts<double>();
    }
    integers();
    printf("%d failures\n", failures);
    return failures != 0;
}
