"""NumPy's reductions of GPU arrays, along any axes: sum, prod, min, max, any, all, mean, var, std,
argmin, argmax, and matrix products. What one launch does is src/array/numpy_reductions.c's
(``_native._reduce_sum`` and its like, NotImplemented for the rest); the rest are reductions along one
axis after the other (``_native._reduce_axis``)."""

import builtins
import functools
import math
import operator

import numpy as np

from pycuda import _native, libraries
from pycuda._creation import axis_of, on_device

_EMPTY = {"ADD": 0, "MULTIPLY": 1, "LOGICAL_AND": True, "LOGICAL_OR": False}
_WHOLE = {"ADD": _native.sum, "MULTIPLY": _native._prod, "DEVIATION": _native._deviation,
          "MAXIMUM": _native.max, "MINIMUM": _native.min, "FMAX": _native._fmax, "FMIN": _native._fmin,
          "LOGICAL_AND": _native.all, "LOGICAL_OR": _native.any}
_ROUNDED = ("ADD", "MULTIPLY", "DEVIATION")  # these compute in a dtype that is asked for


def axes_of(axis, ndim):
    """Which axes are meant, each once, in ascending order."""
    axes = range(ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = [axis_of(one, ndim) for one in axes]
    if len(set(axes)) < len(axes):
        raise ValueError("duplicate value in 'axis'")
    return sorted(axes)


def reduced_axes(axis, ndim):
    """axes_of() where an array without axes has axis 0, too, as in NumPy's ufunc.reduce()."""
    return [] if ndim == 0 and _is_first(axis) else axes_of(axis, ndim)


def accumulated_axis(axis, ndim):
    """The one axis that is meant. ValueError for several, or none."""
    axes = axes_of(axis, ndim)
    if len(axes) != 1:
        raise ValueError("accumulate does not allow multiple axes")
    return axes[0]


def _is_first(axis):
    return not isinstance(axis, (tuple, type(None))) and operator.index(axis) in (0, -1)


def _array(a):
    if not isinstance(a, _native.GPUArray):
        raise TypeError(f"expected a GPUArray, got {type(a).__name__}")
    return a


def finish(result, axes, keepdims, out, casting="same_kind"):
    """The result without the axes, unless they are kept; in `out`, if there is one. Reductions convert to that whatever
    it is, as NumPy's do: their casting rule is "unsafe"."""
    if not keepdims:
        result = result.reshape([n for i, n in enumerate(result.shape) if i not in axes])
    if out is None or result is out:
        return result
    if _array(out).shape != result.shape:
        raise ValueError(f"output array has shape {out.shape}, the result {result.shape}")
    if not np.can_cast(result.dtype, out.dtype, casting):
        raise TypeError(f"cannot write a result of dtype {result.dtype} to {out.dtype}")
    out[...] = result
    return out


@functools.cache  # NumPy makes the name anew each time
def _wider(dtype):
    """What sums in that dtype are computed in."""
    return np.dtype("f") if np.dtype(dtype).name in ("float16", "bfloat16") else dtype


def _common_shape(operands):
    """The shape to which they broadcast."""
    shape = operands[0].shape
    if builtins.all(a.ndim == len(shape) and builtins.all(map(_fits, a.shape, shape)) for a in operands):
        return shape
    return np.broadcast_shapes(*(a.shape for a in operands))


def _fits(length, into):
    return length in (1, into)


def _is_single(shape, axes):
    """Whether one value is left of that shape without those axes."""
    return builtins.all(n == 1 or i in axes for i, n in enumerate(shape))


def _along(name, operands, axes, dtype, compute=None, stream=None, divisor=None):
    """The operands reduced along all axes, which stay with length one; over the divisor, where
    _divides() says so."""
    shape = _common_shape(operands)
    if builtins.any(shape[axis] == 0 for axis in axes):
        if name not in _EMPTY:
            raise ValueError(f"zero-size array to reduction operation {name.lower()} which has "
                             "no identity")
        shape = [1 if i in axes else n for i, n in enumerate(shape)]
        return _native.full(shape, _EMPTY[name], dtype)
    if axes and name in _WHOLE and operands[0].shape == shape and _is_single(shape, axes):
        arguments = (*operands, dtype) if name in _ROUNDED else operands
        return _WHOLE[name](*arguments, stream=stream).reshape([1] * len(shape))
    between = _wider(dtype) if len(axes) > 1 else dtype
    for i, axis in enumerate(reversed(axes)):
        kind = dtype if i == len(axes) - 1 else between
        over = divisor if i == len(axes) - 1 else None
        result = _native._reduce_axis("AXIS_" + name, operands, axis, compute, kind, stream, over)
        operands, compute = (result,), None
        name = "ADD" if name == "DEVIATION" else name
    return result if axes else operands[0].astype(dtype)


def _wide(dtype):
    """The dtype in which NumPy adds: integers in 64 bits."""
    if dtype.kind in "bi":
        return np.dtype(np.int64)
    return np.dtype(np.uint64) if dtype.kind == "u" else dtype


def _added_in(a, out):
    """The same for that array; in what holds both where the result goes to an out of floating-point numbers."""
    own = _array(a).dtype
    is_mixed = out is not None and own.kind in "biufc" and _array(out).dtype.kind in "fc"
    return np.result_type(own, out.dtype) if is_mixed else _wide(own)


def _reduce(name, a, axis, dtype, out, keepdims, stream, allocator=None):
    axes = reduced_axes(axis, _array(a).ndim)
    result = _along(name, (a,), axes, dtype, dtype if name in ("ADD", "MULTIPLY") else None, stream)
    return finish(result, axes, keepdims, out, "unsafe")


def _is_whole(axis, out, keepdims, a):
    """Whether one value is asked for, for which there is a kernel of one launch."""
    return axis is None and out is None and not keepdims and isinstance(a, _native.GPUArray)


def sum(a, dtype=None, stream=None, allocator=None, *, axis=None, out=None, keepdims=False):
    """The sum of all elements, or along an axis or a tuple of axes, as a GPUArray. Integers are
    summed in 64 bits unless a dtype is given. TypeError for dtypes that are no numbers."""
    if _is_whole(axis, out, keepdims, a):
        return _native.sum(a, dtype, stream, allocator)
    if out is None and (result := _native._reduce_sum(a, axis, dtype, keepdims, stream)) is not NotImplemented:
        return result
    dtype = _added_in(a, out) if dtype is None else np.dtype(dtype)
    return _reduce("ADD", a, axis, dtype, out, keepdims, stream)


def prod(a, dtype=None, stream=None, *, axis=None, out=None, keepdims=False):
    """The product of all elements, or along axes; dtypes as in sum()."""
    if out is None and (result := _native._reduce_prod(a, axis, dtype, keepdims, stream)) is not NotImplemented:
        return result
    dtype = _added_in(a, out) if dtype is None else np.dtype(dtype)
    return _reduce("MULTIPLY", a, axis, dtype, out, keepdims, stream)


def max(a, stream=None, allocator=None, *, axis=None, out=None, keepdims=False):
    """The greatest element, of all or along axes; a NaN if there is one. ValueError if there is no
    element."""
    if _is_whole(axis, out, keepdims, a):
        return _native.max(a, stream, allocator)
    if out is None and (result := _native._reduce_max(a, axis, None, keepdims, stream)) is not NotImplemented:
        return result
    return _reduce("MAXIMUM", a, axis, _array(a).dtype, out, keepdims, stream)


def min(a, stream=None, allocator=None, *, axis=None, out=None, keepdims=False):
    """The least element, of all or along axes; a NaN if there is one. ValueError if there is no
    element."""
    if _is_whole(axis, out, keepdims, a):
        return _native.min(a, stream, allocator)
    if out is None and (result := _native._reduce_min(a, axis, None, keepdims, stream)) is not NotImplemented:
        return result
    return _reduce("MINIMUM", a, axis, _array(a).dtype, out, keepdims, stream)


def fmax(a, axis=None, out=None, keepdims=False):
    """The greatest element that is no NaN, of all or along axes; NaN if all are."""
    if out is None and (result := _native._reduce_fmax(a, axis, None, keepdims)) is not NotImplemented:
        return result
    return _reduce("FMAX", a, axis, _array(a).dtype, out, keepdims, None)


def fmin(a, axis=None, out=None, keepdims=False):
    """The least element that is no NaN; otherwise like fmax()."""
    if out is None and (result := _native._reduce_fmin(a, axis, None, keepdims)) is not NotImplemented:
        return result
    return _reduce("FMIN", a, axis, _array(a).dtype, out, keepdims, None)


def all(a, stream=None, allocator=None, *, axis=None, out=None, keepdims=False):
    """Whether all elements are true, of all or along axes, as bool."""
    if _is_whole(axis, out, keepdims, a):
        return _native.all(a, stream, allocator)
    if out is None and (result := _native._reduce_all(a, axis, None, keepdims, stream)) is not NotImplemented:
        return result
    return _reduce("LOGICAL_AND", a, axis, np.dtype(bool), out, keepdims, stream)


def any(a, stream=None, allocator=None, *, axis=None, out=None, keepdims=False):
    """Whether an element is true, of all or along axes, as bool."""
    if _is_whole(axis, out, keepdims, a):
        return _native.any(a, stream, allocator)
    if out is None and (result := _native._reduce_any(a, axis, None, keepdims, stream)) is not NotImplemented:
        return result
    return _reduce("LOGICAL_OR", a, axis, np.dtype(bool), out, keepdims, stream)


def mean_dtypes(a, dtype):
    """(what to return, what to compute in)"""
    if dtype is None:
        dtype = np.float64 if _array(a).dtype.kind in "biu" else a.dtype
    dtype = np.dtype(dtype)
    return dtype, _wider(dtype)


def _count(a, axes):
    return math.prod([a.shape[axis] for axis in axes])


def mask_of(a, where):
    """The mask `where` on the device: TypeError if it is not of booleans, ValueError if it has not the shape of the
    array, nor one that is broadcast to that."""
    mask = on_device(where if hasattr(where, "dtype") else np.asarray(_native._fixed(where), bool))
    if mask.dtype != bool:
        raise TypeError(f"Cannot cast array data from {mask.dtype!r} to dtype('bool') according to the rule 'safe'")
    if _common_shape((a, mask)) != a.shape:
        raise ValueError(f"where: a mask of shape {mask.shape} is not broadcast to {a.shape}")
    return mask


def _masked(a, where, axes):
    """(the mask in the shape of the array, how many of its elements along the axes are true, which stay)"""
    every = _native.full(a.shape, True, bool) & mask_of(a, where)
    return every, _along("ADD", (every,), axes, np.dtype(np.int64), np.dtype(np.int64))


def _counted_in(dtype):
    """What elements are counted in, of which an integer of 8 bits may not hold the number."""
    return np.dtype(np.float64) if dtype.kind in "biu" else dtype


def _divides(shape, axes, dtype):
    """Whether the kernel that has sums of that dtype divides them, too."""
    return bool(axes) and dtype.kind == "f" and builtins.all(shape[axis] for axis in axes) and not _is_single(shape, axes)


def _mean_along(name, operands, axes, compute, sums, count, dtype, out):
    """The operands reduced along the axes to sums of that dtype, over their count."""
    shape = _common_shape(operands)
    if out is None and np.ndim(count) == 0 and _divides(shape, axes, sums):
        return _along(name, operands, axes, dtype, compute, divisor=count)
    return _quotient(_along(name, operands, axes, sums, compute), count, dtype, out)


def _quotient(sums, count, dtype, out):
    """sums / count in that dtype; in that of out if it holds more, or fractions, as NumPy divides there."""
    held = dtype if out is None else _array(out).dtype if dtype.kind == "c" else np.empty(0, _array(out).dtype).real.dtype
    if held.kind in "fc" and held != dtype and (dtype.kind in "biu" or np.promote_types(dtype, held) == held):
        sums, dtype = sums.astype(held), held
    return _native._ufunc("divide", (sums, count)).astype(dtype, copy=False)


def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    """The mean of all elements, or along axes; of integers in float64, of float16 computed in
    float32. where: a mask of the elements that count. NaN where there are no elements."""
    if out is None and where is True and (
            result := _native._reduce_mean(a, axis, dtype, keepdims)) is not NotImplemented:
        return result
    if dtype is None and _array(a).dtype.kind in "fc" and a.itemsize > 2:
        dtype = _added_in(a, out)
    dtype, compute = mean_dtypes(a, dtype)
    axes = axes_of(axis, a.ndim)
    if where is True:
        count = _counted_in(compute).type(_count(a, axes))
    else:
        mask, count = _masked(a, where, axes)
        a, count = _native.where(mask, a, a.dtype.type(0)), count.astype(_counted_in(np.empty(0, compute).real.dtype))
    return finish(_mean_along("ADD", (a,), axes, compute, compute, count, dtype, out), axes, keepdims, out, "unsafe")


_mean = mean


def _real(dtype):
    """That of real parts."""
    return np.empty(0, dtype).real.dtype if dtype.kind == "c" else dtype


def _spread(a, axes, compute, dtype):
    """The sums of squared distances from the mean, in one pass over the elements on a GPU; None: not along these axes."""
    kept = [1 if i in axes else n for i, n in enumerate(a.shape)]
    if len(axes) > 1 and math.prod(kept) == 1 and a.flags.forc:
        a, axes = _native._look(a, (a.size,), (a.itemsize,)), (0,)
    if len(axes) != 1:
        return None
    return _native._reduce_axis("AXIS_VARIANCE", (a,), axes[0], compute, dtype).reshape(kept)


def _divisor(ddof, correction):
    """What a divisor is less than the number of elements."""
    if correction is not None and ddof != 0:
        raise ValueError("ddof and correction can't be provided simultaneously.")
    return ddof if correction is None else correction


def _as_asked(result, dtype, out):
    """A variance, which is real, as complex numbers if such were asked for."""
    is_complex = out is None and dtype is not None and np.dtype(dtype).kind == "c"
    return result.astype(dtype) if is_complex else result


def _loses_parts(a, dtype):
    """Whether complex numbers are to be added up as real ones."""
    return _array(a).dtype.kind == "c" and np.dtype(dtype).kind != "c"


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None):
    """The variance of all elements, or along axes: the mean of their squared distances from their
    mean, with a divisor of their number less `ddof`, which the array API standard calls `correction`. Of complex
    numbers it is real, unless `dtype` is complex. mean: that of the elements, its axes kept, if it is known; where: a
    mask of the elements that count."""
    ddof = _divisor(ddof, correction)
    if out is None and where is True and mean is None and (dtype is None or not _loses_parts(a, dtype)) and (
            result := _native._reduce_var(a, axis, dtype, keepdims, None, ddof)) is not NotImplemented:
        return _as_asked(result, dtype, out)
    return _as_asked(_var(a, axis, dtype, out, ddof, keepdims, where, mean), dtype, out)


