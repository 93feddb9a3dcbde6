"""Functions that make GPU arrays of numbers or of other arrays: arange, concatenate, stack."""

import math
import operator

import numpy as np

from pycuda import _native


def on_device(x):
    """A GPUArray of what may be a list."""
    return x if isinstance(x, _native.GPUArray) else _native.to_gpu(np.asarray(_native._fixed(x)))


def on_device_as(x, dtype):
    """The same in that dtype. OverflowError for a number of Python's that is too large for it, as where one is assigned."""
    if isinstance(x, _native.GPUArray):
        return x.astype(dtype, copy=False)
    return _native.to_gpu(np.asarray(_native._fixed(x), dtype))


def arange(*args, dtype=None, stream=None):
    """arange([start,] stop[, step][, dtype]): numbers from start (0) below stop by step (1), as a
    GPUArray with one axis. The dtype is NumPy's for these numbers unless it is given.
    ZeroDivisionError if step is 0; TypeError for a dtype that does not count."""
    if len(args) > 1 and isinstance(args[-1], (np.dtype, type)):
        *args, dtype = args
    if not 1 <= len(args) <= 3:
        raise TypeError("arange takes start, stop and step")
    start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1)[:3]
    dtype = np.result_type(*(np.asarray(_native._fixed(x)) for x in (start, stop, step))) if dtype is None else \
        np.dtype(dtype)
    if dtype.kind not in "iufc":
        raise TypeError(f"arange: cannot count in dtype {dtype}")
    if step == 0:
        raise ZeroDivisionError("arange: step is 0")
    if np.dtype(type(stop - start)).kind in "iu" and isinstance(step, (int, np.integer)):
        count = -((int(start) - int(stop)) // int(step))
    else:
        length = (stop - start) / step
        if math.isnan(length):
            raise ValueError("arange: a NaN among start, stop and step")
        if length > 2**63:
            raise ValueError(f"arange: from {start} to {stop} by {step} are too many numbers")
        count = math.ceil(length)
    result = _native._empty(max(count, 0), dtype)
    if result.size:
        _native._operate("ARANGE", (start, step), (dtype,) * 3, result, stream)
    return result


def _arrays(arrays):
    arrays = list(arrays)
    for array in arrays:
        if not isinstance(array, _native.GPUArray):
            raise TypeError(f"expected GPUArrays, got {type(array).__name__}")
    if not arrays:
        raise ValueError("need at least one array")
    return arrays


def _new(shape, arrays, allocator, dtype, casting):
    dtype = np.result_type(*(a.dtype for a in arrays)) if dtype is None else np.dtype(dtype)
    for a in arrays:
        if not np.can_cast(a.dtype, dtype, casting):
            raise TypeError(f"cannot convert an array of {a.dtype} to {dtype} under the casting rule "
                            f"'{casting}'")
    first = arrays[0]
    if allocator or type(first) is not _native.GPUArray:
        return type(first)(shape, dtype, allocator or first.allocator)
    return _native._empty(shape, dtype, first)


def axis_of(axis, ndim):
    """The number of an axis, which may be counted from the last."""
    axis = operator.index(axis)
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(axis, ndim)
    return axis % ndim


def concatenate(arrays, axis=0, allocator=None, *, dtype=None, casting="same_kind"):
    """Arrays one after the other along an axis (None: all their elements in C order), in the dtype
    that all convert to unless one is given. Their other axes must agree, or ValueError is raised.
    TypeError: casting, one of numpy.can_cast's rules, does not allow to convert one of them.
    allocator: where the memory comes from, by default that of the first array."""
    arrays = _arrays(arrays)
    if axis is None:
        arrays, axis = [a.ravel() for a in arrays], 0
    shape = list(arrays[0].shape)
    axis = axis_of(axis, len(shape))
    shapes = [[*a.shape] for a in arrays]
    if {len(one) for one in shapes} != {len(shape)}:
        raise ValueError("arrays must have the same shape except along the axis")
    shape[axis] = sum(one[axis] for one in shapes)
    for one in shapes:
        one[axis] = shape[axis]
        if one != shape:
            raise ValueError("arrays must have the same shape except along the axis")
    return _native._join(_new(shape, arrays, allocator, dtype, casting), arrays, axis)


def stack(arrays, axis=0, allocator=None, *, dtype=None, casting="same_kind"):
    """Arrays of one shape side by side along a new axis; otherwise like concatenate()."""
    arrays = _arrays(arrays)
    first = arrays[0]
    axis = axis_of(axis, first.ndim + 1)
    if any(a.shape != first.shape for a in arrays):
        raise ValueError("arrays must have the same shape")
    shape = (*first.shape[:axis], len(arrays), *first.shape[axis:])
    return _native._join(_new(shape, arrays, allocator, dtype, casting), arrays, axis)
