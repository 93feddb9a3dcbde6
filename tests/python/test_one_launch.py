"""What one launch does of NumPy's functions: reductions along axes that lie in memory as one, means, variances on a
GPU, clip, and the elements at places along an axis, against NumPy; and that it is one launch."""

import itertools
import os
import warnings

import numpy as np
import pytest

from pycuda import gpuarray
from pycuda.gpuarray import to_gpu

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check

NAMES = ["sum", "prod", "max", "min", "any", "all", "mean", "var", "std"]
SHAPES = (5,), (3, 4), (2, 3, 4), (1, 5, 1), (1, 1), (2, 1, 3)


def same(result, wanted, dtype):
    result, wanted = result.get(), np.asarray(wanted)
    assert (result.dtype, result.shape) == (wanted.dtype, wanted.shape)
    tolerance = {"e": 5e-3, "f": 1e-5, "F": 1e-5}.get(dtype, 1e-12)
    np.testing.assert_allclose(result, wanted, tolerance, tolerance)


def axes_of(ndim):
    """None, each axis from both ends, as NumPy's integer, too, and every tuple of several."""
    yield from (None, *range(-ndim, ndim), np.int64(0), ())
    for count in range(2, ndim + 1):
        yield from itertools.permutations(range(ndim), count)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("dtype", "?bHiQefdFD" if WIDE else "?iefF")
def test_reductions(dtype):
    random = np.random.default_rng(3)
    for shape, order in itertools.product(SHAPES, "CF"):
        x = np.asarray((random.random(shape) * 4).astype(dtype), order=order)
        for name, axis, keeps in itertools.product(NAMES, axes_of(x.ndim), (False, True)):
            function = getattr(np, name)
            same(function(to_gpu(x), axis, keepdims=keeps), function(x, axis, keepdims=keeps), dtype)


@pytest.mark.usefixtures("context")
def test_views_and_dtypes():
    x = (np.arange(120) % 17).astype("f").reshape(4, 5, 6)
    on_device = to_gpu(x)
    for part in (lambda x: x[::2], lambda x: x[:, ::-1], lambda x: x.T, lambda x: x[:, 1:, 1:], lambda x: x[1], lambda x: x[:1]):
        for name, axis in itertools.product(NAMES, (None, 0, -1, (0, 1))):
            same(getattr(np, name)(part(on_device), axis), getattr(np, name)(part(x), axis), "f")
    for dtype, name in itertools.product("edlF", ("sum", "mean", "var", "std")):
        if (dtype, name) in (("l", "std"), ("F", "var"), ("F", "std")):
            continue  # NumPy refuses the first; spreads are real here
        same(getattr(np, name)(on_device, 1, dtype), getattr(np, name)(x, 1, dtype), dtype)
    assert on_device.sum(1).base is None and on_device.mean().shape == ()
    with gpuarray.lazy():
        same((on_device + 1).mean(), (x + 1).mean(), "f")


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("axis, error", [
    (3, np.exceptions.AxisError), (-4, np.exceptions.AxisError), ((0, 0), ValueError), ((0, -3), ValueError), (2**70, Exception),
    (1.5, TypeError), ("a", TypeError), ((0, 1.5), TypeError)])
def test_axes_that_are_refused(axis, error):
    for name in NAMES:
        with pytest.raises(error):
            getattr(np, name)(gpuarray.zeros((2, 3, 4), "f"), axis)


@pytest.mark.usefixtures("context")
def test_means_of_many_elements():
    for dtype, n in itertools.product("?Befd", (1, 255, 2049, 100_003)):
        x = np.random.default_rng(n).integers(0, 2, n).astype(dtype)
        same(to_gpu(x).mean(), x.mean(dtype="d").astype(x.mean().dtype), dtype)
    x = np.random.default_rng(1).random(5000).astype("f")
    assert to_gpu(x).mean().get() == (to_gpu(x).sum() / np.float32(5000)).get()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(gpuarray.zeros(0, "f").mean(), np.zeros(0, "f").mean(), "f")


# -- Bounds ----------------------------------------------------------------------------------------

