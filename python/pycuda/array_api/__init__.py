"""The Python array API standard, version 2024.12, on GPU arrays.

``x.__array_namespace__()`` of a GPUArray is this module; libraries that are written against the standard find
their functions here. Arrays are :class:`pycuda.gpuarray.GPUArray`, dtypes are ``numpy.dtype``, devices are
:class:`pycuda.driver.Device`. Every function runs on the device; a few, such as ``nonzero``, wait for it, since the
shape of their result depends on values. Parameters before ``/`` are by position alone, those behind ``*`` by name.
The extensions are :mod:`pycuda.array_api.linalg` and :mod:`pycuda.array_api.fft`.
"""

from math import e, inf, nan, pi

from pycuda import _names, gpuarray  # noqa: F401  (the type is completed by importing)
from pycuda.array_api import (
    _data_types,
    _elementwise,
    _linear,
    _making,
    _searching,
    _shapes,
    _statistics,
)
from pycuda.array_api._data_types import *
from pycuda.array_api._inspection import __array_namespace_info__
from pycuda.array_api._linear import *
from pycuda.array_api._making import *
from pycuda.array_api._searching import *
from pycuda.array_api._shapes import *
from pycuda.array_api._statistics import *

__array_api_version__ = "2024.12"
newaxis = None
globals().update(_data_types.DTYPES)
globals().update({_name: getattr(_elementwise, _name) for _name in _elementwise.FUNCTIONS})

__all__ = ["__array_api_version__", "__array_namespace_info__", "e", "fft", "inf", "linalg", "nan", "newaxis", "pi"]
__all__.extend((*_data_types.DTYPES, *_elementwise.FUNCTIONS))
for _room in (_data_types, _making, _shapes, _linear, _statistics, _searching):
    __all__.extend(_room.__all__)
_names.publish(__name__, globals())

# Behind publish(): what they have of this module is named after it.
from pycuda.array_api import fft, linalg
