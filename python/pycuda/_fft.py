"""numpy.fft on GPU arrays, under NumPy's names and with its parameters: transforms by cuFFT where there is one, else by
NumPy (pycuda/_on_host.py); shifts by copies on the device. pycuda/_function_table.py finds them.

cuFFT transforms along up to three axes at a time, the last ones, without a factor: axes are moved there, lengths cut or
filled with zeros, and results multiplied by the factor that `norm` asks for."""

import functools
import math
import operator

import numpy as np

from pycuda import _functions, _native, libraries
from pycuda._creation import axis_of
from pycuda._native import GPUArray
from pycuda._on_host import expect_arrays, served
from pycuda._reductions import axes_of, finish

_KEEPS_SINGLE = int(np.__version__.partition(".")[0]) >= 2  # before, all was double precision
_OTHER_WAY = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}

# -- By cuFFT --------------------------------------------------------------------------------------


def _kinds(a):
    """The real and the complex dtype in which NumPy transforms an array."""
    single = _KEEPS_SINGLE and a.dtype.char in "efF"
    return (np.dtype("f"), np.dtype("F")) if single else (np.dtype("d"), np.dtype("D"))


def _scaled(result, lengths, norm, is_inverse):
    if norm not in _OTHER_WAY:
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    count, kind = math.prod(lengths), np.empty(0, result.dtype).real.dtype.type
    if norm == "ortho":
        result *= kind(1 / math.sqrt(count))
    elif (norm == "forward") != is_inverse:
        result *= kind(1 / count)
    return result


def _lengths_and_axes(a, s, axes):
    """How many elements are transformed along which axes; s: None, or numbers, -1 for all."""
    if axes is None:
        axes = range(a.ndim) if s is None else range(a.ndim - len(s), a.ndim)
    axes = [axis_of(axis, a.ndim) for axis in axes]
    s = [None] * len(axes) if s is None else [*s]
    if len(s) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    return [a.shape[axis] if n is None or n == -1 else operator.index(n) for n, axis in zip(s, axes, strict=True)], axes


def _prepared(a, lengths, axes, dtype):
    """A copy in C order, in that dtype, with those axes last and of those lengths: the elements, then zeros."""
    for n in lengths:
        if n < 1:
            raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    a = np.moveaxis(a, axes, range(a.ndim - len(axes), a.ndim))
    shape = (*a.shape[:a.ndim - len(axes)], *lengths)
    inside = tuple(slice(min(n, m)) for n, m in zip(a.shape, shape, strict=True))
    result = _native._empty(shape, dtype) if a.shape == tuple(
        one.stop for one in inside) == shape else _native.zeros(shape, dtype)
    result[inside] = a[inside]
    return result


def _run(source, shape, dtype, rank, is_inverse):
    result = _native._empty(shape, dtype)
    if result.size:
        libraries._note(_native._library_transform(result, source, rank, is_inverse))
    return result


def _moved_back(result, axes):
    result = np.moveaxis(result, range(result.ndim - len(axes), result.ndim), axes)
    return result if result.flags.c_contiguous else result.copy(order="C")


def _complex(a, lengths, axes, is_inverse):
    """Of complex numbers along any axes, the last ones first, an axis more than once, too. A copy of what has none."""
    dtype = _kinds(a)[1]
    if not axes:
        return a.copy()
    while axes:
        rank = 1
        while rank < min(3, len(axes)) and axes[-rank - 1] not in axes[-rank:]:
            rank += 1
        source = _prepared(a, lengths[-rank:], axes[-rank:], dtype)
        a = _moved_back(_run(source, source.shape, dtype, rank, is_inverse), axes[-rank:])
        lengths, axes = lengths[:-rank], axes[:-rank]
    return a


