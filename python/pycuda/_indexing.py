"""Indexing of GPU arrays by arrays of integers and of booleans, as NumPy does it.

Index arrays become one array of distances, on the device; then one kernel takes or puts the elements that are as far
from those at the beginnings of the axes that the arrays name. What is no number is brought to one stretch of memory, and
each element's place in it is computed. Integers are checked against the length of their axis, which waits for the device
where the index is a GPUArray. One such array of integers beside slices is src/array/indexing.c's, which comes here where
an integer is out of bounds.
"""

import math

import numpy as np

from pycuda import _native
from pycuda._creation import arange, axis_of, on_device
from pycuda._marks import Marks
from pycuda._reductions import finish

_PLACE = np.dtype(np.int64)


def field(array, name):
    """array[name]: a view of a field of structs. ValueError if it is not aligned, as GPUs need it."""
    if name not in (array.dtype.names or ()):
        raise (ValueError if array.dtype.names else IndexError)(f"no field of name {name}")
    dtype, offset = array.dtype.fields[name][:2]
    like = np.empty((), dtype)  # a field may be an array itself
    if any(step % like.dtype.alignment for step in (offset, *array.strides)):
        raise ValueError(f"field {name} is not aligned; numpy.dtype(..., align=True) makes it so")
    return _native._look(array, array.shape + like.shape, array.strides + like.strides, offset, like.dtype)


def nonzero_places(mask):
    """Where a GPU array of booleans is true, in C order, as a GPUArray of int64. Waits for the device."""
    return Marks(mask).places((mask.size,))[0]


def nonzero(a):
    """For each axis, the places along it of the elements that are not zero, as int64. Waits for the
    device. ValueError: an array without axes has no places."""
    if a.ndim == 0:
        raise ValueError("nonzero of an array without axes: use numpy.atleast_1d(a).nonzero()")
    return Marks(a if is_number(a.dtype) else a.astype(bool)).places(a.shape)


def extremes(integers):
    """(the least integer of a GPU array that has some, or 0 if none is below that; the greatest). Waits for the device,
    where none is below zero once."""
    kind, bits = integers.dtype.kind, 8 * integers.dtype.itemsize
    if kind == "i":  # those below zero would be the greatest
        high = int(_native.max(integers.view(integers.dtype.str.replace("i", "u"))).get())
        if high >> (bits - 1):
            return tuple(int(f(integers).get()) for f in (_native.min, _native.max))
        return 0, high
    return 0, int(_native.max(integers).get())


def _checked(index, length, axis, keep=False):
    """An array of integers as a GPUArray of int64 with none below zero; keep: one that is on the device may stay as it
    is, with integers of any type that count from the end of the axis below zero, as TAKE and PUT know them."""
    if isinstance(index, _native.GPUArray):
        if index.size == 0:
            return index.astype(_PLACE)
        low, high = extremes(index)
    else:
        low, high = (int(f(index)) if index.size else 0 for f in (np.min, np.max))
    if index.size and (low < -length or high >= length):
        wrong = low if low < -length else high
        raise IndexError(f"index {wrong} is out of bounds for axis {axis} with size {length}")
    if not isinstance(index, _native.GPUArray):
        index = index.astype(_PLACE)  # narrow integers may not hold the length
        return _native.to_gpu(np.where(index < 0, index + length, index))
    if keep:
        return index
    index = index.astype(_PLACE, copy=False)
    return _native.where(index < 0, index + length, index) if low < 0 else index


def _as_index(item):
    """An array to index by, or None for what basic indexing knows."""
    if item is None or item is Ellipsis or isinstance(item, slice):
        return None
    if not isinstance(item, _native.GPUArray):
        item = np.asarray(_native._fixed(item))
        if item.size == 0 and item.dtype == float:
            item = item.astype(_PLACE)
    if item.dtype.kind == "U":
        raise IndexError("fields of structs are taken one at a time, x['a'] and x['b']; several are no index of GPU arrays")
    if item.dtype.kind not in "biu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    return item


