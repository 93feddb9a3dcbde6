"""Medians, quantiles, partitions and lexicographic sorts, held against NumPy."""

import warnings

import numpy as np
import pytest
from test_sorting import DTYPES, WIDE, draw

from pycuda import _ranks
from pycuda.gpuarray import to_gpu

pytestmark = pytest.mark.usefixtures("context")
FEW = DTYPES if WIDE else "ieF"
METHODS = ["linear", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased",
           "inverted_cdf", "averaged_inverted_cdf", "closest_observation", "lower", "higher", "midpoint", "nearest"]


def both(function, x, *arguments, **kwargs):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = np.asarray(function(x, *arguments, **kwargs))
        got = function(to_gpu(x), *arguments, **kwargs)
    assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
    if wanted.dtype.kind in "fc":
        exact = wanted.dtype.type(0).real
        assert np.allclose(got.get(), wanted, rtol=4 * np.finfo(exact.dtype).eps, atol=1e-30, equal_nan=True)
    else:
        assert np.array_equal(got.get(), wanted)


def numbers(char, shape):
    """Of few digits, so that what is between two of them is one, too."""
    rng = np.random.default_rng(ord(char))
    values = rng.integers(-40 * (char not in "BHIQ"), 40, shape)
    return (values / 8 if char in "efdFD" else values).astype(char)


def with_nans(x):
    x = x.copy()
    x[np.random.default_rng(1).random(x.shape) < 0.2] = np.nan
    return x