def _var(a, axis, dtype, out, ddof, keepdims, where, mean):
    """var() by several launches."""
    dtype, compute = mean_dtypes(a, dtype)
    axes = axes_of(axis, a.ndim)
    if a.dtype.kind == "c" and dtype.kind == "f":  # as NumPy: the mean is real then, the distances from it are not
        mean = _mean(a.real, tuple(axes), dtype, keepdims=True, where=where) if mean is None else mean
        compute = np.result_type(a.dtype, compute)
    real, dtype = _real(compute), _real(dtype)
    count, counted = _count(a, axes), _counted_in(real)
    divisor = counted.type(builtins.max(count - ddof, 0))
    is_whole = compute.kind in "biu"  # the mean is, too
    if mean is None and where is True and axes and count and not is_whole and out is not None \
            and not _native._is_host_device() and (result := _spread(a, axes, compute, real)) is not None:
        return finish(_quotient(result, divisor, dtype, out), axes, keepdims, out, "unsafe")
    middle = _mean(a, tuple(axes), compute, keepdims=True, where=where) if mean is None else \
        (mean if isinstance(mean, _native.GPUArray) else _native.to_gpu(np.asarray(mean))).astype(compute, copy=False)
    if where is not True:
        mask, counts = _masked(a, where, axes)
        a = _native.where(mask, a.astype(compute, copy=False), middle)
        divisor = _native.maximum(counts.astype(counted) - counted.type(ddof), counted.type(0))
    if axes and count and is_whole:
        distances = a - middle
        result = _mean_along("ADD", (distances * distances,), axes, compute, compute, divisor, dtype, out)
    elif axes and count:
        result = _mean_along("DEVIATION", (a, middle), axes, compute, real, divisor, dtype, out)
    else:  # of no elements NaN, of one by itself 0 if it is finite
        result = abs(a.astype(compute, copy=False) - middle) ** 2 if a.size and mean is not None else abs(middle - middle)
        result = _quotient(result, divisor, dtype, out)
    return finish(result, axes, keepdims, out, "unsafe")


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None):
    """The square root of var()."""
    ddof = _divisor(ddof, correction)
    if out is None and where is True and mean is None and (dtype is None or not _loses_parts(a, dtype)) and (
            result := _native._reduce_std(a, axis, dtype, keepdims, None, ddof)) is not NotImplemented:
        return _as_asked(result, dtype, out)
    result = _var(a, axis, dtype, out, ddof, keepdims, where, mean)
    if out is None and result.ndim and result.dtype.kind in "biu":
        raise TypeError(f"std: a square root is no {result.dtype}, which dtype= asks for")
    return _as_asked(_native._ufunc("sqrt", (result,), out).astype(result.dtype, copy=False), dtype, out)


