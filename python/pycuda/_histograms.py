"""How often values are there: bincount, histogram and histogram_bin_edges, under NumPy's names and with its
parameters. Counts of integers are exact whatever the order of threads; weights are added in the order
of their elements, so that sums are NumPy's."""

import functools
import operator

import numpy as np

from pycuda import _indexing, _native
from pycuda._creation import arange
from pycuda._native import GPUArray
from pycuda._sets import on_device, searchsorted
from pycuda._sorting import sort_rows

_PLACE = np.dtype(np.int64)


@functools.cache
def _adding():
    """The kernel of sums of stretches: from start[i] to start[i + 1]."""
    from pycuda.elementwise import ElementwiseKernel  # it brings the compiler along

    return ElementwiseKernel("double *z, long long *start, double *w",
                             "double sum = 0; for (long long k = start[i]; k < start[i + 1]; k++) sum += w[k];"
                             "z[i] = sum", "pycuda_add_stretches")


def bincount(x, weights=None, minlength=0):
    """How often each number from 0 on is in an array of integers, as int64; with weights, the sum of those
    of its places, as float64. Waits for the device. ValueError for numbers below zero."""
    x, minlength = on_device(x), operator.index(minlength)
    if x.ndim != 1:
        raise ValueError(f"bincount: expected an array of one axis, got shape {x.shape}")
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    if not np.can_cast(x.dtype, _PLACE, "safe") and x.size:
        raise TypeError(f"Cannot cast array data from {x.dtype!r} to {_PLACE!r} according to the rule 'safe'")
    if weights is not None:
        weights = on_device(weights)
        if weights.shape != x.shape:
            raise ValueError("The weights and list don't have the same length.")
        if not np.can_cast(weights.dtype, np.float64, "safe"):
            raise TypeError(f"Cannot cast array data from {weights.dtype!r} to dtype('float64') according to the "
                            "rule 'safe'")
    if x.size:
        low, high = (int(f(x).get()) for f in (_native.min, _native.max))
        if low < 0:
            raise ValueError(f"bincount: elements must not be negative, there is {low}")
        minlength = max(minlength, high + 1)
    if weights is not None and x.size:  # of nothing NumPy gives integers
        return _sums(x, weights.astype(np.float64), minlength)
    counts = _native.zeros(minlength, _PLACE)
    if x.size:
        _native._operate("COUNT", (x, 1, counts, 0), (_PLACE,) * 4)
    return counts


def _sums(x, weights, length):
    result = _native.zeros(length, np.float64)
    numbers, places = sort_rows(x, None, True)
    starts = searchsorted(numbers, arange(length + 1))
    _adding()(result, starts, _indexing._take(weights, places))
    return result


def _edges(a, bins, range, weights):
    """numpy.histogram_bin_edges on the host, which asks for nothing but the least and the greatest."""
    if isinstance(bins, str):
        raise NotImplementedError(f"numpy.histogram with bins={bins!r} is not available for GPU arrays: pass a "
                                  "number of bins or their edges")
    if weights is not None and weights.shape != a.shape:
        raise ValueError("weights should have the same shape as a.")
    bins = bins.get() if isinstance(bins, GPUArray) else bins
    if a.dtype.kind == "c":
        raise TypeError("complex numbers have no histogram: pass their parts or absolute values")
    ends = np.zeros(0, a.dtype)
    if a.size and range is None and np.ndim(bins) == 0:
        ends = np.array([f(a).get() for f in (_native.min, _native.max)], a.dtype)
    elif a.size:
        ends = np.zeros(1, a.dtype)
    return np.histogram_bin_edges(ends, bins, range)


def _prepared(a, weights):
    a = on_device(a)
    a = a.astype(np.uint8) if a.dtype == bool else a
    return a, None if weights is None else on_device(weights)


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """The edges of the bins of histogram(). Waits for the device."""
    a, weights = _prepared(a, weights)
    return _native.to_gpu(_edges(a, bins, range, weights))


def histogram(a, bins=10, range=None, density=None, weights=None):
    """(counts, edges): how many elements are in each of `bins` bins of one width from the least to the
    greatest element, or within `range`; or in bins with those edges. Each includes its lower edge, the
    last one its upper edge, too. With weights, their sums; density: divided by the width and the sum
    of all. Waits for the device. NotImplementedError: names of rules for `bins`."""
    a, weights = _prepared(a, weights)
    edges = _edges(a, bins, range, weights)
    count, flat, on_gpu = len(edges) - 1, a.ravel(), _native.to_gpu(edges)
    number = searchsorted(on_gpu[:-1], flat, "right")
    number = number * (flat <= on_gpu[-1])  # what is beyond, or NaN, joins what is below: number 0
    if weights is None:
        counts = bincount(number, None, count + 1)[1:]
    else:
        if weights.dtype.kind == "c":
            raise NotImplementedError("numpy.histogram with complex weights is not available for GPU arrays")
        counts = bincount(number, weights.ravel(), count + 1)[1:].astype(weights.dtype)
    if density:
        return counts / _native.to_gpu(np.diff(edges).astype(float)) / counts.sum(), on_gpu
    return counts.copy(), on_gpu
