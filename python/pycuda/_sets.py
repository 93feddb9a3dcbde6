"""Places in sorted arrays, and arrays as sets: searchsorted, digitize, unique, isin, intersect1d and the
like, under NumPy's names and with its parameters. All sort, and search by bisection."""

import math

import numpy as np

from pycuda import _indexing, _native
from pycuda._creation import arange, axis_of, concatenate, on_device
from pycuda._native import GPUArray
from pycuda._reductions import axes_of
from pycuda._sorting import expect_numbers, sort_rows

_PLACE = np.dtype(np.int64)
_KEEPS_SHAPE = int(np.__version__.split(".")[0]) >= 2  # of unique's inverse


def _expect_line(a, what):
    if a.ndim != 1:
        raise ValueError(f"{what} must be an array of one axis, got shape {a.shape}")


def searchsorted(a, v, side="left", sorter=None):
    """Before which elements of the sorted array `a` to insert those of `v` to keep it sorted, as int64: the
    first such place, or with side "right" the last."""
    if side not in ("left", "right", "l", "r"):
        raise ValueError(f"search side must be 'left' or 'right' (got {side!r})")
    a, v = on_device(a), on_device(v)
    _expect_line(a, "searchsorted: a")
    expect_numbers(a)
    expect_numbers(v)
    if sorter is not None:
        sorter = on_device(sorter)
        if sorter.dtype.kind not in "iu":
            raise TypeError(f"sorter must only contain integers, got dtype {sorter.dtype}")
        if sorter.shape != a.shape:
            raise ValueError(f"sorter must have as many elements as a, got shapes {sorter.shape} and {a.shape}")
        a = _indexing.take(a, sorter)
    dtype = np.result_type(a.dtype, v.dtype)
    a = a.astype(dtype, copy=False)
    a = a if a.flags.c_contiguous else a.copy()
    if a.size == 0:
        return _native.zeros(v.shape, _PLACE)
    places = _native._search(a, v, side[0] == "r")
    if places is not None:
        return places
    name = "SEARCH_LEFT" if side[0] == "l" else "SEARCH_RIGHT"
    return _native._operate(name, (v, a, a.size), (_PLACE, dtype, dtype, _PLACE))


def digitize(x, bins, right=False):
    """The number of the bin that each element is in, as int64: bins[i - 1] <= x < bins[i], or with `right`
    bins[i - 1] < x <= bins[i]; of falling bins bins[i - 1] > x >= bins[i], or bins[i - 1] >= x > bins[i]. Waits for the device."""
    edges = bins.get() if isinstance(bins, GPUArray) else np.asarray(_native._fixed(bins))
    x = on_device(x)
    if edges.ndim != 1:
        raise ValueError(f"bins must be an array of one axis, got shape {edges.shape}")
    if x.dtype.kind == "c":
        raise TypeError("x may not be complex")
    side = "left" if right else "right"
    if (edges[1:] >= edges[:-1]).all():
        return searchsorted(bins, x, side)
    if (edges[1:] <= edges[:-1]).all():
        return len(edges) - searchsorted(edges[::-1].copy(), x, side)
    raise ValueError("bins must be monotonically increasing or decreasing")


def _mark_firsts(values, equal_nan):
    """Of sorted elements: whether they differ from the one before, as the first one does."""
    result, dtype = _native._empty(values.size, bool), values.dtype
    if values.size:
        result[:1] = True
        _native._operate("DIFFERS" if equal_nan else "NOT_EQUAL", (values[1:], values[:-1]), (bool, dtype, dtype), result[1:])
    return result


def _unique(flat, has_places, equal_nan):
    """(sorted elements, where they were, whether they are the first of their kind, where those are)"""
    values, places = sort_rows(flat, None, has_places)
    is_first = _mark_firsts(values, equal_nan)
    return values, places, is_first, _indexing.nonzero_places(is_first)


def _taken(array, places):
    return _indexing._take(array, places) if places.size else _native._empty(0, array.dtype)


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True,
           sorted=True):
    """The sorted unique elements; besides, where each comes first, where to find each element of `ar`
    among them, and how often each is there; with an axis, of the slices along it, as a sort by their first
    elements, then by the second and so on has them. Waits for the device."""
    expect_numbers(ar)
    if axis is not None:
        axis = axis_of(axis, ar.ndim)
        if ar.ndim != 1:
            return _unique_slices(ar, axis, return_index, return_inverse, return_counts)
    values, places, is_first, starts = _unique(ar.ravel(), return_index or return_inverse, equal_nan)
    result = [_taken(values, starts)]
    if return_index:
        result.append(_taken(places, starts))
    if return_inverse:
        inverse = _native._empty(values.size, _PLACE)
        if values.size:
            _indexing._put(inverse, places, is_first.cumsum() - 1)
        result.append(inverse.reshape(ar.shape) if _KEEPS_SHAPE else inverse)
    if return_counts:
        counts = _native._empty(starts.size, _PLACE)
        counts[:-1] = starts[1:] - starts[:-1]
        counts[-1:] = values.size - starts[-1:]
        result.append(counts)
    return tuple(result) if len(result) > 1 else result[0]


