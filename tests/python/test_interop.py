"""GPU arrays and other libraries' memory: what is shared, what is copied, and what the namespaces hold."""

import gc
import types

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native, gpuarray
from pycuda.gpuarray import to_gpu

pytestmark = pytest.mark.usefixtures("context")


def numbers(*shape):
    """0, 1, 2, ... of float32."""
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def test_star_import_brings_cuda_alone():
    """Names of the standard library would hide the program's own."""
    found = {}
    exec("from pycuda.driver import *", found)  # noqa: S102
    found = {name: thing for name, thing in found.items() if name.isidentifier()}  # pytest adds others
    del found["np"], found["__builtins__"]  # programs rely on np, which PyCUDA's brings, too
    assert {"Device", "Context", "Stream", "MemoryError", "init", "mem_alloc", "memcpy_htod"} <= found.keys()
    strangers = [name for name, thing in found.items() if isinstance(thing, types.ModuleType)
                 or getattr(thing, "__module__", None) in ("contextlib", "warnings", "_warnings", "operator")]
    assert not strangers


def interface(x):
    """What an object of another library says of the memory of x."""
    fields = {"descr": x.dtype.descr} if x.dtype.names else {}
    return {"shape": x.shape, "strides": x.strides, "data": (x.ptr, False), "typestr": x.dtype.str, "stream": None,
            "version": 3} | fields


def test_cuda_array_interface_in():
    x = to_gpu(numbers(4, 6))

    class Other:
        __cuda_array_interface__ = interface(x[:, ::2])

    assert np.array_equal((x[:, ::2] + Other()).get(), 2 * numbers(4, 6)[:, ::2])
    x[:, 1::2] = Other()
    assert np.array_equal(x.get()[:, 1], numbers(4, 6)[:, 0])
    Other.__cuda_array_interface__ = {"shape": (3,)}
    with pytest.raises(TypeError, match="Other: __cuda_array_interface__ lacks shape, typestr or data"):
        x + Other()
    Other.__cuda_array_interface__ = {**interface(x), "mask": Other()}
    with pytest.raises(TypeError, match="Other: __cuda_array_interface__ with a mask is not supported"):
        x + Other()
    record = to_gpu(np.ones(3, [("a", "i4"), ("b", "f4")]))
    Other.__cuda_array_interface__ = {**interface(record), "stream": 2}
    copy = gpuarray.zeros_like(record)
    copy[...] = Other()
    assert np.array_equal(copy.get(), record.get())


def test_cuda_array_interface_out(on_host):
    """Libraries that find it take it before DLPack, and an address of the host device is none of a GPU."""
    for x in (gpuarray.empty((3, 5), np.int16, order="F"), gpuarray.zeros(3, [("a", "i4"), ("b", "f4")])):
        assert hasattr(x, "__cuda_array_interface__") != on_host
        if on_host:
            with pytest.raises(AttributeError, match=r"host device: use DLPack.*open_to_host"):
                _ = x.__cuda_array_interface__
        else:
            assert x.__cuda_array_interface__ == interface(x)


def test_dlpack(on_host):
    x = to_gpu(numbers(3, 4))
    assert x.__dlpack_device__() == ((1, 0) if on_host else (2, 0))
    assert np.array_equal(gpuarray.from_dlpack(x[:, ::2]).get(), numbers(3, 4)[:, ::2])
    assert np.array_equal(gpuarray.from_dlpack(numbers(3)).get(), numbers(3))
    unused = x.__dlpack__()
    del unused
    for dtype in "?bBhHiIlLefdFD":
        assert gpuarray.from_dlpack(gpuarray.zeros(2, dtype)).dtype == dtype
    with pytest.raises(BufferError, match="DLPack has no dtype"):
        gpuarray.zeros(2, gpuarray.vec.float2).__dlpack__()
    packed = gpuarray.zeros(2, [("a", "f"), ("b", "F")])
    assert np.array_equal(gpuarray.from_dlpack(packed["a"]).get(), [0, 0])
    with pytest.raises(BufferError, match="DLPack has no strides that are no multiple"):
        packed["b"].__dlpack__()
    assert packed["b"][:1].__dlpack__() and packed["b"][:0].__dlpack__()  # whose strides mean nothing
    with pytest.raises(BufferError, match="on a device of type 1, not CUDA"):
        _native._from_dlpack(numbers(3).__dlpack__())


@pytest.mark.parametrize("change, text", [
    ({}, ""), ({"strides": None}, ""), ({"lanes": 2}, "no GPUArray"), ({"code": 4}, "no GPUArray"),
    ({"shape": None}, "a tensor of 2 axes has no shape")])
def test_dlpack_of_device_memory(change, text):
    """What another library's array on a GPU is: a view, and the tensor ends with the last."""
    import ctypes as c

    class Tensor(c.Structure):
        _fields_ = [("data", c.c_void_p), ("device", c.c_int32 * 2), ("ndim", c.c_int32), ("code", c.c_uint8),
                    ("bits", c.c_uint8), ("lanes", c.c_uint16), ("shape", c.POINTER(c.c_int64)),
                    ("strides", c.POINTER(c.c_int64)), ("byte_offset", c.c_uint64),
                    ("manager", c.c_void_p), ("delete", c.CFUNCTYPE(None, c.c_void_p))]

    x, ended, new = to_gpu(numbers(6)), [], c.pythonapi.PyCapsule_New
    new.restype, new.argtypes = c.py_object, (c.c_void_p, c.c_char_p, c.c_void_p)
    tensor = Tensor(x.ptr, (2, 0), 2, 2, 32, 1, (c.c_int64 * 2)(2, 2), (c.c_int64 * 2)(2, 1), 8, None,
                    Tensor._fields_[-1][1](ended.append))
    for name, value in change.items():
        setattr(tensor, name, value)
    capsule = new(c.addressof(tensor), b"dltensor", None)
    if text:
        with pytest.raises(BufferError, match=text):
            _native._from_dlpack(capsule)
    else:
        view = _native._from_dlpack(capsule)
        x.fill(7)
        assert view.get().tolist() == [[7, 7]] * 2 and view.ptr == x.ptr + 8 and not ended
        del view
    assert "used_dltensor" in repr(capsule) and len(ended) == 1


