"""Sorting GPU arrays, in NumPy's order and stably: sort, argsort. The kernels, a radix sort for each
dtype, sort the rows of an array in C order (``_native._sort_rows``); here other axes and layouts
become such rows."""

import numpy as np

from pycuda import _native
from pycuda._creation import axis_of

_KINDS = ("quicksort", "mergesort", "heapsort", "stable")


def _checked(a, kind, order, stable):
    """Complains of what cannot be sorted so. The kind makes no difference."""
    if kind is not None and stable is not None:
        raise ValueError("`kind` and `stable` parameters can't be provided at the same time. Use only one "
                         "of them.")
    if kind is not None and not (kind and any(name.startswith(kind.lower()) for name in _KINDS)):
        raise ValueError(f"sort kind must be one of {', '.join(map(repr, _KINDS))} (got {kind!r})")
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields: structs are not sorted on the "
                         "device")
    expect_numbers(a)


def expect_numbers(a):
    if a.dtype.kind not in "biufc" and a.dtype.name != "bfloat16" or not a.dtype.isnative:
        raise TypeError(f"cannot sort elements of dtype {a.dtype}: numbers and bool are sorted. A field of "
                        "structs is an array, too: x['name'].argsort(); .get() copies an array to the host")


def sort_rows(a, values=None, has_places=False):
    """(values, places) of an array's rows, along the last axis, as new arrays in C order unless `values`
    is given; places: None unless they are asked for."""
    a = a if a.flags.c_contiguous else a.copy(order="C")
    values = _native.GPUArray(a.shape, a.dtype) if values is None else values
    places = _native.GPUArray(a.shape, np.int64) if has_places else None
    _native._sort_rows(a, values, places)
    return values, places


def _unrowed(rows, axis):
    """Rows with their axis put where it was."""
    last = rows.ndim - 1
    return rows if axis == last else rows.transpose([*range(axis), last, *range(axis, last)])


def _rows(a, axis):
    """The array with an axis put last."""
    return a.transpose([*(i for i in range(a.ndim) if i != axis), axis])


def sort(a, axis=-1, kind=None, order=None, *, stable=None):
    """A sorted copy of an array, along an axis or, if it is None, of all elements in C order. NaNs come
    last; equal elements stay in their order, 0.0 and -0.0 among them, whatever `kind`. Complex numbers
    are sorted by real part, then by imaginary part. TypeError for structs and other dtypes that are no
    numbers. CUDA: kernels of its own, a radix sort."""
    _checked(a, kind, order, stable)
    if axis is None:
        a, axis = a.ravel(), 0
    axis = axis_of(axis, a.ndim)
    sorted_ = _unrowed(sort_rows(_rows(a, axis))[0], axis)
    result = _native.empty_like(a)
    if sorted_.strides == result.strides:
        return sorted_
    result[...] = sorted_
    return result


def argsort(a, axis=-1, kind=None, order=None, *, stable=None):
    """Where the elements of sort() are along the axis, as int64: numpy.take_along_axis(a, argsort(a), -1) is
    sorted. The arguments are those of sort()."""
    _checked(a, kind, order, stable)
    if axis is None or a.ndim == 0 and axis in (0, -1):
        a, axis = a.ravel(), 0
    axis = axis_of(axis, a.ndim)
    places = _unrowed(sort_rows(_rows(a, axis), None, True)[1], axis)
    return places if places.flags.c_contiguous else places.copy(order="C")


def sort_in_place(self, axis=-1, kind=None, order=None, *, stable=None):
    """Sorts the array itself along an axis; otherwise like numpy.sort, which makes a copy."""
    _checked(self, kind, order, stable)
    axis = axis_of(axis, self.ndim)
    rows = _rows(self, axis)
    if rows.flags.c_contiguous:
        sort_rows(rows, rows)
    else:
        rows[...] = sort_rows(rows)[0]
