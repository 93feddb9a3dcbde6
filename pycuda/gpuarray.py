"""Arrays in device memory that work like numpy.ndarray.

Operators and functions follow NumPy: broadcasting, dtypes, strides and views. Results stay on the
device; ``get()`` copies them to the host. Every operation is a kernel that is compiled when it is
first met for operands of those types, and cached on disk.
"""

import numpy as np

from pycuda import _interop, _native, cumath  # noqa: F401  (gpuarray.cumath, as programs use it)
from pycuda._creation import arange, concatenate, stack  # noqa: F401
from pycuda._indexing import (  # noqa: F401
    multi_put,
    multi_take,
    multi_take_put,
    put,
    take,
)
from pycuda._interop import from_dlpack  # noqa: F401
from pycuda._lazy import lazy  # noqa: F401
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
    open_to_host,
    subset_dot,
    subset_max,
    subset_min,
    subset_sum,
    to_gpu,
    to_gpu_async,
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
from pycuda.driver import TextureReference, array_format, dtype_to_array_format
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


def reshape(a, *shape, order="C"):
    """a.reshape(*shape, order=order)"""
    return a.reshape(*shape, order=order)


def transpose(a, axes=None):
    """a.transpose(axes)"""
    return a.transpose(axes)


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
    """Bind the array to a driver.TextureReference, on the host device alone. Returns the offset in
    elements that kernels have to add, which is 0 unless it is allowed. CUDA: cuTexRefSetAddress."""
    if not isinstance(texref, TextureReference):
        raise TypeError(f"texref: expected TextureReference, got {type(texref).__name__}")
    return texref.set_address(self.gpudata, self.nbytes, allow_offset) / self.dtype.itemsize


def _bind_to_texref_ext(self, texref, channels=1, allow_double_hack=False,
                        allow_complex_hack=False, allow_offset=False):
    """bind_to_texref after setting the reference's format to the array's dtype and channels; with
    the hacks, float64 and complex numbers are texels of 2 or 4 int."""
    kind, size = self.dtype.kind, self.dtype.itemsize
    if (kind == "f" and size == 8 and allow_double_hack) or (kind == "c" and allow_complex_hack):
        if channels != 1:
            raise ValueError(f"channels: {self.dtype} is one texel, so 1 is possible, not {channels}")
        form, channels = array_format.SIGNED_INT32, size // 4
    else:
        form = dtype_to_array_format(self.dtype)
    if isinstance(texref, TextureReference):
        texref.set_format(form, channels)
    return self.bind_to_texref(texref, allow_offset)


def _matmul(self, other):
    return matmul(self, other) if isinstance(other, GPUArray) else NotImplemented


def _get_async(self, stream=None, ary=None):
    """get() into page-locked memory that returns before the stream has done the copy; into an
    ordinary array the driver may wait. CUDA: cuMemcpyDtoHAsync."""
    return self.get(ary, True, True, stream)


def _set_async(self, ary, stream=None):
    """set() that returns before the stream has done the copy. CUDA: cuMemcpyHtoDAsync."""
    self.set(ary, True, stream)


def _item(self):
    """The only element, as a Python number; ValueError if there are more."""
    return self.get().item()


def _squeeze(self):
    """A view without axes of length one."""
    return self[tuple(0 if n == 1 else slice(None) for n in self.shape)]


def _reverse(self, stream=None):
    """A copy with the elements in reverse order, as a one-dimensional array."""
    return self.ravel()[::-1].copy(stream)


def _part(name):
    def part(self):
        if self.dtype.kind != "c":
            return self if name == "REAL" else zeros_like(self)
        real = np.empty(0, self.dtype).real.dtype
        return _native._operate(name, (self,), (real, self.dtype))
    return part


def _mul_add(self, selffac, other, otherfac, add_timer=None, stream=None, out=None):
    """selffac * self + otherfac * other in one pass. add_timer is ignored."""
    def product(factor, array):
        return np.multiply.resolve_dtypes((
            type(factor) if type(factor) in (int, float, complex) else np.asarray(factor).dtype,
            array.dtype, None))[2]
    kind = np.add.resolve_dtypes((product(selffac, self), product(otherfac, other), None))[2]
    return _native._operate("COMBINE", (self, selffac, other, otherfac), (kind,) * 5, out, stream)


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
GPUArray.__array__ = _interop.array
GPUArray.__cuda_array_interface__ = property(_interop.interface)
GPUArray.__deepcopy__ = lambda self, memo: self.copy()
GPUArray.__reduce__ = lambda self: (to_gpu, (self.get(),))
GPUArray.get_async, GPUArray.set_async, GPUArray.item = _get_async, _set_async, _item
GPUArray.squeeze, GPUArray.reverse, GPUArray.mul_add = _squeeze, _reverse, _mul_add
GPUArray.real = property(_part("REAL"), doc="Real parts, a new array; of real numbers, itself.")
GPUArray.imag = property(_part("IMAG"), doc="Imaginary parts, a new array.")
GPUArray.__copy__, GPUArray.conjugate = GPUArray.copy, GPUArray.conj
GPUArray.bind_to_texref = _bind_to_texref
GPUArray.bind_to_texref_ext = _bind_to_texref_ext
GPUArray.sum, GPUArray.prod, GPUArray.mean = _method(sum), _method(prod), _method(mean)
GPUArray.max, GPUArray.min = _extreme(max), _extreme(min)
GPUArray.any, GPUArray.all = any, all
GPUArray.argmax, GPUArray.argmin = argmax, argmin
GPUArray.var, GPUArray.std = var, std
GPUArray.take, GPUArray.put, GPUArray.dot = take, put, dot