def _split(array, index):
    """(a view with the slices applied, [(axis of it, axes it takes, index array), ...], whether an
    ellipsis, of no axes perhaps, stands between arrays)"""
    items = list(index) if isinstance(index, tuple) else [index]
    arrays = [_as_index(item) for item in items]
    used = sum(0 if item is None or item is Ellipsis else
               a.ndim if a is not None and a.dtype == bool else 1
               for item, a in zip(items, arrays, strict=True))
    if used > array.ndim:
        raise IndexError("too many axes in index")
    if not any(item is Ellipsis for item in items):
        items.append(Ellipsis)
        arrays.append(None)
    places = [k for k, a in enumerate(arrays) if a is not None]
    apart = any(item is Ellipsis for item in items[places[0]:places[-1]])
    basic, found, axis, source = [], [], 0, 0
    for item, a in zip(items, arrays, strict=True):
        if a is None:
            basic.append(item)
            step = array.ndim - used if item is Ellipsis else 1
            source += 0 if item is None else step
            axis += step
            continue
        axes = a.ndim if a.dtype == bool else 1
        if a.dtype == bool and a.shape != array.shape[source:source + axes]:
            raise IndexError(f"boolean index of shape {a.shape} does not match the array's "
                             f"{array.shape[source:source + axes]}")
        if axes:
            basic += [slice(None)] * axes
        else:  # a boolean without axes makes one
            basic.append(None)
        found.append((axis, max(axes, 1), a))
        axis += max(axes, 1)
        source += axes
    return array[tuple(basic)], found, apart


def _locate(array, index):
    """(the view with the slices applied, the places in C order in it of what is indexed)"""
    view, found, apart = _split(array, index)
    return view, _places_in(view, found, apart)


def _places_in(view, found, apart):
    """The places in C order in a view of what _split() found."""
    steps = _steps_in_order(view.shape)
    named, common, before, behind = _named_places(view.shape, steps, found, apart)
    others, right = None, 0
    for axes, gap in ((behind, len(common)), (before, 0)):
        for axis in reversed(axes):
            part = arange(view.shape[axis], dtype=_PLACE).reshape(view.shape[axis], *[1] * right)
            part = part if steps[axis] == 1 else part * steps[axis]
            others, right = part if others is None else part + others, right + 1
        right += gap
    return named if others is None else named + others


def _steps_in_order(shape):
    return [math.prod(shape[k + 1:]) for k in range(len(shape))]


