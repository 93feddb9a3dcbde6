"""sin, cos and tan of large numbers and Bessel functions close to their zeros, within the errors of the
CUDA programming guide ("Mathematical Functions"), against mpmath."""

import mpmath
import numpy as np
import pytest

from pycuda import gpuarray
from pycuda.compiler import SourceModule
from pycuda.elementwise import ElementwiseKernel

pytestmark = pytest.mark.usefixtures("context")


def apply(code, x):
    z = gpuarray.empty(x.shape, x.dtype)
    kind = {"f": "float", "d": "double"}[x.dtype.char]
    ElementwiseKernel(f"{kind} *z, {kind} *x", f"z[i] = {code}")(z, gpuarray.to_gpu(x))
    return z.get()


def worst(got, x, reference):
    """In units of the last place, and where."""
    info, found = np.finfo(x.dtype), (0.0, None)
    for g, v in zip(got.tolist(), x.tolist(), strict=True):
        w = reference(mpmath.mpf(v))
        e = max(int(mpmath.floor(mpmath.log(abs(w), 2))), info.minexp)
        found = max(found, (float(abs(g - w) / mpmath.mpf(2) ** (e - info.nmant)), v))
    return found


def close_to_multiples(count, dtype):
    """Numbers from 2^27 on that are closer to a multiple of pi / 2 than most: numerators of
    convergents of pi / 2 times a power of two."""
    found = []
    with mpmath.workprec(1200):
        for e in range(27 if dtype == np.float64 else 10, np.finfo(dtype).maxexp, 3):
            # the best of m 2^e for m of the type's digits: convergents of pi / 2^(e + 1)
            bits = np.finfo(dtype).nmant + 1
            x = mpmath.pi / mpmath.mpf(2) ** (e - bits + 2)
            before, last = (1, 0), (int(x), 1)
            rest = x - int(x)
            while rest and last[0] < 2**bits:
                if last[0] > 2 ** (bits - 12):
                    found.append(float(mpmath.mpf(last[0]) * mpmath.mpf(2) ** (e - bits + 1)))
                rest = 1 / rest
                a = int(rest)
                rest -= a
                before, last = last, (a * last[0] + before[0], a * last[1] + before[1])
    found = np.array(found)
    found = found[np.isfinite(found)]
    rng = np.random.default_rng(1)
    return (rng.permutation(found)[:count] * rng.choice([-1, 1], min(count, found.size))).astype(dtype)


@pytest.mark.parametrize("dtype, name, bound", [
    (np.float64, "sin", 2), (np.float64, "cos", 2), (np.float64, "tan", 2),
    (np.float32, "sin", 2), (np.float32, "cos", 2), (np.float32, "tan", 4)])
def test_large_angles(dtype, name, bound):
    rng = np.random.default_rng(2)
    info = np.finfo(dtype)
    x = np.exp2(rng.uniform(20, info.maxexp - 0.01, 200)).astype(dtype)
    x = np.concatenate([x, close_to_multiples(400, dtype), [info.max, -info.max]]).astype(dtype)
    if dtype == np.float64:
        x = np.append(x, [8.673885780436955e+20, 6.426511099577231e+173, 5.319372648326541e+255, 6381956970095103 * 2.0**797])
    with mpmath.workprec(1400):
        error, where = worst(apply(f"{name}(x[i])", x), x, getattr(mpmath, name))
        assert error <= bound, where
        if name != "tan":
            sine = "s" if name == "sin" else "c"
            kind = "float" if dtype == np.float32 else "double"
            f = "f" if dtype == np.float32 else ""
            code = f"0; {kind} s, c; sincos{f}(x[i], &s, &c); z[i] = {sine}"
            error, where = worst(apply(code, x), x, getattr(mpmath, name))
            assert error <= bound, where
    assert np.isnan(apply(f"{name}(x[i])", np.array([np.inf, -np.inf, np.nan], dtype))).all()


ZEROS = {"j0": (mpmath.besselj, 0, [2.404825557695773, 5.520078110286311]),
         "j1": (mpmath.besselj, 1, [3.8317059702075125, 7.015586669815619]),
         "y0": (mpmath.bessely, 0, [0.8935769662791675, 3.957678419314858, 7.086051060301773]),
         "y1": (mpmath.bessely, 1, [2.197141326031017, 5.429681040794135])}