def _find(name, a, axis, out, keepdims):
    if isinstance(axis, tuple):
        raise TypeError("argmin and argmax take one axis")
    if out is not None and not np.can_cast(_array(out).dtype, np.int64):
        raise TypeError(f"{name}: expected an out that int64 holds, of bools or of integers but uint64, got {out.dtype}")
    axes = reduced_axes(axis, _array(a).ndim)
    axis = axis if a.ndim else None
    if axis is None:
        shape, a = (1,) * a.ndim, a.ravel()
    else:
        shape = [1 if i in axes else n for i, n in enumerate(a.shape)]
    at = 0 if axis is None else axes[0]
    if a.shape[at] == 0:
        raise ValueError(f"attempt to get {name} of an empty sequence")
    if a.ndim == 1 and (a.dtype.kind in "biu" or a.dtype == np.float32) and a.flags.c_contiguous and _native._is_host_device():
        # two reductions that go by memory's pace take a half to a sixth of one of values and places; not of doubles
        extreme = _native.max(a) if name == "argmax" else _native.min(a)
        found = _native._first_place(a, extreme, np.int64)
    else:
        found = _native._reduce_axis("AXIS_" + name.upper(), (a,), at, None, np.int64)
    return finish(found.reshape(shape), axes, keepdims, out, "unsafe")


