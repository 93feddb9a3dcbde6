"""Places of elements as arrays of integers: ravel_multi_index, unravel_index, ix_, the indices of diagonals and
triangles, and what is written there (fill_diagonal, put_along_axis), under NumPy's names and with its
parameters."""

import math

import numpy as np

from pycuda import _indexing
from pycuda._creation import arange, axis_of, on_device, on_device_as


def _expect_integers(places, what):
    if places.dtype.kind not in "iu":
        raise TypeError(f"only int indices permitted, got {what} of dtype {places.dtype}")
    return places.astype(np.int64)


def _dims(dims):
    return tuple(int(n) for n in (dims if np.iterable(dims) else (dims,)))


def _strides(dims, order):
    if order not in ("C", "F"):
        raise ValueError("only 'C' or 'F' order is permitted")
    steps = [math.prod(dims[i + 1:]) if order == "C" else math.prod(dims[:i]) for i in range(len(dims))]
    return steps


def _modes(mode, count):
    modes = (mode,) * count if isinstance(mode, str) else tuple(mode)
    if any(one not in ("raise", "wrap", "clip") for one in modes):
        raise TypeError(f"clipmode not understood: {mode!r}")
    if len(modes) != count:
        raise TypeError("wrong number of modes")
    return modes


def _inside(places, length):
    low, high = _indexing.extremes(places) if places.size else (0, -1)
    return 0 <= low and high < length


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    """The places in an array of shape `dims`, its elements counted in C order (or "F"), of what the arrays of
    `multi_index`, one for each axis, name. mode: "raise" (ValueError, and waits for the device), "wrap" or "clip"
    for what is not there; one for each axis, if there are several."""
    dims = _dims(dims)
    parts = [_expect_integers(on_device(one), "multi_index") for one in multi_index]
    if len(parts) != len(dims):
        raise ValueError(f"parameter multi_index must be a sequence of length {len(dims)}")
    result = None
    for part, n, step, how in zip(parts, dims, _strides(dims, order), _modes(mode, len(dims)), strict=True):
        if how == "wrap":
            part = part % n
        elif how == "clip":
            part = np.clip(part, 0, n - 1)
        elif not _inside(part, n):
            raise ValueError("invalid entry in coordinates array")
        result = part * step if result is None else result + part * step
    return result


def unravel_index(indices, shape, order="C"):
    """For each axis of an array of that shape, the places along it of the elements `indices`, which are counted in C
    order (or "F"). ValueError for what is not there. Waits for the device."""
    dims = _dims(shape)
    places = _expect_integers(on_device(indices), "indices")
    steps = _strides(dims, order)
    if not _inside(places, math.prod(dims)):
        raise ValueError(f"index is out of bounds for array with size {math.prod(dims)}")
    slowest = math.prod(dims)
    result = []
    for step, n in zip(steps, dims, strict=True):
        part = places // step if step > 1 else places
        result.append(part % n if step * n < slowest and n else part.copy() if part is places else part)
    return tuple(result)


def ix_(*args):
    """For each sequence of one axis an index such that all of them select the rows, columns and so on that they name.
    Booleans: where they are true."""
    result = []
    for k, one in enumerate(args):
        is_list = not hasattr(one, "dtype")
        one = on_device(one)
        if one.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if is_list and one.size == 0:
            one = one.astype(np.int64)
        if one.dtype == bool:
            one, = _indexing.nonzero(one)
        result.append(one.reshape([-1 if i == k else 1 for i in range(len(args))]))
    return tuple(result)


def diag_indices_from(arr):
    """For each axis of an array whose axes are equally long, the places of its diagonal."""
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(arr.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    return (arange(arr.shape[0]),) * arr.ndim


def _triangle(arr, is_inside):
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    rows, columns = (arange(n) for n in arr.shape)
    return _indexing.nonzero(is_inside(columns - rows[:, None]))


def tril_indices_from(arr, k=0):
    """The rows and columns of the elements of a matrix on and below its diagonal number k."""
    return _triangle(arr, lambda right: right <= k)


def triu_indices_from(arr, k=0):
    """The rows and columns of the elements of a matrix on and above its diagonal number k."""
    return _triangle(arr, lambda right: right >= k)


def fill_diagonal(a, val, wrap=False):
    """Writes a value, or values one after the other and again from the first, to the diagonal of an array whose axes
    are equally long; of a tall matrix, with `wrap`, also to the diagonals of the squares below."""
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim == 2:
        step, end = a.shape[1] + 1, a.size if wrap else a.shape[1] * a.shape[1]
    else:
        if len(set(a.shape)) > 1:
            raise ValueError("All dimensions of input must be of equal length")
        step, end = 1 + sum(math.prod(a.shape[:i]) for i in range(1, a.ndim)), a.size
    places = arange(0, min(end, a.size), max(step, 1))
    if places.size:
        _indexing.put(a, places, on_device_as(val, a.dtype).ravel())


def put_along_axis(arr, indices, values, axis):
    """Writes values to the places `indices` along an axis, of as many axes as `arr`, as take_along_axis() reads
    there. IndexError for a place that is not there. Waits for the device."""
    indices = on_device(indices)
    if indices.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if axis is None:
        if indices.ndim != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        flat = arr.ravel()
        flat[indices] = values
        if not arr.flags.c_contiguous:
            arr[...] = flat.reshape(arr.shape)
        return
    axis = axis_of(axis, arr.ndim)
    if indices.ndim != arr.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    index = tuple(indices if i == axis else arange(n).reshape([-1 if k == i else 1 for k in range(arr.ndim)])
                  for i, n in enumerate(arr.shape))
    arr[index] = values
