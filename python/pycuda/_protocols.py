"""NumPy's own ufuncs and functions on GPU arrays: ``__array_ufunc__`` and ``__array_function__``.

A function is a method or a function of ours, or NumPy's own code, where that is made of what arrays
have. What is in none of the tables raises NotImplementedError."""

import importlib
import operator

import numpy as np

from pycuda import _methods, _native, _reductions
from pycuda._creation import on_device
from pycuda._functions import may_convert
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
_ALIASES = {"radians": "deg2rad", "degrees": "rad2deg"}


def _gives_bool_anyway(name, dtype):
    """Whether it makes no difference to an operation on truth values that bool, or no dtype, is asked for."""
    return name in ("logical_and", "logical_or", "logical_xor") and (dtype is None or np.dtype(dtype) == bool)


def _converted(ufunc, inputs, dtype, casting):
    """The operands in the dtypes in which results of that dtype are computed. The rule is looked after
    here: resolve_dtypes of NumPy 2.4 ends the process for Python's numbers under "equiv"."""
    given = [*map(_methods.kind_of, inputs)]
    kinds = ufunc.resolve_dtypes((*given, *[None] * ufunc.nout), casting="unsafe",
                                 signature=(*[None] * ufunc.nin, *[dtype] * ufunc.nout))
    for x, kind in zip(given, kinds, strict=False):
        if not may_convert(x, kind, casting):
            raise TypeError(f"{ufunc.__name__}: cannot convert an operand of {x} to {kind} under the "
                            f"casting rule '{casting}'")
    return tuple(_of_dtype(x, kind) for x, kind in zip(inputs, kinds, strict=False))


def _store(result, out, where, casting):
    """The result in `out`, if there is one, where the mask is true."""
    if out is None or result is out:
        return result
    if out.shape != np.broadcast_shapes(result.shape, np.shape(_native._fixed(where)), out.shape):
        raise ValueError(f"non-broadcastable output operand with shape {out.shape} doesn't match "
                         f"the broadcast shape {result.shape}")
    if not np.can_cast(result.dtype, out.dtype, casting):
        raise TypeError(f"Cannot cast output from {result.dtype} to {out.dtype} with casting rule "
                        f"'{casting}'")
    out[...] = result if where is True else \
        _native.where(_reductions.mask_of(out, where), result.astype(out.dtype, copy=False), out)
    return out


def _given(signature):
    """The dtypes that a signature, as text or a tuple, asks for; None where it does not."""
    if isinstance(signature, str):
        inputs, arrow, outputs = signature.partition("->")
        signature = tuple(inputs + outputs) if arrow else (None, signature)
    return [None if one is None else np.dtype(one) for one in signature]


def _by_signature(ufunc, inputs, signature, casting):
    """The operands in the dtypes of a loop that is asked for."""
    wanted = _given(signature)
    if len(wanted) != ufunc.nargs:
        raise TypeError(f"{ufunc.__name__}: a signature names {ufunc.nargs} dtypes, or None; dtype= is that of results")
    kinds = ufunc.resolve_dtypes((*map(_methods.kind_of, inputs), *[None] * ufunc.nout), casting=casting,
                                 signature=tuple(wanted))
    return tuple(_of_dtype(x, kind) for x, kind in zip(inputs, kinds, strict=False))


def _of_dtype(x, kind):
    if isinstance(x, GPUArray):
        return x.astype(kind, copy=False)
    return np.asarray(x, kind) if type(x) is int else np.asarray(_native._fixed(x)).astype(kind)


_PRODUCTS = "vecdot", "matvec", "vecmat"


def _product(ufunc, inputs, kwargs, out):
    """A generalized ufunc: a product along the last axes, or those that `axis` names; one of matrices in `out`, if it
    fits there."""
    name = ufunc.__name__
    if "axes" in kwargs:
        raise NotImplementedError(f"numpy.{name} with axes= is not available for GPU arrays; numpy.moveaxis() brings "
                                  "axes to the end")
    if name == "matmul":
        if kwargs:
            raise TypeError(f"matmul() does not support {', '.join(kwargs)}: its operands have several axes")
        return _reductions.product(*map(on_device, inputs), out)
    if name != "vecdot" and kwargs:
        raise TypeError(f"{name}() does not support {', '.join(kwargs)}: its operands have several axes")
    return getattr(importlib.import_module("pycuda._products"), name)(*inputs, **kwargs)


def _expect_core(name, inputs, result, out):
    """ValueError for an out whose last axes, those of a matrix or vector, are not the result's: these are not broadcast."""
    count = {"vecdot": 0, "matvec": 1, "vecmat": 1}.get(name, sum(x.ndim > 1 for x in inputs))
    if out is not None and count and out.shape[-count:] != result.shape[-count:]:
        raise ValueError(f"{name}: output array has shape {out.shape}, the result {result.shape}")


def _computes_in_16_bits(ufunc, inputs):
    """Whether NumPy does, as it does of bool and 8 bits, too."""
    kinds = [type(x) if type(x) in (int, float, complex) else getattr(x, "dtype", None) or np.asarray(x).dtype for x in inputs]
    try:
        return ufunc.resolve_dtypes((*kinds, None))[0].itemsize == 2
    except TypeError:
        return False  # there is nothing to compute in


