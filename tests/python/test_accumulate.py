"""Running results along an axis against NumPy: of all dtypes and layouts, by all operations whose elements may be
grouped; and by the kernels and launches of a GPU, which the host device runs, too."""

import itertools
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pycuda import gpuarray
from pycuda.gpuarray import to_gpu

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check

pytestmark = pytest.mark.usefixtures("context")

OPERATIONS = ("add", "multiply", "maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or", "logical_xor")
BITWISE = ("bitwise_and", "bitwise_or", "bitwise_xor")


def numbers(shape, char, name="add", seed=0):
    """Whole numbers that are small, or products of which are, so that results are exact in every order."""
    h = np.random.default_rng(seed).integers(-3, 4, shape)
    h = np.where(h < 0, -1, 1) if name == "multiply" and char in "efdFD" else h
    return (h + 1j * h[::-1] if char in "FD" and name != "multiply" else h).astype(char)


def check(host, name, axis, device=None, **options):
    wanted = getattr(np, name).accumulate(host, axis, **options)
    found = getattr(np, name).accumulate(to_gpu(host) if device is None else device, axis, **options)
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    assert np.array_equal(found.get(), wanted, equal_nan=wanted.dtype.kind in "fc"), (host.shape, axis, name)


@pytest.mark.parametrize("char", "?bBhHiIqQefdFD" if WIDE else "?bHqefD")
def test_operations(char):
    whole = char not in "efdFD"
    names = (*OPERATIONS, *BITWISE) if whole else OPERATIONS
    for name in names if WIDE else names[:3] + names[-1 - 2 * whole:]:
        for shape, axis in [((3, 5, 21), 1), ((7, 41), 1)]:
            check(numbers(shape, char, name), name, axis)


@pytest.mark.parametrize("pair", ["bi", "bh", "if", "fd", "de", "fF", "?b", "Bb", "qf", "f?"])
def test_dtypes_that_are_asked_for(pair):
    for name in ("add", "maximum"):
        for axis in range(2):
            check(numbers((6, 40), pair[0]), name, axis, dtype=pair[1])


