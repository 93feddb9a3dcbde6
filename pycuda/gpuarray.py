"""Arrays in device memory that work like numpy.ndarray.

Operators and functions follow NumPy: broadcasting, dtypes, strides and views. Results stay on the
device; ``get()`` copies them to the host. Every operation is a kernel that is compiled when it is
first met for operands of those types, and cached on disk.
"""

import numpy as np

from pycuda import _native, cumath  # noqa: F401  (gpuarray.cumath, as programs use it)
from pycuda._creation import arange, concatenate, stack  # noqa: F401
from pycuda._indexing import (  # noqa: F401
    multi_put,
    multi_take,
    multi_take_put,
    put,
    take,
)
from pycuda._native import (  # noqa: F401
    GPUArray,
    dot,
    empty_like,
    full,
    if_positive,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    ones,
    ones_like,
    reshape,
    subset_dot,
    subset_max,
    subset_min,
    subset_sum,
    to_gpu,
    to_gpu_async,
    transpose,
    where,
    zeros,
    zeros_like,
)
from pycuda._reductions import (
    all,
    any,
    argmax,
    argmin,
    matmul,
    max,
    mean,
    min,
    prod,
    std,
    sum,
    var,
)
from pycuda.tools import get_or_register_dtype

empty = GPUArray


def splay(n, dev=None):
    """((blocks, 1), (threads, 1, 1)): a grid and block for n elements in kernels that stride over
    the grid: 32 to 128 threads, and no more blocks than keep the device busy. dev: a Device, by
    default that of the current context."""
    from pycuda import driver

    dev = driver.Context.get_device() if dev is None else dev
    most = 32 * dev.get_attribute(driver.device_attribute.MULTIPROCESSOR_COUNT)
    threads = -(-np.clip(n, 1, 128) // 32) * 32
    return (int(np.clip(-(-n // threads), 1, most)), 1), (int(threads), 1, 1)


def from_dlpack(x):
    """A GPUArray of anything with ``__dlpack__``: memory of a CUDA device is shared, that of the CPU
    (arrays of the host device too) is copied."""
    if x.__dlpack_device__()[0] == 1:
        return to_gpu(np.from_dlpack(x))
    return _native._from_dlpack(x.__dlpack__())


class vec:
    """NumPy's dtypes of CUDA's vector types (``vec.float4``, fields x, y, z, w), and functions that
    make one (``vec.make_float4(1, 2, 3, 4)``: an array without axes)."""


def _define_vec():
    kinds = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I",
             "long": "l", "ulong": "L", "longlong": "q", "ulonglong": "Q", "float": "f",
             "double": "d"}

    def maker(dtype):
        def make(*args):
            if len(args) > len(dtype.names):
                raise TypeError(f"{len(args)} numbers for {len(dtype.names)} fields")
            return np.array(args + (0,) * (len(dtype.names) - len(args)), dtype)
        return staticmethod(make)

    for name, kind in kinds.items():
        for count in range(1, 5):
            dtype = np.dtype([(field, kind) for field in "xyzw"[:count]])
            dtype = get_or_register_dtype(f"{name}{count}", dtype)
            setattr(vec, f"{name}{count}", dtype)
            setattr(vec, f"make_{name}{count}", maker(dtype))


_define_vec()

# -- NumPy's protocols and methods that are made of functions ------------------------------------

_REDUCERS = {"add": sum, "multiply": prod, "maximum": max, "minimum": min, "logical_and": all,
             "logical_or": any}


def _array_ufunc(self, ufunc, method, *inputs, out=None, **kwargs):
    """numpy.add(x, y) and the like, and numpy.add.reduce(x, axis)."""
    out = out[0] if isinstance(out, tuple) else out
    name = ufunc.__name__
    if method == "reduce" and name in _REDUCERS:
        axis = kwargs.pop("axis", 0)
        kwargs = {key: value for key, value in kwargs.items() if value is not None}
        return _REDUCERS[name](*inputs, axis=axis, out=out, **kwargs)
    if method != "__call__" or kwargs:
        what = f".{method}" if method != "__call__" else f" with {', '.join(kwargs)}"
        raise NotImplementedError(f"numpy.{name}{what} is not available for GPU arrays")
    return matmul(*inputs, out=out) if name == "matmul" else _native._ufunc(name, inputs, out)


_FUNCTIONS = {getattr(np, name): globals()[name] for name in (
    "all", "any", "argmax", "argmin", "concatenate", "empty_like", "max", "mean", "min",
    "ones_like", "prod", "put", "reshape", "stack", "std", "sum", "take", "transpose", "var",
    "where", "zeros_like")}
_FUNCTIONS |= {
    np.copy: lambda a, order="K", subok=False: a.copy(order=order),
    np.ravel: lambda a, order="C": a.ravel(order),
    np.squeeze: lambda a: a.squeeze(),
    np.real: lambda a: a.real,
    np.imag: lambda a: a.imag,
    np.shape: lambda a: a.shape,
    np.ndim: lambda a: a.ndim,
    np.size: lambda a: a.size,
    np.full_like: lambda a, value, dtype=None: empty_like(a, dtype).fill(value),
    np.dot: lambda a, b, out=None: dot(a, b) if a.ndim == b.ndim == 1 and out is None
    else matmul(a, b, out),
}


def _array_function(self, function, types, args, kwargs):
    """numpy.sum(x) and the like."""
    ours = _FUNCTIONS.get(function)
    if ours is None:
        raise NotImplementedError(f"{function.__module__}.{function.__name__} is not available for "
                                  "GPU arrays; .get() copies one to the host")
    return ours(*args, **kwargs)


def _bind_to_texref(self, texref, allow_offset=False):
    """Unusable since CUDA 12, which removed texture references: NotImplementedError."""
    raise NotImplementedError("GPUArray.bind_to_texref: CUDA 12 removed texture references; pass "
                              "the array to the kernel, or use texture objects")


def _bind_to_texref_ext(self, texref, channels=1, allow_double_hack=False,
                        allow_complex_hack=False, allow_offset=False):
    """Unusable since CUDA 12, which removed texture references: NotImplementedError."""
    raise NotImplementedError("GPUArray.bind_to_texref_ext: CUDA 12 removed texture references; "
                              "pass the array to the kernel, or use texture objects")


def _matmul(self, other):
    return matmul(self, other) if isinstance(other, GPUArray) else NotImplemented


def _method(function):
    """A function of one array as a method, with parameters in the order that NumPy's method has."""
    def method(self, axis=None, dtype=None, out=None, keepdims=False):
        return function(self, axis=axis, dtype=dtype, out=out, keepdims=keepdims)
    method.__doc__ = function.__doc__
    return method


def _extreme(function):
    def method(self, axis=None, out=None, keepdims=False):
        return function(self, axis=axis, out=out, keepdims=keepdims)
    method.__doc__ = function.__doc__
    return method


GPUArray.__array_ufunc__ = _array_ufunc
GPUArray.__array_function__ = _array_function
GPUArray.__matmul__ = _matmul
GPUArray.__copy__, GPUArray.conjugate = GPUArray.copy, GPUArray.conj
GPUArray.bind_to_texref = _bind_to_texref
GPUArray.bind_to_texref_ext = _bind_to_texref_ext
GPUArray.sum, GPUArray.prod, GPUArray.mean = _method(sum), _method(prod), _method(mean)
GPUArray.max, GPUArray.min = _extreme(max), _extreme(min)
GPUArray.any, GPUArray.all = any, all
GPUArray.argmax, GPUArray.argmin = argmax, argmin
GPUArray.var, GPUArray.std = var, std
GPUArray.take, GPUArray.put, GPUArray.dot = take, put, dot
