"""What numbers are and what becomes of them: i0, sinc, fix, real_if_close, isreal and the like, bits packed into bytes,
and what arrays have in common, under NumPy's names and with its parameters."""

import functools
import operator
import types

import numpy as np

from pycuda import _native
from pycuda._creation import axis_of, on_device
from pycuda._native import GPUArray
from pycuda._reductions import finish


def i0(x):
    """The modified Bessel function of the first kind and order 0. TypeError for complex numbers. CUDA: cyl_bessel_i0."""
    x = on_device(x)
    if x.dtype.kind == "c":
        raise TypeError("i0 not supported for complex values")
    x = x if x.dtype.kind == "f" else x.astype(np.float64)
    return _native._operate("BESSEL_I0", (abs(x),), (x.dtype, x.dtype))


def sinc(x):
    """sin(pi x) / (pi x), 1 at 0."""
    x = on_device(x)
    x = (x if x.dtype.kind in "fc" else x.astype(np.float64)) * np.pi
    return _native.where(x == 0, x.dtype.type(1), np.sin(x) / x)


def fix(x, out=None):
    """Elements rounded to whole numbers towards zero."""
    x = on_device(x)
    return np.trunc(x, out=out) if out is not None else np.trunc(x)


def real_if_close(a, tol=100):
    """The real parts if all imaginary parts are below `tol` times the least difference of numbers of that dtype from 1
    (`tol` itself if it is at most 1), else `a`. Waits for the device."""
    a = on_device(a)
    if a.dtype.kind != "c":
        return a
    if tol > 1:
        tol = np.finfo(a.dtype).eps * tol
    return a.real if bool(np.all(abs(a.imag) < tol)) else a


def isreal(x):
    """Whether imaginary parts are zero."""
    x = on_device(x)
    return x.imag == 0 if x.dtype.kind == "c" else _native.full(x.shape, True, bool)


def iscomplex(x):
    """Whether imaginary parts are not zero."""
    x = on_device(x)
    return x.imag != 0 if x.dtype.kind == "c" else _native.zeros(x.shape, bool)


def _infinite(sign):
    def function(x, out=None):
        x = on_device(x)
        if x.dtype.kind == "c":
            raise TypeError(f"{function.__name__}: complex numbers have no sign")
        result = np.isinf(x) & (x > 0 if sign == "pos" else x < 0)
        return finish(result, [], True, out)
    function.__name__ = f"is{sign}inf"
    function.__doc__ = f"Whether elements are {'plus' if sign == 'pos' else 'minus'} infinity."
    return function


isposinf, isneginf = _infinite("pos"), _infinite("neg")


# -- Bits ------------------------------------------------------------------------------------------


# A word of eight elements, 0 or 1, times this has the byte of their bits on top; and which bit each is of.
_SPREAD = {"little": 0x0102040810204080, "big": 0x8040201008040201}
_WORD, _BYTE = np.dtype(np.uint64), np.dtype(np.uint8)


@functools.cache
def _packing(packs, bitorder):
    """The kernel between words of eight elements and bytes of eight bits. It takes a word as it is, so bytes are in the
    order of all CUDA devices and of x86-64: the lowest first."""
    from pycuda.elementwise import ElementwiseKernel  # it brings the compiler along
    from pycuda.tools import VectorArg

    if packs:
        code = f"z[i] = a[i] * {_SPREAD[bitorder]:#x}ull >> 56"
    else:
        mask = _SPREAD["big" if bitorder == "little" else "little"]
        code = f"z[i] = ((a[i] * 0x0101010101010101ull & {mask:#x}ull) + 0x7f7f7f7f7f7f7f7full) >> 7" \
               " & 0x0101010101010101ull"
    kinds = (_BYTE, _WORD) if packs else (_WORD, _BYTE)
    return ElementwiseKernel([VectorArg(*pair) for pair in zip(kinds, "za", strict=True)], code, "pycuda_bits")


