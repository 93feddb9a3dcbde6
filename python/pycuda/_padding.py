"""numpy.pad in all modes: the array is copied into the middle of the result; then each axis in turn gets both of its
ends, from what lies along it already, as NumPy's rule is."""

import numpy as np

from pycuda import _indexing, _native
from pycuda._creation import arange
from pycuda._slices import apply_along_axis

_KEYWORDS = {"empty": (), "edge": (), "wrap": (), "constant": ("constant_values",), "linear_ramp": ("end_values",),
             "maximum": ("stat_length",), "mean": ("stat_length",), "median": ("stat_length",),
             "minimum": ("stat_length",), "reflect": ("reflect_type",), "symmetric": ("reflect_type",)}


def _pairs(given, ndim, what):
    """Two of what is given, a number or pairs of them, for each axis; of integers below zero ValueError."""
    if isinstance(given, dict):
        pairs = [(0, 0)] * ndim
        for axis, pair in given.items():
            pairs[axis] = pair
        given = [pair if np.ndim(pair) else (pair, pair) for pair in pairs]
    given = np.asarray(_native._fixed(given))
    if what in ("pad_width", "stat_length"):
        if what == "pad_width" and given.dtype.kind not in "iu":
            raise TypeError("`pad_width` must be of integral type.")
        if (given < 0).any():
            raise ValueError(f"{what}: expected integers that are not negative, got {given.tolist()}")
    return np.broadcast_to(given, (ndim, 2))


def _part(axis, start, stop=None):
    return (slice(None),) * axis + (slice(start, stop),)


class _Axis:
    """An axis whose ends are to be filled: `rows`, what is filled of the result but for them; `before` and `after`
    elements at its ends; `length` between."""

    def __init__(self, rows, axis, before, after):
        self.rows, self.axis, self.before, self.after = rows, axis, int(before), int(after)
        self.length = rows.shape[axis] - self.before - self.after

    def inside(self, start=0, stop=None):
        """A stretch of what was there before."""
        stop = self.length if stop is None else stop
        return self.rows[_part(self.axis, self.before + start, self.before + stop)]

    def ends(self):
        """(whether it is the first, its width, the view to write) of both ends that have elements."""
        if self.before:
            yield True, self.before, self.rows[_part(self.axis, 0, self.before)]
        if self.after:
            yield False, self.after, self.rows[_part(self.axis, self.before + self.length, None)]

    def along(self, values):
        return values.reshape([-1 if i == self.axis else 1 for i in range(self.rows.ndim)])


def _image(axis, mode, is_first, width):
    """What stands at an end in one piece, reversed unless it is wrapped; None where it comes again."""
    skip, n = int(mode == "reflect"), axis.length
    if width > n - skip:
        return None
    if mode == "wrap":
        return axis.inside(n - width) if is_first else axis.inside(0, width)
    image = axis.inside(skip, skip + width) if is_first else axis.inside(n - skip - width, n - skip)
    return image[(slice(None),) * axis.axis + (slice(None, None, -1),)]


def _gather(axis, mode):
    """Modes whose elements are those of the array in another order: NumPy is asked which."""
    images = [(end, _image(axis, mode, is_first, width)) for is_first, width, end in axis.ends()]
    if all(image is not None for _, image in images):
        for end, image in images:
            end[...] = image
        return
    places = np.pad(np.arange(axis.length), (axis.before, axis.after), mode)
    for is_first, width, end in axis.ends():
        end[...] = _indexing.take(axis.inside(), places[:width] if is_first else places[-width:], axis=axis.axis)


def _edge(axis):
    for is_first, _, end in axis.ends():
        end[...] = axis.inside(0, 1) if is_first else axis.inside(axis.length - 1)


def _odd(axis, mode):
    """Reflected in the elements at the ends: twice those, less the mirror image. It may take several turns."""
    skip = int(mode == "reflect")
    if axis.length == 1 and skip:
        _edge(axis)
        return
    rows, at = axis.rows, axis.axis
    low, high = axis.before, axis.before + axis.length  # what is filled
    total = rows.shape[at]
    while low > 0 or high < total:
        span = high - low - skip
        count = min(low, span)
        if count:
            image = rows[_part(at, low + skip, low + skip + count)]
            mirrored = image[(slice(None),) * at + (slice(None, None, -1),)]
            edge = rows[_part(at, low, low + 1)]
            rows[_part(at, low - count, low)] = (edge + edge - mirrored).astype(rows.dtype, copy=False)
        more = min(total - high, span)
        if more:
            image = rows[_part(at, high - skip - more, high - skip)]
            mirrored = image[(slice(None),) * at + (slice(None, None, -1),)]
            edge = rows[_part(at, high - 1, high)]
            rows[_part(at, high, high + more)] = (edge + edge - mirrored).astype(rows.dtype, copy=False)
        low, high = low - count, high + more