def _call(ufunc, inputs, out=(None, None), where=True, dtype=None, casting="same_kind", order="K", subok=True,
          signature=None, sig=None, **kwargs):
    """ufunc(*inputs, ...)"""
    name = _ALIASES.get(ufunc.__name__, ufunc.__name__)
    signature = sig if signature is None else signature
    if signature is not None:
        inputs = _by_signature(ufunc, inputs, signature, casting)
    elif (dtype is not None or casting != "same_kind") and not _gives_bool_anyway(name, dtype):
        inputs = _converted(ufunc, inputs, dtype, casting)
    if name in ("nextafter", "spacing") and _computes_in_16_bits(ufunc, inputs):
        raise NotImplementedError(f"numpy.{name} of numbers of 16 bits is not available for GPU arrays, which compute "
                                  "with them in float32")
    if ufunc.signature is not None and (name == "matmul" or name in _PRODUCTS):
        result = _product(ufunc, inputs, kwargs, out[0] if where is True else None)
        _expect_core(name, inputs, result, out[0])
        return _store(result if result is out[0] else _ordered(result, _order(order, inputs)), out[0], where, casting)
    if kwargs:
        raise TypeError(f"{ufunc.__name__}() got an unexpected keyword argument '{next(iter(kwargs))}'")
    if name in _COMPARISONS and int in map(type, inputs):  # which the dtype may not hold
        return _store(_ordered(_COMPARISONS[name](*inputs), _order(order, inputs)), out[0], where, casting)
    if ufunc.nout == 1 and where is True and casting == "same_kind" and (order == "K" or out[0] is not None):
        return _native._ufunc(name, inputs, out[0])
    results, order = _native._ufunc(name, inputs), _order(order, inputs)
    if ufunc.nout == 1:
        return _store(_ordered(results, order), out[0], where, casting)
    return tuple(_store(_ordered(result, order), one, where, casting)
                 for result, one in zip(results, out, strict=True))


def _order(order, inputs):
    """What "A" means for these operands: Fortran's order where all lie in it."""
    if order != "A":
        return order
    return "F" if all(x.flags.f_contiguous for x in inputs if isinstance(x, GPUArray)) else "C"


def _ordered(result, order):
    """The result in the order of memory that is asked for."""
    if order not in ("K", "A", "C", "F"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    fits = order in "KA" or (result.flags.c_contiguous if order == "C" else result.flags.f_contiguous)
    return result if fits else result.copy(order=order)


def _outer(ufunc, a, b, **kwargs):
    a, b = (x if isinstance(x, GPUArray) else np.asarray(_native._fixed(x)) for x in (a, b))
    if a.ndim:
        a = a[(..., *[None] * b.ndim)]
    return _call(ufunc, (a, b), **kwargs)


def _reduce(ufunc, array, axis=0, dtype=None, out=None, keepdims=False, **kwargs):
    """ufunc.reduce(array, ...): by a kernel of its own, or in the order of the elements."""
    name, array = ufunc.__name__, on_device(array)
    if dtype is not None and name in _REDUCERS and name not in ("add", "multiply", "logical_and", "logical_or"):
        array, dtype = array.astype(dtype, copy=False), None
    if name in _REDUCERS and (dtype is None or name in ("add", "multiply")):
        kwargs |= {} if dtype is None else {"dtype": dtype}
        return _REDUCERS[name](array, axis=axis, out=out, keepdims=keepdims, **kwargs)
    if name in _BITWISE and dtype is None and not kwargs and array.dtype.kind in "biu" and array.size:
        return _reductions._reduce(_BITWISE[name], array, axis, array.dtype, out, keepdims, None)
    return _folds().reduce(ufunc, array, axis, dtype, out, keepdims, **kwargs)


def _folds():
    return importlib.import_module("pycuda._folds")


_BITWISE = {"bitwise_and": "AND", "bitwise_or": "OR", "bitwise_xor": "XOR"}
_SCANNED = "add", "multiply", "maximum", "minimum"


def _accumulate(ufunc, array, axis=0, dtype=None, out=None):
    array = on_device(array)
    if array.ndim == 0:
        raise TypeError("cannot accumulate on a scalar")
    if ufunc.__name__ in _SCANNED:
        return _reductions.accumulate(ufunc.__name__, array, axis, dtype, out)
    return _folds().accumulate(ufunc, array, axis, dtype, out)


def _array_ufunc(self, ufunc, method, *inputs, **kwargs):
    """numpy.add(x, y) and the like, and their methods."""
    if method == "__call__":
        return _call(ufunc, inputs, **kwargs)
    if method == "outer":
        return _outer(ufunc, *inputs, **kwargs)
    if method == "at":
        return _folds().at(ufunc, *inputs)
    kwargs = {key: value for key, value in kwargs.items() if value is not None or key == "axis"}
    if "out" in kwargs:
        kwargs["out"], = kwargs["out"]
    if method == "reduceat":
        return _folds().reduceat(ufunc, *inputs, **kwargs)
    return (_reduce if method == "reduce" else _accumulate)(ufunc, *inputs, **kwargs)


# -- Functions -------------------------------------------------------------------------------------


_found = {}  # functions of NumPy that were called before


def _find(function):
    """What is called for a function of NumPy."""
    from pycuda._function_table import FUNCTIONS, imported

    ours = FUNCTIONS.get(function) or imported(function)
    if ours is None:
        raise NotImplementedError(f"{function.__module__}.{function.__name__} is not available for "
                                  "GPU arrays; .get() copies one to the host")
    return _found.setdefault(function, ours)


def _array_function(self, function, types, args, kwargs):
    """numpy.sum(x) and the like."""
    return (_found.get(function) or _find(function))(*args, **kwargs)


GPUArray.__array_ufunc__ = _array_ufunc
GPUArray.__array_function__ = _array_function
