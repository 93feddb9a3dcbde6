"""Arrays in device memory that work like numpy.ndarray.

Operators and functions follow NumPy: broadcasting, dtypes, strides and views. Results stay on the
device; ``get()`` copies them to the host. Every operation is a kernel that is compiled when it is
first met for operands of those types, and cached on disk.
"""

import numpy as np

from pycuda import _native, cumath  # noqa: F401
from pycuda._native import (  # noqa: F401
    GPUArray,
    all,
    any,
    arange,
    concatenate,
    dot,
    empty_like,
    full,
    if_positive,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    max,
    maximum,
    min,
    minimum,
    ones,
    ones_like,
    reshape,
    stack,
    subset_dot,
    subset_max,
    subset_min,
    subset_sum,
    sum,
    to_gpu,
    to_gpu_async,
    transpose,
    where,
    zeros,
    zeros_like,
)
from pycuda.tools import get_or_register_dtype

empty = GPUArray


def _array_ufunc(self, ufunc, method, *inputs, out=None, **kwargs):
    if method != "__call__" or kwargs:
        raise NotImplementedError(f"numpy.{ufunc.__name__}.{method} {sorted(kwargs)}")
    return _native._ufunc(ufunc.__name__, inputs, out and out[0])


GPUArray.__array_ufunc__ = _array_ufunc