ROW = np.arange(4)
BOUNDS = [(3, 50), (3, None), (None, 50), (0.5, 7.5), (9, 3), (np.float32(3), np.int64(9)), (ROW.astype("f"), 20),
          (2, ROW.astype("h")), (np.nan, 5), (5, np.nan), (-10**6, 10**6), (0, 2**70), (300, 0.5), (-1000, ROW.astype("h")), (True, 4), (np.array(4), 9.5)]


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("dtype", "?BhlLefdF")
def test_clip(dtype):
    x = (np.arange(12).reshape(3, 4) * 20 % 71).astype(dtype)
    for bounds in BOUNDS:
        on_device = [to_gpu(a) if isinstance(a, np.ndarray) and a.ndim else a for a in (x, *bounds)]
        try:
            wanted = np.clip(x, *bounds)
        except (TypeError, OverflowError) as error:
            with pytest.raises(type(error)):
                np.clip(*on_device)
            continue
        result = np.clip(*on_device)
        assert result.dtype == wanted.dtype
        np.testing.assert_array_equal(result.get(), wanted)
        out = gpuarray.empty(x.shape, wanted.dtype)
        assert np.clip(*on_device, out=out) is out
        np.testing.assert_array_equal(out.get(), wanted)


@pytest.mark.usefixtures("context")
def test_clip_in_place_and_broadcast():
    x = np.arange(12, dtype="f").reshape(3, 4)
    for low, high in ((x.T[:3, :3][:1].T, 9), (2, x[:1]), (x[:, :1], x[:1]), (x, x[::-1])):
        both = [to_gpu(a) if isinstance(a, np.ndarray) else a for a in (low, high)]
        np.testing.assert_array_equal(np.clip(to_gpu(x), *both).get(), np.clip(x, low, high))
    on_device = to_gpu(x)
    assert np.clip(on_device, on_device[::-1], on_device[:, ::-1], on_device) is on_device
    np.testing.assert_array_equal(on_device.get(), np.clip(x, x[::-1], x[:, ::-1]))
    with pytest.raises(TypeError, match="clip"):
        np.clip(on_device, 1, 2, to_gpu(np.zeros((3, 4), "i")))
    with gpuarray.lazy():
        np.testing.assert_array_equal(np.clip(to_gpu(x) * 2, 3, 8).get(), np.clip(x * 2, 3, 8))


# -- Places along an axis --------------------------------------------------------------------------

INDICES = [
    lambda x, at: x[at], lambda x, at: x[:, at], lambda x, at: x[..., at], lambda x, at: x[::2, :, at], lambda x, at: x[None, :, at],
    lambda x, at: x[:, at, None, ::-1], lambda x, at: x[1:, ::2][..., at], lambda x, at: x.T[at], lambda x, at: x[..., at, :],
    lambda x, at: np.take(x, at), lambda x, at: np.take(x, at, 1), lambda x, at: x.take(at, -1), lambda x, at: x[at, ..., None],
    lambda x, at: x[:, :, :, at], lambda x, at: x[..., at, ...], lambda x, at: x[:0, at], lambda x, at: x[:, :0, at]]


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("dtype", "?befdFS" if WIDE else "?eFS")
def test_places(dtype):
    x = (np.random.default_rng(1).random((4, 5, 6)) * 9).astype(dtype)
    on_device = to_gpu(x)
    for kind, shape, index in itertools.product("bBilL", ((3,), (2, 2), (1,), ()), INDICES):
        for low, high in ((0, 4), (-4 if kind in "bil" else 0, 4), (0, 9)):
            at = np.random.default_rng(2).integers(low, high, shape).astype(kind)
            try:
                wanted = index(x, at)
            except IndexError as error:
                with pytest.raises(IndexError) as raised:
                    index(on_device, to_gpu(at))
                if "out of bounds" in str(error) and not at.ndim:
                    assert "out of bounds" in str(raised.value)
                continue
            result = index(on_device, to_gpu(at))
            assert result.dtype == (x.dtype if dtype == "S" else wanted.dtype)
            np.testing.assert_array_equal(result.get(), wanted)


@pytest.mark.usefixtures("context")
def test_many_places():
    x = np.random.default_rng(1).random((600, 700)).astype("f")
    at = np.random.default_rng(2).integers(-600, 600, 500)
    np.testing.assert_array_equal(to_gpu(x)[to_gpu(at)].get(), x[at])
    np.testing.assert_array_equal(to_gpu(x)[:, to_gpu(at)].get(), x[:, at])
    with pytest.raises(IndexError, match="out of bounds for axis 1 with size 700"):
        to_gpu(x)[:, to_gpu(at + 200)]


# -- Launches --------------------------------------------------------------------------------------

