"""Functions called for slices of arrays: apply_along_axis and apply_over_axes, with NumPy's parameters."""

import numpy as np

from pycuda import _native
from pycuda._creation import axis_of, on_device


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """What a function of arrays of one axis gives of each such slice of `arr`. It is called once for each, with views
    on the device: an operation on arrays with an axis of its own is faster."""
    arr = on_device(arr)
    axis = axis_of(axis, arr.ndim)
    rows = np.moveaxis(arr, axis, -1)
    outer = rows.shape[:-1]
    if 0 in outer:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    values = [on_device(func1d(rows[index], *args, **kwargs)) for index in np.ndindex(*outer)]
    first = values[0]
    result = _native._empty((len(values), *first.shape), first.dtype)
    for k, value in enumerate(values):
        result[k] = value
    result = result.reshape((*outer, *first.shape))
    ndim = len(outer)  # the axes of what the function gave go where the slice was
    return result.transpose([*range(axis), *range(ndim, ndim + first.ndim), *range(axis, ndim)])


def apply_over_axes(func, a, axes):
    """What func(a, axis) gives for one axis, of that what it gives for the next, and so on; axes that it drops stay
    with length one. ValueError for results of other numbers of axes."""
    value = on_device(a)
    ndim = value.ndim
    for axis in (axes if np.iterable(axes) else (axes,)):
        axis = axis + ndim if axis < 0 else axis
        result = func(value, axis)
        if result.ndim != value.ndim:
            result = np.expand_dims(result, axis)
            if result.ndim != value.ndim:
                raise ValueError("function is not returning an array of the correct shape")
        value = result
    return value
