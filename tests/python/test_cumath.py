"""pycuda.cumath: its names, their parameters and what they do with out=, streams and odd layouts.
The values are NumPy's: test_array_table.py compares the operations behind them."""

import inspect

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import cumath, gpuarray
from pycuda.gpuarray import to_gpu

pytestmark = pytest.mark.usefixtures("context")

NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2",
         "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}
UNARY = ["fabs", "ceil", "floor", "exp", "log", "log10", "sqrt", "sin", "cos", "tan", "asin", "acos",
         "atan", "sinh", "cosh", "tanh", "exp2", "expm1", "log2", "log1p", "cbrt", "rint", "trunc",
         "asinh", "acosh", "atanh", "sign", "isnan", "isinf", "isfinite"]


def numpy_of(name):
    return getattr(np, NUMPY.get(name, name))


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    function = getattr(cumath, name)
    assert [*inspect.signature(function).parameters] == ["array", "stream_or_out", "out", "stream"]
    assert function.__doc__
    host = np.linspace(1, 5, 24, dtype="f").reshape(4, 6)
    host = 0.9 / host if name in ("asin", "acos", "atanh") else host
    wanted, stream = numpy_of(name)(host), cuda.Stream()
    out = gpuarray.empty((4, 6), wanted.dtype, order="F")
    for got in (function(to_gpu(host)), function(to_gpu(host), out=out),
                function(to_gpu(host), stream=stream), function(to_gpu(host).T).T):
        stream.synchronize()
        np.testing.assert_allclose(got.get(), wanted, rtol=1e-6)
        assert got.dtype == wanted.dtype
    assert function(to_gpu(host), out=out) is out
    with pytest.warns(DeprecationWarning, match="pass out= or stream= by name"):
        assert function(to_gpu(host), out) is out  # and it is written to
    with pytest.warns(DeprecationWarning, match="pass out= or stream= by name"):
        function(to_gpu(host), stream)


@pytest.mark.parametrize("name", ["exp", "log", "log10", "sqrt", "sin", "cos", "tan", "sinh", "cosh",
                                  "tanh", "asin", "acos", "atan", "asinh", "acosh", "atanh"])
@pytest.mark.parametrize("dtype", "FD")
def test_complex(name, dtype):
    host = (np.linspace(-2, 2, 20) + 1j * np.linspace(2, -1, 20)).astype(dtype)
    np.testing.assert_allclose(getattr(cumath, name)(to_gpu(host)).get(), numpy_of(name)(host),
                               rtol=1e-4 if dtype == "F" else 1e-9)


@pytest.mark.parametrize("names, axes", [("exp sinh cosh tanh log sqrt sign atan", 1),
                                         ("sin cos log sqrt sign atan", 1j)])
def test_complex_beyond_the_finite(names, axes):
    """No NaN comes of zero times infinity."""
    for name in names.split():
        for far in (1e200, 1000, np.inf):
            host = np.array([complex(far, 0), complex(-far, 0), complex(1, 0)])
            host = host if axes == 1 else host.imag + 1j * host.real if far < np.inf else \
                np.array([complex(0, far), complex(0, -far)])
            with np.errstate(all="ignore"):
                wanted = numpy_of(name)(host)
            got = getattr(cumath, name)(to_gpu(host)).get()
            np.testing.assert_allclose(got.view("d"), wanted.view("d"), rtol=1e-9, atol=1e-16)


@pytest.mark.parametrize("name", ["fabs", "ceil", "floor"])
def test_no_complex(name):
    with pytest.raises(TypeError, match=f"ufunc '{name}' not supported"):
        getattr(cumath, name)(gpuarray.zeros(3, "F"))


@pytest.mark.parametrize("dtype", "efdbiL")
def test_two_operands_in_any_dtype(dtype):
    x, y = (np.arange(1, 20) % n + 1 for n in (7, 4))
    x, y = x.astype(dtype), y.astype(dtype)
    for name in ("fmod", "atan2", "hypot", "copysign", "fmin", "fmax"):
        wanted = numpy_of(name)(x, y)
        got = getattr(cumath, name)(to_gpu(x), to_gpu(y))
        np.testing.assert_allclose(got.get(), wanted, rtol=2e-3 if wanted.dtype == "e" else 1e-6)
        assert got.dtype == wanted.dtype
    assert [*inspect.signature(cumath.fmod).parameters][:3] == ["arg", "mod", "stream"]


@pytest.mark.parametrize("dtype", "efd")
def test_parts(dtype):
    x = to_gpu(np.array([0.3, -5.25, 1024, 0, np.inf], dtype))
    significands, exponents = cumath.frexp(x)
    wanted = np.frexp(x.get())
    assert np.array_equal(significands.get(), wanted[0])
    assert exponents.dtype == np.int32 and np.array_equal(exponents.get()[:4], wanted[1][:4])
    assert np.array_equal(cumath.ldexp(significands, exponents).get()[:4], x.get()[:4])
    assert np.array_equal(cumath.ldexp(significands, exponents.astype(dtype)).get()[:4], x.get()[:4])
    for got, part in zip(cumath.modf(x), np.modf(x.get()), strict=True):
        assert np.array_equal(got.get(), part) and got.dtype == part.dtype


def test_integers_become_floats():
    x = gpuarray.arange(5, dtype=np.int32)
    assert cumath.sqrt(x).dtype == np.float64
    assert cumath.ceil(x).dtype == np.int32


@pytest.mark.parametrize("expression, kind, text", [
    ("cumath.sqrt(5)", TypeError, "sqrt: at least one operand must be a GPUArray"),
    ("cumath.sqrt('a')", TypeError, "sqrt: expected GPU arrays and numbers, got str"),
    ("cumath.sqrt(x, stream=5)", TypeError, "stream: expected Stream, None or an object with"),
    ("cumath.sqrt(x, out=5)", TypeError, "out: expected a GPUArray, got int"),
    ("cumath.sqrt(x, out=x[:2])", ValueError, "could not be broadcast together with shapes (3,) (2,)"),
    ("cumath.sqrt(x, out=x[:1])", ValueError,
     "output operand with shape (1,) doesn't match the broadcast shape (3,)"),
    ("cumath.sqrt(x, out=x.astype('i'))", TypeError, "Cannot cast ufunc 'sqrt' output"),
    ("cumath.fmod(x, x[:2])", ValueError, "could not be broadcast together with shapes (3,) (2,)"),
    ("cumath.sqrt()", TypeError, "array"),
])
def test_fault(expression, kind, text):
    x = gpuarray.zeros(3, "f")
    with pytest.raises(kind) as caught:
        eval(expression, {"x": x, "cumath": cumath})
    assert text in str(caught.value)


def test_many_kernels_in_a_context(monkeypatch):
    """The table of them grows, and all are found again."""
    x = to_gpu(np.ones(3, np.float32))
    for _ in range(2):
        for name in UNARY:
            assert getattr(cumath, name)(x).size == 3
        for name in ("PYCUDA_HOSTCC", "PYCUDA_NVRTC"):
            monkeypatch.setenv(name, "/nonexistent")