def _ramp(axis, values):
    for is_first, width, end in axis.ends():
        edge = axis.inside(0, 1) if is_first else axis.inside(axis.length - 1)
        value = values[0 if is_first else 1]
        dtype = np.result_type(edge.dtype, value, 1.0)
        k = arange(width, dtype=np.float64)
        share = axis.along(k if is_first else width - 1 - k)
        ramp = (edge.astype(dtype) - value) / width * share + value
        end[...] = np.floor(ramp) if axis.rows.dtype.kind in "iu" else ramp


def _statistic(axis, mode, lengths):
    found = []
    for is_first, _, end in axis.ends():
        most = axis.length if lengths is None else min(int(lengths[0 if is_first else 1]), axis.length)
        if most == 0 and mode in ("maximum", "minimum"):
            raise ValueError("stat_length of 0 yields no value for padding")
        chunk = axis.inside(0, most) if is_first else axis.inside(axis.length - most)
        value = getattr(np, {"maximum": "amax", "minimum": "amin"}.get(mode, mode))(chunk, axis=axis.axis, keepdims=True)
        if axis.rows.dtype.kind in "iu":
            value = np.rint(value)
        found.append((end, value))
    for end, value in found:
        end[...] = value


def _fill(axis, mode, values, wide):
    if mode == "constant":
        for is_first, _, end in axis.ends():
            value, dtype = values[0 if is_first else 1], axis.rows.dtype
            # as NumPy: what signed integers do not hold is refused, and wraps in unsigned ones
            end[...] = value if dtype.kind == "i" and type(value) is not complex else np.asarray(value).astype(dtype)
    elif mode == "linear_ramp":
        _ramp(axis, values)
    elif mode == "edge":
        _edge(axis)
    elif mode in ("reflect", "symmetric") and wide.get("reflect_type", "even") == "odd":
        _odd(axis, mode)
    elif mode in ("reflect", "symmetric", "wrap"):
        _gather(axis, mode)
    elif mode != "empty":
        _statistic(axis, mode, values)


def pad(array, pad_width, mode="constant", **kwargs):
    """A copy with elements added at both ends of each axis. pad_width: how many, a number, a pair for all axes, or one
    for each; or such of some axes, in a dictionary. mode: one of NumPy's, or a function of its kind, which is
    called with each slice on the device. ValueError for other keywords than those of the mode."""
    widths = _pairs(pad_width, array.ndim, "pad_width")
    if callable(mode):
        result = pad(array, widths)
        for axis in range(array.ndim):
            def change(row, axis=axis):
                mode(row, tuple(map(int, widths[axis])), axis, kwargs)
                return row[:0]
            apply_along_axis(change, axis, result)
        return result
    if mode not in _KEYWORDS:
        raise ValueError(f"mode '{mode}' is not supported")
    unknown = set(kwargs) - set(_KEYWORDS[mode])
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unknown}")
    name = _KEYWORDS[mode][0] if _KEYWORDS[mode] else None
    values = kwargs.get(name, 0 if mode in ("constant", "linear_ramp") else None)
    if mode == "constant":
        values = _pairs(values, array.ndim, name).tolist()
    elif values is not None and name != "reflect_type":
        values = _pairs(values, array.ndim, name)
    else:
        values = [None] * array.ndim
    starts = [int(before) for before, _ in widths]
    shape = [n + int(before) + int(after) for n, (before, after) in zip(array.shape, widths, strict=True)]
    result = _native._empty(shape, array.dtype)
    inside = [slice(start, start + n) for start, n in zip(starts, array.shape, strict=True)]
    result[tuple(inside)] = array
    if array.size == 0 and mode not in ("constant", "empty"):
        for axis, (n, pair) in enumerate(zip(array.shape, widths, strict=True)):
            if n == 0 and pair.any():
                raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
    for axis, (before, after) in enumerate(widths):
        rows = result[(*[slice(None)] * (axis + 1), *inside[axis + 1:])]
        if rows.size:
            _fill(_Axis(rows, axis, before, after), mode, values[axis], kwargs)
    return result
