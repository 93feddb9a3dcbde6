"""NumPy's own ufuncs and functions on GPU arrays: ``__array_ufunc__`` and ``__array_function__``.

A function is a method or a function of ours, or NumPy's own code, where that is made of what arrays
have. What is in none of the tables raises NotImplementedError."""

import operator

import numpy as np

from pycuda import _methods, _native, _reductions
from pycuda._native import GPUArray

any_of = _methods.reduction(_reductions.any, "logical_or", False, False)
all_of = _methods.reduction(_reductions.all, "logical_and", True, False)

# -- Ufuncs ----------------------------------------------------------------------------------------

_REDUCERS = {"add": GPUArray.sum, "multiply": GPUArray.prod, "maximum": GPUArray.max,
             "minimum": GPUArray.min, "logical_and": all_of, "logical_or": any_of,
             "fmax": _methods.reduction(_reductions.fmax, "fmax", None, False),
             "fmin": _methods.reduction(_reductions.fmin, "fmin", None, False)}
_COMPARISONS = {"equal": operator.eq, "not_equal": operator.ne, "less": operator.lt,
                "less_equal": operator.le, "greater": operator.gt, "greater_equal": operator.ge}
_RANKS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
_ALIASES = {"radians": "deg2rad", "degrees": "rad2deg"}


def _may_convert(x, kind, casting):
    """Whether an operand, a dtype or the type of a number of Python's, which has a kind but no size, may
    become that dtype."""
    if isinstance(x, np.dtype):
        return np.can_cast(x, kind, casting)
    own = np.dtype(x)
    if casting != "equiv" and _RANKS[own.kind] <= _RANKS[kind.kind]:
        return True
    return np.can_cast(own, kind, casting)


def _converted(ufunc, inputs, dtype, casting):
    """The operands in the dtypes in which results of that dtype are computed. The rule is looked after
    here: resolve_dtypes of NumPy 2.4 ends the process for Python's numbers under "equiv"."""
    given = [*map(_methods.kind_of, inputs)]
    kinds = ufunc.resolve_dtypes((*given, *[None] * ufunc.nout), casting="unsafe",
                                 signature=(*[None] * ufunc.nin, *[dtype] * ufunc.nout))
    for x, kind in zip(given, kinds, strict=False):
        if not _may_convert(x, kind, casting):
            raise TypeError(f"{ufunc.__name__}: cannot convert an operand of {x} to {kind} under the "
                            f"casting rule '{casting}'")
    return tuple(x.astype(kind, copy=False) if isinstance(x, GPUArray) else
                 np.asarray(x, kind) if type(x) is int else np.asarray(_native._fixed(x)).astype(kind)
                 for x, kind in zip(inputs, kinds, strict=False))


def _store(result, out, where, casting):
    """The result in `out`, if there is one, where the mask is true."""
    if out is None:
        return result
    if out.shape != np.broadcast_shapes(result.shape, np.shape(_native._fixed(where)), out.shape):
        raise ValueError(f"non-broadcastable output operand with shape {out.shape} doesn't match "
                         f"the broadcast shape {result.shape}")
    if not np.can_cast(result.dtype, out.dtype, casting):
        raise TypeError(f"Cannot cast output from {result.dtype} to {out.dtype} with casting rule "
                        f"'{casting}'")
    out[...] = result if where is True else _native.where(where, result, out)
    return out


def _call(ufunc, inputs, out=(None, None), where=True, dtype=None, casting="same_kind"):
    """ufunc(*inputs, ...)"""
    name = _ALIASES.get(ufunc.__name__, ufunc.__name__)
    if dtype is not None or casting != "same_kind":
        inputs = _converted(ufunc, inputs, dtype, casting)
    if name == "nextafter" and any(x.dtype.itemsize == 2 for x in inputs if isinstance(x, GPUArray)):
        raise NotImplementedError("numpy.nextafter of numbers of 16 bits is not available for GPU arrays, which compute "
                                  "with them in float32")
    if name == "matmul":
        return _store(_reductions.matmul(*inputs), out[0], where, casting)
    if name in _COMPARISONS and int in map(type, inputs):  # which the dtype may not hold
        return _store(_COMPARISONS[name](*inputs), out[0], where, casting)
    if ufunc.nout == 1 and where is True and casting == "same_kind":
        return _native._ufunc(name, inputs, out[0])
    results = _native._ufunc(name, inputs)
    if ufunc.nout == 1:
        return _store(results, out[0], where, casting)
    return tuple(_store(*pair, where, casting) for pair in zip(results, out, strict=True))


def _outer(ufunc, a, b, **kwargs):
    a, b = (x if isinstance(x, GPUArray) else np.asarray(_native._fixed(x)) for x in (a, b))
    if a.ndim:
        a = a[(..., *[None] * b.ndim)]
    return _call(ufunc, (a, b), **kwargs)


def _array_ufunc(self, ufunc, method, *inputs, **kwargs):
    """numpy.add(x, y) and the like, and numpy.add.reduce(x, axis)."""
    name, other = ufunc.__name__, kwargs.keys() - {"out", "where", "dtype", "casting"}
    if method == "__call__" and not other:
        return _call(ufunc, inputs, **kwargs)
    if method == "outer" and not other:
        return _outer(ufunc, *inputs, **kwargs)
    kwargs = {key: value for key, value in kwargs.items() if value is not None or key == "axis"}
    if "out" in kwargs:
        kwargs["out"], = kwargs["out"]
    if method == "reduce" and name in _REDUCERS:
        return _REDUCERS[name](*inputs, **{"axis": 0} | kwargs)
    if method == "accumulate" and name in ("add", "multiply", "maximum", "minimum"):
        return _reductions.accumulate(name, *inputs, **kwargs)
    what = f".{method}" if method != "__call__" else f" with {', '.join(sorted(other))}"
    raise NotImplementedError(f"numpy.{name}{what} is not available for GPU arrays")


# -- Functions -------------------------------------------------------------------------------------


def _array_function(self, function, types, args, kwargs):
    """numpy.sum(x) and the like."""
    from pycuda._function_table import FUNCTIONS

    ours = FUNCTIONS.get(function)
    if ours is None:
        raise NotImplementedError(f"{function.__module__}.{function.__name__} is not available for "
                                  "GPU arrays; .get() copies one to the host")
    return ours(*args, **kwargs)


GPUArray.__array_ufunc__ = _array_ufunc
GPUArray.__array_function__ = _array_function
