"""Which library computes what.

Linear algebra (``numpy.linalg``) and Fourier transforms (``numpy.fft``) of GPU arrays are computed by libraries.
On the host device that is NumPy, by LAPACK and pocketfft that it brings, on the memory of the arrays without a copy.
On a GPU it is NumPy on a copy of the arrays.
"""

import threading

_thread = threading.local()


def _note(name):
    """What computed; it is kept for last()."""
    _thread.last = name


def last():
    """What computed the last function of linear algebra or Fourier transform that this thread asked for, by the
    name that it has in its library: "numpy.linalg.solve". None: there was none."""
    return getattr(_thread, "last", None)
