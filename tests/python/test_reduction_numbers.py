"""Reductions keep order and digits: operations that do not commute, sums of many elements, NaNs, and every
dtype against NumPy."""

import os
import warnings

import numpy as np
import pytest

from pycuda import gpuarray
from pycuda.reduction import ReductionKernel
from pycuda.tools import dtype_to_ctype, get_or_register_dtype

pytestmark = [pytest.mark.usefixtures("context"), pytest.mark.filterwarnings("ignore")]

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check
# Around the shapes that warps, blocks and grids take at once, on both devices.
LENGTHS = [0, 1, 2, 3, 7, 31, 32, 33, 255, 256, 257, 2047, 2049, 16384, 16385, 64 * 256 + 7, 100_003, 2**19 + 5]


# -- Order -----------------------------------------------------------------------------------------


def compose(maps):
    """x -> p x + q modulo 2^16 after each other, by halves, which NumPy does at once."""
    p, q = maps
    while len(p) > 1:
        if len(p) % 2:
            p, q = np.append(p, np.uint16(1)), np.append(q, np.uint16(0))
        p, q = p[::2] * p[1::2], q[::2] * p[1::2] + q[1::2]
    return (int(p[0]), int(q[0])) if len(p) else (1, 0)


@pytest.mark.parametrize("pad", [0, 1, 6])
def test_order_is_kept(pad):
    """Elements of 4, 6 and 16 bytes."""
    name = f"affine_{pad}"
    dtype = get_or_register_dtype(name, np.dtype([("p", "u2"), ("q", "u2")] + [("pad", "u2", pad)] * (pad > 0)))
    kernel = ReductionKernel(dtype, f"{name}()", "compose(a, b)", arguments=f"{name} *in", preamble=f"""
        struct {name} {{ unsigned short p = 1, q = 0{f", pad[{pad}]" * (pad > 0)}; }};
        __device__ {name} compose({name} a, {name} b)
        {{ {name} c; c.p = a.p * b.p; c.q = a.q * b.p + b.q; return c; }}""")
    for n in LENGTHS[:14] if pad else LENGTHS:
        maps = np.zeros(n, dtype)
        p, q = np.random.default_rng(n).integers(0, 2**16, (2, n), np.uint16)
        maps["p"], maps["q"] = p | 1, q
        result = kernel(gpuarray.to_gpu(maps)).get()
        assert (int(result["p"]), int(result["q"])) == compose((p | 1, q)), n


@pytest.mark.parametrize("expression, wanted", [
    ("a >= 0 ? a : b", lambda x: x[x >= 0][0]), ("b >= 0 ? b : a", lambda x: x[x >= 0][-1]),
    ("(a>b)?a:b", np.max), ("min(a, b)", np.min), (" ( a + b ) ", np.sum), ("a ^ b", np.bitwise_xor.reduce)])
