"""How often values are there: bincount, histogram, histogramdd and the like, under NumPy's names and with its
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
MOST_BINS = 2048  # that blocks count in shared memory: KN_MOST_BINS


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
    if x.dtype != np.uint64 and not np.can_cast(x.dtype, _PLACE, "safe") and x.size:
        raise TypeError(f"Cannot cast array data from {x.dtype!r} to {_PLACE!r} according to the rule 'safe'")
    if weights is not None:
        weights = on_device(weights)
        if weights.shape != x.shape:
            raise ValueError("The weights and list don't have the same length.")
        if not np.can_cast(weights.dtype, np.float64, "safe"):
            raise TypeError(f"Cannot cast array data from {weights.dtype!r} to dtype('float64') according to the "
                            "rule 'safe'")
    if x.size:
        low, high = _indexing.extremes(x)
        if low < 0:
            raise ValueError(f"bincount: elements must not be negative, there is {low}")
        if high >= 1 << 63:  # of uint64
            raise ValueError(f"bincount: {high} is too large to count up to")
        minlength = max(minlength, high + 1)
    if weights is not None and x.size:  # of nothing NumPy gives integers
        return _sums(x, weights.astype(np.float64), minlength)
    counts = _native.zeros(minlength, _PLACE)
    if x.size and minlength <= MOST_BINS:
        _native._count_bins(x.ravel("K"), None, False, counts)
    elif x.size:
        _native._operate("COUNT", (x, 1, counts, 0), (_PLACE,) * 4)
    return counts


def count_between(x, edges, on_gpu):
    """How many elements of real numbers are in each bin between edges, up to MOST_BINS + 1 of them in ascending order,
    on the host and on the device: int64. Each bin includes its lower edge, the last one its upper edge, too."""
    counts = _native.zeros(len(edges) - 1, _PLACE)
    compared = np.result_type(x.dtype, edges.dtype)
    compared = np.dtype(np.float32) if compared == np.float16 else compared
    with np.errstate(all="ignore"):
        widths = np.diff(edges.astype(float))
        real = edges.astype(compared if compared == np.float32 else float)  # in which the kernel divides
        is_even = bool(np.isfinite(real[-1] - real[0]) and widths.min() > 0 and widths.max() <= 1.5 * widths.min())
    _native._count_bins(x.ravel("K"), on_gpu.astype(compared, copy=False), is_even, counts)
    return counts


def _sums(x, weights, length):
    result = _native.zeros(length, np.float64)
    numbers, places = sort_rows(x, None, True)
    starts = searchsorted(numbers, arange(length + 1))
    _adding()(result, starts, _indexing._take(weights, places))
    return result


def _edges(a, bins, range, weights):
    """numpy.histogram_bin_edges on the host, which asks for nothing but the least and the greatest."""
    if isinstance(bins, str) and weights is not None:
        raise TypeError("Automated estimation of the number of bins is not supported for weighted data")
    if weights is not None and weights.shape != a.shape:
        raise ValueError("weights should have the same shape as a.")
    bins = bins.get() if isinstance(bins, GPUArray) else bins
    if a.dtype.kind == "c":
        raise TypeError("complex numbers have no histogram: pass their parts or absolute values")
    ends = np.zeros(0, a.dtype)
    if isinstance(bins, str):
        bins = _bins_by(bins, a, range)
    if a.size and range is None and np.ndim(bins) == 0:
        ends = np.array([f(a).get() for f in (_native.min, _native.max)], a.dtype)
    elif a.size:
        ends = np.zeros(1, a.dtype)
    return np.histogram_bin_edges(ends, bins, range)


def _bins_by(rule, a, range):
    from pycuda._bin_rules import bins_by

    first, last = (float(end) for end in range) if range is not None else \
        (float(f(a).get()) for f in (_native.min, _native.max)) if a.size else (0.0, 1.0)
    if first == last:
        first, last = first - 0.5, last + 0.5
    return bins_by(rule, a, first, last, range is not None)


def _prepared(a, weights):
    a = on_device(a)
    a = a.astype(np.uint8) if a.dtype == bool else a
    return a, None if weights is None else on_device(weights)


def _weighted(numbers, weights, length):
    """The sums of the weights that have each number, in the weights' dtype."""
    if weights.dtype.kind != "c":
        return bincount(numbers, weights, length).astype(weights.dtype)
    result = _native._empty(length, weights.dtype)
    result.real, result.imag = (bincount(numbers, part, length) for part in (weights.real, weights.imag))
    return result


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """The edges of the bins of histogram(). Waits for the device."""
    a, weights = _prepared(a, weights)
    return _native.to_gpu(_edges(a, bins, range, weights))


