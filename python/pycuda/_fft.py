"""numpy.fft on GPU arrays: transforms by a library (pycuda/_on_host.py), shifts by copies on the device, under NumPy's
names and with its parameters. pycuda/_function_table.py finds them."""

import numpy as np

from pycuda import _functions
from pycuda._on_host import expect_arrays, served
from pycuda._reductions import axes_of, finish

TRANSFORMS = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn",
              "rfftn", "irfftn")


def _transform(name):
    compute = served(getattr(np.fft, name), 1)

    def ours(a, *args, out=None, **kwargs):
        if len(args) > 3:
            *args, out = args
        return finish(compute(a, *args, **kwargs), [], True, out)

    ours.__name__ = ours.__qualname__ = name
    return ours


globals().update({name: _transform(name) for name in TRANSFORMS})


def _shifted(name, x, axes, way):
    expect_arrays(f"numpy.fft.{name}", x)
    axes = axes_of(axes if axes is None or np.ndim(axes) == 0 else tuple(axes), x.ndim)
    return _functions.roll(x, tuple(way * (x.shape[axis] // 2) for axis in axes), tuple(axes)) if axes else x.copy()


def fftshift(x, axes=None):
    return _shifted("fftshift", x, axes, 1)


def ifftshift(x, axes=None):
    return _shifted("ifftshift", x, axes, -1)
