"""Functions of complex numbers: accuracy against mpmath, part by part and in units of the last place,
at points that functions find hard; infinities, NaNs and zeros as C99 has them (Annex G). With
PYCUDA_TESTS_WIDE at many more points."""

import os

import mpmath
import numpy as np
import pytest

from pycuda import gpuarray
from pycuda.elementwise import ElementwiseKernel

pytestmark = pytest.mark.usefixtures("context")

COUNT = 1000 if os.environ.get("PYCUDA_TESTS_WIDE") else 24
# name: mpmath's, the bound of each part; None: of the number
FUNCTIONS = {
    "sqrt": mpmath.sqrt, "exp": mpmath.exp, "exp2": lambda z: mpmath.exp(z * mpmath.ln2),
    "expm1": mpmath.expm1, "log": mpmath.log, "log2": lambda z: mpmath.log(z) / mpmath.ln2,
    "log10": lambda z: mpmath.log(z) / mpmath.ln10, "log1p": lambda z: mpmath.log(1 + z),
    "sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan, "sinh": mpmath.sinh,
    "cosh": mpmath.cosh, "tanh": mpmath.tanh, "arcsin": mpmath.asin, "arccos": mpmath.acos,
    "arctan": mpmath.atan, "arcsinh": mpmath.asinh, "arccosh": mpmath.acosh,
    "arctanh": mpmath.atanh,
}


def points(dtype, count, seed=3):
    """Numbers all over the plane, close to the unit circle, to 1, -1, i and -i, to the zeros of sines, and
    to the ends of the range of exponents."""
    rng = np.random.default_rng(seed)
    info = np.finfo(dtype)

    def sign(n):
        return 1 - 2.0 * rng.integers(0, 2, n)

    def spread(low, high):
        return sign(count) * np.exp2(rng.uniform(low, high, count))

    bits = info.nmant + 1
    ends = spread(info.minexp - info.nmant, info.maxexp - 0.01) + 1j * spread(
        info.minexp - info.nmant, info.maxexp - 0.01)
    circle = np.exp(1j * rng.uniform(-np.pi, np.pi, count)) * (1 + spread(-bits, -2))
    poles = 1j ** rng.integers(0, 4, count) + spread(-2 * bits, -2) + 1j * spread(-2 * bits, -2)
    sines = rng.integers(-20, 20, count) * np.pi / 2 + spread(-bits, 1) * rng.integers(0, 2, count)
    sines = sines + 1j * spread(-bits, 9 if dtype == np.float64 else 6)
    sines = np.where(rng.integers(0, 2, count), sines, 1j * sines)
    plain = spread(-8, 8) + 1j * spread(-8, 8)
    with np.errstate(over="ignore"):
        z = np.concatenate([ends, circle, poles, sines, plain]).astype(
            np.result_type(dtype, np.complex64))
    return z[np.isfinite(z)]


def errors(got, want, dtype):
    """In units of the last place: of the worse part, and of the number."""
    info = np.finfo(dtype)
    worst = 0.0
    parts = (got.real, want.real), (got.imag, want.imag)
    largest = max(abs(want.real), abs(want.imag))
    result = []
    for by_part in (True, False):
        worst = 0.0
        for g, w in parts:
            scale = abs(w) if by_part else largest
            if abs(w) >= mpmath.mpf(2) ** info.maxexp * (1 - mpmath.mpf(2) ** -(info.nmant + 2)):
                worst = max(worst, 0.0 if np.isinf(g) and (g > 0) == (w > 0) else np.inf)
                continue
            if not np.isfinite(g):
                # what is rounded may be past the end
                worst = max(worst, 0.0 if abs(w) > 0.999999 * mpmath.mpf(2) ** info.maxexp else np.inf)
                continue
            e = max(int(mpmath.floor(mpmath.log(scale, 2))) if scale else info.minexp, info.minexp)
            worst = max(worst, float(abs(mpmath.mpf(float(g)) - w) / mpmath.mpf(2) ** (e - info.nmant)))
        result.append(worst)
    return result


def compare(name, dtype, z, got, reference, bounds, precision):
    """bounds: of the worse part and of the number; None: not looked at."""
    with mpmath.workprec(precision):
        for x, g in zip(z.tolist(), got.tolist(), strict=True):
            found = errors(g, mpmath.mpc(reference(x)), dtype)
            good = all(b is None or f <= b for f, b in zip(found, bounds, strict=True))
            assert good, (name, x, g, complex(reference(x)), found)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_accuracy(name, dtype):
    z = points(dtype, COUNT)
    if name == "exp2":  # its angle is y log(2), rounded
        z = z[abs(z.imag) < 1]
    got = getattr(np, name)(gpuarray.to_gpu(z)).get()
    poles = {"log": [0], "log2": [0], "log10": [0], "log1p": [-1], "arctanh": [1, -1], "arctan": [1j, -1j]}
    use = ~np.isin(z, poles.get(name, []))
    wide = (abs(z.real) > 1e8) | (abs(z.imag) > 1e8) | (abs(z.real) < 1e-8) | (abs(z.imag) < 1e-8)
    bounds = (None, 6) if name == "expm1" else (8, 6)
    for part, precision in (use & ~wide, 300), (use & wide, 3000 if dtype == np.float64 else 600):
        compare(name, dtype, z[part], got[part], lambda x: FUNCTIONS[name](mpmath.mpc(x)), bounds, precision)


