"""GPU arrays among other libraries: __cuda_array_interface__ both ways, DLPack, pickles."""

import itertools
import weakref

import numpy as np

from pycuda import _native


def interface(self):
    """Version 3 of the protocol by which libraries share the memory of GPUs; AttributeError on the host
    device, so that they take DLPack, which has its memory as a CPU's."""
    if _native._is_host_device():
        raise AttributeError("__cuda_array_interface__ is for the memory of GPUs, and this array is on the host "
                             "device: use DLPack, as numpy.from_dlpack(x) and torch.from_dlpack(x) do, or "
                             "numpy.asarray(x) after gpuarray.open_to_host()")
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


_registered = weakref.WeakValueDictionary()  # by address: what from_dlpack() registered and is alive


def from_dlpack(x, *, copy=None):
    """A GPUArray of anything with ``__dlpack__``. Memory of a CUDA device is shared, and on the host
    device that of the CPU: what either writes the other sees, once `Context.synchronize` was called. A GPU
    gets a copy of memory of the CPU, and so does the host device if it is read-only or overlaps in part
    with what is shared already. copy: True for a copy in any case, False for none: BufferError where one
    is needed."""
    if isinstance(x, _native.GPUArray):
        x.__dlpack__()  # raises what it does for other libraries: of a dead context, say
        shared = x[...]
    elif x.__dlpack_device__()[0] != 1:
        shared = _native._from_dlpack(x.__dlpack__())
    else:
        host = np.from_dlpack(x)
        shared = None if copy else _share_host(host)
        if shared is None and copy is False:
            raise BufferError("from_dlpack: copy=False, and this memory has to be copied to the device: "
                              + ("it has no elements, is read-only or overlaps what is shared already"
                                 if _native._is_host_device() else "it is the CPU's"))
        return _native.to_gpu(host) if shared is None else shared
    return shared.copy() if copy else shared


def _share_host(host):
    """A GPUArray in the memory of an array on the host; None where that cannot be."""
    if not (_native._is_host_device() and host.size and host.flags.writeable):
        return None
    address, span = _span_of(host)
    owner = _owner_of(address, span)
    if owner is None:
        return None
    return _native.GPUArray(host.shape, host.dtype, gpudata=host.ctypes.data, base=owner, strides=host.strides)


def _span_of(host):
    """From the first byte of an array to its last: the address, and the elements between, without gaps."""
    first = host[(..., *(slice(None, None, -1 if step < 0 else 1) for step in host.strides))]
    length = 1 + sum((n - 1) * step for n, step in zip(first.shape, first.strides, strict=True)) // host.itemsize
    span = np.lib.stride_tricks.as_strided(first, (length,), (host.itemsize,))
    return first.ctypes.data, span


def _owner_of(address, span):
    """What keeps memory of the host device, or makes memory of the CPU such; None: neither can be."""
    try:
        start, size = _native.mem_get_address_range(address)
    except _native.LogicError:  # it is in no allocation yet
        start, size = address, 0
    if size:
        inside = address + span.nbytes <= start + size
        return _registered.get(start, span) if inside else None
    try:
        owner = _native.register_host_memory(span).base
    except _native.LogicError:  # a part of it is in one
        return None
    _registered[address] = owner
    return owner


def shown(self):
    """An array on the host that NumPy prints as it would a copy of this. Where it leaves out what is between
    the edges, that has no values: nothing but the edges is copied, and memory not touched takes no room."""
    options = np.get_printoptions()
    edge = options["edgeitems"]
    if self.size <= options["threshold"] or edge == 0:  # without edges NumPy shows all
        return self.get()
    host = np.empty(self.shape, self.dtype)
    for part in itertools.product(*([slice(edge), slice(n - edge, n)] if n > 2 * edge else [slice(n)]
                                    for n in self.shape)):
        host[part] = self[part].get()
    return host


def array(self, dtype=None, copy=None):
    """A copy on the host after open_to_host(); without, TypeError: it is asked for by get()."""
    if not _native._is_open_to_host():
        raise TypeError("a GPUArray does not become a numpy.ndarray by itself; use .get(), or allow it once "
                        "and for all with pycuda.gpuarray.open_to_host()")
    if copy is False:
        raise ValueError("numpy.asarray of a GPUArray makes a copy")
    return self.get().astype(self.dtype if dtype is None else dtype, copy=False)