SPREAD = {
    "even": lambda rng, n: rng.uniform(-100, 100, n), "normal": lambda rng, n: rng.standard_normal(n) * 9,
    "steep": lambda rng, n: np.exp(rng.standard_normal(n) * 4), "few": lambda rng, n: rng.integers(-3, 3, n),
    "same": lambda rng, n: np.full(n, 7), "half the same": lambda rng, n: rng.uniform(-9, 9, n) * (rng.random(n) < 0.5),
    "sorted": lambda rng, n: np.arange(n) - n / 2, "misleading": lambda rng, n: np.where(np.arange(n) % (n // (n // 64) | 1), 1, 9),
    "a far one": lambda rng, n: np.append(rng.uniform(0, 1, n - 1), 3e4),
}


@pytest.mark.parametrize("spread", SPREAD)
@pytest.mark.parametrize("char", "bBhHiIqQefd" if WIDE else "iefd")
def test_rows_that_are_not_sorted(monkeypatch, char, spread):
    """One long row: elements of a rank are found by a sample; rows that are one at 64 bytes here."""
    made = []
    for name in ("_FEWEST", "_FEWEST_ON_GPU"):
        monkeypatch.setattr(_ranks, name, 64)
    monkeypatch.setattr(_ranks, "Ranks", lambda *of, make=_ranks.Ranks: made.append(1) or make(*of))
    for n in [64, 65, 20000]:
        limits = (np.iinfo if char in "bBhHiIqQ" else np.finfo)(char)
        x = SPREAD[spread](np.random.default_rng(n), n).clip(limits.min, limits.max).astype(char)
        for shape, axis in [((n,), None), ((1, n), 1), ((n, 1), (0, 1))]:
            h = x.reshape(shape)
            both(np.median, h, axis=axis, keepdims=len(shape) == 2)
            both(np.nanmedian, h, axis=axis)
            for method in ["linear", "lower", "inverted_cdf", "midpoint", "hazen"]:
                both(np.percentile, h, 30, axis=axis, method=method)
                both(np.nanquantile, h, [0, 0.2, 0.999, 1], axis=axis, method=method)
        both(np.quantile, x, np.linspace(0, 1, 7))
        if char in "efd":
            for wrong in [np.nan, np.inf, -np.inf]:
                h = x.copy()
                h[n // 2] = wrong
                for function in [np.median, np.nanmedian]:
                    both(function, h)
                both(np.nanpercentile, h, [5, 50])
                both(np.percentile, h, 50)
    assert made


@pytest.mark.parametrize("char", FEW)
def test_medians(char):
    for shape in [(1,), (8,), (9,), (4, 5, 6)]:
        x = numbers("i", shape).astype(char)
        for axis in [None, 0, -1, *([(0, 2), (1, 0)] if len(shape) > 1 else [])]:
            for keepdims in [False, True]:
                both(np.median, x, axis=axis, keepdims=keepdims)
                both(np.nanmedian, x, axis=axis, keepdims=keepdims)
                if char in "efdFD":
                    both(np.median, with_nans(x), axis=axis, keepdims=keepdims)
                    both(np.nanmedian, with_nans(x), axis=axis, keepdims=keepdims)
    out = to_gpu(np.zeros(5))
    assert np.median(to_gpu(numbers("i", (4, 5))), 0, out) is out
    assert np.array_equal(out.get(), np.median(numbers("i", (4, 5)), 0))
    both(np.median, np.zeros((3, 0), "f"), axis=1)
    both(np.nanmedian, np.full((2, 3), np.nan), axis=1)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("char", "BiefdQh" if WIDE else "if")
def test_quantiles(method, char):
    for shape in [(1,), (8,), (4, 5, 3)]:
        x = numbers(char, shape)
        for axis in [None, 0, *([(0, 2)] if len(shape) > 1 else [])]:
            for q in [0, 0.25, 1.0, [0.1, 0.5, 0.75], np.array([[0.3], [1]]), []]:
                both(np.quantile, x, q, axis, method=method)
        both(np.percentile, x, [5, 25, 100], -1, method=method, keepdims=True)
        both(np.percentile, x, 30, method=method)
        if char in "efd":
            for function in [np.quantile, np.nanquantile]:
                both(function, with_nans(x), 0.3, 0, method=method)
                both(function, with_nans(x), [0.25, 0.6], method=method, keepdims=True)
    if char in "fd":
        both(np.nanpercentile, with_nans(x), 40, 1, method=method)
    both(np.nanquantile, numbers("i", 9), 0.3, method=method)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", "efd")
def test_places_are_computed_in_the_dtype_of_q(kind, method):
    """The result's dtype is of both, and 0.1f * 10 may be a whole number where 0.1 * 10 in float64 is not."""
    for n in [3, 11, 21, 41]:
        for char in "ifd":
            x = np.arange(n).astype(char)
            for q in [np.array([0.1, 0.3, 0.7, 0.9], kind), np.dtype(kind).type(0.4)]:
                both(np.quantile, x, q, method=method)
                both(np.percentile, x, q * 64, method=method)
                if char != "i":
                    both(np.nanquantile, np.append(x, x[:1] * np.nan), q, method=method)
            if method == "inverted_cdf":
                both(np.quantile, x, q, weights=np.ones(n), method=method)


def test_of_no_elements():
    for char in "ifd":
        for axis in [None, 0, 1]:
            both(np.nanquantile, np.zeros((0, 3), char), 0.5, axis)
            both(np.nanquantile, np.zeros((2, 0, 3), char), 0.5, axis, method="lower")
    got = np.nanquantile(to_gpu(np.zeros((0, 3), "f")), [0.2, 0.5], 0)
    assert got.shape == (2, 3) and np.isnan(got.get()).all()
    for weights in [None, to_gpu(np.zeros((5, 0, 5)))]:  # with which it read what is not there
        with pytest.raises(IndexError, match="no elements"):
            np.quantile(to_gpu(np.zeros((5, 0, 5))), 0.5, 1, method="inverted_cdf", weights=weights)
    both(np.nanquantile, np.zeros((5, 0, 5)), 0.5, 1, method="inverted_cdf", weights=np.zeros((5, 0, 5)))
    for method in METHODS:
        both(np.quantile, np.zeros((5, 0), "i"), [], 1, method=method)
    for axis in [0, 1, None]:
        both(np.partition, np.zeros((2, 0)), 5, axis)


@pytest.mark.parametrize("char", FEW)
def test_partitions(char):
    x = draw(char, (6, 31), "few")
    g = to_gpu(x)
    for axis in [0, -1, None]:
        length = x.size if axis is None else x.shape[axis]
        for kth in [0, length // 2, -1, [1, 3]]:
            assert np.array_equal(np.partition(g, kth, axis).get(), np.sort(x, axis))
            places = np.argpartition(g, kth, axis).get()
            assert np.array_equal(np.take_along_axis(x if axis is not None else x.ravel(), places, axis or 0)
                                  if axis != -1 else np.take_along_axis(x, places, -1), np.sort(x, axis))
    g.partition(3, 0)
    assert np.array_equal(g.get(), np.sort(x, 0))


@pytest.mark.parametrize("char", FEW)
def test_several_keys(char):
    keys = [draw(char, (5, 40), "few", seed) for seed in range(3)] + [draw("b", (5, 40), "few", 9)]
    for axis in [0, -1]:
        wanted = np.lexsort(keys, axis)
        assert np.array_equal(np.lexsort(tuple(map(to_gpu, keys)), axis).get(), wanted)
    assert np.array_equal(np.lexsort(to_gpu(keys[0])).get(), np.lexsort(keys[0]))
    both(np.sort_complex, draw(char, (3, 20), "few"))


@pytest.mark.parametrize("call, error, text", [
    (lambda x: np.quantile(x, 1.5), ValueError, "Quantiles must be in the range \\[0, 1\\]"),
    (lambda x: np.percentile(x, [-1]), ValueError, "Percentiles must be in the range \\[0, 100\\]"),
    (lambda x: np.quantile(x, 0.5, method="best"), ValueError, "'best' is not a valid method"),
    (lambda x: np.quantile(x, 0.5, weights=x), ValueError, "Only method 'inverted_cdf' supports weights"),
    (lambda x: np.quantile(x, 0.5, method="inverted_cdf", weights=x * 0), ValueError, "were all zero"),
    (lambda x: np.nanquantile(x, 0.5, method="inverted_cdf", weights=x * np.inf), ValueError, "NaN, inf"),
    (lambda x: np.quantile(x * 1j, 0.5), TypeError, "real numbers"),
    (lambda x: np.quantile(x, np.zeros((1, 1, 1))), ValueError, "scalar or 1d"),
    (lambda x: np.quantile(x[:0], 0.5), IndexError, "no elements"),
    (lambda x: np.median(x, 1), ValueError, "axis 1 is out of bounds"),
    (lambda x: np.median(x.view([("a", "i8")])), TypeError, "cannot sort elements"),
    (lambda x: np.partition(x, 6), ValueError, "kth\\(=6\\) out of bounds \\(6\\)"),
    (lambda x: np.argpartition(x, 1.5), TypeError, "must be integer"),
    (lambda x: x.partition(1, kind="quick"), ValueError, "introselect"),
    (lambda x: np.lexsort((x, x[:3])), ValueError, "same shape"),
])
def test_faults(call, error, text):
    x = to_gpu(np.arange(6))
    with pytest.raises(error, match=text):
        call(x)
