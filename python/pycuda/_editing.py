"""Arrays with elements added, left out or put in another order: append, insert, delete, resize, block, rot90 and the
like, under NumPy's names and with its parameters."""

import math
import operator

import numpy as np

from pycuda import _indexing, _native
from pycuda._creation import axis_of, concatenate, on_device, on_device_as
from pycuda._functions import broadcast_to
from pycuda._native import GPUArray


def _part(axis, start, stop=None):
    return (slice(None),) * axis + (slice(start, stop),)


def append(arr, values, axis=None):
    """`arr` and behind it `values`, along an axis, or of all elements in C order."""
    arr, values = on_device(arr), on_device(values)
    if axis is None:
        arr, values, axis = arr.ravel(), values.ravel(), 0
    return concatenate([arr, values], axis)


def _line_of(arr, axis):
    if axis is None:
        return arr.ravel(), 0
    return arr, axis_of(axis, arr.ndim)


def _checked(obj, length, name):
    """Places along an axis as an array of the host, none below zero."""
    places = np.asarray(obj.get() if isinstance(obj, GPUArray) else _native._fixed(obj))
    if places.size == 0 and not isinstance(obj, np.ndarray):
        places = places.astype(np.int64)
    if places.dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if places.size and not (-length <= places.min() and places.max() < length + (name == "insert")):
        raise IndexError(f"index {places.max() if places.max() >= length else places.min()} is out of bounds for "
                         f"axis with size {length}")
    places = places.astype(np.int64)  # narrow integers may not hold the length
    return np.where(places < 0, places + length, places)


def delete(arr, obj, axis=None):
    """A copy without the slices along an axis, or elements in C order, that an integer, a slice, integers or booleans
    name. IndexError for a place that is not there."""
    arr, axis = _line_of(on_device(arr), axis)
    n = arr.shape[axis]
    keeps = np.ones(n, bool)
    if isinstance(obj, slice):
        keeps[obj] = False
    else:
        given = np.asarray(obj.get() if isinstance(obj, GPUArray) else _native._fixed(obj))
        if given.dtype == bool and given.ndim:
            if given.shape != (n,):
                raise ValueError(f"boolean array argument `obj` to delete must be one-dimensional and match the axis "
                                 f"length of {n}")
            keeps &= ~given
        else:
            keeps[_checked(obj, n, "delete")] = False
    gone = np.flatnonzero(~keeps)
    if gone.size == 0:
        return arr.copy()
    if gone[-1] - gone[0] + 1 == gone.size:  # what stays are two pieces
        return concatenate([arr[_part(axis, 0, int(gone[0]))], arr[_part(axis, int(gone[-1]) + 1)]], axis)
    return _indexing.take(arr, np.flatnonzero(keeps), axis=axis)


def insert(arr, obj, values, axis=None):
    """A copy with values before the slices along an axis, or elements in C order, that an integer, a slice, integers
    or booleans name. IndexError for a place that is not there."""
    arr, axis = _line_of(on_device(arr), axis)
    n = arr.shape[axis]
    given = obj.get() if isinstance(obj, GPUArray) else obj
    if isinstance(given, slice):
        given = np.arange(n)[given]
    elif np.ndim(given) and np.asarray(given).dtype == bool:
        given = np.flatnonzero(given)
    places = _checked(given, n, "insert")
    values = on_device_as(values, arr.dtype)
    values = values[(None,) * (arr.ndim - values.ndim)]
    if places.ndim == 0:
        # one place takes all of the values, whose first axis is then the one that is inserted into
        values = np.moveaxis(values, 0, axis)
    if places.ndim > 1:
        raise ValueError("index array argument obj to insert must be one dimensional or scalar")
    count = values.shape[axis] if places.size == 1 else places.size
    shape = [count if i == axis else length for i, length in enumerate(arr.shape)]
    values = broadcast_to(values, shape)
    if places.size == 1:
        at = int(places.ravel()[0])
        return concatenate([arr[_part(axis, 0, at)], values, arr[_part(axis, at)]], axis)
    order = np.argsort(places, kind="stable")
    places[order] += np.arange(places.size)
    source = np.empty(n + count, np.int64)
    is_old = np.ones(n + count, bool)
    is_old[places] = False
    source[is_old], source[places] = np.arange(n), n + np.arange(count)
    return _indexing.take(concatenate([arr, values], axis), source, axis=axis)


