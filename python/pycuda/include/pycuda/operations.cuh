/* What element-wise operations are made of where C++ has no operator that does as NumPy
   does: conversions, division and remainder that round down, shifts by any number,
   comparisons of any two integers, NaNs in maxima, and so on. Included after
   pycuda-complex.hpp and cuda_fp16.h where operands are of those types. */
#ifndef PYCUDA_OPERATIONS_CUH
#define PYCUDA_OPERATIONS_CUH

#define PYCUDA_DEVICE __device__ __forceinline__

/* Templates have the shape that is good on a GPU; tests ask the host device for it. */
#if !defined __HOSTCC__ && !defined PYCUDA_GPU_SHAPE
#define PYCUDA_GPU_SHAPE
#endif

namespace pycuda
{

/* -- Types -- */

template <class T> struct is_float {
    enum { value = 0 };
};
template <> struct is_float<float> {
    enum { value = 1 };
};
template <> struct is_float<double> {
    enum { value = 1 };
};

template <int first, int... others> struct largest {
    enum { rest = largest<others...>::value, value = first > rest ? first : rest };
};
template <int only> struct largest<only> {
    enum { value = only };
};

/* V elements that are loaded and stored at once: 16 bytes, the widest load and store, or
   several of them. */
template <class T, int V>
struct __align__(sizeof(T) * V > 16 ? 16 : sizeof(T) * V) pack {
    T x[V];
};

/* An element that is copied as it is: of a struct, a string, the other byte order. */
template <int n> struct bytes {
    unsigned char x[n];
};

/* -- Conversions, as numpy.ndarray.astype -- */

template <class C, class T> struct converted {
    static PYCUDA_DEVICE C from(T x) { return C(x); }
};
template <class C, class T> PYCUDA_DEVICE C convert(T x)
{
    return converted<C, T>::from(x);
}

/* Numbers below zero wrap. */
#define PYCUDA_WRAP(type, real, wide)                                   \
    template <> struct converted<type, real> {                          \
        static PYCUDA_DEVICE type from(real x)                          \
        {                                                               \
            return sizeof(type) < 8 || x < 0 ? (type)(wide)x : (type)x; \
        }                                                               \
    };
#define PYCUDA_WRAPS(real)                 \
    PYCUDA_WRAP(unsigned char, real, int)  \
    PYCUDA_WRAP(unsigned short, real, int) \
    PYCUDA_WRAP(unsigned, real, long long) \
    PYCUDA_WRAP(unsigned long long, real, long long)
PYCUDA_WRAPS(float)
PYCUDA_WRAPS(double)

#ifdef PYCUDA_COMPLEX_HPP
template <class C, class T> struct converted<C, complex<T>> {
    static PYCUDA_DEVICE C from(complex<T> z) { return convert<C>(z.real()); }
};
template <class C, class T> struct converted<complex<C>, complex<T>> {
    static PYCUDA_DEVICE complex<C> from(complex<T> z) { return complex<C>(z); }
};
template <class T> struct converted<bool, complex<T>> {
    static PYCUDA_DEVICE bool from(complex<T> z)
    {
        return z.real() != 0 || z.imag() != 0;
    }
};
#endif

/* Types of 16 bits compute in float. Integers become float without rounding where half
   has room for them; bfloat16 has for all. */
#define PYCUDA_NARROW(type, widen, narrow, narrow_double)                         \
    template <class C> struct converted<C, type> {                                \
        static PYCUDA_DEVICE C from(type x) { return convert<C>(widen(x)); }      \
    };                                                                            \
    template <class T> struct converted<type, T> {                                \
        static PYCUDA_DEVICE type from(T x) { return narrow(convert<float>(x)); } \
    };                                                                            \
    template <> struct converted<type, double> {                                  \
        static PYCUDA_DEVICE type from(double x) { return narrow_double(x); }     \
    };                                                                            \
    template <> struct converted<type, type> {                                    \
        static PYCUDA_DEVICE type from(type x) { return x; }                      \
    };
#ifdef PYCUDA_HALF
PYCUDA_NARROW(half, __half2float, __float2half_rn, __double2half)
#endif
#ifdef PYCUDA_BFLOAT16
PYCUDA_NARROW(__nv_bfloat16, __bfloat162float, __float2bfloat16_rn, __double2bfloat16)
/* 53 bits of an integer, the last of which stands for those that are left out. */
template <class T> PYCUDA_DEVICE double shortened(T x)
{
    T whole = T(x & ~T(0x7ff)), sticky = x == whole ? T(0) : T(0x800);
    bool fits = x < T(1ll << 53) && (T(-1) > T(0) || x > T(-(1ll << 53)));
    return fits ? double(x) : double(T(whole | sticky));
}
#define PYCUDA_BFLOAT16_FROM(T, wide)                \
    template <> struct converted<__nv_bfloat16, T> { \
        static PYCUDA_DEVICE __nv_bfloat16 from(T x) \
        {                                            \
            return __double2bfloat16(wide(x));       \
        }                                            \
    };
PYCUDA_BFLOAT16_FROM(int, double)
PYCUDA_BFLOAT16_FROM(unsigned, double)
PYCUDA_BFLOAT16_FROM(long long, shortened)
PYCUDA_BFLOAT16_FROM(unsigned long long, shortened)
#undef PYCUDA_BFLOAT16_FROM
#endif

template <class T> PYCUDA_DEVICE bool truth(T x) { return convert<bool>(x); }

/* -- Comparisons -- */

template <class T> PYCUDA_DEVICE bool equal(T a, T b) { return a == b; }
template <class T> PYCUDA_DEVICE bool less(T a, T b) { return a < b; }
template <class T> PYCUDA_DEVICE bool less_equal(T a, T b) { return a <= b; }

typedef long long signed_;
typedef unsigned long long unsigned_;
PYCUDA_DEVICE bool equal(signed_ a, unsigned_ b) { return a >= 0 && (unsigned_)a == b; }
PYCUDA_DEVICE bool equal(unsigned_ a, signed_ b) { return equal(b, a); }
PYCUDA_DEVICE bool less(signed_ a, unsigned_ b) { return a < 0 || (unsigned_)a < b; }
PYCUDA_DEVICE bool less(unsigned_ a, signed_ b) { return b >= 0 && a < (unsigned_)b; }
PYCUDA_DEVICE bool less_equal(signed_ a, unsigned_ b) { return !less(b, a); }
PYCUDA_DEVICE bool less_equal(unsigned_ a, signed_ b) { return !less(b, a); }

#ifdef PYCUDA_COMPLEX_HPP
/* By real part, then by imaginary part. Without branches, of which a reduction would
   have hundreds. */
template <class T> PYCUDA_DEVICE bool equal(complex<T> a, complex<T> b)
{
    return (a.real() == b.real()) & (a.imag() == b.imag());
}
template <class T> PYCUDA_DEVICE bool less(complex<T> a, complex<T> b)
{
    bool ordered = (a.imag() == a.imag()) & (b.imag() == b.imag());
    return ((a.real() == b.real()) & (a.imag() < b.imag())) |
           ((a.real() < b.real()) & ordered);
}
template <class T> PYCUDA_DEVICE bool less_equal(complex<T> a, complex<T> b)
{
    return less(a, b) | equal(a, b);
}
#endif

/* A NaN wins. */
template <class T> PYCUDA_DEVICE T maximum(T a, T b)
{
    return less_equal(b, a) || !equal(a, a) ? a : b;
}
template <class T> PYCUDA_DEVICE T minimum(T a, T b)
{
    return less_equal(a, b) || !equal(a, a) ? a : b;
}
#ifdef PYCUDA_COMPLEX_HPP
/* Of a and b the former, if its real part or, these being equal, its imaginary part is
   the one asked for, or if it is NaN. */
template <class T>
PYCUDA_DEVICE complex<T> former(complex<T> a, complex<T> b, bool by_real, bool by_imag)
{
    bool is_nan = (a.real() != a.real()) | (a.imag() != a.imag());
    bool is = ((a.real() == b.real()) & by_imag) | (by_real & (b.imag() == b.imag())) |
              is_nan;
    return complex<T>(is ? a.real() : b.real(), is ? a.imag() : b.imag());
}
template <class T> PYCUDA_DEVICE complex<T> maximum(complex<T> a, complex<T> b)
{
    return former(a, b, a.real() > b.real(), a.imag() >= b.imag());
}
template <class T> PYCUDA_DEVICE complex<T> minimum(complex<T> a, complex<T> b)
{
    return former(a, b, a.real() < b.real(), a.imag() <= b.imag());
}
#endif
/* A NaN loses. */
template <class T> PYCUDA_DEVICE T fmax(T a, T b)
{
    return less_equal(b, a) || !equal(b, b) ? a : b;
}
template <class T> PYCUDA_DEVICE T fmin(T a, T b)
{
    return less_equal(a, b) || !equal(b, b) ? a : b;
}

/* Whether a stands before b as the extreme: a NaN does, but before no other. Without
   branches, as above; of floats and doubles in two comparisons. */
template <class T> PYCUDA_DEVICE bool is_higher(T a, T b)
{
    return equal(b, b) & (less(b, a) | !equal(a, a));
}
template <class T> PYCUDA_DEVICE bool is_lower(T a, T b)
{
    return equal(b, b) & (less(a, b) | !equal(a, a));
}
template <class T> PYCUDA_DEVICE bool is_same(T a, T b)
{
    return equal(a, b) | (!equal(a, a) & !equal(b, b));
}
PYCUDA_DEVICE bool is_higher(float a, float b) { return (b == b) & !(a <= b); }
PYCUDA_DEVICE bool is_higher(double a, double b) { return (b == b) & !(a <= b); }
PYCUDA_DEVICE bool is_lower(float a, float b) { return (b == b) & !(a >= b); }
PYCUDA_DEVICE bool is_lower(double a, double b) { return (b == b) & !(a >= b); }

/* -- Sums and products -- */

/* Where integers are computed in: C++ leaves open what signed ones that overflow are, and
   a compiler that sees several operations in a row concludes from it. These wrap. */
template <class T> struct wrapping {
    typedef T type;
};
template <> struct wrapping<signed char> {
    typedef unsigned type;
};
template <> struct wrapping<unsigned char> {
    typedef unsigned type;
};
template <> struct wrapping<short> {
    typedef unsigned type;
};
template <> struct wrapping<unsigned short> {
    typedef unsigned type;
};
template <> struct wrapping<int> {
    typedef unsigned type;
};
template <> struct wrapping<long long> {
    typedef unsigned long long type;
};
#define PYCUDA_WRAPPING(name, operator_)                    \
    template <class T> PYCUDA_DEVICE T name(T a, T b)       \
    {                                                       \
        typedef typename wrapping<T>::type W;               \
        return T(W(a) operator_ W(b));                      \
    }
PYCUDA_WRAPPING(add, +)
PYCUDA_WRAPPING(subtract, -)
PYCUDA_WRAPPING(multiply, *)
template <class T> PYCUDA_DEVICE T negative(T a)
{
    return T(-typename wrapping<T>::type(a));
}

/* A result as it would be read from memory, for operations that follow in the same
   kernel. NVIDIA's compilers (13.0) compute integers of 8 and 16 bits that were loaded
   several at once in wider registers, and some that overflow are then compared with the
   bits beyond their own: they must not see where the integer comes from. */
template <class T> PYCUDA_DEVICE T as_stored(T a) { return a; }
#ifndef __HOSTCC__
#define PYCUDA_AS_STORED(T)        \
    PYCUDA_DEVICE T as_stored(T a) \
    {                              \
        unsigned word = a;         \
        asm("" : "+r"(word));      \
        return (T)word;            \
    }
PYCUDA_AS_STORED(signed char)
PYCUDA_AS_STORED(unsigned char)
PYCUDA_AS_STORED(short)
PYCUDA_AS_STORED(unsigned short)
#undef PYCUDA_AS_STORED
#endif

/* -- Division -- */

template <class T> PYCUDA_DEVICE T divide(T a, T b) { return a / b; }
#ifdef PYCUDA_COMPLEX_HPP
/* Smith's way, which stays in range, and makes infinities where b is zero. */
template <class T> PYCUDA_DEVICE complex<T> divide(complex<T> a, complex<T> b)
{
    T x = ::fabs(b.real()), y = ::fabs(b.imag());
    if (x == 0 && y == 0)
        return complex<T>(a.real() / x, a.imag() / x);
    if (x >= y) {
        T ratio = b.imag() / b.real(), scale = 1 / (b.real() + b.imag() * ratio);
        return complex<T>((a.real() + a.imag() * ratio) * scale,
                          (a.imag() - a.real() * ratio) * scale);
    }
    T ratio = b.real() / b.imag(), scale = 1 / (b.imag() + b.real() * ratio);
    return complex<T>((a.real() * ratio + a.imag()) * scale,
                      (a.imag() * ratio - a.real()) * scale);
}
#endif

/* -- Division that rounds down; integers divided by zero are zero -- */

template <class T, int is_float> struct divided {
    T quotient, rest;
    PYCUDA_DEVICE divided(T a, T b)
    {
        T safe = b == 0 ? T(1) : b;
        bool negates = T(-1) < T(0) && safe == T(-1); /* lowest / -1 does not fit */
        quotient = negates ? T(0) - a : a / (negates ? T(1) : safe);
        rest = negates ? T(0) : a % safe;
        if (rest != 0 && (rest < 0) != (b < 0)) {
            quotient -= 1;
            rest += b;
        }
        if (b == 0)
            quotient = rest = 0;
    }
};
template <class T> struct divided<T, 1> {
    T quotient, rest;
    PYCUDA_DEVICE divided(T a, T b)
    {
        rest = ::fmod(a, b);
        T exact = (a - rest) / b;
        if (rest != 0 && (rest < 0) != (b < 0)) {
            rest += b;
            exact -= 1;
        } else if (rest == 0)
            rest = ::copysign(T(0), b);
        quotient = ::floor(exact);
        quotient += exact - quotient > T(0.5) ? 1 : 0;
        if (exact == 0)
            quotient = ::copysign(T(0), a / b);
        if (b == 0) {
            quotient = a / b;
            rest = ::fmod(a, b);
        }
    }
};
template <class T> PYCUDA_DEVICE T floor_divide(T a, T b)
{
    return divided<T, is_float<T>::value>(a, b).quotient;
}
template <class T> PYCUDA_DEVICE T remainder(T a, T b)
{
    return divided<T, is_float<T>::value>(a, b).rest;
}
/* The sign of the dividend. */
template <class T> PYCUDA_DEVICE T fmod(T a, T b)
{
    bool trivial = b == 0 || (T(-1) < T(0) && b == T(-1));
    return trivial ? T(0) : a % (trivial ? T(1) : b);
}
PYCUDA_DEVICE float fmod(float a, float b) { return ::fmodf(a, b); }
PYCUDA_DEVICE double fmod(double a, double b) { return ::fmod(a, b); }

/* -- Powers and shifts of integers -- */

template <class T> PYCUDA_DEVICE T power(T a, T b)
{
    T result = 1;
    if (b < 0) /* 1 / a ** -b, rounded towards zero */
        return a == 1 ? T(1) : a == T(-1) ? T(b & 1 ? -1 : 1) : T(0);
    for (; b; b >>= 1) {
        if (b & 1)
            result *= a;
        a *= a;
    }
    return result;
}
PYCUDA_DEVICE float power(float a, float b) { return ::powf(a, b); }
PYCUDA_DEVICE double power(double a, double b) { return ::pow(a, b); }

template <class T> PYCUDA_DEVICE T left_shift(T a, T b)
{
    return b >= 0 && b < T(8 * sizeof(T)) ? T((unsigned_)a << (int)b) : T(0);
}
template <class T> PYCUDA_DEVICE T right_shift(T a, T b)
{
    return b >= 0 && b < T(8 * sizeof(T)) ? T(a >> (int)b) : T(a < 0 ? -1 : 0);
}

/* Euclid's way, by magnitudes: that of the lowest integer fits the unsigned type. */
template <class T> PYCUDA_DEVICE unsigned_ magnitude(T a)
{
    return a < T(1) && a != T(0) ? 0 - (unsigned_)a : (unsigned_)a; /* or nvcc warns */
}
PYCUDA_DEVICE unsigned_ common_divisor(unsigned_ a, unsigned_ b)
{
    while (b) {
        unsigned_ rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
template <class T> PYCUDA_DEVICE T gcd(T a, T b)
{
    return T(common_divisor(magnitude(a), magnitude(b)));
}
template <class T> PYCUDA_DEVICE T lcm(T a, T b)
{
    unsigned_ x = magnitude(a), y = magnitude(b), divisor = common_divisor(x, y);
    return divisor ? T(x / divisor * y) : T(0);
}

/* -- One operand -- */

template <class T> PYCUDA_DEVICE int count_bits(T a)
{
    return __popcll(magnitude(a));
}

template <class T> PYCUDA_DEVICE T invert(T a) { return T(~a); }
PYCUDA_DEVICE bool invert(bool a) { return !a; }
template <class T> PYCUDA_DEVICE T absolute(T a) { return a < 0 ? negative(a) : a; }
PYCUDA_DEVICE bool absolute(bool a) { return a; }
PYCUDA_DEVICE float absolute(float a) { return ::fabsf(a); }
PYCUDA_DEVICE double absolute(double a) { return ::fabs(a); }
template <class T> PYCUDA_DEVICE T sign(T a) { return T(a > 0) - T(a < 0); }
PYCUDA_DEVICE float sign(float a) { return a != a ? a : float(a > 0) - float(a < 0); }
PYCUDA_DEVICE double sign(double a)
{
    return a != a ? a : double(a > 0) - double(a < 0);
}
template <class T> PYCUDA_DEVICE T conjugate(T a) { return a; }
PYCUDA_DEVICE float norm(float a) { return a * a; }
PYCUDA_DEVICE double norm(double a) { return a * a; }
/* Of integers: of -1 and 1 themselves, else 0 (or, of 0, the lowest integer). */
template <class T> PYCUDA_DEVICE T reciprocal(T a)
{
    bool is_signed = T(-1) < T(0);
    if (a == 0)
        return is_signed && sizeof(T) >= 4 ? T(1ull << (8 * sizeof(T) - 1)) : T(0);
    return a == 1 || (is_signed && a == T(-1)) ? a : T(0);
}
PYCUDA_DEVICE float reciprocal(float a) { return 1 / a; }
PYCUDA_DEVICE double reciprocal(double a) { return 1 / a; }
/* Exponents that int has no room for are as good as its ends. */
template <class T, class I> PYCUDA_DEVICE T ldexp(T a, I b)
{
    return ::ldexp(a, b > 9999 ? 9999 : b < -9999 ? -9999 : (int)b);
}
/* A power of 2 that takes squares of x and y, of which x is the greater one but not by
   much, to where they are neither infinite nor lose digits. */
PYCUDA_DEVICE float scale_of_squares(float x, float y)
{
    return x > 0x1p60f ? 0x1p-80f : y < 0x1p-60f ? 0x1p104f : 1.f;
}
PYCUDA_DEVICE double scale_of_squares(double x, double y)
{
    return x > 0x1p500 ? 0x1p-700 : y < 0x1p-500 ? 0x1p600 : 1.;
}
PYCUDA_DEVICE float rounded_product(float a, float b) { return __fmul_rn(a, b); }
PYCUDA_DEVICE double rounded_product(double a, double b) { return __dmul_rn(a, b); }

/* CUDA's is off by a digit at times, and so infinite where an operand is the greatest
   number. Here the root is corrected by what rounding took from squares (Borges,
   2019). */
template <class T> PYCUDA_DEVICE T corrected_hypot(T a, T b)
{
    const T negligible = sizeof(T) == 4 ? 0x1p-13 : 0x1p-27;
    T x = ::fabs(a), y = ::fabs(b);
    if (x < y || isnan(x)) {
        T other = x;
        x = y;
        y = other;
    }
    if (isinf(x) || isinf(y))
        return x < y ? y : x;
    if (!(y > x * negligible))
        return isnan(y) ? y : x;
    T scale = scale_of_squares(x, y);
    x *= scale;
    y *= scale;
    T xx = rounded_product(x, x), root = ::sqrt(fma(x, x, rounded_product(y, y)));
    T square = rounded_product(root, root);
    T excess = fma(root, root, -square) - fma(x, x, -xx) + fma(-y, y, square - xx);
    return (root - excess / (2 * root)) / scale;
}
template <class T> PYCUDA_DEVICE T hypot(T a, T b)
{
#ifdef __HOSTCC__
    return ::hypot(a, b);
#else
    return corrected_hypot(a, b);
#endif
}
template <class T> PYCUDA_DEVICE T logaddexp(T a, T b)
{
    T high = a > b ? a : b, low = a > b ? b : a;
    return a == b ? a + T(0.69314718055994530942) : high + ::log1p(::exp(low - high));
}
template <class T> PYCUDA_DEVICE T logaddexp2(T a, T b)
{
    T high = a > b ? a : b, low = a > b ? b : a;
    return a == b ? a + 1
                  : high + T(1.4426950408889634074) * ::log1p(::exp2(low - high));
}
/* From a to the next number that is farther from zero, with the sign of a. */
template <class T> PYCUDA_DEVICE T spacing(T a)
{
    return ::isinf(a) ? a - a : ::nextafter(a, T(a < 0 ? -INFINITY : INFINITY)) - a;
}
template <class T> PYCUDA_DEVICE T fraction(T a, T &whole)
{
    whole = ::trunc(a);
    return ::copysign(::isinf(a) ? T(0) : a - whole, a);
}

/* Integers are whole, finite, and numbers. */
#define PYCUDA_ROUND(name)                                     \
    template <class T> PYCUDA_DEVICE T name(T a) { return a; } \
    PYCUDA_DEVICE float name(float a) { return ::name##f(a); } \
    PYCUDA_DEVICE double name(double a) { return ::name(a); }
PYCUDA_ROUND(floor)
PYCUDA_ROUND(ceil)
PYCUDA_ROUND(trunc)
PYCUDA_ROUND(rint)
#undef PYCUDA_ROUND
#define PYCUDA_ASK(name, otherwise)                                     \
    template <class T> PYCUDA_DEVICE bool name(T) { return otherwise; } \
    PYCUDA_DEVICE bool name(float a) { return ::name(a); }              \
    PYCUDA_DEVICE bool name(double a) { return ::name(a); }
PYCUDA_ASK(isnan, false)
PYCUDA_ASK(isinf, false)
PYCUDA_ASK(isfinite, true)
#undef PYCUDA_ASK

#ifdef PYCUDA_COMPLEX_HPP
template <class T> PYCUDA_DEVICE complex<T> power(complex<T> a, complex<T> b)
{
    if (a == complex<T>(0) && b != complex<T>(0)) {
        T zero = b.real() > 0 ? T(0) : T(0) / a.real();
        return complex<T>(zero, zero);
    }
    return pow(a, b);
}
template <class T> PYCUDA_DEVICE T absolute(complex<T> a) { return abs(a); }
template <class T> PYCUDA_DEVICE complex<T> conjugate(complex<T> a) { return conj(a); }
template <class T> PYCUDA_DEVICE complex<T> reciprocal(complex<T> a)
{ /* over the greater part, as NumPy: of zero NaN */
    T x = a.real(), y = a.imag();
    bool is_real = ::fabs(y) <= ::fabs(x);
    T r = is_real ? y / x : x / y, d = is_real ? x + y * r : x * r + y;
    return complex<T>((is_real ? T(1) : r) / d, -(is_real ? r : T(1)) / d);
}
template <class T> PYCUDA_DEVICE complex<T> sign(complex<T> a)
{
    T r = abs(a), x = a.real(), y = a.imag();
    if (::isinf(x) && ::isinf(y)) /* in a direction that nobody knows */
        return complex<T>(x - x, x - x);
    if (::isinf(r))
        return complex<T>(::isinf(x) ? ::copysign(T(1), x) : 0,
                          ::isinf(y) ? ::copysign(T(1), y) : 0);
    return r == 0 ? complex<T>(0) : a / r;
}
template <class T> PYCUDA_DEVICE bool isnan(complex<T> a)
{
    return isnan(a.real()) || isnan(a.imag());
}
template <class T> PYCUDA_DEVICE bool isinf(complex<T> a)
{
    return isinf(a.real()) || isinf(a.imag());
}
template <class T> PYCUDA_DEVICE bool isfinite(complex<T> a)
{
    return isfinite(a.real()) && isfinite(a.imag());
}
template <class T> PYCUDA_DEVICE complex<T> rint(complex<T> a)
{
    return complex<T>(::rint(a.real()), ::rint(a.imag()));
}
#endif

/* -- What reductions take of elements -- */

template <class T, class A, class B> PYCUDA_DEVICE T product(A a, B b)
{
    return convert<T>(a) * convert<T>(b);
}
/* The square of the distance from a mean. */
template <class T, class A, class M> PYCUDA_DEVICE T deviation(A a, M mean)
{
    return norm(convert<M>(a) - mean);
}

} // namespace pycuda

#endif
