"""Places in sorted arrays, sets and histograms, held against NumPy in every dtype."""

import operator
import re
import warnings

import numpy as np
import pytest
from test_sorting import DTYPES, WIDE, draw

from pycuda.gpuarray import GPUArray, to_gpu

pytestmark = pytest.mark.usefixtures("context")
FEW = DTYPES if WIDE else "BeF"


def on_host(value):
    if isinstance(value, tuple):
        return tuple(on_host(item) for item in value)
    return value.get() if isinstance(value, GPUArray) else value


def assert_same(got, wanted):
    got = on_host(got)
    if isinstance(wanted, tuple):
        assert len(got) == len(wanted)
        for one, other in zip(got, wanted, strict=True):
            assert_same(one, other)
    else:
        wanted = np.asarray(wanted)
        assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
        assert np.array_equal(got, wanted, equal_nan=wanted.dtype.kind in "fc")


def both(function, *arrays, **kwargs):
    """Compares a function of arrays on the device with the same on the host."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        on_device = [to_gpu(a) if isinstance(a, np.ndarray) else a for a in arrays]
        try:
            wanted = function(*arrays, **kwargs)
        except ValueError as error:  # as of more bins than there are numbers
            with pytest.raises(ValueError, match=re.escape(str(error))):
                function(*on_device, **kwargs)
        else:
            assert_same(function(*on_device, **kwargs), wanted)


@pytest.mark.parametrize("char", FEW)
def test_searchsorted(char):
    for how in ["any", "few", "special"]:
        table = np.sort(draw(char, 300, how))
        for values in [draw(char, (7, 20), how, 1), table[5:6], np.zeros((), char), draw("d", 9, "few")]:
            for side in ["left", "right"]:
                both(np.searchsorted, table, values, side=side)
        both(np.searchsorted, table[::-2][::-1], table[:3])
        order = np.argsort(draw(char, 50, how), kind="stable")
        both(np.searchsorted, draw(char, 50, how), table[::7], "right", order)
    both(np.searchsorted, np.zeros(0, char), table)


@pytest.mark.parametrize("char", "biq")
def test_integers_of_other_sign(char):
    """Beyond 2^53 float64, the common dtype, does not tell neighbours apart; nor does NumPy always."""
    most, rng = np.iinfo(char).max, np.random.default_rng(7)
    signed = np.array([0, 1, -1, most, most - 1, -most - 1, 1 << 53 if char == "q" else 5], char)
    unsigned = np.array([0, 2, 2**64 - 1, 2**63, 2**63 - 1, 2**53, 2**53 + 1, most, 2**64 - most - 1], "Q")
    for element, test in [(signed, unsigned), (unsigned.reshape(3, 3), signed), (unsigned, signed[signed < 0]),
                          (signed, rng.choice(unsigned, 100)), (unsigned, signed[:0])]:
        wanted = np.array([int(a) in {int(b) for b in test} for a in element.flat]).reshape(element.shape)
        assert np.array_equal(np.isin(to_gpu(element), to_gpu(test)).get(), wanted)
        assert np.array_equal(np.isin(to_gpu(element), to_gpu(test), invert=True).get(), ~wanted)


@pytest.mark.parametrize("char", FEW)
def test_sets(char):
    for how in ["few", "special", "same", "any"]:
        for shape in [(0,), (1,), (200,), (3, 40)]:
            x, y = draw(char, shape, how), draw(char, 90, how, 1)
            for names in [(), ("return_index",), ("return_inverse",), ("return_counts",),
                          ("return_index", "return_inverse", "return_counts")]:
                both(np.unique, x, **dict.fromkeys(names, True))
            both(np.isin, x, y)
            both(np.isin, x, y[:0])
            both(np.isin, x, y, invert=True)
            both(np.setdiff1d, x, y)
            both(np.union1d, x, y)
            if how != "special":  # NumPy sorts -0.0 and 0.0, and NaNs, as it happens
                both(np.intersect1d, x, y)
                both(np.intersect1d, x, y, return_indices=True)
                both(np.setxor1d, x, y)
    both(np.unique, draw(char, 100, "special"), equal_nan=False)


def test_sets_of_several_dtypes_and_of_lists():
    x, y = np.array([3, 1, 250, 3], "B"), np.array([-3, 1, 300], "h")
    for function in [np.isin, np.union1d, np.intersect1d, np.setdiff1d, np.setxor1d]:
        both(function, x, y)
        assert_same(function(to_gpu(x), [3, 1]), function(x, [3, 1]))
    both(np.intersect1d, np.unique(x), np.unique(y), True, True)
    both(np.setdiff1d, np.array([5, 1, 3]), y, True)
    if hasattr(np, "unique_all"):
        for function in [np.unique_all, np.unique_counts, np.unique_inverse]:
            assert_same(tuple(function(to_gpu(x))), tuple(function(x)))
    for trim in ["fb", "f", "b"]:
        for values in [[0, 0, 1, 0, 2, 0], [0, 0], [1], []]:
            both(np.trim_zeros, np.array(values, "f"), trim)
    many = draw("i", 100000, "any") % 1000
    both(np.unique, many, return_index=True, return_inverse=True, return_counts=True)


def test_digitize():
    x, bins = draw("f", (5, 40), "special"), np.array([-1, 0, 0, 1, 2.5])
    for edges in [bins, bins[::-1], bins[:1], bins[:0], np.array([1, 1, 1])]:
        for right in [False, True]:
            both(np.digitize, x, edges, right)
            assert_same(np.digitize(to_gpu(x), edges.tolist(), right), np.digitize(x, edges, right))


@pytest.mark.parametrize("char", "?bBhHiIq" if WIDE else "?Bi")
def test_bincount(char):
    x = abs(draw("b", 1000, "few")).astype(char)
    weights = draw("d", 1000, "any") % 1 + draw("f", 1000, "few")
    for a, w in [(x, weights), (x[:0], weights[:0]), (x[::-3], weights[::-3])]:
        for least in [0, 2, 50]:
            both(np.bincount, a, minlength=least)
            both(np.bincount, a, w, least)
            both(np.bincount, a, (100 * np.nan_to_num(w)).astype("h"))


@pytest.mark.parametrize("char", "?bHiqefd" if WIDE else "?if")
def test_histogram(char):
    x = draw(char, (30, 40), "few")
    if char in "fd":
        x = x * np.random.default_rng(3).random((30, 40)).astype(char)
    for bins in [10, 1, 7, [0, 1, 2], np.array([-2.5, -1, 0.25, 3]), np.array([0, 0, 1])]:
        both(np.histogram, x, bins)
        both(np.histogram_bin_edges, x, bins)
        both(np.histogram, x, bins, weights=draw("i", x.shape, "few", 1))
    both(np.histogram, x, 5, (-1, 2))
    both(np.histogram, x, 5, (2, 2))
    both(np.histogram, x[:0], 3)
    for edges in [[], [1]]:  # no bin
        both(np.histogram, x, edges)
        both(np.histogram, x, edges, weights=draw("d", x.shape, "few", 1), density=True)
    x = x.astype("f")
    got, wanted = (np.histogram(a, 4, density=True, weights=a * a) for a in [to_gpu(x), x])
    assert np.allclose(got[0].get(), wanted[0])
    both(np.histogram, draw(char, 1000, "same"))


EDGES = {
    "even": lambda low, high, n, rng: np.linspace(low, high, n + 1),
    "any": lambda low, high, n, rng: np.sort(rng.uniform(low, high, n + 1)),
    "of elements": lambda low, high, n, rng: np.sort(rng.integers(-20, 20, n + 1)),  # some bins have no width
    "close": lambda low, high, n, rng: 1 + np.arange(n + 1) // 3 * 2.0**-52,
    "far": lambda low, high, n, rng: np.linspace(-8e307, 8e307, n + 1),
    "infinite": lambda low, high, n, rng: np.concatenate([[-np.inf], np.arange(n - 1), [np.inf]]),
}


@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("char", "?bBhHiIqQefd" if WIDE else "Bqd")
def test_counts_between(char, edges):
    """Bins that blocks count, and more than those, of elements on edges, beside them and beyond, and of NaN."""
    for seed, n in enumerate([2, 3, 60, 2047, 2048, 2049]):
        rng = np.random.default_rng(seed)
        low, high = np.sort(rng.uniform(-100, 100, 2))
        ends = EDGES[edges](low, high, n, rng)
        with np.errstate(all="ignore"):
            near = ends[rng.integers(0, n + 1, 500)]
            x = np.concatenate([near, np.nextafter(near, low), rng.uniform(low - 1, high + 1, 2000)])
            x = x.astype(char) if char in "efd" else np.clip(np.nan_to_num(x), -99, 99).astype(char)
        if char in "efd":
            x[::97], x[1::193], x[2::193] = np.nan, np.inf, -np.inf
        for part in [x, x[::-3], x[:1], x[:0]]:
            both(np.histogram, part, ends)
        both(np.histogram, x.reshape(50, -1).T, ends)
        if edges == "even" and (char != "e" or n < 100):  # of which there are not as many numbers
            finite = x[np.isfinite(x)]
            both(np.histogram, finite, n)
            both(np.histogram, finite, n, (low, high))


@pytest.mark.parametrize("call, error, text", [
    (lambda x: np.searchsorted(x, 1, "middle"), ValueError, "search side must be"),
    (lambda x: np.searchsorted(x.reshape(2, 3), 1), ValueError, "one axis, got shape \\(2, 3\\)"),
    (lambda x: np.searchsorted(x, 1, sorter=x[:2]), ValueError, "sorter must have as many elements"),
    (lambda x: np.searchsorted(x, 1, sorter=x * 1.0), TypeError, "sorter must only contain integers"),
    (lambda x: np.searchsorted(x, 1, sorter=x + 9), IndexError, "out of bounds"),
    (lambda x: np.digitize(x, [1, 3, 2]), ValueError, "monotonically"),
    (lambda x: np.digitize(x * 1j, [1]), TypeError, "x may not be complex"),
    (lambda x: np.unique(x.view([("a", "i8")])), TypeError, "cannot sort elements of dtype"),
    (lambda x: np.isin(x, x, kind="hash"), ValueError, "Invalid kind"),
    (lambda x: np.isin(x, x * 1.0, kind="table"), ValueError, "only supported for boolean or integer"),
    (lambda x: np.bincount(x - 4), ValueError, "elements must not be negative, there is -4"),
    (lambda x: np.bincount(x * 1.0), TypeError, "according to the rule 'safe'"),
    (lambda x: np.bincount(x.astype("u8") + 2**63), ValueError, "too large to count up to"),
    (lambda x: np.bincount(x, x[:2]), ValueError, "don't have the same length"),
    (lambda x: np.bincount(x, x * 1j), TypeError, "according to the rule 'safe'"),
    (lambda x: np.bincount(x, minlength=-1), ValueError, "minlength"),
    (lambda x: np.bincount(x.reshape(2, 3)), ValueError, "one axis"),
    (lambda x: np.histogram(x, "odd"), ValueError, "'odd' is not a valid estimator for `bins`"),
    (lambda x: np.histogram(x, 0), ValueError, "bins"),
    (lambda x: np.histogram(x * np.nan), ValueError, "not finite"),
    (lambda x: np.histogram(x, [3, 1]), ValueError, "monotonic"),
    (lambda x: np.histogram(x, weights=x[:2]), ValueError, "same shape"),
    (lambda x: np.histogram(x * 1j), TypeError, "complex"),
    (lambda x: np.trim_zeros(x, "x"), ValueError, "unexpected character"),
])
def test_faults(call, error, text):
    x = to_gpu(np.arange(6))
    with pytest.raises(error, match=text):
        call(x)


def test_a_scalar_and_the_method():
    x = to_gpu(np.array([1, 2, 2, 5], "f"))
    assert x.searchsorted(2).get() == 1 and x.searchsorted(2, "right").shape == ()
    assert operator.index(np.searchsorted(x, 9).item()) == 4