def _rows_of(a, axis, bitorder):
    """(rows along the last axis, the axis that they were)"""
    if bitorder not in _SPREAD:
        raise ValueError("'bitorder' must be either 'little' or 'big'")
    if axis is None or a.ndim == 0:
        a, axis = a.ravel(), 0
    axis = axis_of(axis, a.ndim)
    return np.moveaxis(a, axis, -1), axis


def _of_length(rows, length):
    """Rows without gaps of that length, cut or filled with zeros."""
    n = rows.shape[-1]
    if length == n:
        is_word = not rows.size or rows.flags.c_contiguous and int(rows.gpudata) % 8 == 0
        return rows if is_word else rows.copy(order="C")
    if length < n:
        return rows[..., :length].copy(order="C")
    result = _native.zeros((*rows.shape[:-1], length), rows.dtype)
    result[..., :n] = rows
    return result


def packbits(a, /, axis=None, bitorder="big"):
    """Bytes of eight elements each along an axis, or of all in C order, a bit for each that is not zero; the last is
    filled with zeros."""
    a = on_device(a)
    if a.dtype.kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    rows, axis = _rows_of(a, axis, bitorder)
    count = -(-rows.shape[-1] // 8)
    result = _native._empty((*rows.shape[:-1], count), _BYTE)
    if result.size:
        _packing(True, bitorder)(result, _of_length(rows.astype(bool, copy=False), 8 * count).view(_WORD))
    return np.moveaxis(result, -1, axis)


def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    """The bits of bytes along an axis, or of all in C order, as uint8. count: how many of each row, with zeros behind
    the last; below zero, how many to leave out at its end."""
    a = on_device(a)
    if a.dtype != _BYTE:
        raise TypeError("Expected an input array of unsigned byte data type")
    rows, axis = _rows_of(a, axis, bitorder)
    n = 8 * rows.shape[-1]
    length = n if count is None else operator.index(count)
    if length < -n:
        raise ValueError(f"-ve count must be less than the number of elements to unpack, {n}, got {count}")
    result = _native._empty((*rows.shape[:-1], n), _BYTE)
    if result.size:
        rows = rows if rows.flags.c_contiguous else rows.copy(order="C")
        _packing(False, bitorder)(result.view(_WORD), rows)
    return np.moveaxis(_of_length(result, length + n if length < 0 else length), -1, axis)


# -- Dtypes and memory -----------------------------------------------------------------------------


def common_type(*arrays):
    """The class of the inexact numbers that the arrays have in common; float64 for integers."""
    return np.common_type(*(np.empty(0, one.dtype) if isinstance(one, GPUArray) else one for one in arrays))


def min_scalar_type(a, /):
    """The least dtype that holds the number in an array without axes; of other arrays, their dtype."""
    return np.min_scalar_type(a.get()) if a.ndim == 0 else a.dtype


def may_share_memory(a, b, /, max_work=0):
    """Whether the bytes from the first to the last of one array overlap those of the other."""
    return bool(isinstance(a, GPUArray) and isinstance(b, GPUArray) and _native._overlap(a, b))


def shares_memory(a, b, /, max_work=-1):
    """Whether two arrays have bytes in common."""
    if not may_share_memory(a, b):
        return False
    (one, base), (two, other) = (_addresses(x) for x in (a, b))
    low = min(base, other)
    return np.shares_memory(_stand_in(a, one, base - low), _stand_in(b, two, other - low), max_work=max_work)


def _addresses(x):
    """(offset of the first element from the lowest byte, address of that)"""
    offset = sum(-stride * (n - 1) for stride, n in zip(x.strides, x.shape, strict=True) if stride < 0)
    return offset, int(x.gpudata) - offset


def _stand_in(x, offset, start):
    """An array of the host of that layout at an address that nobody reads, for numpy.shares_memory to look at."""
    place = types.SimpleNamespace(__array_interface__={
        "shape": x.shape, "strides": x.strides, "typestr": f"|V{x.itemsize}", "data": (start + offset + 4096, False),
        "version": 3})
    return np.asarray(place)