SHAPES = [(0,), (1,), (15,), (16,), (33,), (3, 0), (0, 3), (1, 7), (7, 1), (1, 1, 1), (4, 3), (3, 17), (40, 33), (5, 70, 9),
          (2, 3, 4, 5), (3, 200, 20), (2, 70_001), (70_001, 2), (70_001, 40), (300, 300), (20_000, 3)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_shapes(shape):
    for char in "bf":
        h = numbers(shape, char)
        for axis in range(-len(shape), len(shape)):
            check(h, "add", axis)
            check(h, "maximum", axis)


VIEWS = [np.s_[::2, ::-1, ::3], np.s_[::-1, :, ::-1], np.s_[:, 3:, 5:], np.s_[2, :, ::-2], np.s_[:, :1], np.s_[..., 7],
         np.s_[None, 1:, :, 0, None]]


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_layouts(view):
    for char, order in [("f", "C"), ("f", "F"), ("b", "C")]:
        h = np.array(numbers((6, 20, 34), char), order=order)
        x, d = h[view], to_gpu(h)[view]
        for axis in range(x.ndim):
            check(x, "add", axis, d)
            check(x.T, "add", axis, d.T)
    d = np.broadcast_to(to_gpu(h)[view], (3, *x.shape))
    for axis in range(d.ndim):
        check(np.broadcast_to(x, (3, *x.shape)), "add", axis, d)


def test_axes_that_do_not_merge():
    whole = numbers((4, 5, 6, 7, 8), "f")
    h, d = (x[::2, 1:, ::3, :, :5] for x in (whole, to_gpu(whole)))
    for axis in range(5):
        check(h, "add", axis, d)
        check(h.swapaxes(1, 3), "maximum", axis, d.swapaxes(1, 3))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("shape", [(40, 50), (2, 70_000), (9, 5)], ids=str)
def test_results_elsewhere(shape, axis):
    """out: the array itself, parts of its memory, memory that lies otherwise, of another dtype."""
    for char in "fi":
        h = numbers((shape[0] + 1, shape[1] + 1), char)
        for source, to in [(np.s_[1:, 1:], np.s_[1:, 1:]), (np.s_[1:, 1:], np.s_[:-1, :-1]), (np.s_[:-1, 1:], np.s_[1:, :-1]),
                           (np.s_[1:, 1:], np.s_[:0:-1, 1:]), (np.s_[:-1, 1:], np.s_[:-1, 1:][::-1])]:
            x, d = h.copy(), to_gpu(h)
            for a in (x, d):
                out = a[to]
                assert np.cumsum(a[source], axis, out=out) is out
            assert np.array_equal(d.get(), x)
        wanted = np.cumsum(h, axis)
        for out in (np.zeros(h.shape, char, "F"), np.zeros(h.shape, char), np.zeros(h.shape, "d"), np.zeros(h.shape, "F")):
            z = to_gpu(out)
            assert np.cumsum(to_gpu(h), axis, out=z) is z
            assert np.array_equal(z.get(), wanted) and z.strides == out.strides


def test_results_of_another_kind():
    """They are converted, whatever the dtype of `out`, as NumPy's are: its rule is "unsafe"."""
    h = np.array([[1.75, 2.75, 3.75], [-0.5, 300.25, 9.5]], "f")
    for axis, char in itertools.product((0, 1), "iqh"):
        out, z = np.zeros(h.shape, char), gpuarray.zeros(h.shape, char)
        np.cumsum(h, axis, out=out)
        assert np.cumsum(to_gpu(h), axis, out=z) is z
        assert np.array_equal(z.get(), out), (axis, char)


def test_results_that_do_not_fit():
    d = to_gpu(numbers((3, 4), "f"))
    with pytest.raises(ValueError, match=r"output array has shape \(4, 3\), the result \(3, 4\)"):
        np.cumsum(d, 0, out=gpuarray.zeros((4, 3), "f"))
    with pytest.raises(TypeError, match="cannot accumulate on a scalar"):
        np.add.accumulate(to_gpu(np.float32(3)))


@pytest.mark.parametrize("name", ["add", "maximum", "fmin"])
def test_numbers_that_are_none(name):
    """NaNs, infinities and zeros with a sign."""
    h = np.ones((5, 200), "f")
    h[0, 40:], h[1, 70], h[2, 3], h[2, 150], h[3] = np.inf, np.nan, np.inf, -np.inf, -0.0
    with np.errstate(invalid="ignore"):
        check(h, name, 1)
        check(np.ascontiguousarray(h.T), name, 0)
        assert np.array_equal(np.nancumsum(to_gpu(h), 1).get(), np.nancumsum(h, 1), equal_nan=True)
    assert np.signbit(np.add.accumulate(to_gpu(h[3:4]), 1).get()).all()


@pytest.mark.parametrize("char", "efF")
def test_digits(char):
    """Sums are as exact as NumPy's."""
    for shape in [(3, 5000), (2, 100_000)]:
        h = np.random.default_rng(1).random(shape) / (100 if char == "e" else 1)
        h = (h + 1j * h[::-1] if char == "F" else h).astype(char)
        wanted = np.cumsum(h.astype("D" if char == "F" else "d"), 1)
        for axis, x in [(1, h), (0, np.ascontiguousarray(h.T))]:
            ours, theirs = (np.abs(sums / (wanted if axis else wanted.T) - 1).max() for sums in (
                np.cumsum(to_gpu(x), axis).get(), np.cumsum(x, axis)))
            assert ours <= 4 * max(theirs, float(np.finfo(char).eps) / 2), (shape, axis, ours, theirs)


@st.composite
def views(draw):
    """(an array, how to look at it)"""
    shape = draw(st.lists(st.sampled_from([0, 1, 2, 3, 5, 17, 33, 70]), min_size=1, max_size=4).filter(
        lambda shape: np.prod(shape) < 20_000))
    part = tuple(slice(draw(st.integers(0, n)), None, draw(st.sampled_from([1, 1, 2, -1]))) for n in shape)
    return numbers(shape, draw(st.sampled_from("fb")), seed=len(shape)), part, draw(st.permutations(range(len(shape))))


@settings(max_examples=1000 if WIDE else 60, derandomize=not WIDE, database=None, deadline=None,
          suppress_health_check=list(HealthCheck))
@given(views(), st.data())
def test_views(looked, data):
    h, part, axes = looked
    x, d = h[part].transpose(axes), to_gpu(h)[part].transpose(axes)
    check(x, data.draw(st.sampled_from(["add", "minimum"])), data.draw(st.integers(-x.ndim, x.ndim - 1)), d)


# Warps of short rows, a warp a row, a block, several; threads of columns alone, in shares, in segments.
LAUNCHES = """
import numpy as np, pycuda.autoinit
from pycuda.gpuarray import to_gpu
for shape in SHAPES:
    h = np.random.default_rng(0).integers(-3, 4, shape).astype(CHAR)
    for x in (h, h[..., ::-1]) if h.size < 10000 else (h,):
        for axis in range(h.ndim):
            wanted, found = NAME.accumulate(x, axis), NAME.accumulate(to_gpu(h) if x is h else to_gpu(h)[..., ::-1], axis)
            assert found.dtype == wanted.dtype and np.array_equal(found.get(), wanted), (shape, axis, x is h)
"""
GPU_SHAPES = [(3, 4), (9, 16), (700, 5), (5, 300, 17), (70, 33), (3, 600), (90, 600), (70, 3, 4), (2, 40_000), (40_000, 2),
              (9000, 40), (3, 5000, 7), (4000, 3), (3, 4000), (3, 1)]


@pytest.mark.host
@pytest.mark.parametrize(("char", "name"), [("f", "add"), ("b", "add"), ("D", "add"), ("e", "maximum")][:4 if WIDE else 2])
def test_launches(run_python, like_gpu, char, name):
    shapes = GPU_SHAPES if char in "fD" else [*GPU_SHAPES, (20_003,)]  # of floats that is scan.cuh's
    text = LAUNCHES.replace("SHAPES", repr(shapes)).replace("CHAR", repr(char)).replace("NAME", f"np.{name}")
    done = run_python(text, **like_gpu, LIKE_GPU="90 4", PYCUDA_DISABLE_CACHE="1")
    assert done.returncode == 0, done.stderr
