/* pycuda-complex.hpp as host C++ against std::complex<long double>: every function and
   operator within a few units of the last place of the result's modulus, over quadrants
   and magnitudes. */
#include <math.h>
#include <complex>
#include <math.h>
#include <cstdio>
#include <initializer_list>

#define __host__
#define __device__
#include "pycuda-complex.hpp"

typedef std::complex<long double> wide;
static int failures;

template <class T>
static void expect(const char *name, pycuda::complex<T> got, wide want, wide at,
                   double bound)
{
    long double scale = std::abs(want) * (sizeof(T) == 4 ? 0x1p-24L : 0x1p-53L);
    double e = (double)(std::abs(wide(got.real(), got.imag()) - want) / scale);
    if (!(e <= bound) && failures++ < 20)
        printf("%s(%Lg%+Lgi): got %g%+gi, want %Lg%+Lgi, %.1f ulp\n", name, at.real(),
               at.imag(), (double)got.real(), (double)got.imag(), want.real(),
               want.imag(), e);
}

template <class T> static void check(T x, T y)
{
    typedef pycuda::complex<T> complex;
    complex z(x, y), b(T(0.75), T(-1.25));
    wide w(x, y), v(0.75L, -1.25L);
#define FUNCTION(name, bound) expect(#name, name(z), name(w), w, bound);
    FUNCTION(sqrt, 4)
    FUNCTION(exp, 4)
    FUNCTION(log, 4)
    FUNCTION(log10, 4)
    FUNCTION(sin, 6)
    FUNCTION(cos, 6)
    FUNCTION(tan, 12)
    FUNCTION(sinh, 6)
    FUNCTION(cosh, 6)
    FUNCTION(tanh, 12)
    FUNCTION(asin, 12)
    FUNCTION(acos, 12)
    FUNCTION(atan, 12)
    FUNCTION(asinh, 12)
    FUNCTION(acosh, 12)
    FUNCTION(atanh, 12)
    FUNCTION(conj, 0)
    expect("abs", complex(abs(z)), abs(w), w, 2);
    expect("arg", complex(arg(z)), arg(w), w, 2);
    expect("norm", complex(norm(z)), norm(w), w, 4);
    expect("polar", pycuda::polar(abs(z), arg(z)), w, w, 8);
    expect("+", z + b, w + v, w, 4);
    expect("-", z - b, w - v, w, 4);
    expect("*", z * b, w * v, w, 4);
    expect("/", z / b, w / v, w, 6);
    expect("+ int", z + 3, w + 3.0L, w, 4);
    expect("int -", 3 - z, 3.0L - w, w, 4);
    expect("* long", z * 3L, w * 3.0L, w, 2);
    expect("int /", 3 / z, 3.0L / w, w, 6);
    expect("double *", complex(2.5 * z), 2.5L * w, w, 2);
    complex a = z;
    a += b, a *= 2, a -= T(1), a /= b;
    expect("compound", a, ((w + v) * 2.0L - 1.0L) / v, w, 40);
    expect("pow", pow(z, b), pow(w, v), w, 64);
    expect("pow real", pow(z, T(2.5)), pow(w, 2.5L), w, 64);
    expect("real pow", pow(T(2.5), z), pow(2.5L, w), w, 64);
    volatile complex s = z, t = z;
    t = s + s;
    expect("volatile", complex(t), w * 2.0L, w, 0);
    if (!(z == z) || z != z || z == b || !(complex(3) == 3) || pow(z, 0) != 1 ||
        pow(complex(0), z) != 0)
        failures++, printf("comparison at %g%+gi\n", (double)x, (double)y);
}

int main()
{
    for (int i : {-2, -1, 1, 2})
        for (int j : {-2, -1, 1, 2})
            for (double s : {0.01, 0.3, 0.9, 1.7, 3.0}) {
                double x = i * s * 1.3, y = j * s;
                check<float>((float)x, (float)y);
                check<double>(x, y);
            }
    pycuda::complex<double> widened = pycuda::complex<float>(1, 2);
    pycuda::complex<float> narrowed(widened);
    failures += widened != narrowed;
    printf("%d failures\n", failures);
    return failures != 0;
}