def _from_real(a, length, axis):
    if a.dtype.kind == "c":
        raise TypeError(f"numpy.fft.rfft: expected real numbers, got {a.dtype}")
    real, dtype = _kinds(a)
    source = _prepared(a, [length], [axis], real)
    return _moved_back(_run(source, (*source.shape[:-1], length // 2 + 1), dtype, 1, False), [axis])


def _to_real(a, length, axis):
    real, dtype = _kinds(a)
    if length < 1:
        raise ValueError(f"Invalid number of FFT data points ({length}) specified.")
    source = _prepared(a, [length // 2 + 1], [axis], dtype)
    for place in {0, length // 2} if length % 2 == 0 else {0}:  # they are real, or NumPy takes their real parts
        source[..., place] = source[..., place].real
    return _moved_back(_run(source, (*source.shape[:-1], length), real, 1, True), [axis])


def _one(n, axis, a, default):
    axis = axis_of(axis, a.ndim)
    return (default(a.shape[axis]) if n is None else operator.index(n)), axis


def _same(n):
    return n


def _fft_by_library(a, n=None, axis=-1, norm=None, is_inverse=False):
    n, axis = _one(n, axis, a, _same)
    return _scaled(_complex(a, [n], [axis], is_inverse), [n], norm, is_inverse)


def _rfft_by_library(a, n=None, axis=-1, norm=None):
    n, axis = _one(n, axis, a, _same)
    return _scaled(_from_real(a, n, axis), [n], norm, False)


def _irfft_by_library(a, n=None, axis=-1, norm=None):
    n, axis = _one(n, axis, a, lambda length: 2 * (length - 1))
    return _scaled(_to_real(a, n, axis), [n], norm, True)


def _hfft_by_library(a, n=None, axis=-1, norm=None):
    return _irfft_by_library(a.conj(), n, axis, _OTHER_WAY.get(norm, norm))


def _ihfft_by_library(a, n=None, axis=-1, norm=None):
    return _rfft_by_library(a, n, axis, _OTHER_WAY.get(norm, norm)).conj()


def _fftn_by_library(a, s=None, axes=None, norm=None, is_inverse=False):
    lengths, axes = _lengths_and_axes(a, s, axes)
    return _scaled(_complex(a, lengths, axes, is_inverse), lengths, norm, is_inverse)


def _rfftn_by_library(a, s=None, axes=None, norm=None):
    lengths, axes = _lengths_and_axes(a, s, axes)
    half = _from_real(a, lengths[-1], axes[-1])
    whole = _complex(half, lengths[:-1], axes[:-1], False) if axes[:-1] else half
    return _scaled(whole, lengths, norm, False)


def _irfftn_by_library(a, s=None, axes=None, norm=None):
    lengths, axes = _lengths_and_axes(a, s, axes)
    if s is None:
        lengths[-1] = 2 * (a.shape[axes[-1]] - 1)
    whole = _complex(a, lengths[:-1], axes[:-1], True) if axes[:-1] else a
    return _scaled(_to_real(whole, lengths[-1], axes[-1]), lengths, norm, True)


_BY_LIBRARY = {
    "fft": _fft_by_library, "rfft": _rfft_by_library, "irfft": _irfft_by_library, "hfft": _hfft_by_library,
    "ihfft": _ihfft_by_library, "fftn": _fftn_by_library, "rfftn": _rfftn_by_library, "irfftn": _irfftn_by_library,
    "ifft": functools.partial(_fft_by_library, is_inverse=True),
    "ifftn": functools.partial(_fftn_by_library, is_inverse=True),
}

# -- NumPy's functions -----------------------------------------------------------------------------


def _transform(name):
    by_numpy, of_two_axes = served(getattr(np.fft, name), 1), name.endswith("2")
    by_library = _BY_LIBRARY[name[:-1] + "n" if of_two_axes else name]

    def ours(a, *args, out=None, **kwargs):
        if len(args) > 3:
            *args, out = args
        if isinstance(a, GPUArray) and _native._library_transforms():
            if of_two_axes and len(args) < 2:
                kwargs = {"axes": (-2, -1)} | kwargs
            result = by_library(a, *args, **kwargs)
        else:
            result = by_numpy(a, *args, **kwargs)
            if isinstance(a, GPUArray) and not a.size:  # NumPy 2 reads a number that is not there for irfft and hfft
                result.fill(0)
        return finish(result, [], True, out)

    ours.__name__ = ours.__qualname__ = name
    return ours


fft, ifft, rfft, irfft, hfft, ihfft = map(_transform, ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"))
fft2, ifft2, rfft2, irfft2 = map(_transform, ("fft2", "ifft2", "rfft2", "irfft2"))
fftn, ifftn, rfftn, irfftn = map(_transform, ("fftn", "ifftn", "rfftn", "irfftn"))


def _shifted(name, x, axes, way):
    expect_arrays(f"numpy.fft.{name}", x)
    axes = axes_of(axes if axes is None or np.ndim(axes) == 0 else tuple(axes), x.ndim)
    return _functions.roll(x, tuple(way * (x.shape[axis] // 2) for axis in axes), tuple(axes)) if axes else x.copy()


def fftshift(x, axes=None):
    return _shifted("fftshift", x, axes, 1)


def ifftshift(x, axes=None):
    return _shifted("ifftshift", x, axes, -1)
