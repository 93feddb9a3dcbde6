"""The extension ``fft`` of the array API standard 2024.12, on GPU arrays.

Transforms are computed by a library, which :func:`pycuda.libraries.last` names, in the precision of their operand; integers
in float64. Parameters before ``/`` are by position alone, those behind ``*`` by name. `norm` says where transforms are
divided by the number of their elements: "backward", in the inverse ones; "forward", in the others; "ortho", by its root in
both. ValueError for other names, and lengths below 1; IndexError for axes that are not there.
"""

import numpy as np

from pycuda import _fft, _names, _native
from pycuda._creation import axis_of
from pycuda.array_api._data_types import array
from pycuda.array_api._inspection import here

_OF_ONE = {
    "fft": "The discrete Fourier transforms along an axis, complex numbers.",
    "ifft": "What fft() is the transform of: the inverse one, complex numbers.",
    "rfft": "The first n // 2 + 1 elements of the transforms of real numbers; the others are their conjugates.",
    "irfft": "What rfft() is the transform of: real numbers. n: by default the even one, 2 * (length - 1).",
    "hfft": "The transforms, real numbers, of signals that are the conjugates of themselves turned around, of which the "
            "first n // 2 + 1 elements are given. n: by default the even one, 2 * (length - 1).",
    "ihfft": "What hfft() is the transform of: the first n // 2 + 1 elements, complex numbers.",
}
_OF_SEVERAL = {
    "fftn": "The discrete Fourier transforms along several axes, complex numbers.",
    "ifftn": "What fftn() is the transform of: the inverse one, complex numbers.",
    "rfftn": "The transforms of real numbers along several axes, of which the last has s[-1] // 2 + 1 elements.",
    "irfftn": "What rfftn() is the transform of: real numbers. s[-1]: by default the even one, 2 * (length - 1).",
}

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]
__all__.extend((*_OF_ONE, *_OF_SEVERAL))


def _as_precise(result, x):
    """The result in single precision if the operand is, which NumPy 2 gives of itself."""
    single = {"complex128": "complex64", "float64": "float32"}
    return result.astype(single[result.dtype.name]) if x.dtype.char in "fF" and result.dtype.name in single else result


def _along_one(name, text):
    def function(x, /, *, n=None, axis=-1, norm="backward"):
        return _as_precise(getattr(_fft, name)(array(x, name), n, axis_of(axis, x.ndim), norm), x)
    return _named(function, name, f"{text}\n\nn: elements to transform, of which missing ones are 0; None: all.")


def _along_several(name, text):
    def function(x, /, *, s=None, axes=None, norm="backward"):
        if s is not None and axes is None:
            axes = tuple(range(-len(s), 0))
        return _as_precise(getattr(_fft, name)(array(x, name), s, axes, norm), x)
    return _named(function, name, f"{text}\n\ns: elements to transform along each axis, of which missing ones are 0; None: "
                                  "all. axes: which; None: the last len(s), or all.")


def _named(function, name, text):
    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function


globals().update({_name: _along_one(_name, _text) for _name, _text in _OF_ONE.items()})
globals().update({_name: _along_several(_name, _text) for _name, _text in _OF_SEVERAL.items()})


def _frequencies(function, n, d, dtype, device):
    here(device)
    kind = np.dtype(np.float64 if dtype is None else dtype)
    if kind.kind != "f":
        raise TypeError(f"{function.__name__}: expected a real floating-point dtype, got {kind}")
    return _native.to_gpu(function(n, d).astype(kind))


def fftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies of the n elements of fft(), in cycles per unit of d, the distance of samples: 0 and the positive
    ones, then the negative ones. dtype: float64 by default. ValueError if n is no integer."""
    return _frequencies(np.fft.fftfreq, n, d, dtype, device)


def rfftfreq(n, /, *, d=1.0, dtype=None, device=None):
    """The frequencies of the n // 2 + 1 elements of rfft(), in cycles per unit of d, the distance of samples. dtype: float64
    by default. ValueError if n is no integer."""
    return _frequencies(np.fft.rfftfreq, n, d, dtype, device)


def fftshift(x, /, *, axes=None):
    """A copy in which the frequency 0, which comes first, is in the middle. axes: along which; None: all."""
    return _fft.fftshift(array(x, "fftshift"), axes)


def ifftshift(x, /, *, axes=None):
    """What fftshift() made of it. axes: along which; None: all."""
    return _fft.ifftshift(array(x, "ifftshift"), axes)


_names.publish(__name__, globals())