def argmax(a, axis=None, out=None, *, keepdims=False):
    """The index of the greatest element, the first of equals or the first NaN, as int64; of the
    elements in C order, or along an axis. ValueError if there is no element."""
    return _find("argmax", a, axis, out, keepdims)


def argmin(a, axis=None, out=None, *, keepdims=False):
    """The index of the least element; otherwise like argmax()."""
    return _find("argmin", a, axis, out, keepdims)


@functools.cache
def running(dtype, operation):
    """The kernel of running sums ("+") or products ("*")."""
    from pycuda.scan import InclusiveScanKernel  # few need it, and it brings the compiler along

    return InclusiveScanKernel(dtype, f"a {operation} b")


def scanned(name, a, axis, dtype, out=None):
    """What numpy's ufunc of that name, which must be associative and commutative, makes of the first elements along an
    axis, of each number of them, in that dtype: in `out`, if it is fit, or a new array."""
    operation = {"add": "+", "multiply": "*"}.get(name)
    if operation and dtype == a.dtype and dtype.char in "ilqILQfdFD" and a.size == a.shape[axis] and a.flags.c_contiguous:
        return running(dtype, operation)(a.reshape(-1), "new").reshape(a.shape)
    result = _native._accumulate(name, a, axis, dtype, out)
    return _native._accumulate(name, a.copy(order="C"), axis, dtype, out) if result is None else result


