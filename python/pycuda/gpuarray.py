"""Arrays in device memory that work like numpy.ndarray.

Operators and functions follow NumPy: broadcasting, dtypes, strides and views. Results stay on the
device; ``get()`` copies them to the host. Every operation is a kernel that is compiled when it is
first met for operands of those types, and cached on disk.
"""

import numpy as np

from pycuda import _methods, _names, _protocols, cumath  # noqa: F401  (the type is completed by importing)
from pycuda._capture import capture  # noqa: F401
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
from pycuda._reductions import (  # noqa: F401
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
from pycuda.driver import (
    Context,
    Device,
    TextureReference,
    array_format,
    dtype_to_array_format,
    memcpy_peer,
    memcpy_peer_async,
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


def _get_common_dtype(obj1, obj2):
    """The dtype of results of both arrays; a private name of PyCUDA that programs import."""
    from pycuda.compyte.array import get_common_dtype

    return get_common_dtype(obj1, obj2, True)


def _memcpy_discontig(dst, src, async_=False, stream=None):
    """dst[...] = src, where one of the two may be a numpy.ndarray."""
    dst[...] = src if isinstance(dst, GPUArray) else src.get()


def _new_like_me(self, dtype=None, order="C"):
    """What makes the results of a subclass."""
    dtype = self.dtype if dtype is None else np.dtype(dtype)
    strides = self.strides if dtype == self.dtype and self.flags.forc else None
    return type(self)(self.shape, dtype, allocator=self.allocator, strides=strides, order=order)


class _Computed:
    """Not a property, as subclasses of PyCUDA's class may give their instances an attribute of that name."""

    def __init__(self, compute):
        self.compute, self.__doc__ = compute, compute.__doc__

    def __get__(self, array, cls):
        return self if array is None else self.compute(array)


def _nbytes(self):
    """Bytes of all elements."""
    return self.size * self.itemsize


def _device(self):
    """The driver.Device that the memory lies on."""
    return Device(self._ordinal)


def _transposed_matrices(self):
    """A view with the last two axes interchanged. ValueError for fewer."""
    if self.ndim < 2:
        raise ValueError(f"mT: expected at least two axes, got shape {self.shape}")
    return self.swapaxes(-1, -2)


def _to_device(self, device, /, *, stream=None):
    """The array on a device: itself if it lies there, else a copy, for which a context of that device must be current.
    stream: a driver.Stream for the copy; None: the copy is done on return. CUDA: cuMemcpyPeer."""
    if not isinstance(device, Device):
        raise TypeError(f"device: expected a pycuda.driver.Device, as x.device is, got {device!r:.60}")
    if device == self.device:
        return self
    context = Context.get_current()
    if device != Context.get_device():
        raise ValueError(f"to_device: {device} is not that of the current context, {Context.get_device()}; push a "
                         "context of it first")
    result = GPUArray(self.shape, self.dtype)
    if self.size:
        with self._context:
            dense = self.copy(order="C")
            Context.synchronize()
        if stream is None:
            memcpy_peer(result.gpudata, dense.gpudata, self.nbytes, context, self._context)
        else:
            memcpy_peer_async(result.gpudata, dense.gpudata, self.nbytes, context, self._context, stream)
    return result


def _array_namespace(self, /, *, api_version=None):
    """pycuda.array_api, the functions of the Python array API standard. api_version: "2021.12" to "2024.12" or None;
    ValueError for another."""
    from pycuda import array_api  # few need it

    if api_version not in (None, "2021.12", "2022.12", "2023.12", array_api.__array_api_version__):
        raise ValueError(f"version {api_version!r} of the array API standard is not available: "
                         f"{array_api.__array_api_version__} is, and those before it from 2021.12 on")
    return array_api


def reshape(a, *shape, order="C"):
    """a.reshape(*shape, order=order)"""
    return a.reshape(*shape, order=order)


def transpose(a, axes=None):
    """a.transpose(axes)"""
    return a.transpose(axes if axes is None else tuple(axes))


class vec:
    """NumPy's dtypes of CUDA's vector types (``vec.float4``, fields x, y, z, w), and functions that
    make one (``vec.make_float2(1, 2)``, ``vec.make_float2(x=1, y=2)``: an array without axes)."""


def _define_vec():
    kinds = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I",
             "long": "l", "ulong": "L", "longlong": "q", "ulonglong": "Q", "float": "f",
             "double": "d"}

    def maker(name, dtype):
        fields = dtype.names

        def make(*args, **kwargs):
            numbers = dict(zip(fields, args, strict=False)) | kwargs
            if len(args) + len(kwargs) != len(fields) or numbers.keys() != set(fields):
                given = ", ".join([*map(repr, args), *(f"{key}={kwargs[key]!r}" for key in kwargs)])
                raise TypeError(f"{name}({', '.join(fields)}) takes one number for each field, "
                                f"not ({given})")
            return np.array(tuple(numbers[field] for field in fields), dtype)

        make.__name__ = make.__qualname__ = name
        make.__doc__ = f"An array without axes of dtype vec.{name[5:]} from {', '.join(fields)}."
        return staticmethod(make)

    for name, kind in kinds.items():
        for count in range(1, 5):
            dtype = np.dtype([(field, kind) for field in "xyzw"[:count]])
            dtype = get_or_register_dtype(f"{name}{count}", dtype)
            setattr(vec, f"{name}{count}", dtype)
            setattr(vec, f"make_{name}{count}", maker(f"make_{name}{count}", dtype))


_define_vec()

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


GPUArray.nbytes, GPUArray.__array_priority__ = _Computed(_nbytes), 100  # above numpy.ndarray's
GPUArray.device, GPUArray.mT = _Computed(_device), _Computed(_transposed_matrices)
GPUArray.to_device, GPUArray.__array_namespace__ = _to_device, _array_namespace
GPUArray._new_like_me = _new_like_me
GPUArray.bind_to_texref = _bind_to_texref
GPUArray.bind_to_texref_ext = _bind_to_texref_ext
_names.publish(__name__, globals())