def resize(a, new_shape):
    """An array of that shape with the elements of `a` in C order, again from the first where they do not suffice."""
    shape = tuple(operator.index(n) for n in (new_shape if np.iterable(new_shape) else (new_shape,)))
    if any(n < 0 for n in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    a, size = on_device(a).ravel(), math.prod(shape)
    if a.size == 0 or size == 0:
        return _native.zeros(shape, a.dtype)
    if size > a.size:
        a = broadcast_to(a, (-(-size // a.size), a.size)).copy(order="C").ravel()
    return a[:size].reshape(shape).copy(order="C")


def block(arrays):
    """The array whose blocks nested lists name: those of the innermost lists stand side by side along the last axis,
    those of the next along the last but one, and so on. ValueError for lists of different depths."""
    def depth(one):
        if not isinstance(one, list):
            if isinstance(one, tuple):
                raise TypeError("block: expected nested lists, got a tuple")
            return 0
        if not one:
            raise ValueError("List at arrays cannot be empty")
        depths = {depth(part) for part in one}
        if len(depths) > 1:
            raise ValueError(f"List depths are mismatched: {sorted(depths)}")
        return 1 + depths.pop()

    def leaves(one):
        return [leaf for part in one for leaf in leaves(part)] if isinstance(one, list) else [on_device(one)]

    levels = depth(arrays)
    ndim = max(levels, *(leaf.ndim for leaf in leaves(arrays)))

    def joined(one, level):
        if not isinstance(one, list):
            one = on_device(one)
            return one[(None,) * (ndim - one.ndim)]
        return concatenate([joined(part, level + 1) for part in one], ndim - levels + level)

    result = joined(arrays, 0)
    return result if isinstance(arrays, list) else result.copy()


def rot90(m, k=1, axes=(0, 1)):
    """A view rotated k times by 90 degrees from the first of two axes towards the second."""
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    one, two = axes
    if one == two or abs(one - two) == m.ndim:
        raise ValueError("Axes must be different.")
    if not all(-m.ndim <= axis < m.ndim for axis in axes):
        raise ValueError(f"Axes={axes} out of range for array of ndim={m.ndim}.")
    k %= 4
    if k == 0:
        return m[...]
    if k == 2:
        return np.flip(m, tuple(axes))
    turned = np.flip(m, two) if k == 1 else m
    turned = turned.swapaxes(one, two)
    return turned if k == 1 else np.flip(turned, two)


def broadcast_arrays(*args, subok=False):
    """Views of arrays in the shape that they have in common."""
    args = [on_device(one) for one in args]
    shape = np.broadcast_shapes(*(one.shape for one in args))
    return tuple(one if one.shape == shape else broadcast_to(one, shape) for one in args)


def unstack(x, /, *, axis=0):
    """The slices along an axis, as views."""
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    return tuple(np.moveaxis(x, axis, 0)[i] for i in range(x.shape[axis]))


def matrix_transpose(x, /):
    """A view with the last two axes interchanged."""
    if x.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {x.ndim}")
    return x.swapaxes(-1, -2)


def diagflat(v, k=0):
    """A matrix of zeros with the elements of v in C order in its diagonal number k."""
    return np.diag(on_device(v).ravel(), k)


def astype(x, dtype, /, *, copy=True, device=None):
    """x.astype(dtype), without a copy where none is needed if `copy` is False."""
    if device not in (None, "cpu"):
        raise ValueError(f'Device not understood. Only "cpu" is allowed, but received: {device}')
    return x.astype(dtype, copy=copy)


def array_equiv(a1, a2):
    """Whether one array can be broadcast to the shape of the other, and all elements are equal then."""
    a1, a2 = on_device(a1), on_device(a2)
    try:
        shape = np.broadcast_shapes(a1.shape, a2.shape)
    except ValueError:
        return False
    return shape in (a1.shape, a2.shape, shape) and bool((a1 == a2).all())
