"""Functions of NumPy that are compositions of operations on arrays, under NumPy's names and with its
parameters; pycuda/_function_table.py finds them here."""

import math

import numpy as np

from pycuda import _creation, _native
from pycuda._creation import arange
from pycuda._native import GPUArray
from pycuda._reductions import axes_of, finish, mask_of, reduced_axes
from pycuda._reductions import matmul as product

# -- Shapes ----------------------------------------------------------------------------------------


def expand_dims(a, axis):
    axis = axis if isinstance(axis, tuple) else (axis,)
    ndim = a.ndim + len(axis)
    axes = axes_of(axis, ndim)
    return a[tuple(None if i in axes else slice(None) for i in range(ndim))]


def broadcast_to(array, shape, subok=False):
    shape = tuple(shape) if np.iterable(shape) else (shape,)
    if np.broadcast_shapes(array.shape, shape) != shape:
        raise ValueError(f"cannot broadcast an array of shape {array.shape} to {shape}")
    strides = [0 if n == 1 else step for n, step in zip(array.shape, array.strides, strict=True)]
    return _native._look(array, shape, (*[0] * (len(shape) - array.ndim), *strides))


def take_along_axis(arr, indices, axis=-1):
    if axis is None:
        arr, axis = arr.ravel(), 0
    return np.take_along_axis.__wrapped__(arr, indices, axis)


_SEVERAL = type(np.atleast_1d(0, 0))  # a list before NumPy 2


def _with_axes(ndim, arrays):
    def widened(a):
        return a if a.ndim >= ndim else widened(a[..., None] if a.ndim == 2 else a[None])
    arrays = [widened(a) for a in arrays]
    return arrays[0] if len(arrays) == 1 else _SEVERAL(arrays)


def atleast_1d(*arys):
    return _with_axes(1, arys)


def atleast_2d(*arys):
    return _with_axes(2, arys)


def atleast_3d(*arys):
    return _with_axes(3, arys)


def _joining(join):
    def function(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
        if out is not None and dtype is not None:
            raise TypeError(f"{join.__name__}() takes `out` or `dtype`, not both")
        dtype = dtype if out is None else out.dtype
        return finish(join(arrays, axis, dtype=dtype, casting=casting), [], True, out)
    function.__name__ = join.__name__
    return function


concatenate, stack = map(_joining, (_creation.concatenate, _creation.stack))


def column_stack(tup):
    return concatenate([a.reshape(-1, 1) if a.ndim < 2 else a for a in tup], 1)


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    places = list(range(len(xi)))
    if indexing == "xy" and len(xi) > 1:
        places[:2] = 1, 0
    lines = [x.reshape([-1 if i == place else 1 for i in range(len(xi))])
             for x, place in zip(xi, places, strict=True)]
    shape = np.broadcast_shapes(*(x.shape for x in lines))
    lines = lines if sparse else [broadcast_to(x, shape) for x in lines]
    return tuple(x.copy(order="C") if copy else x for x in lines)


def _counts(x):
    """Integers that an array on the device may hold."""
    return x.tolist() if isinstance(x, GPUArray) else x


def tile(A, reps):
    A, reps = _creation.on_device(A), _counts(reps)
    reps = tuple(reps) if np.iterable(reps) else (reps,)
    reps = (*[1] * (A.ndim - len(reps)), *reps)
    shape = (*[1] * (len(reps) - A.ndim), *A.shape)
    spread = broadcast_to(A.reshape([n for length in shape for n in (1, length)]),
                          [n for pair in zip(reps, shape, strict=True) for n in pair])
    return spread.copy(order="C").reshape([n * m for n, m in zip(reps, shape, strict=True)])


def roll(a, shift, axis=None):
    shift, axis = _counts(shift), _counts(axis)
    if axis is None:
        return roll(a.ravel(), shift, 0).reshape(a.shape)
    if type(shift) is int and type(axis) is int:
        pairs = [(shift, axis)]
    else:  # np.broadcast crashes where memory runs out
        pairs = np.reshape(np.broadcast_arrays(_native._fixed(shift), _native._fixed(axis)), (2, -1)).T.tolist()
    for by, one in pairs:
        one, = axes_of(int(one), a.ndim)
        by, before, rolled = int(by) % max(a.shape[one], 1), (slice(None),) * one, _native.empty_like(a)
        cut = a.shape[one] - by
        rolled[(*before, slice(by))] = a[(*before, slice(cut, None))]
        rolled[(*before, slice(by, None))] = a[(*before, slice(cut))]
        a = rolled
    return a if pairs else a.copy()


def fliplr(m):
    return m[:, ::-1]


def flipud(m):
    return m[::-1]


def diag(v, k=0):
    if v.ndim == 2:
        return v.diagonal(k)
    if v.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    result = _native.zeros([v.size + abs(k)] * 2, v.dtype)
    result.diagonal(k)[...] = v
    return result


# -- Values ----------------------------------------------------------------------------------------


def clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None, **kwargs):
    if not (min is max is None or a_min is a_max is None):
        raise ValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.")
    low, high = min if a_min is None else a_min, max if a_max is None else a_max
    if not kwargs:
        return a.clip(low, high, out)
    a = a if low is None else np.maximum(a, low, **kwargs)
    a = a if high is None else np.minimum(a, high, **kwargs)
    return finish(a, [], True, out)


