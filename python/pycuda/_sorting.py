"""Sorting GPU arrays, in NumPy's order and stably: sort, argsort, lexsort; partition is a sort, too. The kernels, a radix sort for each
dtype, sort the rows of an array in C order (``_native._sort_rows``); here other axes and layouts
become such rows."""

import numpy as np

from pycuda import _native
from pycuda._creation import axis_of

_KINDS = ("quicksort", "mergesort", "heapsort", "stable")


def _checked(a, kind, order, *keywords):
    """Complains of what cannot be sorted so. The kind makes no difference."""
    if kind is not None and any(keyword is not None for keyword in keywords):
        raise ValueError("`kind` and keyword parameters can't be provided at the same time. Use only one "
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


def sort_rows(a, values=None, has_places=False, descending=False):
    """(values, places) of an array's rows, along the last axis, as new arrays in C order unless `values`
    is given; places: None unless they are asked for."""
    a = a if a.flags.c_contiguous else a.copy(order="C")
    values = _native._empty(a.shape, a.dtype) if values is None else values
    places = _native._empty(a.shape, np.int64) if has_places else None
    _native._sort_rows(a, values, places, None, bool(descending))
    return values, places


def _unrowed(rows, axis):
    """Rows with their axis put where it was."""
    last = rows.ndim - 1
    return rows if axis == last else rows.transpose([*range(axis), last, *range(axis, last)])


def _rows(a, axis):
    """The array with an axis put last."""
    return a.transpose([*(i for i in range(a.ndim) if i != axis), axis])


def sort(a, axis=-1, kind=None, order=None, *, stable=None, descending=None):
    """A sorted copy of an array, along an axis or, if it is None, of all elements in C order; with `descending`
    from the greatest element to the least. NaNs come last either way; equal elements stay in their order,
    0.0 and -0.0 among them, whatever `kind`. Complex numbers are sorted by real part, then by imaginary part.
    TypeError for structs and other dtypes that are no numbers; ValueError for `kind` beside `stable` or
    `descending`. CUDA: kernels of its own, a radix sort; of short rows on a GPU a bitonic one."""
    _checked(a, kind, order, stable, descending)
    if axis is None:
        a, axis = a.ravel(), 0
    axis = axis_of(axis, a.ndim)
    sorted_ = _unrowed(sort_rows(_rows(a, axis), descending=descending)[0], axis)
    result = _native.empty_like(a)
    if sorted_.strides == result.strides:
        return sorted_
    result[...] = sorted_
    return result


def argsort(a, axis=-1, kind=None, order=None, *, stable=None, descending=None):
    """Where the elements of sort() are along the axis, as int64: numpy.take_along_axis(a, argsort(a), -1) is
    sorted. The arguments are those of sort()."""
    _checked(a, kind, order, stable, descending)
    if axis is None or a.ndim == 0 and axis in (0, -1):
        a, axis = a.ravel(), 0
    axis = axis_of(axis, a.ndim)
    places = _unrowed(sort_rows(_rows(a, axis), None, True, descending)[1], axis)
    return places if places.flags.c_contiguous else places.copy(order="C")


def sort_in_place(self, axis=-1, kind=None, order=None, *, stable=None, descending=None):
    """Sorts the array itself along an axis; otherwise like numpy.sort, which makes a copy."""
    _checked(self, kind, order, stable, descending)
    axis = axis_of(axis, self.ndim)
    rows = _rows(self, axis)
    if rows.flags.c_contiguous:
        sort_rows(rows, rows, descending=descending)
    else:
        rows[...] = sort_rows(rows, descending=descending)[0]


# -- What is made of sorts -------------------------------------------------------------------------


def _check_kth(a, kth, axis, kind):
    """Complains of places that are not there; the array whose elements they count, and the axis."""
    if kind != "introselect":
        raise ValueError(f"select kind must be 'introselect' (got {kind!r})")
    if axis is None:
        a, axis = a.ravel(), 0
    length = a.shape[axis_of(axis, a.ndim)]
    kth = np.asarray(_native._fixed(kth))
    if kth.dtype.kind not in "iu":
        raise TypeError(f"Partition index must be integer, got dtype {kth.dtype}")
    for k in kth.ravel() if a.size else ():
        if not -length <= k < length:
            raise ValueError(f"kth(={k}) out of bounds ({length})")
    return a, axis


def partition(a, kth, axis=-1, kind="introselect", order=None, *, descending=None):
    """A copy with the elements number `kth` of the sorted axis in their places, those that are not greater, or with
    `descending` not smaller, before and the others behind them: sort(), in fact."""
    a, axis = _check_kth(a, kth, axis, kind)
    return sort(a, axis, order=order, descending=descending)


def argpartition(a, kth, axis=-1, kind="introselect", order=None, *, descending=None):
    """Where the elements of partition() are along the axis: argsort(), in fact."""
    a, axis = _check_kth(a if a.ndim else a.ravel(), kth, axis, kind)
    return argsort(a, axis, order=order, descending=descending)


def partition_in_place(self, kth, axis=-1, kind="introselect", order=None, *, descending=None):
    """Partitions the array itself: sort(), in fact. ValueError for a place that is not there."""
    _check_kth(self, kth, axis, kind)
    sort_in_place(self, axis, order=order, descending=descending)


def lexsort(keys, axis=-1):
    """The places that sort by the last of the keys, equal ones by the last but one, and so on, as int64. keys:
    a tuple of arrays of one shape, or an array of them."""
    keys = list(keys)
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if any(key.shape != keys[0].shape for key in keys):
        raise ValueError("all keys need to be the same shape")
    if keys[0].ndim == 0:
        axis_of(axis, 1)
        return _native.zeros((), np.int64)
    places = argsort(keys[0], axis)
    for key in keys[1:]:
        order = argsort(np.take_along_axis(key, places, axis), axis)
        places = np.take_along_axis(places, order, axis)
    return places


def sort_complex(a):
    """sort() of an array along its last axis, as complex numbers: of 64 bits where the array's are integers
    of up to 16, else of 128, unless they are complex."""
    result = sort(a)
    if result.dtype.kind == "c":
        return result
    return result.astype(np.complex64 if result.dtype.char in "bhBH" else np.complex128)