def accumulate(name, a, axis=0, dtype=None, out=None):
    """What numpy's ufunc of that name, one of add, multiply, maximum and minimum, accumulates along an axis."""
    axis = accumulated_axis(axis, _array(a).ndim)
    if dtype is None:
        dtype = _added_in(a, out) if name in ("add", "multiply") else a.dtype
    return finish(scanned(name, a, axis, np.dtype(dtype), out), [], True, out, "unsafe")


def _stack(x, batch, dtype):
    """`x` as so many matrices in that dtype, one after the other: a view if they lie at equal distances."""
    x, matrix = x.astype(dtype, copy=False), x.shape[-2:]
    between = [0] * (len(batch) - x.ndim + 2)
    between += [0 if n == 1 else step for n, step in zip(x.shape[:-2], x.strides, strict=False)]
    if not builtins.any(between):
        return _native._look(x, (math.prod(batch), *matrix), (0, *x.strides[-2:]))
    return _native._look(x, (*batch, *matrix), (*between, *x.strides[-2:])).reshape((math.prod(batch), *matrix))


def _memory_for(shape, dtype, out, operands):
    """Memory for a product of the operands: `out` if it is of that shape and dtype and none lies there, or else new."""
    fits = isinstance(out, _native.GPUArray) and out.shape == shape and out.dtype == dtype and out.flags.c_contiguous
    return out if fits and not builtins.any(_native._overlap(out, x) for x in operands) else _native._empty(shape, dtype)