def histogram(a, bins=10, range=None, density=None, weights=None):
    """(counts, edges): how many elements are in each of `bins` bins of one width from the least to the
    greatest element, or within `range`; or in bins with those edges. Each includes its lower edge, the
    last one its upper edge, too. With weights, their sums; density: divided by the width and the sum
    of all. bins: also the name of a rule, which makes as many as fit the elements. Waits for the device."""
    a, weights = _prepared(a, weights)
    edges = _edges(a, bins, range, weights)
    count, on_gpu = max(len(edges) - 1, 0), _native.to_gpu(edges)
    if weights is None and 0 < count <= MOST_BINS and a.dtype.kind in "biuf" and edges.dtype.kind in "biuf":
        return _histogram(count_between(a, edges, on_gpu), edges, on_gpu, density)
    flat = a.ravel()
    number = searchsorted(on_gpu[:-1], flat, "right")
    number = number * (flat <= on_gpu[-1]) if count else number  # what is beyond, or NaN, joins what is below: number 0
    if weights is None:
        counts = bincount(number, None, count + 1)[1:]
    else:
        counts = _weighted(number, weights.ravel(), count + 1)[1:]
    return _histogram(counts.copy(), edges, on_gpu, density)


def _histogram(counts, edges, on_gpu, density):
    if density:
        counts = counts / _native.to_gpu(np.diff(edges).astype(float)) / counts.sum()
    return counts, on_gpu


# -- Of several coordinates ------------------------------------------------------------------------


def _coordinates(sample):
    """The coordinates of points, an array each: of the columns of a matrix, or of a sequence of arrays."""
    if isinstance(sample, GPUArray) or not isinstance(sample, (list, tuple)):
        sample = on_device(sample)
        if sample.ndim == 1:
            return [sample]
        if sample.ndim != 2:
            raise ValueError("The dimension of sample must be two: points, and their coordinates")
        return [sample[:, i] for i in _range(sample.shape[1])]
    columns = [on_device(one) for one in sample]
    if any(one.shape != columns[0].shape or one.ndim != 1 for one in columns):
        raise ValueError("histogramdd: the coordinates have to be arrays of one axis and one length")
    return columns


_range = range


def _axis_edges(x, bins, limits, number, dtype):
    """The edges of the bins along one axis, on the host; between the ends of the coordinates in their common dtype."""
    number_of = dtype.type if dtype.kind == "f" else float
    if not hasattr(bins, "__len__"):
        if bins < 1:
            raise ValueError(f"`bins[{number}]` must be positive, when an integer")
        first, last = limits if limits is not None else \
            [number_of(f(x).get()) for f in (_native.min, _native.max)] if x.size else (0.0, 1.0)
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"autodetected range of [{first}, {last}] is not finite")
        if first == last:
            first, last = first - 0.5, last + 0.5
        return np.linspace(first, last, operator.index(bins) + 1)
    edges = bins.get() if isinstance(bins, GPUArray) else np.asarray(bins)
    if edges.ndim != 1:
        raise ValueError(f"`bins[{number}]` must be a scalar or 1d array")
    if (edges[:-1] > edges[1:]).any():
        raise ValueError(f"`bins[{number}]` must be monotonically increasing, when an array")
    return edges


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    """(counts, edges): how many points are in each cell of a grid, an axis for each coordinate. sample: a matrix with a
    point in each row, or a sequence of arrays of coordinates. bins: how many along each axis, or their edges, for all
    axes or a sequence with one for each. range: for each axis the ends, or None. edges: a list of arrays. Waits for
    the device."""
    columns = _coordinates(sample)
    count = len(columns)
    if not hasattr(bins, "__len__"):
        bins = [bins] * count
    elif len(bins) != count:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    range = [None] * count if range is None else list(range)
    if len(range) != count:
        raise ValueError("range argument must have one entry per dimension")
    dtype = np.result_type(*(x.dtype for x in columns))
    edges = [_axis_edges(*given, dtype) for given in zip(columns, bins, range, _range(count), strict=True)]
    lengths = [len(one) - 1 for one in edges]
    numbers, is_inside = None, None
    for x, own, length in zip(columns, edges, lengths, strict=True):
        on_gpu = _native.to_gpu(own)
        number = searchsorted(on_gpu[:-1], x, "right") - 1
        fits = (number >= 0) & (x <= on_gpu[-1])
        is_inside = fits if is_inside is None else is_inside & fits
        numbers = number if numbers is None else numbers * length + number
    total = int(np.prod(lengths))
    numbers = _native.where(is_inside, numbers, total)  # one more for what is beyond
    if weights is None:
        counts = bincount(numbers, None, total + 1)[:total].astype(np.float64)
    else:
        weights = on_device(weights)
        if weights.shape != columns[0].shape:
            raise ValueError("The weights and list don't have the same length.")
        counts = _weighted(numbers, weights.astype(np.complex128 if weights.dtype.kind == "c" else np.float64),
                           total + 1)[:total]
    counts = counts.reshape(lengths)
    if density:
        whole = counts.sum()
        for axis, own in enumerate(edges):
            counts = counts / _native.to_gpu(np.diff(own)).reshape([-1 if i == axis else 1 for i in _range(count)])
        counts = counts / whole
    return counts.copy(), [_native.to_gpu(own) for own in edges]


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """(counts, x edges, y edges): histogramdd() of points (x, y). bins: also one array of edges for both axes."""
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    if hasattr(bins, "__len__") and len(bins) not in (1, 2):
        bins = [bins, bins]
    counts, edges = histogramdd([x, y], bins, range, density, weights)
    return counts, *edges
