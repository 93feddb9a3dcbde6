"""Searching, indexing, sorting and set functions of the standard."""

from typing import NamedTuple

import numpy as np

from pycuda import _indexing, _native, _reductions, _sets, _sorting
from pycuda._native import GPUArray
from pycuda.array_api._data_types import array

__all__ = ["argmax", "argmin", "argsort", "nonzero", "searchsorted", "sort", "take", "take_along_axis", "unique_all",
           "unique_counts", "unique_inverse", "unique_values", "where"]


def argmax(x, /, *, axis=None, keepdims=False):
    """The places of the greatest elements, the first of equals, as int64: of the elements in C order, or along an
    axis. ValueError if there is no element."""
    return _reductions.argmax(array(x, "argmax"), axis, keepdims=keepdims)


def argmin(x, /, *, axis=None, keepdims=False):
    """The places of the least elements; otherwise like argmax()."""
    return _reductions.argmin(array(x, "argmin"), axis, keepdims=keepdims)


def nonzero(x, /):
    """The places of the elements that are not zero: for each axis an array of int64. Waits for the device.
    ValueError for an array without axes."""
    return _indexing.nonzero(array(x, "nonzero"))


def where(condition, x1, x2, /):
    """Elements of x1 where the condition, an array of bool, is true, else of x2; the three are broadcast. x1 or x2 may
    be a number of Python's."""
    return _native.where(array(condition, "where"), x1, x2)


def take(x, indices, /, *, axis=None):
    """The elements of x at places along an axis, which has to be said unless there is but one. indices: an array of
    integers; below zero they count from the end. IndexError for a place that is not there."""
    if axis is None and array(x, "take").ndim != 1:
        raise ValueError(f"take: the axis must be said for an array of {x.ndim} axes")
    return _indexing.take(array(x, "take"), _places(indices, "take"), axis=0 if axis is None else axis)


def take_along_axis(x, indices, /, *, axis=-1):
    """Of each row along an axis, the elements at the places in the same row of `indices`, an array of integers of as
    many axes; the others are broadcast. It takes what argsort() gives. IndexError for a place that is not there."""
    return np.take_along_axis(array(x, "take_along_axis"), _places(indices, "take_along_axis"), axis)


def _places(indices, function):
    if array(indices, function).dtype.kind not in "iu":
        raise TypeError(f"{function}: expected indices of an integer dtype, got {indices.dtype}")
    return indices


def sort(x, /, *, axis=-1, descending=False, stable=True):
    """A copy of x sorted along an axis, with `descending` from the greatest element to the least; NaNs come last. Equal
    elements stay in their order, `stable` or not. TypeError for dtypes that are no numbers."""
    return _sorting.sort(array(x, "sort"), axis, descending=descending)


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    """Where the elements of sort() are along the axis, as int64. Equal elements stay in their order, `descending` or
    not."""
    return _sorting.argsort(array(x, "argsort"), axis, descending=descending)


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    """Before which elements of x1, sorted and of one axis, to insert those of x2 to keep it sorted, as int64: the first
    such place, or with side "right" the last. sorter: what argsort() gives of x1, if it is not sorted itself.
    ValueError for another side or number of axes."""
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: side is 'left' or 'right', got {side!r}")
    return _sets.searchsorted(array(x1, "searchsorted"), array(x2, "searchsorted"), side, sorter)


class UniqueAll(NamedTuple):
    """What unique_all() gives."""

    values: GPUArray
    indices: GPUArray
    inverse_indices: GPUArray
    counts: GPUArray


class UniqueCounts(NamedTuple):
    """What unique_counts() gives."""

    values: GPUArray
    counts: GPUArray


class UniqueInverse(NamedTuple):
    """What unique_inverse() gives."""

    values: GPUArray
    inverse_indices: GPUArray


def unique_all(x, /):
    """The unique elements of x in ascending order, where each comes first, where to find each element of x among them,
    in the shape of x, and how often each is there: a tuple (values, indices, inverse_indices, counts). Every NaN is
    one of its own. Waits for the device."""
    values, places, inverse, counts = _sets.unique(array(x, "unique_all"), True, True, True, equal_nan=False)
    return UniqueAll(values, places, inverse.reshape(x.shape), counts)


def unique_counts(x, /):
    """The unique elements of x and how often each is there: a tuple (values, counts). Otherwise like unique_all()."""
    return UniqueCounts(*_sets.unique(array(x, "unique_counts"), return_counts=True, equal_nan=False))


def unique_inverse(x, /):
    """The unique elements of x and where to find each element of x among them: a tuple (values, inverse_indices).
    Otherwise like unique_all()."""
    values, inverse = _sets.unique(array(x, "unique_inverse"), return_inverse=True, equal_nan=False)
    return UniqueInverse(values, inverse.reshape(x.shape))


def unique_values(x, /):
    """The unique elements of x in ascending order; every NaN is one of its own. Waits for the device."""
    return _sets.unique(array(x, "unique_values"), equal_nan=False)
