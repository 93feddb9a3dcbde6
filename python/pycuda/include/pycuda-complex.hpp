/* Complex numbers for device code, in hostcc, NVRTC and nvcc alike:
   pycuda::complex<float> and <double>, whose layout is NumPy's complex64 and
   complex128. Needs no other header. Operands may differ in type: the result has the
   type that the real numbers' sum has, so float with int stays float and float with
   double is double; storing that in a complex<float> narrows, as it does for scalars,
   while initializing one from it must be spelled out. Operators take their operands by
   value, so volatile ones work too. */
#ifndef PYCUDA_COMPLEX_HPP
#define PYCUDA_COMPLEX_HPP
#include "pycuda/letters_aside.cuh"

#define PYCUDA_COMPLEX __host__ __device__ __inline__

extern "C++" { /* SourceModule may have written extern "C" around it */
namespace pycuda
{

template <class T> struct complex;

namespace complex_detail
{
/* Has a type for real numbers only. */
template <class S> struct scalar;
#define PYCUDA_SCALAR(S, other)        \
    template <> struct scalar<S> {     \
        typedef S type;                \
    };                                 \
    template <> struct scalar<other> { \
        typedef other type;            \
    };
PYCUDA_SCALAR(bool, char)
PYCUDA_SCALAR(signed char, unsigned char)
PYCUDA_SCALAR(short, unsigned short)
PYCUDA_SCALAR(int, unsigned)
PYCUDA_SCALAR(long, unsigned long)
PYCUDA_SCALAR(long long, unsigned long long)
PYCUDA_SCALAR(float, double)
#undef PYCUDA_SCALAR
template <class A, class B>
using sum = complex<decltype(typename scalar<A>::type() + typename scalar<B>::type())>;
template <class A, class B> struct same;
template <class A> struct same<A, A> {
    typedef A type;
};
} // namespace complex_detail

template <class T> struct complex {
    typedef T value_type;
    T _M_re, _M_im;

    PYCUDA_COMPLEX complex() : _M_re(), _M_im() {}
    PYCUDA_COMPLEX complex(T re, T im = T()) : _M_re(re), _M_im(im) {}
    template <class U>
    PYCUDA_COMPLEX explicit complex(const complex<U> &z)
        : _M_re(T(z._M_re)), _M_im(T(z._M_im))
    {
    }
    template <class U, class = typename complex_detail::same<T, U>::type>
    PYCUDA_COMPLEX complex(const volatile complex<U> &z)
        : _M_re(z._M_re), _M_im(z._M_im)
    {
    }
    /* The one implicit conversion, complex<float> to complex<double>. */
    template <class U, class = typename complex_detail::same<U, double>::type>
    PYCUDA_COMPLEX operator complex<U>() const
    {
        return complex<U>(_M_re, _M_im);
    }

    PYCUDA_COMPLEX T real() const { return _M_re; }
    PYCUDA_COMPLEX T imag() const { return _M_im; }
    PYCUDA_COMPLEX T real() const volatile { return _M_re; }
    PYCUDA_COMPLEX T imag() const volatile { return _M_im; }
    PYCUDA_COMPLEX void real(T re) { _M_re = re; }
    PYCUDA_COMPLEX void imag(T im) { _M_im = im; }

    template <class U> PYCUDA_COMPLEX complex &operator=(const complex<U> &z)
    {
        _M_re = T(z._M_re), _M_im = T(z._M_im);
        return *this;
    }
    template <class U> PYCUDA_COMPLEX void operator=(const complex<U> &z) volatile
    {
        _M_re = T(z._M_re), _M_im = T(z._M_im);
    }
    PYCUDA_COMPLEX complex &operator=(T re) { return *this = complex(re); }
    template <class U> PYCUDA_COMPLEX complex &operator+=(U b)
    {
        return *this = *this + b;
    }
    template <class U> PYCUDA_COMPLEX complex &operator-=(U b)
    {
        return *this = *this - b;
    }
    template <class U> PYCUDA_COMPLEX complex &operator*=(U b)
    {
        return *this = *this * b;
    }
    template <class U> PYCUDA_COMPLEX complex &operator/=(U b)
    {
        return *this = *this / b;
    }
};

/* -- What functions are made of -- */

namespace complex_detail
{

/* A product that the compiler does not fuse with a sum. */
#ifdef __CUDA_ARCH__
PYCUDA_COMPLEX float product(float a, float b) { return __fmul_rn(a, b); }
PYCUDA_COMPLEX double product(double a, double b) { return __dmul_rn(a, b); }
#else
PYCUDA_COMPLEX float product(float a, float b) { return a * b; }
PYCUDA_COMPLEX double product(double a, double b) { return a * b; }
#endif

/* a + b, and what its rounding lost. */
template <class T> struct exact_sum {
    T sum, rest;
    PYCUDA_COMPLEX exact_sum(T a, T b) : sum(a + b)
    {
        T t = sum - a;
        rest = (a - (sum - t)) + (b - t);
    }
};

/* c + x^2 + y^2, also where they cancel. */
template <class T> PYCUDA_COMPLEX T add_squares(T c, T x, T y)
{
    T p = product(x, x), q = product(y, y);
    exact_sum<T> low(::fma(x, x, -p), ::fma(y, y, -q)), a(c, p), b(a.sum, q),
        d(a.rest, b.rest), rest(d.sum, low.sum), all(b.sum, rest.sum);
    return all.sum + (all.rest + (rest.rest + (low.rest + d.rest)));
}

/* a b + c d, also where they cancel (Kahan). */
template <class T> PYCUDA_COMPLEX T add_products(T a, T b, T c, T d)
{
    T p = product(c, d);
    return ::fma(a, b, p) + ::fma(c, d, -p);
}

/* A zero makes a zero, also of infinity and NaN. */
template <class T> PYCUDA_COMPLEX T times(T a, T b)
{
    return a == 0 || b == 0 ? ::copysign(T(0), a) * ::copysign(T(1), b) : a * b;
}

/* What to multiply a number by whose greater part is a, so that its square neither
   overflows nor loses digits; what takes that back, and its logarithm. */
PYCUDA_COMPLEX float balance(float a)
{
    return a > 0x1p50f ? 0x1p-70f : a < 0x1p-50f ? 0x1p100f : 1;
}
PYCUDA_COMPLEX double balance(double a)
{
    return a > 0x1p500 ? 0x1p-530 : a < 0x1p-400 ? 0x1p660 : 1;
}
PYCUDA_COMPLEX float balance_back(float by)
{
    return by < 1 ? 0x1p70f : by > 1 ? 0x1p-100f : 1;
}
PYCUDA_COMPLEX double balance_back(double by)
{
    return by < 1 ? 0x1p530 : by > 1 ? 0x1p-660 : 1;
}
PYCUDA_COMPLEX float balance_log(float by)
{
    return by < 1 ? -48.5203026f : by > 1 ? 69.3147181f : 0;
}
PYCUDA_COMPLEX double balance_log(double by)
{
    return by < 1 ? -367.368005696771 : by > 1 ? 457.4771391695639 : 0;
}
PYCUDA_COMPLEX bool is_tiny(float a) { return a < 0x1p-90f; }
PYCUDA_COMPLEX bool is_tiny(double a) { return a < 0x1p-900; }

/* Where e^x overflows, if not multiplied by a small number in time. */
PYCUDA_COMPLEX bool is_high(float x) { return x > 88; }
PYCUDA_COMPLEX bool is_high(double x) { return x > 709; }

/* Where 1 is nothing beside z^2. */
template <class T> PYCUDA_COMPLEX bool is_far(T x, T y)
{
    return ::fabs(x) > T(0x1p60) || ::fabs(y) > T(0x1p60);
}
template <class T> PYCUDA_COMPLEX bool is_infinite(T x, T y)
{
    return ::isinf(x) || ::isinf(y);
}

/* The logarithm of |u + i y|, where |u + i y|^2 - 1 = c + x^2 + y^2. */
template <class T> PYCUDA_COMPLEX T log_abs(T c, T x, T u, T y)
{
    T by = balance(::fmax(::fabs(u), ::fabs(y)));
    T v = u * by, w = y * by, s = v * v + w * w;
    bool near = by == 1 && s >= T(0.5) && s < 16;
    T t = near ? add_squares(c, x, y) : s >= 1 ? s - 1 : 1 / s - 1;
    T l = T(0.5) * ::log1p(t);
    l = (near || s >= 1 ? l : -l) - balance_log(by);
    return ::isinf(u) ? ::fabs(u) : ::isinf(y) ? ::fabs(y) : l;
}
template <class T> PYCUDA_COMPLEX T log_abs(T x, T y)
{
    return log_abs(T(-1), x, x, y);
}

/* e^x (cos y + i sin y) from p = e^x or, if is_half, from its root. */
template <class T> PYCUDA_COMPLEX complex<T> turned(T x, T p, bool is_half, T y)
{
    T c = ::cos(y), s = ::sin(y), q = is_half ? p : T(1);
    if (c != c && ::isinf(x))
        return complex<T>(p, x < 0 ? T(0) : c);
    return complex<T>(p * c * q, s == 0 ? s : p * s * q);
}

/* -- Division -- */

/* Of a part of an infinite number: 1 for infinity, else 0. */
template <class T> PYCUDA_COMPLEX T boxed(T x)
{
    return ::copysign(T(::isinf(x) ? 1 : 0), x);
}
template <class T>
PYCUDA_COMPLEX complex<T> special_quotient(T x, T y, T u, T v, complex<T> otherwise)
{
    T huge = 1 / ::fabs(T(0) * boxed(u)); /* infinity */
    bool from = is_infinite(x, y), by = is_infinite(u, v);
    if (u == 0 && v == 0 && (x == x || y == y))
        return complex<T>(::copysign(huge, u) * x, ::copysign(huge, u) * y);
    if (from && !by && u == u && v == v) {
        x = boxed(x), y = boxed(y);
        return complex<T>(huge * (x * u + y * v), huge * (y * u - x * v));
    }
    if (by && !from && x == x && y == y) {
        u = boxed(u), v = boxed(v);
        return complex<T>(T(0) * (x * u + y * v), T(0) * (y * u - x * v));
    }
    return otherwise;
}
template <class T> PYCUDA_COMPLEX complex<T> quotient(complex<T> a, complex<T> b)
{
    T x = a._M_re, y = a._M_im, u = b._M_re, v = b._M_im;
    T p = balance(::fmax(::fabs(x), ::fabs(y)));
    T q = balance(::fmax(::fabs(u), ::fabs(v)));
    x *= p, y *= p, u *= q, v *= q;
    T d = 1 / (u * u + v * v);
    T re = add_products(x, u, y, v) * d, im = add_products(y, u, -x, v) * d;
    T first = p == q ? T(1) : balance_back(p), then = p == q ? T(1) : q;
    complex<T> z(re * first * then, im * first * then);
    if (re != re && im != im)
        return special_quotient(a._M_re, a._M_im, b._M_re, b._M_im, z);
    return z;
}

} // namespace complex_detail

/* -- Operators -- */

#define PYCUDA_OPERATOR(op, A, B, ...)                             \
    template <class T, class U>                                    \
    PYCUDA_COMPLEX complex_detail::sum<T, U> operator op(A a, B b) \
    {                                                              \
        typedef complex_detail::sum<T, U> C;                       \
        typedef typename C::value_type R;                          \
        __VA_ARGS__                                                \
    }
PYCUDA_OPERATOR(+, complex<T>, complex<U>,
                return C(R(a._M_re) + R(b._M_re), R(a._M_im) + R(b._M_im));)
PYCUDA_OPERATOR(+, complex<T>, U, return C(R(a._M_re) + R(b), a._M_im);)
PYCUDA_OPERATOR(+, T, complex<U>, return C(R(a) + R(b._M_re), b._M_im);)
PYCUDA_OPERATOR(-, complex<T>, complex<U>,
                return C(R(a._M_re) - R(b._M_re), R(a._M_im) - R(b._M_im));)
PYCUDA_OPERATOR(-, complex<T>, U, return C(R(a._M_re) - R(b), a._M_im);)
PYCUDA_OPERATOR(-, T, complex<U>, return C(R(a) - R(b._M_re), -b._M_im);)
PYCUDA_OPERATOR(*, complex<T>, complex<U>, R x = a._M_re, y = a._M_im, u = b._M_re,
                v = b._M_im;
                return C(x * u - y * v, x *v + y * u);)
PYCUDA_OPERATOR(*, complex<T>, U, return C(R(a._M_re) * R(b), R(a._M_im) * R(b));)
PYCUDA_OPERATOR(*, T, complex<U>, return C(R(a) * R(b._M_re), R(a) * R(b._M_im));)
PYCUDA_OPERATOR(/, complex<T>, complex<U>, return complex_detail::quotient(C(a), C(b));)
PYCUDA_OPERATOR(/, complex<T>, U, return C(R(a._M_re) / R(b), R(a._M_im) / R(b));)
PYCUDA_OPERATOR(/, T, complex<U>, return C(R(a)) / b;)
#undef PYCUDA_OPERATOR

template <class T> PYCUDA_COMPLEX complex<T> operator+(complex<T> z) { return z; }
template <class T> PYCUDA_COMPLEX complex<T> operator-(complex<T> z)
{
    return complex<T>(-z._M_re, -z._M_im);
}
#define PYCUDA_COMPARE(A, B, equal)                                \
    template <class T, class U, class = complex_detail::sum<T, U>> \
    PYCUDA_COMPLEX bool operator==(A a, B b)                       \
    {                                                              \
        return equal;                                              \
    }                                                              \
    template <class T, class U, class = complex_detail::sum<T, U>> \
    PYCUDA_COMPLEX bool operator!=(A a, B b)                       \
    {                                                              \
        return !(equal);                                           \
    }
PYCUDA_COMPARE(complex<T>, complex<U>, a._M_re == b._M_re && a._M_im == b._M_im)
PYCUDA_COMPARE(complex<T>, U, a._M_re == b && a._M_im == 0)
PYCUDA_COMPARE(T, complex<U>, a == b._M_re && b._M_im == 0)
#undef PYCUDA_COMPARE

/* -- Functions -- */

#define PYCUDA_REAL(name, result) \
    template <class T> PYCUDA_COMPLEX T name(complex<T> z) { return result; }
PYCUDA_REAL(real, z._M_re)
PYCUDA_REAL(imag, z._M_im)
PYCUDA_REAL(abs, ::hypot(z._M_re, z._M_im))
PYCUDA_REAL(arg, ::atan2(z._M_im, z._M_re))
PYCUDA_REAL(norm, z._M_re *z._M_re + z._M_im * z._M_im)
#undef PYCUDA_REAL

template <class T> PYCUDA_COMPLEX complex<T> polar(T r, T angle = T())
{
    return complex<T>(r * ::cos(angle), complex_detail::times(r, ::sin(angle)));
}

/* Special values are those of C99's Annex G. x and y are the parts of z; a body of
   statements. */
#define PYCUDA_FUNCTION(name, ...)                                  \
    template <class T> PYCUDA_COMPLEX complex<T> name(complex<T> z) \
    {                                                               \
        using namespace complex_detail;                             \
        const T x = z._M_re, y = z._M_im;                           \
        const T half_pi = T(1.57079632679489661923);                \
        const T ln2 = T(0.69314718055994530942);                    \
        (void)x, (void)y, (void)half_pi, (void)ln2;                 \
        __VA_ARGS__                                                 \
    }
PYCUDA_FUNCTION(conj, return complex<T>(x, -y);)
PYCUDA_FUNCTION(exp, bool is_half = is_high(x);
                return turned(x, ::exp(is_half ? x / 2 : x), is_half, y);)
/* The angle of a small y is not rounded: it could be denormal, and the sine is not. */
PYCUDA_FUNCTION(exp2, bool is_half = is_high(T(0.694) * x);
                T p = ::exp2(is_half ? x / 2 : x);
                complex<T> w = turned(x, p, is_half, y *ln2);
                bool is_small = y != 0 && ::fabs(y) < 1e-30f;
                return complex<T>(w._M_re, is_small ? p *y *ln2 *(is_half ? p : T(1))
                                                    : w._M_im);)
/* e^x cos y - 1 = (e^x - 1) cos y - 2 sin^2(y / 2) */
PYCUDA_FUNCTION(expm1, complex<T> w = exp(z); T e = ::expm1(x), h = ::sin(y / 2);
                return x < 40 ? complex<T>(::fma(e, ::cos(y), -2 * h * h), w._M_im)
                              : w;)
PYCUDA_FUNCTION(log, return complex<T>(log_abs(x, y), ::atan2(y, x));)
PYCUDA_FUNCTION(log1p,
                return complex<T>(log_abs(2 * x, x, 1 + x, y), ::atan2(y, 1 + x));)
PYCUDA_FUNCTION(log2, return log(z) * T(1.4426950408889634074);)
PYCUDA_FUNCTION(log10, return log(z) * T(0.43429448190325182765);)
PYCUDA_FUNCTION(sqrt, T a = ::fmax(::fabs(x), ::fabs(y));
                T by = a > T(0x1p100) ? T(0x1p-4)
                       : is_tiny(a)   ? T(0x1p100)
                                      : T(1);
                T root = a > T(0x1p100) ? T(4)
                         : is_tiny(a)   ? T(0x1p-50)
                                        : T(1);
                T t = T(0.5) * (::fabs(x * by) + ::hypot(x * by, y *by));
                t = ::isinf(y) ? ::fabs(y) : root * ::sqrt(t);
                T r = t == 0 || ::isinf(y) ? ::fabs(y) : ::fabs(y) / (2 * t);
                return complex<T>(x < 0 ? r : t, ::copysign(x < 0 ? t : r, y));)

PYCUDA_FUNCTION(sinh, T c = ::cos(y), s = ::sin(y), p = ::sinh(x), r = ::cosh(x), q = 1;
                if (is_high(::fabs(x))) q = ::exp(::fabs(x) / 2), r = q / 2,
                p = ::copysign(r, x);
                c = ::isinf(x) && c != c ? 1 : c;
                return complex<T>(times(p, c) * q, s == 0 ? s : r * s * q);)
PYCUDA_FUNCTION(cosh, T c = ::cos(y), s = ::sin(y), p = ::sinh(x), r = ::cosh(x), q = 1;
                if (is_high(::fabs(x))) q = ::exp(::fabs(x) / 2), r = q / 2,
                p = ::copysign(r, x);
                c = ::isinf(x) && c != c ? 1 : c; T im = times(p, s);
                return complex<T>(r * c * q, im == 0 ? im : im * q);)
PYCUDA_FUNCTION(tanh, T h = ::tanh(x), t = ::tan(y), c = 1 / ::cosh(x);
                T d = 1 + h * h * t * t;
                if (::isinf(x)) return complex<T>(h, ::copysign(T(0), t == t ? t : y));
                return x == 0 || y == 0 ? complex<T>(h, t)
                                        : complex<T>(h * (1 + t * t) / d, t *c *c / d);)

/* The inverses after Kahan, "Branch cuts for complex elementary functions". */
PYCUDA_FUNCTION(
    atanh, T a = ::fabs(x), r = 1 - a, d = r * r + y * y;
    if (is_infinite(x, y)) return complex<T>(::copysign(T(0), x),
                                             y == y ? ::copysign(half_pi, y) : y);
    if (is_far(x, y)) {
        T h = ::hypot(x / 2, y / 2);
        return complex<T>(T(0.25) * (x / h) / h, ::copysign(half_pi, y) + 0 * (x + y));
    } T re = T(0.25) * ::log1p(4 * a / d);
    re = r == 0 && ::fabs(y) < T(0x1p-30) ? T(0.5) * (ln2 - ::log(::fabs(y))) : re;
    return complex<T>(x == 0 ? x : ::copysign(re, x),
                      T(0.5) * ::atan2(2 * y, r * (1 + a) - y * y));)
PYCUDA_FUNCTION(
    asin, if (is_far(x, y)) return complex<T>(::atan2(x, ::fabs(y)),
                                              ::copysign(log_abs(x, y) + ln2, y));
    complex<T> p = sqrt(complex<T>(1 - x, -y)), q = sqrt(complex<T>(1 + x, y));
    return complex<T>(x == 0 ? x : ::atan2(x, real(p *q)), ::asinh(imag(conj(p) * q)));)
PYCUDA_FUNCTION(acos, if (is_far(x, y)) return complex<T>(
                          ::atan2(::fabs(y), x), -::copysign(log_abs(x, y) + ln2, y));
                complex<T> p = sqrt(complex<T>(1 - x, -y)),
                q = sqrt(complex<T>(1 + x, y));
                return complex<T>(x == 0 ? half_pi : 2 * ::atan2(real(p), real(q)),
                                  ::asinh(imag(conj(q) * p)));)
PYCUDA_FUNCTION(
    acosh, if (is_far(x, y)) return complex<T>(log_abs(x, y) + ln2, ::atan2(y, x));
    complex<T> p = sqrt(complex<T>(x - 1, y)), q = sqrt(complex<T>(x + 1, y));
    return complex<T>(::asinh(real(conj(p) * q)),
                      x == 0 ? ::copysign(half_pi, y) : 2 * ::atan2(imag(p), real(q)));)
/* f(z) = -i g(i z) */
#define PYCUDA_TURNED(f, g)                                 \
    PYCUDA_FUNCTION(f, complex<T> w = g(complex<T>(-y, x)); \
                    return complex<T>(w._M_im, -w._M_re);)
PYCUDA_TURNED(sin, sinh)
PYCUDA_TURNED(tan, tanh)
PYCUDA_TURNED(atan, atanh)
PYCUDA_TURNED(asinh, asin)
#undef PYCUDA_TURNED
PYCUDA_FUNCTION(cos, return cosh(complex<T>(-y, x));)
#undef PYCUDA_FUNCTION

/* -- Powers -- */

namespace complex_detail
{
/* Small whole powers are products. */
template <class T> PYCUDA_COMPLEX complex<T> raised(complex<T> a, int n)
{
    complex<T> result(1);
    if (n == 1)
        return a;
    if (n == 3) /* without a product with 1, which makes NaNs of infinities */
        return a * (a * a);
    for (unsigned k = n < 0 ? -n : n; k; k >>= 1) {
        if (k & 1)
            result = result * a;
        a = a * a;
    }
    return n < 0 ? complex<T>(1) / result : result;
}
/* Of zero 0 (1 for the power 0). */
template <class T> PYCUDA_COMPLEX complex<T> power(complex<T> a, complex<T> b)
{
    T re = b._M_re;
    if (b == T(0) || a == T(0))
        return complex<T>(T(b == T(0)));
    if (b._M_im == 0 && ::fabs(re) < 100 && re == ::trunc(re))
        return raised(a, (int)re);
    return exp(b._M_im == 0 ? log(a) * re : log(a) * b);
}
} // namespace complex_detail
#define PYCUDA_POW(A, B)                                                               \
    template <class T, class U> PYCUDA_COMPLEX complex_detail::sum<T, U> pow(A a, B b) \
    {                                                                                  \
        typedef complex_detail::sum<T, U> C;                                           \
        return complex_detail::power(C(a), C(b));                                      \
    }
PYCUDA_POW(complex<T>, complex<U>)
PYCUDA_POW(complex<T>, U)
PYCUDA_POW(T, complex<U>)
#undef PYCUDA_POW

} // namespace pycuda
}

#undef PYCUDA_COMPLEX

#include "pycuda/letters_back.cuh"

#endif
