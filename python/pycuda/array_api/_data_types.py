"""The data types of the standard, which are NumPy's, and what is asked about them. Promotion is NumPy's, too:
where the standard has a rule it is that one, and mixed kinds, which it leaves open, promote as in NumPy."""

from typing import NamedTuple

import numpy as np

from pycuda._native import GPUArray

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]

_NAMES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
          "complex64", "complex128")
DTYPES = {name: np.dtype(name) for name in _NAMES}
KINDS = ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric")


class FloatInfo(NamedTuple):
    """What finfo() gives: Python's numbers, and the dtype that they are about."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: np.dtype


class IntegerInfo(NamedTuple):
    """What iinfo() gives: Python's numbers, and the dtype that they are about."""

    bits: int
    max: int
    min: int
    dtype: np.dtype


def array(x, function):
    """x, if it is an array; else TypeError."""
    if not isinstance(x, GPUArray):
        raise TypeError(f"{function}: expected a GPUArray, got {type(x).__name__}; array_api.asarray() makes one of "
                        "numbers and of arrays on the host")
    return x


def _dtype(x, function):
    """The dtype that is meant by a dtype or an array; TypeError for anything else."""
    if isinstance(x, GPUArray):
        return x.dtype
    if isinstance(x, np.dtype) or (isinstance(x, type) and issubclass(x, np.generic)):
        return np.dtype(x)
    raise TypeError(f"{function}: expected a dtype or a GPUArray, got {x!r:.60}")


def astype(x, dtype, /, *, copy=True, device=None):
    """The elements of x, of any shape, converted to a dtype as NumPy converts them.

    copy: False gives x itself where it has that dtype. device: None or that of x, otherwise as in to_device().
    TypeError if x is no array or dtype none to compute with."""
    array(x, "astype")
    x = x if device is None else x.to_device(device)
    return x.astype(np.dtype(dtype), copy=copy)


def can_cast(from_, to, /):
    """Whether a dtype, or that of an array, can be converted to another without loss, by numpy.can_cast's rule
    "safe": can_cast(int32, float64) is True, can_cast(float64, float32) is False. TypeError for what is neither."""
    return np.can_cast(_dtype(from_, "can_cast"), _dtype(to, "can_cast"), "safe")


def finfo(type, /):
    """The limits of a floating-point dtype, of a complex one's parts, or of an array's: bits, eps, max, min,
    smallest_normal and dtype. finfo(float32).eps is 2.0**-23. TypeError for other dtypes."""
    dtype = _dtype(type, "finfo")
    if dtype.kind not in "fc":
        raise TypeError(f"finfo: expected a floating-point dtype, got {dtype}; iinfo is for integers")
    info = np.finfo(dtype)
    return FloatInfo(info.bits, float(info.eps), float(info.max), float(info.min), float(info.smallest_normal),
                     np.dtype(info.dtype))


def iinfo(type, /):
    """The limits of an integer dtype, or of an array's: bits, max, min and dtype. iinfo(int8).max is 127.
    TypeError for other dtypes."""
    dtype = _dtype(type, "iinfo")
    if dtype.kind not in "iu":
        raise TypeError(f"iinfo: expected an integer dtype, got {dtype}; finfo is for floating point")
    info = np.iinfo(dtype)
    return IntegerInfo(info.bits, int(info.max), int(info.min), dtype)


def isdtype(dtype, kind):
    """Whether a dtype is of a kind: another dtype, one of "bool", "signed integer", "unsigned integer", "integral",
    "real floating", "complex floating" and "numeric", or a tuple of these, any of which will do.
    isdtype(int8, ("integral", float32)) is True. ValueError for another kind, TypeError for what is no dtype."""
    for one in kind if isinstance(kind, tuple) else (kind,):
        if isinstance(one, str) and one not in KINDS:
            raise ValueError(f"isdtype: kind {one!r} is none of {', '.join(map(repr, KINDS))}")
        if not isinstance(one, (str, np.dtype, type)):
            raise TypeError(f"isdtype: expected a dtype, a kind's name or a tuple of them, got {one!r:.60}")
    return bool(np.isdtype(_dtype(dtype, "isdtype"), kind))


def result_type(*arrays_and_dtypes):
    """The dtype to which arrays, dtypes and Python's numbers promote. A number has a kind but no size:
    result_type(float32, 1.0) is float32. TypeError for anything else; ValueError if there is no array or dtype."""
    found = [x if type(x) in (bool, int, float, complex) else
             x.dtype if isinstance(x, np.generic) else _dtype(x, "result_type") for x in arrays_and_dtypes]
    if not any(isinstance(x, np.dtype) for x in found):
        raise ValueError("result_type: at least one argument must be a dtype or a GPUArray")
    return np.result_type(*found)
