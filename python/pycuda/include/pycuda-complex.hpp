/* Complex numbers for device code, in hostcc, NVRTC and nvcc alike:
   pycuda::complex<float> and <double>, whose layout is NumPy's complex64 and
   complex128. Needs no other header. Operands may differ in type: the result has the
   type that the real numbers' sum has, so float with int stays float and float with
   double is double; storing that in a complex<float> narrows, as it does for scalars,
   while initializing one from it must be spelled out. Operators take their operands by
   value, so volatile ones work too. */
#ifndef PYCUDA_COMPLEX_HPP
#define PYCUDA_COMPLEX_HPP

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

    complex() = default;
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
/* Smith's method: no overflow on the way. */
PYCUDA_OPERATOR(/, complex<T>, complex<U>, R x = a._M_re, y = a._M_im, u = b._M_re,
                v = b._M_im;
                bool steep = ::fabs(u) < ::fabs(v); R r = steep ? u / v : v / u;
                R d = steep ? u * r + v : u + v * r;
                return steep ? C((x * r + y) / d, (y * r - x) / d)
                             : C((x + y * r) / d, (y - x * r) / d);)
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

/* A zero makes a zero, also of infinity. */
template <class T> PYCUDA_COMPLEX T _mul(T a, T b)
{
    return a == 0 || b == 0 ? ::copysign(T(0), a) * ::copysign(T(1), b) : a * b;
}

template <class T> PYCUDA_COMPLEX complex<T> polar(T r, T angle = T())
{
    return complex<T>(r * ::cos(angle), _mul(r, ::sin(angle)));
}

/* x and y are the parts of z; a body of statements. */
#define PYCUDA_FUNCTION(name, ...)                                  \
    template <class T> PYCUDA_COMPLEX complex<T> name(complex<T> z) \
    {                                                               \
        T x = z._M_re, y = z._M_im;                                 \
        __VA_ARGS__                                                 \
    }
PYCUDA_FUNCTION(conj, return complex<T>(x, -y);)
PYCUDA_FUNCTION(exp, return polar(::exp(x), y);)
PYCUDA_FUNCTION(log, return complex<T>(::log(::hypot(x, y)), ::atan2(y, x));)
PYCUDA_FUNCTION(log10, (void)x, (void)y; return log(z) * T(0.43429448190325182765);)
PYCUDA_FUNCTION(sqrt, T t = ::sqrt(T(0.5) * (::fabs(x) + ::hypot(x, y)));
                T u = t == 0 || ::isinf(y) ? ::fabs(y) : ::fabs(y) / (2 * t);
                return complex<T>(x < 0 ? u : t, ::copysign(x < 0 ? t : u, y));)
PYCUDA_FUNCTION(sin,
                return complex<T>(_mul(::sin(x), ::cosh(y)), ::cos(x) * ::sinh(y));)
PYCUDA_FUNCTION(cos,
                return complex<T>(::cos(x) * ::cosh(y), _mul(-::sin(x), ::sinh(y)));)
PYCUDA_FUNCTION(sinh,
                return complex<T>(::sinh(x) * ::cos(y), _mul(::cosh(x), ::sin(y)));)
PYCUDA_FUNCTION(cosh,
                return complex<T>(::cosh(x) * ::cos(y), _mul(::sinh(x), ::sin(y)));)
/* The inverses after Kahan, "Branch cuts for complex elementary functions". */
PYCUDA_FUNCTION(tanh, T h = ::tanh(x), t = ::tan(y), c = 1 / ::cosh(x),
                d = 1 + h * h * t * t;
                return complex<T>(h * (1 + t * t) / d, t *c *c / d);)
PYCUDA_FUNCTION(atanh, T d = (1 - x) * (1 - x) + y * y;
                T half_pi = 1.57079632679489661923;
                if (::isinf(d)) return complex<T>(::copysign(T(0), x),
                                                  ::copysign(half_pi, y));
                return complex<T>(T(0.25) * ::log1p(4 * x / d),
                                  T(0.5) * ::atan2(2 * y, (1 - x) * (1 + x) - y * y));)
PYCUDA_FUNCTION(asin, complex<T> p = sqrt(complex<T>(1 - x, -y)),
                q = sqrt(complex<T>(1 + x, y));
                return complex<T>(::atan2(x, real(p *q)), ::asinh(imag(conj(p) * q)));)
PYCUDA_FUNCTION(acos, complex<T> p = sqrt(complex<T>(1 - x, -y)),
                q = sqrt(complex<T>(1 + x, y));
                return complex<T>(2 * ::atan2(real(p), real(q)),
                                  ::asinh(imag(conj(q) * p)));)
PYCUDA_FUNCTION(acosh, complex<T> p = sqrt(complex<T>(x - 1, y)),
                q = sqrt(complex<T>(x + 1, y));
                return complex<T>(::asinh(real(conj(p) * q)),
                                  2 * ::atan2(imag(p), real(q)));)
/* f(z) = -i g(i z) */
#define PYCUDA_TURNED(f, g)                                 \
    PYCUDA_FUNCTION(f, complex<T> w = g(complex<T>(-y, x)); \
                    return complex<T>(w._M_im, -w._M_re);)
PYCUDA_TURNED(tan, tanh)
PYCUDA_TURNED(atan, atanh)
PYCUDA_TURNED(asinh, asin)
#undef PYCUDA_TURNED
#undef PYCUDA_FUNCTION

/* Powers: of zero 0 (1 for the power 0), else through log and exp. */
#define PYCUDA_POW(A, B, is_zero, logarithm)                                           \
    template <class T, class U> PYCUDA_COMPLEX complex_detail::sum<T, U> pow(A a, B b) \
    {                                                                                  \
        typedef complex_detail::sum<T, U> C;                                           \
        return b == U(0) ? C(1) : is_zero ? C(0) : exp(C(b) * logarithm);              \
    }
PYCUDA_POW(complex<T>, complex<U>, a == T(0), log(C(a)))
PYCUDA_POW(complex<T>, U, a == T(0), log(C(a)))
PYCUDA_POW(T, complex<U>, a == T(0), log(C(a)))
#undef PYCUDA_POW

} // namespace pycuda
}

#undef PYCUDA_COMPLEX
#endif
