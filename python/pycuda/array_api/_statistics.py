"""Statistical and utility functions of the standard: reductions and running sums along axes."""

from pycuda import _creation, _differences, _native, _reductions
from pycuda._creation import axis_of
from pycuda.array_api._data_types import array

__all__ = ["all", "any", "count_nonzero", "cumulative_prod", "cumulative_sum", "diff", "max", "mean", "min", "prod",
           "std", "sum", "var"]


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    """The sums of all elements, along an axis or along a tuple of axes, which stay with length one if `keepdims`.
    dtype: by default that of x, but int64 or uint64 of integers and booleans. Of no elements 0."""
    return _reductions.sum(array(x, "sum"), dtype, axis=axis, keepdims=keepdims)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    """The products of elements; of no elements 1. Otherwise like sum()."""
    return _reductions.prod(array(x, "prod"), dtype, axis=axis, keepdims=keepdims)


def max(x, /, *, axis=None, keepdims=False):
    """The greatest elements, of all or along axes; NaN where there is one. ValueError if there is no element."""
    return _reductions.max(array(x, "max"), axis=axis, keepdims=keepdims)


def min(x, /, *, axis=None, keepdims=False):
    """The least elements, of all or along axes; NaN where there is one. ValueError if there is no element."""
    return _reductions.min(array(x, "min"), axis=axis, keepdims=keepdims)


def mean(x, /, *, axis=None, keepdims=False):
    """The means of elements, of all or along axes, in the dtype of x; of integers in float64. Of no elements NaN."""
    return _reductions.mean(array(x, "mean"), axis, keepdims=keepdims)


def var(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The variances of elements, of all or along axes: the mean of the squares of their distances from their mean,
    with a divisor of their number less `correction`. Dtypes as of mean()."""
    return _reductions.var(array(x, "var"), axis, ddof=correction, keepdims=keepdims)


def std(x, /, *, axis=None, correction=0.0, keepdims=False):
    """The standard deviations of elements: the square roots of var()."""
    return _reductions.std(array(x, "std"), axis, ddof=correction, keepdims=keepdims)


def all(x, /, *, axis=None, keepdims=False):
    """Whether all elements are true, of all or along axes, as bool; of no elements True."""
    return _reductions.all(array(x, "all"), axis=axis, keepdims=keepdims)


def any(x, /, *, axis=None, keepdims=False):
    """Whether an element is true, of all or along axes, as bool; of no elements False."""
    return _reductions.any(array(x, "any"), axis=axis, keepdims=keepdims)


def count_nonzero(x, /, *, axis=None, keepdims=False):
    """How many elements are not zero, of all or along axes, as int64."""
    return _reductions.sum(array(x, "count_nonzero").astype(bool, copy=False), axis=axis, keepdims=keepdims)


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    """The differences of neighbours along an axis, and of those, `n` times in all. prepend, append: arrays to put in
    front and behind first. ValueError if n is negative."""
    axis = axis_of(axis, array(x, "diff").ndim)
    if n < 0:
        raise ValueError(f"diff: n must not be negative, got {n}")
    parts = [array(part, "diff") for part in (prepend, x, append) if part is not None]
    if n == 0:
        return x
    return _differences.diff(_creation.concatenate(parts, axis) if len(parts) > 1 else x, n, axis)


def _accumulated(ufunc, first, x, axis, dtype, include_initial):
    if axis is None and x.ndim != 1:
        raise ValueError(f"the axis must be said for an array of {x.ndim} axes")
    axis = axis_of(0 if axis is None else axis, x.ndim)
    result = _reductions.accumulate(ufunc, x, axis, dtype)
    if not include_initial:
        return result
    shape = [1 if i == axis else n for i, n in enumerate(x.shape)]
    return _creation.concatenate([_native.full(shape, first, result.dtype), result], axis)


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    """The sums of each element and those before it along an axis, which has to be said unless there is but one; with
    a 0 in front if `include_initial`. dtype: as of sum(). ValueError for an array without axes."""
    return _accumulated("add", 0, array(x, "cumulative_sum"), axis, dtype, include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    """The products of each element and those before it, with a 1 in front if `include_initial`. Otherwise like
    cumulative_sum()."""
    return _accumulated("multiply", 1, array(x, "cumulative_prod"), axis, dtype, include_initial)
