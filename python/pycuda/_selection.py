"""Elements chosen by conditions: choose, select, piecewise, compress, extract, place and putmask, under NumPy's names
and with its parameters."""

import numpy as np

from pycuda import _indexing, _native
from pycuda._creation import arange, on_device, on_device_as
from pycuda._functions import broadcast_to
from pycuda._native import GPUArray
from pycuda._reductions import finish


def _within(places, length, mode, complaint):
    """Places within 0 and length: those that are not there are refused, wrapped or clipped."""
    if mode == "wrap":
        return places % length
    if mode == "clip":
        return np.clip(places, 0, length - 1)
    if mode != "raise":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
    if places.size and not 0 <= int(_native.min(places).get()) <= int(_native.max(places).get()) < length:
        raise ValueError(complaint)
    return places


def _alike(values):
    """Arrays, lists and numbers as arrays on the device, in the dtype that holds them all; Python's numbers have but a
    kind. OverflowError for one that is too large for it."""
    values = [one if type(one) in (int, float, complex) else on_device(one) for one in values]
    dtype = np.result_type(*(getattr(one, "dtype", one) for one in values)) if values else None
    return [on_device_as(one, dtype) for one in values]


def choose(a, choices, out=None, mode="raise"):
    """Of the arrays `choices` the element of that which `a`, an array of integers, has the number of; all are
    broadcast. mode: what becomes of numbers that are too large or below zero, "raise" (ValueError), "wrap" or
    "clip". Waits for the device in mode "raise"."""
    a = on_device(a)
    if a.dtype.kind not in "biu":
        raise TypeError(f"Cannot cast array data from {a.dtype!r} to dtype('int64') according to the rule 'safe'")
    choices = _alike(choices)
    if not choices:
        raise ValueError("choose: expected at least one array to choose from")
    a = _within(a.astype(np.int64), len(choices), mode, "invalid entry in choice array")
    shape = np.broadcast_shapes(a.shape, *(one.shape for one in choices))
    result = broadcast_to(choices[-1], shape)
    for k, one in enumerate(choices[:-1]):
        result = _native.where(a == k, one, result)
    return finish(result if len(choices) > 1 else result.copy(order="C"), [], True, out, "unsafe")


def select(condlist, choicelist, default=0):
    """Elements of the first of `choicelist` whose condition in `condlist` is true, else `default`; all are broadcast.
    ValueError for lists of different lengths, TypeError for conditions that are no booleans."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not condlist:
        raise ValueError("select with an empty condition list is not possible")
    conditions = [on_device(one) for one in condlist]
    for k, one in enumerate(conditions):
        if one.dtype != bool:
            raise TypeError(f"invalid entry {k} in condlist: should be boolean ndarray")
    values = _alike([*choicelist, default])
    shape = np.broadcast_shapes(*(one.shape for one in conditions), *(one.shape for one in values))
    result = broadcast_to(values.pop(), shape)
    for condition, value in zip(conditions[::-1], values[::-1], strict=True):
        result = _native.where(condition, value, result)
    return result


def piecewise(x, condlist, funclist, *args, **kw):
    """A function of several pieces: where a condition of `condlist` is true, what the function of `funclist` gives of
    those elements, or a number; of several, the last that is true. One function more is for where none is. Calls
    functions with arrays on the device. Waits for it."""
    x = on_device(x)
    if np.ndim(condlist if isinstance(condlist, GPUArray) else np.empty(0)) == 0 or np.isscalar(condlist) or (
            x.ndim and np.ndim(condlist[0]) == 0):
        condlist = [condlist]
    conditions = [on_device(one).astype(bool) for one in condlist]
    conditions = [one if one.ndim else broadcast_to(one, x.shape) for one in conditions]
    count = len(funclist)
    if len(conditions) == count - 1:
        rest = conditions[0]
        for one in conditions[1:]:
            rest = rest | one
        conditions.append(~rest)
    elif len(conditions) != count:
        raise ValueError(f"with {len(conditions)} condition(s), either {len(conditions)} or {len(conditions) + 1} "
                         "functions are expected")
    result = _native.zeros_like(x)
    for condition, function in zip(conditions, funclist, strict=True):
        if callable(function):
            picked = x[condition]
            if picked.size:
                result[condition] = function(picked, *args, **kw)
        else:
            result[condition] = function
    return result


def compress(condition, a, axis=None, out=None):
    """The slices along an axis, or elements in C order, where `condition`, of one axis, is true. Waits for the
    device."""
    condition = on_device(condition)
    if condition.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    places = _indexing.nonzero_places(_dense(condition))
    return _indexing.take(on_device(a), places, out, axis=axis)


def _dense(mask):
    mask = mask.astype(bool)
    return mask if mask.flags.c_contiguous else mask.copy(order="C")


def extract(condition, arr):
    """The elements of `arr` in C order where those of `condition` are true. Waits for the device."""
    places = _indexing.nonzero_places(_dense(on_device(condition).ravel()))
    return _indexing.take(on_device(arr), places)


def _expect_safe(values, dtype):
    """TypeError for an array, with axes, that not all of that dtype holds. Lists and numbers are written as they are."""
    if np.ndim(values) and not np.can_cast(getattr(values, "dtype", dtype), dtype):
        raise TypeError(f"Cannot cast array data from {values.dtype!r} to {dtype!r} according to the rule 'safe'")


def place(arr, mask, vals):
    """Writes values, one after the other and again from the first, to where the mask is true, in C order."""
    _expect_safe(vals, arr.dtype)
    mask, vals = on_device(mask), on_device_as(vals, arr.dtype).ravel()
    if mask.size != arr.size:
        raise ValueError("place: mask and data must be the same size")
    places = _indexing.nonzero_places(_dense(mask.ravel()))
    if places.size and not vals.size:
        raise ValueError("Cannot insert from an empty array!")
    if places.size:
        _indexing.put(arr, places, vals)


def putmask(a, mask, values):
    """Writes the element of `values` that stands at the same place, counted in C order and again from the first, to
    where the mask is true."""
    mask = on_device(mask)
    if mask.size != a.size:
        raise ValueError("putmask: mask and data must be the same size")
    _expect_safe(values, a.dtype)
    values = on_device_as(values, a.dtype)
    if not a.size or not values.size:
        return
    mask = mask.reshape(a.shape).astype(bool)
    if values.size == 1:
        values = values.reshape(())
    elif values.shape != a.shape:
        values = values.ravel()[:a.size]
        values = _indexing._take(values, arange(a.size) % values.size).reshape(a.shape)
    a[...] = _native.where(mask, values, a)