def _by_library(left, right, batch, dtype, out):
    """The products of two stacks of matrices by cuBLAS; None: there is none, or they are too small for it."""
    m, length, n = *left.shape[-2:], right.shape[-1]
    if dtype.kind in "biu" or builtins.min(m, n, length) < 16 or 0 in batch or not _native._library_multiplies():
        return None
    result = _memory_for((*batch, m, n), dtype, out, (left, right))
    operands = _stack(left, batch, dtype), _stack(right, batch, dtype)
    stack = result.reshape((math.prod(batch), m, n))
    served = _native._library_product(stack, *operands) or _native._library_product(
        stack, *(x.copy(order="C") for x in operands))  # they lay neither row by row nor column by column
    if served is None:
        return None
    libraries._note(served)
    return result


def _in_whole_rows(x, dtype):
    """A stack of matrices in that dtype whose rows or columns begin at multiples of 16 bytes: itself, or a copy."""
    apart, *inside = x.strides
    is_whole = x.dtype == dtype and x.itemsize in inside and not (x.ptr | apart | builtins.max(inside)) % 16
    if is_whole and builtins.min(inside) > 0:
        return x
    once = x if apart else x[:1]
    columns, step = x.shape[-1], 16 // dtype.itemsize
    copy = _native._empty((*once.shape[:-1], -(-columns // step) * step), dtype)[..., :columns]
    copy[...] = once
    return copy if apart else _native._look(copy, x.shape, (0, *copy.strides[1:]))


def _tiled(left, right, batch, dtype, out):
    """The products of two stacks of matrices by tiles; None where they are too small, or many and small, and one
    launch of axis reductions does better."""
    m, length, n = *left.shape[-2:], right.shape[-1]
    if builtins.min(m, n, length) < 16 or (np.prod(batch) != 1 and m * n * length < 1 << 18):
        return None
    result = _memory_for((*batch, m, n), dtype, out, (left, right))
    stack = result.reshape((math.prod(batch), m, n))
    operands = [_stack(x, batch, x.dtype) for x in (left, right)]
    done = _native._product(stack, *operands, True)
    if done is None:
        done = _native._product(stack, *(_in_whole_rows(x, dtype) for x in operands), False)
    return result if done else None


def matmul(a, b, out=None):
    """The matrix product of the last two axes, others broadcast; vectors as in numpy.matmul, which
    `@` calls too. ValueError if the lengths do not fit."""
    return finish(product(a, b, out), [], True, out)


def product(a, b, out=None):
    """The matrix product: in `out`, if it fits there, or in new memory."""
    if _array(a).ndim == 0 or _array(b).ndim == 0:
        raise ValueError("matmul: an operand has no axes")
    left = a.reshape(1, -1) if a.ndim == 1 else a
    right = b.reshape(-1, 1) if b.ndim == 1 else b
    if left.shape[-1] != right.shape[-2]:
        raise ValueError(f"matmul: shapes {a.shape} and {b.shape} do not fit: {left.shape[-1]} is "
                         f"not {right.shape[-2]}")
    dtype = np.matmul.resolve_dtypes((a.dtype, b.dtype, None))[2]
    batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    result = _by_library(left, right, batch, dtype, out)
    result = _tiled(left, right, batch, dtype, out) if result is None else result
    if result is not None:
        return result
    if left.shape[-1]:
        # (..., M, 1, K) and (..., 1, N, K), reduced along K
        operands = (left[..., :, None, :], right.transpose(
            (*range(right.ndim - 2), right.ndim - 1, right.ndim - 2))[..., None, :, :])
        name = "ANY_PRODUCT" if dtype == bool else "PRODUCT"
        result = _along(name, operands, [len(batch) + 2], dtype, dtype)
    else:
        result = _native.zeros((*batch, left.shape[-2], right.shape[-1]), dtype)
    shape = [*batch, left.shape[-2], right.shape[-1]]
    if b.ndim == 1:
        del shape[-1]
    if a.ndim == 1:
        del shape[len(batch)]
    return result.reshape(shape)