_operate = {}


def operate(code, a, b):
    """What `code` makes of a and b in a kernel."""
    key = code, a.dtype, b.dtype
    if key not in _operate:
        names = {np.dtype(np.complex64): "pycuda::complex<float>", np.dtype(np.complex128): "pycuda::complex<double>",
                 np.dtype(np.float32): "float", np.dtype(np.float64): "double", np.dtype(np.int32): "int"}
        _operate[key] = ElementwiseKernel(
            f"{names[a.dtype]} *z, {names[a.dtype]} *a, {names[b.dtype]} *b", f"z[i] = {code}", "operate")
    z = gpuarray.empty(a.shape, a.dtype)
    _operate[key](z, gpuarray.to_gpu(a), gpuarray.to_gpu(b))
    return z.get()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_division(dtype):
    a, b = points(dtype, COUNT, 4), points(dtype, COUNT, 5)
    n = min(a.size, b.size)
    rng = np.random.default_rng(7)
    a, b = rng.permutation(a[:n]), rng.permutation(b[:n])
    a[: n // 8] = b[: n // 8]  # quotients of parts that cancel
    a[n // 8: n // 4] = (b[n // 8: n // 4] * 1j).astype(a.dtype)
    got = operate("a[i] / b[i]", a, b)
    with mpmath.workprec(3000):
        for x, y, g in zip(a.tolist(), b.tolist(), got.tolist(), strict=True):
            if y:
                want = mpmath.mpc(x) / mpmath.mpc(y)
                assert errors(g, want, dtype)[1] <= 5, (x, y, g, complex(want))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("is_array", [True, False])
def test_powers(dtype, is_array):
    """Of whole numbers to some units for each factor; of others to some for each that the logarithm has."""
    rng = np.random.default_rng(8)
    z = rng.permutation(points(dtype, COUNT, 6))
    z = z[(abs(z) < 1e8) & (abs(z) > 1e-8)]
    z[:40] = (rng.integers(-3, 4, 40) + 1j * rng.integers(-3, 4, 40)) + (1 + 1j) * (np.arange(40) % 2)
    z = z[z != 0]
    for n in [-7, -2, -1, 0, 1, 2, 3, 4, 5, 13, 64, 99]:
        if is_array:
            got = (gpuarray.to_gpu(z) ** n).get()
        else:
            got = operate("pow(a[i], b[i])", z, np.full(z.shape, n, np.int32))
        with mpmath.workprec(400):
            for x, g in zip(z.tolist(), got.tolist(), strict=True):
                want = mpmath.mpc(x) ** n
                size = abs(want)
                if mpmath.mpf(2) ** (np.finfo(dtype).minexp / 2) < size < mpmath.mpf(2) ** (np.finfo(dtype).maxexp / 2):
                    assert errors(g, want, dtype)[1] <= 4 + 2 * abs(n), (x, n, g, complex(want))
    b = rng.permutation(z) / 16
    got = (gpuarray.to_gpu(z) ** gpuarray.to_gpu(b)).get() if is_array else operate("pow(a[i], b[i])", z, b)
    with mpmath.workprec(400):
        for x, y, g in zip(z.tolist(), b.tolist(), got.tolist(), strict=True):
            exponent = mpmath.log(mpmath.mpc(x)) * mpmath.mpc(y)
            if abs(exponent.real) < 80:
                bound = 8 + 8 * abs(mpmath.mpc(y)) * (abs(mpmath.log(mpmath.mpc(x))) + 1)
                assert errors(g, mpmath.exp(exponent), dtype)[1] <= bound, (x, y, g)


def test_small_powers_are_exact():
    z = np.array([1 + 2j, 2j, -3 + 1j, 1 - 1j])
    for dtype in (np.complex64, np.complex128):
        for n in (2, 3, 4, 5):
            got = (gpuarray.to_gpu(z.astype(dtype)) ** n).get()
            np.testing.assert_array_equal(got, z.astype(dtype) ** n)
    assert (gpuarray.to_gpu(np.array([2j])) ** -1).get()[0] == -0.5j


@pytest.mark.parametrize("char", "efdFD")
def test_the_power_of_minus_one_is_the_reciprocal(char):
    """As NumPy computes it: rounded once, signs of zeros too."""
    x = np.array([0.5, -4, np.inf, -np.inf, 1, 0.0, -0.0, 0.3, -0.7322673547034516, 11])
    if char in "FD":
        x = np.concatenate([np.array([complex(*pair) for pair in [(one, zero), (zero, one)]])
                            for one in x[:7] for zero in x[5:7]])
    x = x.astype(char)
    with np.errstate(all="ignore"):
        got, wanted = (gpuarray.to_gpu(x) ** -1).get(), x ** -1
    for a, b in [(got.real, wanted.real), (got.imag, wanted.imag)]:
        np.testing.assert_array_equal(a, b)
        assert np.array_equal(np.signbit(a) & ~np.isnan(a), np.signbit(b) & ~np.isnan(b))


def agrees(got, want, any_sign):
    """As parts: both NaN, or equal with their signs; zeros' and infinities' signs may be open."""
    if np.isnan(want) or np.isnan(got):
        return np.isnan(want) and np.isnan(got)
    if any_sign:
        return abs(got) == abs(want) if want == 0 or np.isinf(want) else got == pytest.approx(want, rel=1e-5)
    return got == pytest.approx(want, rel=1e-5) and np.signbit(got) == np.signbit(want)


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in ("exp2", "expm1", "log1p")])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_special_values(name, dtype):
    """NumPy's functions are the C library's here, which keeps to Annex G; where it leaves signs open,
    they are not looked at. C99 has no exp2, expm1 and log1p of complex numbers."""
    parts = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, np.inf, -np.inf, np.nan]
    z = np.array([complex(x, y) for x in parts for y in parts], dtype)
    with np.errstate(all="ignore"):
        want = getattr(np, name)(z)
    got = getattr(np, name)(gpuarray.to_gpu(z)).get()
    for x, g, w in zip(z, got, want, strict=True):
        special = not (np.isfinite(x.real) and np.isfinite(x.imag))
        # signs are open where an infinity or a NaN decides nothing
        is_open = np.isnan(x.real) or np.isnan(x.imag) or (special and (np.isnan(w.real) or np.isnan(w.imag)))
        is_open = is_open or (name in ("exp", "sinh", "cosh", "tanh", "sin", "cos", "tan") and special and not (
            np.isfinite(x.imag) if name in ("exp", "sinh", "cosh", "tanh") else np.isfinite(x.real)))
        assert agrees(g.real, w.real, is_open) and agrees(g.imag, w.imag, is_open), (name, x, g, w)