def _steps_of(view, found):
    """The distances along the axes of a view, in elements; None: these are not whole, or the axes of a mask do not
    follow one another in memory."""
    size, shape = view.dtype.itemsize, view.shape
    steps = [stride // size for stride in view.strides]
    if any(stride % size for stride in view.strides) or any(
            steps[k] != steps[k + 1] * shape[k + 1] for axis, axes, _ in found for k in range(axis, axis + axes - 1)):
        return None
    return steps


def _named_places(dims, steps, found, apart):
    """(where index arrays lead to, with an axis of length one for each that stands behind theirs; their common shape; the
    axes that stay before theirs; those behind), for an array with axes of these lengths and distances of elements."""
    kept, together, arrays, named = [], [], [], None
    source = 0
    for axis, axes, a in found:  # the axes of a mask become one
        kept += range(source, axis)
        if a.dtype == bool:
            a = nonzero_places(_native.to_gpu(a) if isinstance(a, np.ndarray) else a)
        else:
            a = _checked(a, math.prod(dims[axis:axis + axes]), axis)
        together.append(len(kept))
        arrays.append((a, steps[axis + axes - 1]))
        source = axis + axes
    kept += range(source, len(dims))
    try:
        common = np.broadcast_shapes(*(a.shape for a, _ in arrays))
    except ValueError:
        raise IndexError("shape mismatch: indexing arrays could not be broadcast together with "
                         f"shapes {' '.join(str(a.shape) for a, _ in arrays)}") from None
    first = 0 if apart or together[0] != together[-1] else together[0]
    for a, step in arrays:
        part = a if step == 1 else a * step
        named = part if named is None else named + part
    return named.reshape(*named.shape, *[1] * len(kept[first:])), common, kept[:first], kept[first:]


def _by_base(view, steps, found, apart):
    """(a view's elements at the beginnings of the axes that index arrays name, with axes of length one for theirs; how far
    from them those are that the arrays lead to, in elements; the shape of both)"""
    named, common, before, behind = _named_places(view.shape, steps, found, apart)

    def around(row, between):
        return *(row[k] for k in before), *between, *(row[k] for k in behind)

    base = _native._look(view, around(view.shape, [1] * len(common)), around(view.strides, [0] * len(common)))
    return base, named, around(view.shape, common)


def _is_mask_of(index, array):
    """Whether it says of each number of the array whether it is meant, on the device."""
    return (isinstance(index, _native.GPUArray) and index.dtype.char == "?" and index.ndim > 0 and
            index.shape == array.shape and is_number(array.dtype))


def get(array, index):
    """array[index]: a new GPUArray."""
    if isinstance(index, str):
        return field(array, index)
    if _is_mask_of(index, array):
        return Marks(index).elements(array)
    view, found, apart = _split(array, index)
    _, axes, one = found[0]
    if not is_number(view.dtype):
        return _take(view.ravel(), _places_in(view, found, apart))
    if len(found) == 1 and axes == view.ndim:
        if one.dtype != bool:
            return _take(view.ravel(), _checked(one, view.size, 0))
        if one.ndim:
            return Marks(on_device(one)).elements(view)
    steps = _steps_of(view, found)
    if steps is None:
        view, steps = view.copy(order="C"), _steps_in_order(view.shape)
    base, named, shape = _by_base(view, steps, found, apart)
    result = _native._empty(shape, view.dtype)
    return _native._operate("TAKE_ROWS", (named, base), (view.dtype, _PLACE, view.dtype), result) if result.size else result


_NUMBERS = "?bhilqBHILQefdFD"


def _words(*arrays):
    """How many integers an element that is no number has, and the arrays as lines of these: as wide as its size and
    all addresses allow."""
    size = arrays[0].dtype.itemsize
    width = math.gcd(8, size, *(int(array.gpudata) for array in arrays))
    count = size // width
    return count, *(_native._look(array, (array.size * count,), (width,), 0, np.dtype(f"u{width}"))
                    for array in arrays)


def _places_of_words(places, count):
    return (places.reshape((*places.shape, 1)) * count + arange(count)).ravel()


def is_number(dtype):
    return dtype.char in _NUMBERS and dtype.isnative or dtype.name == "bfloat16"


def _take(flat, places, out=None, stream=None):
    kind = flat.dtype
    if not is_number(kind):
        result = _native._empty(places.shape, kind)
        if result.size and kind.itemsize:
            count, words, taken = _words(flat, result)
            _take(words, _places_of_words(places, count), taken, stream)
        if out is not None:
            out[...] = result
        return result if out is None else out
    return _native._operate("TAKE", (places, flat, flat.size), (kind, _PLACE, kind, _PLACE), out,
                            stream)


def set(array, index, value):
    """array[index] = value, which is converted and broadcast. Of places that come twice, one of the
    values stays."""
    if isinstance(index, str):
        field(array, index)[...] = value
        return
    if not isinstance(value, _native.GPUArray):
        value = np.asarray(_native._fixed(value), array.dtype)
        if isinstance(index, _native.GPUArray) and index.dtype == bool and value.ndim == 0 \
                and index.shape == array.shape and array.dtype.kind in "biufc":
            array[...] = _native.where(index, value, array)
            return
        value = _native.to_gpu(value)
    if value.ndim > 1 and _is_whole_mask(index, array):
        raise TypeError(f"a mask of the array's own shape takes a value of at most one axis, one element for each True, "
                        f"got shape {value.shape}: pass value.ravel()")
    view, found, apart = _split(array, index)
    steps = _steps_of(view, found) if is_number(view.dtype) else None
    if steps is None or 0 in view.strides:
        _put_in_order(view, _places_in(view, found, apart), value)
        return
    base, named, shape = _by_base(view, steps, found, apart)
    value = _fitting(value, shape)
    if math.prod(shape):
        named, value = (a.copy() if _native._overlap(a, view) else a for a in (named, value))
        _native._operate("PUT_ROWS", (named, value, base), (_PLACE, view.dtype, view.dtype))


def _put_in_order(view, places, value):
    """Of places in C order in a view of anything."""
    flat = view.ravel()
    _put(flat, places, _fitting(value, places.shape))
    if not view.flags.c_contiguous:
        view[...] = flat.reshape(view.shape)


def _fitting(value, shape):
    value = value.reshape(_without_leading(value.shape, len(shape)))
    try:
        fits = np.broadcast_shapes(value.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"shape mismatch: value array of shape {value.shape} could not be "
                         f"broadcast to indexing result of shape {shape}")
    return value


def _is_whole_mask(index, array):
    """Whether the index is one array of booleans with as many axes as the array."""
    if isinstance(index, tuple):
        index = index[0] if len(index) == 1 else None
    if isinstance(index, list):
        index = np.asarray(_native._fixed(index))
    return isinstance(index, (np.ndarray, _native.GPUArray)) and index.dtype == bool and index.ndim == array.ndim > 0


def _without_leading(shape, ndim):
    """A shape without axes of length one before the last `ndim`, which assignment ignores."""
    extra = max(len(shape) - ndim, 0)
    return shape[extra:] if shape[:extra] == (1,) * extra else shape


def _put(flat, places, values, stream=None):
    kind = flat.dtype
    if not is_number(kind):
        whole = _native._empty(places.shape, kind)
        whole[...] = values
        if whole.size and kind.itemsize:
            count, words, given = _words(flat, whole)
            _put(words, _places_of_words(places, count), given, stream)
        return
    _native._operate("PUT", (places, values, flat, flat.size), (_PLACE, kind, kind, _PLACE), None,
                     stream)


def _within(indices, length, mode):
    """Places that are wrapped or clipped to those that there are; as they are where mode is "raise"."""
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
    if mode == "raise":
        return indices
    indices = _as_index(indices).astype(_PLACE)
    return indices % max(length, 1) if mode == "wrap" else np.clip(indices, 0, max(length - 1, 0))


def _numbers(indices):
    """Places, where booleans are the numbers 0 and 1 and no mask."""
    given = indices if isinstance(indices, _native.GPUArray) else np.asarray(_native._fixed(indices))
    return given.astype(_PLACE) if given.dtype == bool else indices


def _converted(result, out, stream):
    """The result in an `out` of another dtype: one that is no lesser kind of number; or, as NumPy before 2.5 asks, one
    that the result's dtype holds."""
    if not np.can_cast(result.dtype, out.dtype, "same_kind") and not np.can_cast(out.dtype, result.dtype):
        raise TypeError(f"take: expected an out to which {result.dtype} converts, got {out.dtype}")
    if out.shape != result.shape:
        raise ValueError(f"output array has shape {out.shape}, the result {result.shape}")
    out.set(result.astype(out.dtype, stream), True, stream)
    return out


def take(a, indices, out=None, stream=None, *, axis=None, mode="raise"):
    """Elements of `a` at the places `indices`, a GPUArray or anything that numpy.asarray takes: of
    the elements in C order, or along an axis. IndexError for a place that is not there, unless `mode` is "wrap" or
    "clip"."""
    if isinstance(out, _native.GPUArray) and out.dtype != a.dtype:
        return _converted(take(a, indices, None, stream, axis=axis, mode=mode), out, stream)
    a, indices = a.ravel() if a.ndim == 0 else a, _numbers(indices)
    if mode != "raise":
        indices = _within(indices, a.size if axis is None else a.shape[axis_of(axis, a.ndim)], mode)
    if axis is not None:
        index = (slice(None),) * axis_of(axis, a.ndim) + (indices,)
        result = a[index] if isinstance(indices, _native.GPUArray) else get(a, index)
    else:
        flat = a.ravel()
        if out is None and stream is None and isinstance(indices, _native.GPUArray):
            return flat[indices]
        places = _checked(_as_index(indices), flat.size, 0, keep=is_number(a.dtype))
        if out is None or getattr(out, "shape", None) == places.shape:
            return _take(flat, places, out, stream)
        result = _take(flat, places, None, stream)
    return finish(result, [], True, out)


def put(a, indices, values, stream=None, *, mode="raise"):
    """Writes values to the places `indices` of the elements of `a` in C order; those of a shorter array
    of values come again and again. IndexError for a place that is not there, unless `mode` is "wrap" or "clip"."""
    flat, indices = a.ravel(), _within(_numbers(indices), a.size, mode)
    if not isinstance(values, _native.GPUArray):
        values = _native.to_gpu(np.asarray(_native._fixed(values), a.dtype))
    places, values = _checked(_as_index(indices), flat.size, 0, keep=is_number(a.dtype)).ravel(), values.ravel()
    if values.size == 0:
        return
    if values.size < places.size and values.size > 1:
        values = _take(values, arange(places.size, dtype=_PLACE) % values.size)
    _put(flat, places, values[:max(places.size, 1)], stream)
    if not a.flags.c_contiguous:
        a[...] = flat.reshape(a.shape)


def multi_take(arrays, indices, out=None, stream=None):
    """[take(a, indices) for a in arrays]"""
    if out is None:
        return [take(a, indices, None, stream) for a in arrays]
    arrays = _apart(arrays, out)
    return [take(a, indices, o, stream) for a, o in zip(arrays, out, strict=True)]


def _apart(arrays, out):
    """The arrays, or copies of those that an array of `out` overlaps before they are read."""
    return [a.copy() if any(_native._overlap(a, o) for o in out[:k]) else a
            for k, a in enumerate(arrays)]


def multi_put(arrays, dest_indices, dest_shape=None, out=None, stream=None):
    """Writes each of the arrays to the places `dest_indices` of an array of `out`; where that is
    None, of new arrays of zeros, of the shape `dest_shape`."""
    if out is None:
        if dest_shape is None:
            raise ValueError("multi_put: dest_shape or out must be given")
        out = [_native.zeros(dest_shape, a.dtype) for a in arrays]
    for a, o in zip(_apart(arrays, out), out, strict=True):
        put(o, dest_indices, a, stream)
    return out


def multi_take_put(arrays, dest_indices, src_indices, dest_shape=None, out=None, stream=None,
                   src_offsets=None):
    """multi_put() of what multi_take() gives; src_offsets: for each array, what to add to
    `src_indices`."""
    offsets = [0] * len(arrays) if src_offsets is None else src_offsets
    parts = [take(a, src_indices + int(offset), None, stream)
             for a, offset in zip(arrays, offsets, strict=True)]
    return multi_put(parts, dest_indices, dest_shape, out, stream)
