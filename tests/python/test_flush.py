"""-ftz=true and -use_fast_math: denormal numbers of float are zeros of their sign, as operands and as
results (CUDA programming guide, "Compiler Optimization"); those of double stay, and without the option
all do. Also what fast functions promise."""

import numpy as np
import pytest

from pycuda import gpuarray
from pycuda.compiler import SourceModule

pytestmark = pytest.mark.usefixtures("context")

TINY = np.float32(2) ** -126
SOURCE = """
extern "C" __global__ void k(float *y, const float *x%s)
{
    float a = x[0], b = x[1], c = x[2], one = x[3], half = x[4];
    int i = 0;
    y[i++] = a * one;
    y[i++] = b * one;
    y[i++] = a + a;
    y[i++] = a - b;
    y[i++] = c * half;
    y[i++] = -c * half;
    y[i++] = c / 4;
    y[i++] = fmaf(c, half, 0.f);
    y[i++] = c * half + c * half;
    y[i++] = sqrtf(a);
    y[i++] = a == 0;
    y[i++] = a > b;
    y[i++] = fmaxf(a, b);
    y[i++] = one / (a * 0x1p10f);
    y[i++] = x[0];
    y[i++] = fmaxf(a, -one);
    y[i++] = fminf(b, half);
    %s
}
"""


def run(options, mixed):
    a = np.float32(3e-39)
    x = np.array([a, -a, TINY * np.float32(1.5), 1, 0.5], np.float32)
    more, code = (", double *d", "d[0] = d[0] * d[1];") if mixed else ("", "")
    kernel = SourceModule(SOURCE % (more, code), options=options, no_extern_c=True).get_function("k")
    y, d = gpuarray.zeros(17, np.float32), gpuarray.to_gpu(np.array([1e-310, 0.5]))
    kernel(*[y, gpuarray.to_gpu(x), d][:2 + mixed], block=(1, 1, 1))
    if mixed:
        assert d.get()[0] == 5e-311
    return a, TINY * np.float32(1.5), y.get()


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("options", [["-ftz=true"], ["-use_fast_math"], ["--ftz=true", "-fmad=false"]])
def test_flushed(options, mixed):
    a, c, y = run(options, mixed)
    zero, two = np.float32(0), c  # c / 2 + c / 2 is normal, and fused with one of its terms
    want = [zero, -zero, zero, zero, zero, -zero, zero, zero, None, zero, 1, 0, None, np.inf, a, zero, -zero]
    for k, w in enumerate(want):
        if w is not None:
            assert y[k] == w and np.signbit(y[k]) == np.signbit(w), (k, y[k], w)
    assert y[8] in (zero, c / 2, two) or y[8] < TINY * 2
    assert y[12] == 0


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("options", [[], ["-ftz=false"], ["-use_fast_math", "-ftz=false"]])
def test_kept(options, mixed):
    if "-use_fast_math" in options and mixed:
        return
    a, c, y = run(options, mixed)
    want = [a, -a, a + a, a + a, c / 2, -c / 2, c / 4, c / 2, c, None, 0, 1, a, None, a, a, -a]
    for k, w in enumerate(want):
        if w is not None:
            assert y[k] == np.float32(w), (k, y[k], w)


def test_fast_division():
    """__fdividef is 0 for divisors from 2^126 to 2^128, and NaN for infinity over these."""
    code = """extern "C" __global__ void k(float *z, const float *x, const float *y)
    { int i = threadIdx.x; z[i] = __fdividef(x[i], y[i]); }"""
    rows = [(1, 2, 0.5), (1e30, 2.0**127, 0), (-1e30, 2.0**127, 0), (np.inf, 2.0**127, np.nan),
            (2.0**100, 2.0**126, 2.0**-26), (1, np.inf, 0)]
    x, y, want = (np.array(c, np.float32) for c in zip(*rows, strict=True))
    z = gpuarray.empty_like(gpuarray.to_gpu(x))
    SourceModule(code, no_extern_c=True).get_function("k")(
        z, gpuarray.to_gpu(x), gpuarray.to_gpu(y), block=(len(rows), 1, 1))
    np.testing.assert_allclose(z.get(), want, rtol=1e-6)