def _unique_slices(ar, axis, return_index, return_inverse, return_counts):
    """unique() of the slices along an axis: a stable sort by each of their elements, the last first. NaNs differ."""
    n = ar.shape[axis]
    width = math.prod(ar.shape[:axis] + ar.shape[axis + 1:])
    rows = np.moveaxis(ar, axis, 0).reshape(n, width)
    order = arange(n)
    for k in range(width - 1, -1, -1):
        column = _taken(rows[:, k].copy(), order)
        order = _taken(order, sort_rows(column, None, True)[1])
    ordered = _indexing.take(rows, order, axis=0)
    is_first = _native.full(n, True, bool)
    if n:
        is_first[1:] = np.any(ordered[1:] != ordered[:-1], axis=1) if width else False
    starts = _indexing.nonzero_places(is_first)
    firsts = _taken(order, starts)
    result = [_indexing.take(ar, firsts, axis=axis)]
    if return_index:
        result.append(firsts)
    if return_inverse:
        inverse = _native._empty(n, _PLACE)
        if n:
            _indexing._put(inverse, order, is_first.cumsum() - 1)
        result.append(inverse)
    if return_counts:
        counts = _native._empty(starts.size, _PLACE)
        counts[:-1] = starts[1:] - starts[:-1]
        counts[-1:] = n - starts[-1:]
        result.append(counts)
    return tuple(result) if len(result) > 1 else result[0]


def _common(*arrays):
    """Those arrays on the device as lines of one dtype."""
    arrays = [on_device(a) for a in arrays]
    dtype = np.result_type(*(a.dtype for a in arrays))
    return [a.ravel().astype(dtype, copy=False) for a in arrays]


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    """Whether each element of `element` is among `test_elements`, in the shape of `element`. NaN is in
    nothing. `assume_unique` and `kind` make no difference."""
    if kind not in (None, "sort", "table"):
        raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    element, test = on_device(element), on_device(test_elements)
    dtypes = element.dtype, test.dtype
    if kind == "table" and not all(dtype.kind in "biu" for dtype in dtypes):
        raise ValueError("The 'table' method is only supported for boolean or integer arrays. Please select 'sort' or None "
                         "for kind.")
    if np.result_type(*dtypes).kind == "f" and {dtype.kind for dtype in dtypes} == {"i", "u"}:
        return _isin_of_other_sign(element, test, invert)
    flat, test = _common(element, test)
    if test.size == 0:
        return _native.full(element.shape, bool(invert), bool)
    test = sort_rows(test)[0]
    at = _native.minimum(searchsorted(test, flat), test.size - 1)
    found = _taken(test, at) == flat
    return (~found if invert else found).reshape(element.shape)


def _isin_of_other_sign(element, test, invert):
    """isin() of uint64 and signed integers, whose common dtype, float64, does not tell neighbours apart."""
    is_signed = element.dtype.kind == "i"
    if not is_signed:
        test = test.ravel()[test.ravel() >= 0]
    found = isin(element.astype(np.uint64), test.astype(np.uint64))
    if is_signed:
        found &= element >= 0
    return ~found if invert else found


def in1d(ar1, ar2, assume_unique=False, invert=False, *, kind=None):
    """isin() of all elements in C order."""
    return isin(on_device(ar1).ravel(), ar2, assume_unique, invert, kind=kind)


def _uniques(arrays, assume_unique, **wanted):
    if assume_unique:
        return arrays
    return [unique(a, **wanted) for a in arrays]


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    """The sorted unique elements of both arrays; besides, where each comes first in the one and in the
    other. Waits for the device."""
    lines, indices = _common(ar1, ar2), None
    if not assume_unique:
        if return_indices:
            pairs = [unique(a, return_index=True) for a in lines]
            lines, indices = [values for values, _ in pairs], [places for _, places in pairs]
        else:
            lines = [unique(a) for a in lines]
    values, places = sort_rows(concatenate(lines), None, True)
    at = _indexing.nonzero_places(values[1:] == values[:-1]) if values.size else arange(0)
    result = _taken(values, at)
    if not return_indices:
        return result
    first, second = _taken(places, at), _taken(places, at + 1) - lines[0].size
    if indices is not None:
        first, second = _taken(indices[0], first), _taken(indices[1], second)
    return result, first, second


def union1d(ar1, ar2):
    """The sorted unique elements of both arrays together. Waits for the device."""
    return unique(concatenate(_common(ar1, ar2)))


def setdiff1d(ar1, ar2, assume_unique=False):
    """The unique elements of `ar1` that are not in `ar2`: sorted, or in their order if all are unique.
    Waits for the device."""
    ar1 = on_device(ar1)
    line, = _uniques([ar1.ravel()], assume_unique)
    return _taken(line, _indexing.nonzero_places(isin(line, ar2, invert=True)))


def setxor1d(ar1, ar2, assume_unique=False):
    """The sorted unique elements of one of the arrays that are not in the other. Waits for the device."""
    values = sort_rows(concatenate(_uniques(_common(ar1, ar2), assume_unique)))[0]
    if values.size == 0:
        return values
    is_alone = _native.full(values.size, True, bool)
    differs = values[1:] != values[:-1]
    is_alone[1:] = differs
    is_alone[:-1] = is_alone[:-1] & differs
    return _taken(values, _indexing.nonzero_places(is_alone))


def trim_zeros(filt, trim="fb", axis=None):
    """A view without what is zero at the front ("f" in trim), the back ("b") or both ends of all axes, or of some.
    Waits for the device."""
    if set(trim.lower()) - {"f", "b"}:
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    axes, trim, cut = axes_of(axis, filt.ndim), trim.lower(), []
    for i, n in enumerate(filt.shape):
        others = tuple(k for k in range(filt.ndim) if k != i)
        if i not in axes:
            cut.append(slice(None))
            continue
        places = _indexing.nonzero_places(np.any(filt.astype(bool), axis=others) if others else filt.astype(bool))
        if not places.size:
            cut.append(slice(n, n) if trim == "f" else slice(0, 0))
            continue
        cut.append(slice(int(places[0].get()) if "f" in trim else 0, int(places[-1].get()) + 1 if "b" in trim else n))
    return filt[tuple(cut)]
