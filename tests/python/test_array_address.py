"""Arrays whose memory went with its context are refused at every way in, before any launch: on a GPU
the stale address would be an illegal access, which ends the process's work on the device."""

import copy
import operator
import pickle

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native, cumath, gpuarray
from pycuda.elementwise import ElementwiseKernel
from pycuda.gpuarray import GPUArray, to_gpu
from pycuda.reduction import ReductionKernel
from pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel

pytestmark = pytest.mark.usefixtures("context")
LENGTH, KIND = 8, np.dtype(np.float32)
DOUBLE = ElementwiseKernel("float *x, float *y", "y[i] = 2 * x[i]")
TOTAL = ReductionKernel(KIND, "0", "a + b", "x[i]", "float *x")
SCANS = {"inclusive": InclusiveScanKernel(KIND, "a + b"),
         "exclusive": ExclusiveScanKernel(KIND, "a + b", "0")}

# x is dead, y lives. Each row must reach x's memory.
WAYS = {
    "-x": lambda x, y: -x,
    "x + y": lambda x, y: x + y,
    "y + x": lambda x, y: y + x,
    "x + 1": lambda x, y: x + 1,
    "2 ** x": lambda x, y: 2 ** x,
    "x[::2] + y[::2]": lambda x, y: x[::2] + y[::2],
    "x += y": lambda x, y: operator.iadd(x, y),
    "y += x": lambda x, y: operator.iadd(y, x),
    "x < y": lambda x, y: x < y,
    "x @ y": lambda x, y: x @ y,
    "divmod": divmod,
    "numpy.add": lambda x, y: np.add(y, x),
    "numpy.add(out=x)": lambda x, y: np.add(y, y, out=x),
    "numpy.sum": lambda x, y: np.sum(x),
    "cumath.sin": lambda x, y: cumath.sin(x),
    "cumath.sin(out=x)": lambda x, y: cumath.sin(y, out=x),
    "maximum": lambda x, y: gpuarray.maximum(y, x),
    "where": lambda x, y: gpuarray.where(y > 0, y, x),
    "if_positive": lambda x, y: gpuarray.if_positive(x, y, y),
    "mul_add": lambda x, y: y.mul_add(2, x, 3),
    "real": lambda x, y: x.view(np.complex64).real,
    "astype": lambda x, y: x.astype(int),
    "copy": lambda x, y: x.copy(),
    "copy.copy": lambda x, y: copy.copy(x),
    "copy.deepcopy": lambda x, y: copy.deepcopy(x),
    "pickle": lambda x, y: pickle.dumps(x),
    "reshape that copies": lambda x, y: x.reshape(2, 4).T.reshape(8),
    "ravel that copies": lambda x, y: x[::-1].ravel(),
    "reverse": lambda x, y: x.reverse(),
    "get": lambda x, y: x.get(),
    "get of a view": lambda x, y: x[1::2].get(),
    "get(ary)": lambda x, y: x.get(np.empty(LENGTH, KIND)),
    "get_async": lambda x, y: x.get_async(),
    "item": lambda x, y: x[0].item(),
    "str": lambda x, y: str(x),
    "bool": lambda x, y: bool(x[0]),
    "set": lambda x, y: x.set(np.zeros(LENGTH, KIND)),
    "set of a view": lambda x, y: x[::-2].set(np.zeros(LENGTH // 2, KIND)),
    "set_async": lambda x, y: x.set_async(np.zeros(LENGTH, KIND)),
    "fill": lambda x, y: x.fill(1),
    "x[0] = 1": lambda x, y: operator.setitem(x, 0, 1),
    "x[...] = y": lambda x, y: operator.setitem(x, ..., y),
    "y[...] = x": lambda x, y: operator.setitem(y, ..., x),
    "y[::2] = x[::2]": lambda x, y: operator.setitem(y, np.s_[::2], x[::2]),
    "x[mask]": lambda x, y: x[y > 0],
    "x[places]": lambda x, y: x[np.array([1, 2])],
    "x[places] = 1": lambda x, y: operator.setitem(x, np.array([1, 2]), 1),
    "y[x]": lambda x, y: y[x.view(np.int32)],
    "take": lambda x, y: gpuarray.take(x, to_gpu(np.arange(3))),
    "take(out=x)": lambda x, y: gpuarray.take(y, to_gpu(np.arange(LENGTH)), out=x),
    "put": lambda x, y: x.put([0], y[:1]),
    "concatenate": lambda x, y: gpuarray.concatenate((y, x)),
    "stack": lambda x, y: gpuarray.stack((y, x)),
    "sum": lambda x, y: gpuarray.sum(x),
    "sum of a view": lambda x, y: x[::2].sum(),
    "sum(axis)": lambda x, y: x.reshape(2, 4).sum(axis=0),
    "sum(out=x)": lambda x, y: gpuarray.sum(y.reshape(LENGTH, 1), axis=1, out=x),
    "dot": lambda x, y: gpuarray.dot(y, x),
    "max": lambda x, y: x.max(),
    "argmax": lambda x, y: x.argmax(),
    "any": lambda x, y: x.any(),
    "mean": lambda x, y: x.mean(),
    "std": lambda x, y: x.std(),
    "subset_sum": lambda x, y: gpuarray.subset_sum(to_gpu(np.arange(2)), x),
    "ElementwiseKernel": lambda x, y: DOUBLE(x, y),
    "ElementwiseKernel to x": lambda x, y: DOUBLE(y, x),
    "ElementwiseKernel(slice)": lambda x, y: DOUBLE(y, x, slice=slice(2, 4)),
    "ReductionKernel": lambda x, y: TOTAL(x),
    "ReductionKernel(out=x)": lambda x, y: TOTAL(y, out=x),
    "InclusiveScanKernel": lambda x, y: SCANS["inclusive"](x),
    "InclusiveScanKernel to x": lambda x, y: SCANS["inclusive"](y, output_ary=x),
    "ExclusiveScanKernel": lambda x, y: SCANS["exclusive"](x, output_ary=y),
    "ptr": lambda x, y: x.ptr,
    "another array's memory": lambda x, y: GPUArray(LENGTH, KIND, gpudata=x),
    "an array in that memory": lambda x, y: GPUArray(LENGTH, KIND, gpudata=x.gpudata),
    "a copy by address": lambda x, y: cuda.memcpy_dtod(y.gpudata, x.gpudata, 4),
    "__dlpack__": lambda x, y: x.__dlpack__(),
    "from_dlpack": lambda x, y: gpuarray.from_dlpack(x),
}
if not _native._is_host_device():
    WAYS["__cuda_array_interface__"] = lambda x, y: x.__cuda_array_interface__


def outcome(way, *arrays):
    try:
        return way(*arrays)
    except Exception as error:  # noqa: BLE001 - whatever comes is compared
        return error


@pytest.mark.parametrize("allocator", [None, cuda.mem_alloc], ids=["pool", "mem_alloc"])
def test_memory_of_a_dead_context(allocator):
    y = to_gpu(np.ones(LENGTH, KIND))
    other = cuda.Device(0).make_context()
    x = to_gpu(np.ones(LENGTH, KIND), allocator) if allocator else to_gpu(np.zeros(LENGTH, KIND)) + 1
    other.pop()
    other.detach()
    found = {name: outcome(way, x, y) for name, way in WAYS.items()}
    assert {name: error for name, error in found.items()
            if not isinstance(error, RuntimeError)
            or not str(error).startswith("cannot activate dead context")} == {}
    assert "cannot activate dead context" in repr(x)  # for debuggers
    assert np.array_equal(y.get(), np.ones(LENGTH, KIND))


def test_what_needs_no_memory():
    other = cuda.Device(0).make_context()
    x = to_gpu(np.ones((2, 4), KIND))
    other.pop()
    other.detach()
    assert x.shape == (2, 4) and x.T.shape == (4, 2) and x[0].dtype == KIND and x.size == LENGTH


def test_memory_that_was_freed():
    """The address behind an array is refused when its allocation was freed."""
    x = GPUArray(LENGTH, KIND, gpudata=(memory := cuda.mem_alloc(4 * LENGTH)))
    memory.free()
    for way in (lambda: x + 1, x.get, lambda: x.fill(0), lambda: DOUBLE(x, x), lambda: TOTAL(x)):
        with pytest.raises(cuda.LogicError, match="was freed"):
            way()