def test_expressions(expression, wanted):
    neutral = {"min(a, b)": "2147483647", "(a>b)?a:b": "-2147483647"}.get(expression, "0" if "b >" not in expression
                                                                          else "-1")
    neutral = "-1" if ">= 0" in expression else neutral
    kernel = ReductionKernel(np.int32, neutral, expression, arguments="int *in")
    for n in LENGTHS[1:]:
        x = np.random.default_rng(n).integers(-9, 9, n, np.int32)
        x[n // 2] = 4
        assert kernel(gpuarray.to_gpu(x)).get() == wanted(x), n


def test_a_function_of_the_preamble_is_not_taken_for_the_languages():
    kernel = ReductionKernel(np.int32, "-1", "max(a, b)", arguments="int *in", preamble="""
        #define max(a, b) ((a) >= 0 ? (a) : (b))""")
    x = np.full(5000, -1, np.int32)
    x[[70, 4000]] = 3, 9
    assert kernel(gpuarray.to_gpu(x)).get() == 3


# -- Digits ----------------------------------------------------------------------------------------


def errors(name, x, axis):
    """Of a result and of NumPy's, relative to what wider numbers give."""
    wide = np.complex128 if x.dtype.kind == "c" else np.float64
    exact = np.asarray(getattr(np, name)(x.astype(wide), axis=axis))
    ours = getattr(np, name)(gpuarray.to_gpu(x), axis=axis).get()
    theirs = np.asarray(getattr(np, name)(x, axis=axis))
    return [float((np.abs(result - exact) / np.abs(exact)).max()) for result in (ours, theirs)]


@pytest.mark.parametrize("char, shape, axis", [
    ("f", (1 << 22,), None), ("f", (512, 4096), 1), ("f", (4096, 512), 0), ("f", (40_000, 60), 0), ("F", (3000, 50), 0),
    ("e", (3000, 50), 0)] + [("f", (60, 40_000), (0, 1)), ("F", (1 << 20,), None)] * WIDE)
def test_digits(char, shape, axis):
    """Within four times NumPy's error, and never worse than some units in the last place."""
    rng = np.random.default_rng(0)
    for draw in (lambda: 1e4 + rng.random(shape), lambda: np.full(shape, 1e4 + 0.3), lambda: rng.random(shape)):
        x = draw().astype(char) if char != "e" else (1 + draw() % 10).astype(char)
        is_constant = (x == x[0]).all()
        if char == "F":
            x = x + 1j * x[..., ::-1]
        for name in ("sum", "mean", "nanmean", "average") + ("var", "std") * (not is_constant):
            ours, theirs = errors(name, x, axis)
            assert ours <= max(4 * theirs, 8 * np.finfo(char).eps), (name, ours, theirs)


def test_digits_of_spread():
    """Of numbers whose mean is far from zero, of whose first one is far from the others, and of more than one block takes."""
    rng = np.random.default_rng(0)
    for shape, axes in [((1 << 21,), [None, 0]), ((9, 100_000), [None, 1]), ((100_000, 9), [0]), ((20, 30, 400), [(0, 1, 2), 1, (0, 2)])]:
        x = rng.random(shape, np.float32)
        first = x.copy()
        first[(0,) * x.ndim] = 1e3
        for y in (x, 1000 + x, 30_000 - x, first, np.float32(1e-15) * x, np.asfortranarray(1000 + x), np.float32(1e10) * (1 + x)):
            for axis in axes:
                for name in ("var", "std"):
                    ours, theirs = errors(name, y, axis)
                    assert ours <= max(4 * theirs, 8 * 2.0**-23), (shape, axis, name, ours, theirs)


def test_spread_of_repeated_elements():
    """Of one element of each row, repeated, whose neighbours in memory count for nothing."""
    x = np.full((100, 60), np.nan)
    x[:, 0] = np.random.default_rng(0).random(100)
    a = np.broadcast_to(gpuarray.to_gpu(x)[:, :1], (100, 50))
    assert np.allclose(np.var(a, axis=0).get(), np.var(x[:, 0]), rtol=1e-12)


def test_digits_of_products():
    x = (1e4 + np.random.default_rng(1).random(1 << 22)).astype(np.float32)
    exact = float(x.astype(np.float64) @ x.astype(np.float64))
    a = gpuarray.to_gpu(x)
    for result in (gpuarray.dot(a, a), np.dot(a, a), a.reshape(1, -1) @ a, a.reshape(4, -1).ravel() @ a):
        assert abs(float(result.get().ravel()[0]) / exact - 1) < 4e-7


# -- NaNs and dtypes -------------------------------------------------------------------------------


def same(ours, theirs):
    theirs = np.asarray(theirs)
    ours = ours.get() if isinstance(ours, gpuarray.GPUArray) else np.asarray(ours)
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    np.testing.assert_allclose(ours, theirs, rtol=2e-3 if theirs.dtype == np.float16 else 1e-5)


@pytest.mark.parametrize("char", "?bBhHilqfdFDe" if WIDE else "?h")
def test_means_of_every_dtype(char):
    top = {"?": 1, "b": 127, "B": 255, "e": 60}.get(char, 30_000)
    for x in (np.full(300, top, char), (np.arange(600) % 50).reshape(2, 300).astype(char), np.array(top, char)):
        a = gpuarray.to_gpu(x)
        for name in ("mean", "nanmean", "var", "std", "nansum", "nanmax", "nanmin"):
            for axis in (None, -1) if x.ndim else (None,):
                # Of float16 in float32, where NumPy overflows.
                wanted = getattr(np, name)(x.astype("f") if char == "e" else x, axis=axis)
                same(getattr(np, name)(a, axis=axis), wanted.astype("e") if char == "e" else wanted)
        if char not in "?e":
            same(np.average(a, weights=a), np.average(x, weights=x))
    assert np.nanmean(a, dtype="f4").dtype == np.float32


@pytest.mark.parametrize("char", "fdeFD" if WIDE else "fF")
def test_nans(char):
    nan, inf = np.nan, np.inf
    for host in ([1, nan, 3], [nan, nan], [inf, nan, -inf], [[nan, 1], [2, nan]], [[nan, nan], [nan, 5]], nan, inf):
        x = np.array(host, char)
        hosts = [x] if char in "fde" else [x, x + 1j, np.where(np.isnan(x), complex(1, nan), x).astype(char)]
        for x in hosts:
            a = gpuarray.to_gpu(x)
            for axis in [None, *range(x.ndim)] + [()] * (x.ndim > 0):
                for name in ("max", "min", "sum", "mean", "var", "std", "nanmean", "nansum", "nanmax", "nanmin"):
                    same(getattr(np, name)(a, axis=axis), getattr(np, name)(x, axis=axis))
            if x.ndim:
                same(np.argmax(a), np.argmax(x))
                same(np.argmin(a, axis=-1), np.argmin(x, axis=-1))


def test_empty_and_conversions():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for shape, axis in [((0,), None), ((0, 3), 0), ((0, 3), 1), ((3, 0), 1), ((2, 0, 3), (0, 1))]:
            x = np.empty(shape, np.float32)
            for name in ("sum", "prod", "mean", "var", "nanmean", "any", "all"):
                same(getattr(np, name)(gpuarray.to_gpu(x), axis=axis), getattr(np, name)(x, axis=axis))
    z = np.array([1 + 2j, 3 - 4j])
    same(np.sum(gpuarray.to_gpu(z), dtype=int), np.sum(z, dtype=int))
    same(np.mean(gpuarray.to_gpu(np.arange(7)), dtype="f4"), np.mean(np.arange(7), dtype="f4"))


# -- Places of extremes ----------------------------------------------------------------------------


@pytest.mark.parametrize("char", "?bhildfFDe" if WIDE else "hF")
def test_places(char):
    """The first of equals, whichever part of the axis has it."""
    for shape in [(1,), (5000,), (40_001,), (3, 20_000), (20_000, 3), (300, 7, 200), (2, 1, 128)]:
        rng = np.random.default_rng(len(shape))
        x = rng.integers(0, 5, shape).astype(char)
        if char in "fFDe" and shape[0] > 1:
            x[rng.random(shape) < 2e-4] = np.nan
        for axis in (None, *range(len(shape))):
            for name in ("argmax", "argmin"):
                for cut in (np.s_[...], np.s_[::-1]):
                    same(getattr(np, name)(gpuarray.to_gpu(x)[cut], axis=axis), getattr(np, name)(x[cut], axis=axis))


@pytest.mark.host
def test_places_take_no_memory(run_python):
    """A tenth of the memory is free besides the array."""
    done = run_python("""if True:
        import numpy as np, pycuda.autoinit
        from pycuda import gpuarray
        x = gpuarray.zeros(56 << 20, np.uint8)
        x[50_000_000] = 3
        print(x.argmax(), x.reshape(7 << 10, 8 << 10).argmax(1).get().sum(), x.reshape(7 << 10, -1).argmin(0).sum())
        """, PYCUDA_DRIVER="host", HOSTCUDA_MEMORY="64M")
    assert done.stdout.split() == ["50000000", str(50_000_000 % 8192), "0"], done.stderr


def test_names_that_types_have():
    """What a kernel's arguments are called for tells nothing of its operation."""
    kernel = ReductionKernel(np.float32, "0", "a + b", "x[i] * a_", f"{dtype_to_ctype(np.float32)} a_, float *x")
    assert kernel(2, gpuarray.to_gpu(np.ones(10, np.float32))).get() == 20


@pytest.mark.parametrize("shape", [
    (8, 129), (130, 15), (129, 17), (3, 127, 9), (5, 2048), (2048, 5), (4097, 3), (33, 1025), (4, 300_007), (6, 270_001), (300_007, 2),
    (100_003, 70), (1, 1_200_001), (3, 20_000, 7), (50, 3, 4_001), (4_100, 3, 50)])
def test_every_way_of_sharing_elements(shape):
    """Few results of many elements and many of few, of numbers with and without gaps: whoever takes which elements, the first of equals
    is found, integers add up, and results of rounded numbers come out with the same bits again."""
    x = np.random.default_rng(len(shape)).integers(-1000, 1000, shape, np.int32)
    a = gpuarray.to_gpu(x)
    views = [(a, x)]
    if x.ndim == 2:
        views += [(a.T, x.T), (a[::-1, ::2], x[::-1, ::2])]
    for a, x in views:
        for axis in range(x.ndim):
            for name in ("sum", "max", "argmin", "argmax"):
                assert (getattr(np, name)(a, axis=axis).get() == getattr(np, name)(x, axis=axis)).all(), (name, axis)
            if a.shape[axis] > 1:
                b = a.astype(np.float32) / 7
                for name in ("sum", "var"):
                    once, again = (getattr(np, name)(b, axis=axis).get() for _ in range(2))
                    assert once.tobytes() == again.tobytes()
                    assert np.allclose(once, getattr(np, name)(x.astype("d") / 7, axis=axis), rtol=1e-5, atol=1e-2)


@pytest.mark.parametrize("length", [300, 1000, 4096, 65_536])
def test_products_keep_digits(length):
    """Long products of matrices, by tiles and by axis reductions, of numbers that round alike every time and of others."""
    draw = np.random.default_rng(length)
    for m, n in [(16, 17), (1, 3)]:
        for fill in (100.3, 0.1, None):
            a, b = (np.full(shape, fill, "f") if fill else draw.random(shape, "f") + np.float32(1e4)
                    for shape in [(m, length), (length, n)])
            wanted = a.astype("d") @ b.astype("d")
            ours, theirs = (np.abs(x / wanted - 1).max() for x in (
                (gpuarray.to_gpu(a) @ gpuarray.to_gpu(b)).get(), a @ b))
            assert ours <= 4 * max(theirs, 1e-6), (m, fill, ours, theirs)
            half = (gpuarray.to_gpu(a / 100).astype("e") @ gpuarray.to_gpu(np.full_like(b, 1 / 16)).astype("e")).get()
            wanted = (a / 100).astype("e").astype("d").sum(axis=1, keepdims=True) / 16
            assert np.allclose(half, wanted, rtol=2**-11, atol=0) or (wanted >= 65504).any(), (m, fill)


@pytest.mark.parametrize("char", "dFD")
@pytest.mark.parametrize("m, length, n", [(70, 16, 65), (65, 256, 16), (16, 257, 130), (64, 520, 64), (16, 65_536, 17)])
def test_products_of_other_types_keep_digits(char, m, length, n):
    """Whatever of the tiles is outside of the matrices, and however many spans a sum has."""
    draw = np.random.default_rng(length)
    a, b = (draw.random(shape).astype(char) + 100 for shape in [(m, length), (length, n)])
    if char in "FD":
        a, b = a + 1j * draw.random(a.shape).astype(char.lower()), b + 1j
    wide = np.dtype(char).char.replace("d", "g").replace("F", "D").replace("D", "G")
    wanted = a.astype(wide) @ b.astype(wide)
    result = gpuarray.to_gpu(a) @ gpuarray.to_gpu(b)
    ours, theirs = (np.abs(x / wanted - 1).max() for x in (result.get(), a @ b))
    assert result.dtype == char and ours <= 4 * max(theirs, 8 * np.finfo(char).eps), (ours, theirs)


def test_running_sums_keep_digits():
    draw = np.random.default_rng(0)
    for x in (np.full(2**20, 0.1, "f"), np.full(100_003, 1e4, "f") + draw.random(100_003, "f"), draw.random(5, "f")):
        wanted = np.cumsum(x.astype("d"))
        ours, theirs = (np.abs(sums / wanted - 1).max() for sums in (
            np.cumsum(gpuarray.to_gpu(x)).get(), np.cumsum(x)))
        assert ours <= 4 * max(theirs, 2.0**-24), (ours, theirs)
        columns = np.stack([x[:2000]] * 3, 1)
        wanted = np.cumsum(columns.astype("d"), 0)
        ours, theirs = (np.abs(sums / wanted - 1).max() for sums in (
            np.cumsum(gpuarray.to_gpu(columns), 0).get(), np.cumsum(columns, 0)))
        assert ours <= 4 * max(theirs, 2.0**-24), (ours, theirs)


# -- Extremes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("char", "bHiQefd")
def test_extremes_and_their_places(char):
    """Among infinities, zeros of both signs and NaNs of both, wherever these are; of equal ones the first."""
    draw = np.random.default_rng(ord(char))
    for n in LENGTHS[1:]:
        x = (draw.standard_normal(n) * 50).astype(char)
        contents = [x, x * 0, np.repeat(x[:1], n)]
        if char in "efd":
            contents += [x * 0 - 0.0, np.full(n, -np.inf, char), np.full(n, np.nan, char)]
            for special in (np.nan, -np.nan, np.inf, -np.inf):
                for at in (0, n // 2, n - 1):
                    y = x.copy()
                    y[at] = special
                    contents.append(y)
        for y in contents:
            for function in (np.max, np.min, np.argmax, np.argmin):
                result, wanted = function(gpuarray.to_gpu(y)), function(y)
                assert result.dtype == wanted.dtype, (function, n)
                assert np.array_equal(result.get(), wanted, equal_nan=char in "efd"), (function, n, y)


# -- Places of extremes ----------------------------------------------------------------------------


@pytest.mark.parametrize("char", "?bHiQefdFD")
def test_places_of_extremes(char):
    """Wherever they lie in what a vector, a block and a grid take; the first of equals, of zeros of either sign and NaNs."""
    dtype = np.dtype(char)
    for n in LENGTHS[1:]:
        x = np.ones(n, dtype)
        extremes = [False] if char == "?" else [0, 3]
        if dtype.kind in "fc":
            extremes += [-np.inf, np.inf, np.nan]
            x[::2], x[1::2] = 0.0, -0.0
        for value in extremes:
            for places in ([0], [n - 1], [n // 2, n - 1], [n - 1 - n // 300, n - 1], [n // 7, n // 3], [n * 2 // 3 // 256 * 256 - 1]):
                y = x.copy()
                y[places] = value
                a = gpuarray.to_gpu(y)
                assert (int(a.argmax().get()), int(a.argmin().get())) == (y.argmax(), y.argmin()), (n, value, places)
        assert int(gpuarray.to_gpu(x)[::-1].argmax().get()) == x[::-1].argmax()