LAUNCHES = """
import os, sys
import numpy as np
import pycuda.autoinit
from pycuda import gpuarray
random = np.random.default_rng(1)
x, h = (gpuarray.to_gpu((random.random((30, 40)) * 9).astype(dtype)) for dtype in "fe")
z = gpuarray.to_gpu((random.random((30, 40)) + 1j).astype("F"))
at, far = gpuarray.to_gpu(np.array([3, -1, 0])), gpuarray.to_gpu(np.array([3, -41, 0]))
calls = [lambda x: x.mean(1), lambda x: x.mean(), lambda x: np.sum(x, 0), lambda x: np.any(x, -1), lambda x: np.max(x, (0, 1), keepdims=True),
         lambda x: x.var(1, ddof=1), lambda x: x.std(), lambda x: x.std(0, keepdims=True), lambda x: np.clip(x, 2, 5)]
trace = open(os.environ["PYCUDA_TRACE"])
float(x[0, 0])  # the first small copy makes the page-locked memory

def show(call, x):
    call(x)  # makes the kernel, and memory
    trace.read()
    result = call(x)
    made = trace.read()
    wanted = call(x.get().astype("d" if x.dtype.kind == "f" else "D"))
    assert result.shape == np.shape(wanted) and np.allclose(result.get(), wanted, 2e-3), (result, wanted)
    print(made.count("cuLaunch"), made.count("cuMem"), end=" ")

for call in calls:
    show(call, x), show(call, h)
show(calls[7], z)
x[:, at]
trace.read()
y = x[:, at]
made = trace.read()
print(made.count("cuLaunch"), made.count("cuMem"), made.count("cuStreamSynchronize"), end=" ")
assert (y.get() == x.get()[:, at.get()]).all()
for turn in range(150):  # their places in page-locked memory come again
    x.sum()
    try:
        x[:, (at, far)[turn % 2]]
    except IndexError as error:
        assert turn % 2 and "index -41 is out of bounds for axis 1 with size 40" in str(error)
    else:
        assert turn % 2 == 0
"""


@pytest.mark.host
def test_launches_of_a_gpu(run_python, like_gpu, tmp_path):
    """Roots of variances of float16 are rounded in between, as NumPy does."""
    done = run_python(LAUNCHES, **like_gpu, LIKE_GPU="90 4", PYCUDA_TRACE=str(tmp_path / "trace"))
    assert (done.stderr, done.returncode) == ("", 0)
    launches = ["1 0"] * 18
    launches[13] = launches[15] = "2 0"
    assert done.stdout.strip() == " ".join([*launches, "1 0", "1 0 1"])


MANY_AXES = """
import numpy as np
import pycuda.autoinit
from pycuda import gpuarray

for ndim in (4, 5, 6, 9, 32):
    shape = (2,) * min(ndim, 6) + (1,) * (ndim - 6)
    host = np.arange(1, 1 + 2 ** min(ndim, 6)).reshape(shape).astype("f4")
    some = (0, 1, ndim - 1)
    axes = [None, 0, ndim - 1, (0, 1), some, tuple(range(ndim)), tuple(range(1, ndim))]
    functions = [np.sum, np.prod, np.max, np.min, np.any, np.all, np.mean, np.std, np.var, np.nansum, np.nanmax, np.nanmin,
                 np.nanmean, np.count_nonzero, np.median, np.ptp, np.add.reduce, np.maximum.reduce]
    for order in "CF":
        x = np.asarray(host, order=order)
        for keeps in (False, True):
            for axis in axes:
                for function in functions if ndim < 9 or axis == some else functions[:9]:
                    got, wanted = (function(a, axis=axis, keepdims=keeps) for a in (gpuarray.to_gpu(x), x))
                    assert np.shape(got) == np.shape(wanted), (function, axis, keeps)
                    assert np.allclose(got.get() if hasattr(got, "get") else got, wanted, 1e-5), (function, axis, keeps)
        for function in [np.argmax, np.argmin, np.cumsum, np.sort, np.argsort, np.flip, np.roll]:
            assert np.array_equal(function(gpuarray.to_gpu(x), 1).get(), function(x, 1)), function
        for function in [np.squeeze, np.copy, np.transpose, lambda a: a.reshape(-1)[(None,) * (ndim - 1)], lambda a: a + a[:1],
                         lambda a: np.concatenate([a, a], -1), lambda a: np.where(a > 3, a, 0)]:
            assert np.array_equal(function(gpuarray.to_gpu(x)).get(), function(x)), function
"""


def test_many_axes(run_python):
    """Results with more axes than an instance has room for; the allocator looks at what lies behind."""
    done = run_python(MANY_AXES, PYTHONMALLOC="debug")
    assert done.returncode == 0, done.stderr
