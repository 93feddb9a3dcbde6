"""Conversions between types of numbers, on both devices: each rounds once, and integers made of NaNs
are those of PTX's cvt."""

import ml_dtypes
import numpy as np
import pytest

from pycuda import gpuarray
from pycuda.compiler import SourceModule

pytestmark = pytest.mark.usefixtures("context")

BF16 = np.dtype(ml_dtypes.bfloat16)


def ties(bits, count=20000):
    """Doubles at and just beside the middle between two numbers of so many bits."""
    rng = np.random.default_rng(5)
    middle = np.ldexp(2.0 * rng.integers(2 ** (bits - 1), 2**bits, count) + 1, rng.integers(-14, 3, count))
    return middle * (1 + rng.integers(-1, 2, count) * 2.0 ** rng.integers(-52, -20, count))


def to_bfloat16(x):
    """x as bfloat16, rounded once; x: an array of Python integers or of doubles."""
    result = []
    for value in x.tolist():
        numerator, denominator = value.as_integer_ratio()
        high, shift = abs(numerator), denominator.bit_length() - 1
        drop = max(high.bit_length() - 8, 0)
        half, rest = (1 << drop) >> 1, high & ((1 << drop) - 1)
        high >>= drop
        high += drop > 0 and (rest > half or (rest == half and high & 1))
        result.append(np.copysign(np.ldexp(float(high), drop - shift), numerator))
    return np.array(result).astype(BF16)


@pytest.mark.parametrize("how", ["astype", "assign", "strided"])
def test_double_to_half(how):
    for dtype, x, want in [(np.float16, y, y.astype(np.float16)) for y in [ties(11)]] + [
            (BF16, y, to_bfloat16(y)) for y in [ties(8)]]:
        a = gpuarray.to_gpu(x)
        if how == "astype":
            got = a.astype(dtype).get()
        elif how == "assign":
            out = gpuarray.zeros(x.size, dtype)
            out[...] = a
            got = out.get()
        else:
            got = gpuarray.to_gpu(np.repeat(x, 2))[::2].astype(dtype).get()
        assert got.tobytes() == want.tobytes()


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint64])
def test_integer_to_half(dtype):
    rng = np.random.default_rng(6)
    bits, is_signed = 8 * np.dtype(dtype).itemsize, np.dtype(dtype).kind == "i"
    x = (rng.integers(2**8, 2**9, 20000, np.uint64) << np.uint64(bits - 10)) + np.uint64(1 << (bits - 11)) * (
        rng.integers(0, 2, 20000, np.uint64))
    x = (x + rng.integers(0, 3, 20000, np.uint64) - np.uint64(1)) >> rng.integers(0, bits - 9, 20000, np.uint64)
    x = x.astype(dtype) * (1 - 2 * rng.integers(0, 2, 20000).astype(dtype) if is_signed else dtype(1))
    a = gpuarray.to_gpu(x)
    assert a.astype(BF16).get().tobytes() == to_bfloat16(x).tobytes()
    with np.errstate(over="ignore"):
        assert a.astype(np.float16).get().tobytes() == x.astype(np.float16).tobytes()


def test_complex_to_half():
    x = ties(11) * (1 + 2j)
    with np.errstate(all="ignore"):
        want = x.real.astype(np.float16)
    out = gpuarray.zeros(x.size, np.float16)
    out[...] = gpuarray.to_gpu(x).real
    assert out.get().tobytes() == want.tobytes()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_ldexp_of_wide_exponents(dtype):
    n = np.array([0, 1, -1, 2**32, 2**32 + 1, -(2**33), 2**31 + 5, -(2**31) - 5, 2**62, -(2**63), 2000, -2000])
    for x in np.array([1, -3.5, 0, -0.0, np.inf, np.nan, 5e-324, 1.7e308]):
        with np.errstate(all="ignore"):
            a = np.full(n.shape, x).astype(dtype)
            want = np.ldexp(a, n)
        np.testing.assert_array_equal(np.ldexp(gpuarray.to_gpu(a), gpuarray.to_gpu(n)).get(), want)


def test_nan_to_integers():
    """PTX ISA, cvt: 0, or the highest bit if the source is f64 or the destination has 64 bits."""
    names = ["int", "unsigned", "long long", "unsigned long long"]
    intrinsics = ["int", "uint", "ll", "ull"]
    lines = [f"y[{2 * k + j}] = ({name})x{j};" for k, name in enumerate(names) for j in range(2)]
    lines += [f"y[{8 + 8 * k + 4 * j + m}] = __{source}2{name}_{mode}(x{j});"
              for k, name in enumerate(intrinsics) for j, source in enumerate(["float", "double"])
              for m, mode in enumerate(["rn", "rz", "ru", "rd"])]
    code = ('extern "C" __global__ void k(unsigned long long *y, float x0, double x1) {'
            + "\n".join(lines) + "}")
    y = gpuarray.zeros(40, np.uint64)
    nan = float("nan")
    kernel = SourceModule(code, no_extern_c=True).get_function("k")
    kernel(y, np.float32(nan), np.float64(nan), block=(1, 1, 1))
    high = 1 << 63
    want = [0, 2**64 - 2**31, 0, 2**31, high, high, high, high]
    assert y.get().tolist()[:8] == want
    assert y.get().tolist()[8:] == [x for x in want for _ in range(4)]
    small = gpuarray.zeros(4, np.int32)
    code = ('extern "C" __global__ void k(int *y, float f, double d) { y[0] = (short)f; y[1] = (short)d;'
            ' y[2] = (unsigned char)d; y[3] = (bool)d; }')
    SourceModule(code, no_extern_c=True).get_function("k")(small, np.float32(nan), np.float64(nan), block=(1, 1, 1))
    assert small.get().tolist() == [0, 0, 0, 1]
