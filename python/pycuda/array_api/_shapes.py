"""Manipulation functions of the standard: views where a view can do it, else copies."""

import numpy as np

from pycuda import _creation, _functions, _native, _padding
from pycuda._creation import axis_of
from pycuda._reductions import axes_of
from pycuda.array_api._data_types import array

__all__ = ["broadcast_arrays", "broadcast_to", "concat", "expand_dims", "flip", "moveaxis", "pad", "permute_dims",
           "repeat", "reshape", "roll", "squeeze", "stack", "tile", "transpose", "unstack"]


def _arrays(arrays, function):
    if not isinstance(arrays, (list, tuple)):
        raise TypeError(f"{function}: expected a tuple or list of GPUArrays, got {type(arrays).__name__}")
    return [array(x, function) for x in arrays]


def broadcast_arrays(*arrays):
    """Views of the arrays in the shape to which all broadcast, as a list. ValueError if there is none."""
    arrays = _arrays(arrays, "broadcast_arrays")
    shape = np.broadcast_shapes(*(x.shape for x in arrays))
    return [_functions.broadcast_to(x, shape) for x in arrays]


def broadcast_to(x, /, shape):
    """A view of x in a shape to which it broadcasts; elements that come several times are one in memory. ValueError
    if it does not."""
    return _functions.broadcast_to(array(x, "broadcast_to"), shape)


def concat(arrays, /, *, axis=0):
    """A tuple or list of arrays one after the other along an axis (None: all elements in C order), in the dtype to
    which all promote. ValueError if their other axes do not agree."""
    return _creation.concatenate(_arrays(arrays, "concat"), axis)


def expand_dims(x, /, axis=0):
    """A view with an axis of length one there. IndexError for a place that is not there."""
    return _functions.expand_dims(array(x, "expand_dims"), axis)


def flip(x, /, *, axis=None):
    """A view with the elements in reverse order along an axis, a tuple of axes or all."""
    axes = axes_of(axis, array(x, "flip").ndim)
    return x[tuple(slice(None, None, -1 if i in axes else 1) for i in range(x.ndim))]


def moveaxis(x, source, destination, /):
    """A view whose axes `source`, an integer or a tuple, are at `destination`; the others stay in order. ValueError
    if the two are not as many, or name one twice."""
    return np.moveaxis(array(x, "moveaxis"), source, destination)


def pad(x, /, pad_width, mode="constant", *, constant_values=0):
    """A copy with more elements in front and behind along each axis: a number for all, a pair (before, after), or a
    pair for each axis; likewise their values.
    NotImplementedError for other modes. Not of the standard, but xarray's shift() and rolling() call it."""
    return _padding.pad(array(x, "pad"), pad_width, mode, constant_values=constant_values)


def permute_dims(x, /, axes):
    """A view whose axis i is axis axes[i] of x. ValueError if `axes`, a tuple, does not name each once."""
    if not isinstance(axes, (tuple, list)):
        raise TypeError(f"permute_dims: expected a tuple of axes, got {type(axes).__name__}")
    return array(x, "permute_dims").transpose(tuple(axes))


def repeat(x, repeats, /, *, axis=None):
    """Each element several times, one after the other, along an axis or in C order. repeats: an integer, or an array
    of integers, one for each place along the axis. ValueError for negative ones, or another number of them."""
    return array(x, "repeat").repeat(repeats, axis)


def reshape(x, /, shape, *, copy=None):
    """The elements in C order in another shape, where one length may be -1: a view if that can be. copy: True for a
    copy in any case, False for none. ValueError if one is needed then, or if the lengths do not fit."""
    result = array(x, "reshape").reshape(shape)
    is_view = not x.size or _native._overlap(x, result)
    if copy is False and not is_view:
        raise ValueError(f"reshape: copy=False, and an array of shape {x.shape} and strides {x.strides} has to be copied")
    return result.copy() if copy and is_view else result


def roll(x, /, shift, *, axis=None):
    """A copy whose elements have moved by `shift` places along an axis, or in C order, and come back in at the other
    end; tuples of both for several axes. IndexError for an axis that is not there."""
    return _functions.roll(array(x, "roll"), shift, axis)


def squeeze(x, /, axis):
    """A view without an axis, or a tuple of axes, of length one. ValueError if the length is another."""
    if axis is None:
        raise TypeError("squeeze: the axis must be said, an integer or a tuple of them")
    return array(x, "squeeze").squeeze(axis)


def stack(arrays, /, *, axis=0):
    """A tuple or list of arrays of one shape side by side along a new axis, in the dtype to which all promote.
    ValueError for mixed shapes."""
    return _creation.stack(_arrays(arrays, "stack"), axis)


def tile(x, repetitions, /):
    """x, repetitions[i] times along axis i; of two numbers of axes, the lesser is filled up with ones in front."""
    return _functions.tile(array(x, "tile"), repetitions)


def transpose(x, /, axes=None):
    """permute_dims(), by default of all axes in reverse order. Not of the standard, but xarray calls it."""
    return array(x, "transpose").transpose(None if axes is None else tuple(axes))


def unstack(x, /, *, axis=0):
    """A tuple of views, one for each place along an axis. IndexError for one that is not there, as in x without
    axes."""
    axis = axis_of(axis, array(x, "unstack").ndim)
    return tuple(x[(slice(None),) * axis + (i,)] for i in range(x.shape[axis]))