def _order_like(a, shape, order):
    """In which order, "C" or "F", an array of that shape lies where one like `a` is asked for, or its axes, the outermost
    first: those of `a` where it has as many."""
    if order == "A":
        return "F" if a.flags.f_contiguous and not a.flags.c_contiguous else "C"
    if order != "K" or np.ndim(shape) == 0 or len(shape) != a.ndim:
        return "F" if order == "F" else "C"
    axes = sorted(range(a.ndim), key=lambda i: -abs(a.strides[i]))
    return "C" if axes == [*range(a.ndim)] else axes


def _like(make):
    """A function that makes arrays like another one. NumPy's `subok` and `device` make no difference."""
    def function(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
        if device not in (None, "cpu"):
            raise ValueError(f'Device not understood. Only "cpu" is allowed, but received: {device}')
        if shape is None:
            return make(a, dtype, order)
        dtype, order = a.dtype if dtype is None else dtype, _order_like(a, shape, order)
        new = {_native.empty_like: GPUArray, _native.ones_like: _native.ones, _native.zeros_like: _native.zeros}[make]
        if isinstance(order, str):
            return new(shape, dtype, order=order)
        return new([shape[i] for i in order], dtype).transpose(np.argsort(order).tolist())
    function.__name__ = make.__name__
    return function


empty_like, zeros_like, ones_like = map(_like, (_native.empty_like, _native.zeros_like, _native.ones_like))


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    result = empty_like(a, dtype, order, subok, shape, device=device)
    result[...] = fill_value
    return result


def reshape(a, /, shape, order="C", *, copy=None):
    if copy:
        return a.copy().reshape(shape, order=order)
    result = a.reshape(shape, order=order)
    if copy is False and a.size and not _native._overlap(result, a):
        raise ValueError("Unable to avoid creating a copy while reshaping.")
    return result


def angle(z, deg=False):
    result = _native.atan2(z.imag if z.dtype.kind == "c" else 0, z.real)
    return _native._ufunc("rad2deg", (result,)) if deg else result


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    if x.dtype.kind == "c":
        result = _native._empty(x.shape, x.dtype) if copy else x
        for part in ("real", "imag"):
            setattr(result, part, nan_to_num(getattr(x, part), True, nan, posinf, neginf))
        return result
    if x.dtype.kind == "f":
        limits = np.finfo(x.dtype)
        infinite = _native.isinf(x)
        result = _native.where(infinite & (x > 0), limits.max if posinf is None else posinf, x)
        result = _native.where(infinite & (x < 0), limits.min if neginf is None else neginf, result)
        result = _native.where(_native.isnan(x), nan, result).astype(x.dtype, copy=False)
    else:
        result = x.copy()
    if not copy:
        x[...] = result
    return result if copy else x


_RANKS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
_NUMBERS = int, float, complex


def may_convert(x, kind, casting):
    """Whether an operand, a dtype or the type of a number of Python's, which has a kind but no size, may
    become that dtype."""
    if isinstance(x, np.dtype):
        return np.can_cast(x, kind, casting)
    own = np.dtype(x)
    if casting != "equiv" and _RANKS[own.kind] <= _RANKS.get(kind.kind, 2):  # bfloat16 has a kind of its own
        return True
    return np.can_cast(own, kind, casting)


def copyto(dst, src, casting="same_kind", where=True):
    if not isinstance(src, (GPUArray, int, float, complex)):
        src = np.asarray(_native._fixed(src))
    kind = getattr(src, "dtype", type(src))
    if not (may_convert if kind in _NUMBERS else np.can_cast)(kind, dst.dtype, casting):
        raise TypeError(f"Cannot cast array data from {np.dtype(kind)} to {dst.dtype} according to the rule '{casting}'")
    if type(src) in (float, complex):
        src = np.asarray(src).astype(dst.dtype)
    if where is not True:  # in the dtype of dst: what holds both may lose digits of integers
        src = src if type(src) is int else _creation.on_device(src).astype(dst.dtype, copy=False)
        src = _native.where(mask_of(dst, where), src, dst)
    dst[...] = src


def where(condition, *pair):
    """numpy.where() with lists of numbers, too; arrays of the host are refused."""
    if len(pair) == 1:
        raise ValueError("where: expected both x and y, or neither, got one")
    operands = [_creation.on_device(one) if isinstance(one, (list, tuple)) else one for one in (condition, *pair)]
    return _native.where(*operands) if pair else operands[0].nonzero()


def _distances(m):
    """How far to the right of the diagonal elements are; of the rows of a square, if there is one row."""
    if m.ndim == 0:
        raise TypeError("an array without axes has no diagonal")
    return arange(m.shape[-1]) - arange(m.shape[-2:][0])[:, None]


def tril(m, k=0):
    return _native.where(_distances(m) <= k, m, m.dtype.type(0))


def triu(m, k=0):
    return _native.where(_distances(m) >= k, m, m.dtype.type(0))


def _dtypes(operands):
    return [x.dtype if isinstance(x, GPUArray) else x for x in operands]


def result_type(*arrays_and_dtypes):
    return np.result_type(*_dtypes(arrays_and_dtypes))


def can_cast(from_, to, casting="safe"):
    return np.can_cast(*_dtypes([from_, to]), casting)


# -- Comparisons and counts ------------------------------------------------------------------------


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    far = b * 1.0  # floats, so that differences of unsigned numbers do not wrap
    result = (abs(a - far) <= atol + rtol * abs(far)) & np.isfinite(far) | (a == b)
    return result | np.isnan(a) & np.isnan(b) if equal_nan else result


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(isclose(a, b, rtol, atol, equal_nan).all())


def array_equal(a1, a2, equal_nan=False):
    a1, a2 = _native._fixed(a1), _native._fixed(a2)
    if np.shape(a1) != np.shape(a2):
        return False
    same = np.equal(a1, a2)
    return bool((same | np.isnan(a1) & np.isnan(a2) if equal_nan else same).all())


def count_nonzero(a, axis=None, *, keepdims=False):
    if axis is None and not keepdims:
        return _native._count(a)
    return a.astype(bool).sum(axis, keepdims=keepdims)


def argwhere(a):
    return stack(a.nonzero(), 1) if a.ndim else argwhere(a[None])[:, :0]


# -- Products -------------------------------------------------------------------------------------


def outer(a, b, out=None):
    a, b = _creation._arrays((a, b))
    return np.multiply(a.ravel()[:, None], b.ravel(), out=out)


def inner(a, b):
    a, b = _native._fixed(a), _native._fixed(b)
    if 0 in (np.ndim(a), np.ndim(b)):
        return np.dot(a, b)
    a_rows, b_rows = (x.reshape(math.prod(x.shape[:-1]), x.shape[-1]) for x in _creation._arrays((a, b)))
    result = product(a_rows, b_rows.T)
    return result.reshape(a.shape[:-1] + b.shape[:-1])


def vdot(a, b):
    a, b = _creation._arrays((a, b))
    return _native.dot(a.conj().ravel(), b.ravel())


def _spread(weights, a, axis):
    """Weights of the elements along axes, in a shape that is broadcast to that of the array."""
    if weights.shape == a.shape:
        return weights
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    axes = [_creation.axis_of(one, a.ndim) for one in (axis if isinstance(axis, tuple) else (axis,))]
    if weights.shape != tuple(a.shape[one] for one in axes):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    weights = weights.transpose([int(i) for i in np.argsort(axes)])
    return weights.reshape([n if i in axes else 1 for i, n in enumerate(a.shape)])


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    if weights is None:
        result = a.mean(axis, keepdims=keepdims)
        total = _native.full((), a.size // max(result.size, 1), result.dtype)
    else:
        weights = weights if isinstance(weights, GPUArray) else _native.to_gpu(np.asarray(_native._fixed(weights)))
        dtype = np.result_type(a.dtype, weights.dtype, *[np.float64] * (a.dtype.kind in "biu"))
        weights = broadcast_to(_spread(weights, a, axis), a.shape)
        total = weights.sum(axis, dtype, keepdims=keepdims)
        if bool((total == 0).any()):
            raise ZeroDivisionError("Weights sum to zero, can't be normalized")
        result = np.multiply(a, weights, dtype=dtype).sum(axis, keepdims=keepdims) / total
    return (result, broadcast_to(total, result.shape).copy(order="C")) if returned else result


# -- Without NaNs ----------------------------------------------------------------------------------


def _known(a, where):
    """A mask of the elements that are no NaN, and that a mask lets count."""
    known = ~_native.isnan(a)
    return known if where is True else known & where


def nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    where = where if a.dtype.kind in "biu" else _known(a, where)
    return a.sum(axis, dtype, out, keepdims, initial, where)


def _expect_inexact(**dtypes):
    """Results of numbers that may be NaN are such, too."""
    for name, dtype in dtypes.items():
        if dtype is not None and np.dtype(dtype).kind in "biu":
            raise TypeError(f"If a is inexact, then {name} must be inexact; got {np.dtype(dtype)}")


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    if a.dtype.kind in "biu":
        return a.mean(axis, dtype, out, keepdims, where=where)
    _expect_inexact(dtype=dtype, out=getattr(out, "dtype", None))
    return a.mean(tuple(reduced_axes(axis, a.ndim)), dtype, out, keepdims, where=_known(a, where))


def _filled(a, value):
    """`a` with a number in the place of NaNs."""
    return a if a.dtype.kind in "biu" else _native.where(_native.isnan(a), a.dtype.type(value), a)


def nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    return _filled(a, 1).prod(axis, dtype, out, keepdims, initial, where)


def nancumsum(a, axis=None, dtype=None, out=None):
    return _filled(a, 0).cumsum(axis, dtype, out)


def nancumprod(a, axis=None, dtype=None, out=None):
    return _filled(a, 1).cumprod(axis, dtype, out)


def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None):
    if a.dtype.kind in "biu":
        return a.var(axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction)
    if correction is not None:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    _expect_inexact(dtype=dtype, out=getattr(out, "dtype", None))
    axis, known = tuple(reduced_axes(axis, a.ndim)), _known(a, where)
    result = a.var(axis, dtype, None, ddof, True, where=known, mean=mean)
    result = _native.where(known.sum(axis, keepdims=True) > ddof, result, result.dtype.type(np.nan))
    return finish(result, axis, keepdims, out, "unsafe")


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None):
    if a.dtype.kind in "biu":
        return a.std(axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction)
    result = nanvar(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction)
    return finish(_native.sqrt(result), [], True, out)


def _place(name, limit):
    def function(a, axis=None, out=None, *, keepdims=False):
        if a.dtype.kind not in "biu" and bool(np.all(_native.isnan(a), axis=axis).any()):
            raise ValueError("All-NaN slice encountered")
        return getattr(_filled(a, limit), name)(axis, out, keepdims=keepdims)
    function.__name__ = "nan" + name
    return function


nanargmax, nanargmin = _place("argmax", -np.inf), _place("argmin", np.inf)


def _extreme(ufunc):
    def function(a, axis=None, out=None, keepdims=False, initial=None, where=True):
        kwargs = {} if initial is None else {"initial": initial}
        return ufunc.reduce(a, axis, None, out, keepdims, where=where, **kwargs)
    function.__name__ = {"fmax": "nanmax", "fmin": "nanmin"}[ufunc.__name__]
    return function


nanmax, nanmin = _extreme(np.fmax), _extreme(np.fmin)