@pytest.mark.parametrize("dtype, bound", [(np.float64, 7), (np.float32, 9)])
@pytest.mark.parametrize("name", ZEROS)
def test_bessel_functions(name, dtype, bound, on_host):
    function, order, zeros = ZEROS[name]
    rng = np.random.default_rng(3)
    x = [rng.uniform(1e-3, 8, 300)]
    for zero in zeros:
        x.append(zero + rng.choice([-1, 1], 60) * np.exp2(rng.uniform(-50, -1, 60)))
        x.append(zero + np.arange(-2, 3) * np.spacing(zero))
    x = np.concatenate(x).astype(dtype)
    x = x[abs(x) < 8]
    if name.startswith("j"):
        x *= rng.choice([-1, 1], x.size).astype(dtype)
    with mpmath.workprec(200):
        error, where = worst(apply(f"{name}(x[i])", x), x, lambda v: function(order, v))
    assert error <= bound, where
    far = np.array([8.5, 50.25, 1e4], dtype)
    want = [float(function(order, mpmath.mpf(float(v)))) for v in far]
    np.testing.assert_allclose(apply(f"{name}(x[i])", far), want, rtol=0, atol=1e-6 if dtype == np.float32 else 5e-12)
    ends = apply(f"{name}(x[i])", np.array([0, -0.0, np.inf, np.nan], dtype))
    assert np.isnan(ends[3]) and ends[2] == 0
    want = {"j0": 1, "j1": 0, "y0": -np.inf, "y1": -np.inf}[name]
    assert ends[0] == want if on_host else abs(ends[0] - want) <= np.finfo(dtype).eps or ends[0] == want


@pytest.mark.parametrize("n", [0, 1, 2, 5, 17])
def test_bessel_functions_of_higher_order(n, on_host):
    """CUDA's guide gives jn an absolute error of 1e-12."""
    x = np.random.default_rng(4).uniform(0.5, 30, 100)
    x = np.append(x, [2.404825557695773, 0.8935769662791675, 5.135622301840683, 3.384241767149593])
    with mpmath.workprec(120):
        want_j = np.array([float(mpmath.besselj(n, mpmath.mpf(v))) for v in x.tolist()])
        below = x < n
        want_y = [mpmath.bessely(n, mpmath.mpf(v)) for v in x.tolist()]
        np.testing.assert_allclose(apply(f"jn({n}, x[i])", x), want_j, rtol=0, atol=1e-13 if on_host else 1e-12)
        got = apply(f"yn({n}, x[i])", x)
        for g, w, is_below in zip(got.tolist(), want_y, below, strict=True):
            assert abs(g - w) <= (np.spacing(abs(float(w))) * np.ceil(2 + 2.5 * n) if is_below else 5e-12), (n, w)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_hypot_of_gpus(dtype):
    """Within a last digit or half as much again, and infinite where that is right, as CUDA's function is not."""
    rng, info, n = np.random.default_rng(0), np.finfo(dtype), 20_000
    special = np.array([0, -0.0, 1, -1, 3, 4, np.inf, -np.inf, np.nan, info.max, info.max / 2, info.tiny, info.smallest_subnormal,
                        info.eps, *(info.max * dtype(2) ** -np.arange(10, 56, dtype=dtype))], dtype)
    sizes = np.exp2(rng.uniform(info.minexp, info.maxexp - 1, n))
    x = [*np.repeat(special, len(special)), *rng.random(n) * sizes, *info.max * rng.uniform(0.5, 1, n)]
    y = [*np.tile(special, len(special)), *rng.random(n) * sizes * np.exp2(rng.uniform(-60, 0, n)), *info.max * rng.random(n)]
    x, y = np.array(x, dtype), np.array(y, dtype)
    code = f"""#include <pycuda/operations.cuh>
        typedef {"float" if dtype is np.float32 else "double"} T;
        extern "C" __global__ void f(T *z, const T *x, const T *y, int n)
        {{
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n)
                z[i] = pycuda::corrected_hypot(x[i], y[i]);
        }}"""
    z = gpuarray.empty(x.shape, dtype)
    SourceModule(code, no_extern_c=True).get_function("f")(z, gpuarray.to_gpu(x), gpuarray.to_gpu(y), np.int32(x.size),
                                                           block=(256, 1, 1), grid=(x.size // 256 + 1, 1))
    z = z.get()
    with np.errstate(all="ignore"):
        exact = np.hypot(x.astype(np.longdouble), y.astype(np.longdouble))
        right = exact.astype(dtype)
        assert np.array_equal(np.isinf(z), np.isinf(right)) and np.array_equal(np.isnan(z), np.isnan(right))
        there = np.isfinite(right)
        assert (abs(z[there] - exact[there]) <= 1.5 * abs(right[there] - np.nextafter(right[there], dtype(0)))).all()