@pytest.mark.host
def test_dlpack_to_numpy_shares_memory():
    x = to_gpu(numbers(3, 4))
    host = np.from_dlpack(x[1:])
    x.fill(7)
    cuda.Context.synchronize()
    assert host.tolist() == [[7] * 4] * 2
    del x
    gc.collect()
    assert host.tolist() == [[7] * 4] * 2


LAYOUTS = {"C": lambda a: a, "F": lambda a: a.T, "backwards": lambda a: a[::-1], "part": lambda a: a[1:3, ::2],
           "column": lambda a: a[:, 1], "broadcast": lambda a: np.lib.stride_tricks.as_strided(a[0], (3, 5), (0, 4)),
           "scalar": lambda a: a[2, 3, ...]}


@pytest.mark.host
@pytest.mark.parametrize("layout", LAYOUTS)
def test_host_memory_is_shared(layout):
    host = np.arange(20, dtype=np.float32).reshape(4, 5)
    view = LAYOUTS[layout](host)
    x = gpuarray.from_dlpack(view)
    assert (x.shape, x.strides, x.ptr) == (view.shape, view.strides, view.ctypes.data)
    assert np.array_equal(x.get(), view)
    host += 100
    assert np.array_equal(x.get(), view)
    before = view.copy()
    x.fill(7)
    cuda.Context.synchronize()
    assert np.all(view == 7) and not np.any(before == 7)


@pytest.mark.host
def test_shared_memory_lives_as_long_as_the_array():
    host = np.arange(1 << 20, dtype=np.float32)
    x, y = gpuarray.from_dlpack(host), gpuarray.from_dlpack(host[5:])
    del host, x
    gc.collect()
    assert np.array_equal(y.get(), np.arange(5, 1 << 20, dtype=np.float32))
    z = gpuarray.from_dlpack(gpuarray.to_gpu(np.arange(9)))
    gc.collect()
    assert z.get().tolist() == [*range(9)]


@pytest.mark.host
def test_memory_is_given_back():
    """What was shared can be registered again, and is memory of the host alone."""
    host = np.zeros(1000)
    for _ in range(3):
        x = gpuarray.from_dlpack(host)
        del x
        gc.collect()
        registered = cuda.register_host_memory(host)
        assert registered.ctypes.data == host.ctypes.data
        del registered


@pytest.mark.host
def test_what_is_copied_after_all():
    host = np.arange(6.0)
    inner = gpuarray.from_dlpack(host[2:])
    outer = gpuarray.from_dlpack(host)  # overlaps in part with what is registered
    assert outer.ptr != host.ctypes.data and np.array_equal(outer.get(), host)
    assert inner.ptr == host[2:].ctypes.data
    assert gpuarray.from_dlpack(np.empty((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("options", [{}, {"edgeitems": 1, "threshold": 10}, {"edgeitems": 0}, {"threshold": 10**9}],
                         ids=str)
@pytest.mark.parametrize("shape", [(1001,), (300, 4), (30, 40), (2, 3, 200), (1100, 1), (40,)], ids=str)
def test_printing_is_numpys(shape, options):
    host = np.arange(np.prod(shape), dtype=np.float32).reshape(shape) ** 3
    with np.printoptions(**options):
        assert repr(gpuarray.to_gpu(host)) == repr(host)
        assert str(gpuarray.to_gpu(host)) == str(host)


def test_printing_copies_edges_alone(run_python, tmp_path):
    code = ("import numpy as np, pycuda.autoinit; from pycuda import gpuarray\n"
            "x = gpuarray.zeros(50_000_000, np.int8); x[-1:].fill(5); print(x)\n"
            "import pycuda.driver as cuda; cuda.Context.synchronize()")
    done = run_python(code, PYCUDA_TRACE=str(tmp_path / "calls"))
    assert done.stdout == "[0 0 0 ... 0 0 5]\n", done.stderr
    copies = [line for line in (tmp_path / "calls").read_text().splitlines() if line.startswith("cuMemcpyDtoH")]
    sizes = [int(line.partition(")")[0].split(", ")[2], 0) for line in copies]
    assert sizes == [3, 3]


def test_refusals_name_the_way():
    x = gpuarray.zeros(3, np.float32)
    with pytest.raises(TypeError, match=r"use \.get\(\), or allow it once and for all with pycuda\.gpuarray\.open_to"):
        np.asarray(x)


def test_html_of_what_is_gone(run_python):
    """After a fault notebooks show the reason, too."""
    done = run_python("import numpy as np, pycuda.driver as cuda; from pycuda import gpuarray; cuda.init()\n"
                      "context = cuda.Device(0).make_context(); x = gpuarray.zeros((2, 3), np.float32)\n"
                      "print(x._repr_html_()); context.pop(); context.detach(); print(x._repr_html_())")
    before, after = done.stdout.split("<table>")[1:]
    assert "<pre>[[0. 0. 0.]\n [0. 0. 0.]]</pre>" in before and "24 bytes" in before
    assert "(2, 3)" in after and "cannot activate dead context" in after and not done.stderr
