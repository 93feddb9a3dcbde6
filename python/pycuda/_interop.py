"""GPU arrays among other libraries: __cuda_array_interface__ both ways, DLPack, pickles."""

import numpy as np

from pycuda import _native


def interface(self):
    """Version 3 of the protocol by which libraries share device memory."""
    _native._share(self)
    found = {"shape": self.shape, "strides": self.strides, "typestr": self.dtype.str,
             "data": (self.ptr if self.size else 0, False), "stream": None, "version": 3}
    if self.dtype.names:
        found["descr"] = self.dtype.descr
    return found


def from_interface(owner, interface):
    """A view of the memory of an object with ``__cuda_array_interface__``. What its owner enqueued
    in a stream other than the null stream is waited for."""
    name = type(owner).__name__
    if interface.get("mask") is not None:
        raise TypeError(f"{name}: __cuda_array_interface__ with a mask is not supported")
    try:
        shape, kind, address = interface["shape"], interface["typestr"], interface["data"][0]
    except (KeyError, TypeError):
        raise TypeError(f"{name}: __cuda_array_interface__ lacks shape, typestr or data") from None
    if interface.get("stream") not in (None, 0, 1):
        _native.Context.synchronize()
    if kind[1] == "V" and interface.get("descr"):
        kind = interface["descr"]
    return _native.GPUArray(shape, np.dtype(kind), gpudata=address, base=owner,
                            strides=interface.get("strides"))


def from_dlpack(x):
    """A GPUArray of anything with ``__dlpack__``: memory of a CUDA device is shared, that of the CPU
    (arrays of the host device too) is copied."""
    if x.__dlpack_device__()[0] == 1:
        return _native.to_gpu(np.from_dlpack(x))
    return _native._from_dlpack(x.__dlpack__())


def array(self, dtype=None, copy=None):
    """A copy on the host after open_to_host(); without, TypeError: it is asked for by get()."""
    if not _native._is_open_to_host():
        raise TypeError("a GPUArray does not become a numpy.ndarray by itself; use .get()")
    if copy is False:
        raise ValueError("numpy.asarray of a GPUArray makes a copy")
    return self.get().astype(self.dtype if dtype is None else dtype, copy=False)