@pytest.mark.parametrize("function", [np.reciprocal, np.sign, np.square, lambda z: z ** 0, lambda z: z ** 1, lambda z: z ** 3],
                         ids=["reciprocal", "sign", "square", "0", "1", "3"])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_special_values_as_numpy_has_them(function, dtype):
    """With signs of zeros: these are arithmetic, with an order of operations."""
    parts = [0.0, -0.0, 1.0, -1.0, 2.5, 1e-30, np.inf, -np.inf, np.nan]
    z = np.array([complex(x, y) for x in parts for y in parts], dtype)
    with np.errstate(all="ignore"):
        want = function(z)
    got = function(gpuarray.to_gpu(z)).get()
    for x, g, w in zip(z, got, want, strict=True):
        assert agrees(g.real, w.real, False) and agrees(g.imag, w.imag, False), (x, g, w)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_special_quotients(dtype):
    """Annex G.5.1: infinite / finite is infinite, finite / infinite is zero, non-zero / zero is infinite."""
    inf, nan = np.inf, np.nan
    finite = [complex(1, 2), complex(-0.0, 3), complex(0.5, -0.0)]
    infinite = [complex(inf, 1), complex(-inf, nan), complex(nan, inf), complex(inf, -inf)]
    for a in infinite:
        for b in [*finite, 0j]:
            q = operate("a[i] / b[i]", np.array([a], dtype), np.array([b], dtype))[0]
            assert np.isinf(q.real) or np.isinf(q.imag), (a, b, q)
    for a in finite:
        for b in infinite:
            assert operate("a[i] / b[i]", np.array([a], dtype), np.array([b], dtype))[0] == 0, (a, b)
        q = operate("a[i] / b[i]", np.array([a], dtype), np.array([0j], dtype))[0]
        assert np.isinf(q.real) or np.isinf(q.imag), (a, q)


def test_default_is_zero():
    """As in PyCUDA; a shared variable is not initialized by that, as no shared variable is."""
    from pycuda.compiler import SourceModule

    code = """#include <pycuda-complex.hpp>
    extern "C" __global__ void k(pycuda::complex<float> *out, const pycuda::complex<float> *in)
    {
        __shared__ pycuda::complex<float> s[32];
        s[threadIdx.x] = in[threadIdx.x];
        __syncthreads();
        pycuda::complex<float> sum, a[4];
        for (int i = 0; i < 32; i++)
            sum += s[i];
        out[threadIdx.x] = sum + a[threadIdx.x % 4];
    }"""
    x = (np.arange(32) + 1j).astype(np.complex64)
    out = gpuarray.empty(32, np.complex64)
    kernel = SourceModule(code, no_extern_c=True).get_function("k")
    kernel(out, gpuarray.to_gpu(x), block=(32, 1, 1))
    np.testing.assert_array_equal(out.get(), np.full(32, x.sum()))
