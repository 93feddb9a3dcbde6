"""What objects say of themselves: name, size and state, also when they are dead or were never made."""

import re

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import curandom, gpuarray, tools
from pycuda.compiler import CudaModule, DynamicModule, SourceModule
from pycuda.compyte.array import ArrayFlags
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel
from pycuda.scan import InclusiveScanKernel
from pycuda.sparse import CSRMatrix
from pycuda.sparse.operator import IdentityOperator

SOURCE = "__global__ void scale(float *x, float a, int n) { }"


@pytest.fixture
def module(context):
    return SourceModule(SOURCE)


def array(order="C"):
    return cuda.np_to_array(np.ones((4, 5), np.float32), order)


def copy():
    result = cuda.Memcpy2D()
    result.width_in_bytes, result.height = 16, 3
    return result


def used_pool():
    pool = tools.DeviceMemoryPool()
    pool.kept, idle = pool.allocate(100), pool.allocate(30)
    idle.free()
    return pool


def capturing():
    stream = cuda.Stream()
    with stream.capture():
        return repr(stream)


def freed():
    memory = cuda.mem_alloc(50)
    memory.free()
    return memory


def graph():
    result = cuda.Graph()
    result.add_empty()
    return result


ROWS = {
    "Device": (lambda m: cuda.Device(0), r"0: .+"),
    "Module": (lambda m: m.module, "HANDLE"),
    "Function": (lambda m: m.get_function("scale"), r"'scale'.*"),
    "Stream": (lambda m: cuda.Stream(cuda.stream_flags.NON_BLOCKING), r"HANDLE, non-blocking, priority 0"),
    "Event": (lambda m: cuda.Event(), "HANDLE"),
    "DeviceAllocation": (lambda m: cuda.mem_alloc(50), "of 50 bytes at HANDLE"),
    "PooledDeviceAllocation": (lambda m: tools.DeviceMemoryPool().allocate(7), "of 7 bytes at HANDLE"),
    "StreamAllocation": (lambda m: cuda.mem_alloc_async(40), "of 40 bytes at HANDLE"),
    "ManagedAllocation": (lambda m: cuda.managed_empty(4, "f").base, "of 16 bytes at HANDLE"),
    "PagelockedHostAllocation": (lambda m: cuda.pagelocked_empty(4, "f").base, "of 16 bytes at HANDLE"),
    "AlignedHostAllocation": (lambda m: cuda.aligned_empty(4, "f").base, "of 16 bytes at HANDLE"),
    "DeviceMemoryPool": (lambda m: used_pool(), r"in use: 1 \(100 bytes\), idle: 1, \d+ bytes in all"),
    "PageLockedMemoryPool": (lambda m: tools.PageLockedMemoryPool(),
                             r"in use: 0 \(0 bytes\), idle: 0, 0 bytes in all"),
    "PageLockedAllocator": (lambda m: tools.PageLockedAllocator(cuda.host_alloc_flags.DEVICEMAP), "flags 2"),
    "MemoryPool": (lambda m: cuda.MemoryPool(), "HANDLE"),
    "Graph": (lambda m: graph(), "HANDLE, nodes: 1"),
    "GraphNode": (lambda m: graph().nodes[0], "HANDLE, EMPTY"),
    "GraphExec": (lambda m: graph().instantiate(), "HANDLE"),
    "Array": (lambda m: array(), "HANDLE, 5 x 4 of FLOAT, channels: 1"),
    "ArrayDescriptor": (lambda m: array().get_descriptor(), "5 x 4 of FLOAT, channels: 1"),
    "ArrayDescriptor3D": (lambda m: array("F").get_descriptor_3d(), "4 x 5 of FLOAT, channels: 1"),
    "ResourceDescriptor": (lambda m: cuda.ResourceDescriptor(), "not set"),
    "TextureDescriptor": (lambda m: cuda.TextureDescriptor(), "POINT, CLAMP, flags 1"),
    "TextureObject": (lambda m: cuda.TextureObject(array()), "HANDLE"),
    "Memcpy2D": (lambda m: copy(), "of 16 bytes x 3 rows, without source and destination"),
    "Linker": (lambda m: cuda.Linker(), "HANDLE"),
    "In": (lambda m: cuda.In(np.ones(3)), "of numpy.ndarray, without device memory yet"),
}


@pytest.mark.parametrize("name", ROWS)
def test_living(module, name):
    make, text = ROWS[name]
    pattern = rf"<pycuda\.driver\.{name},? {text.replace('HANDLE', '0x[0-9a-f]+')}>"
    assert re.fullmatch(pattern, repr(make(module))), repr(make(module))


@pytest.mark.usefixtures("context")
def test_states():
    assert repr(freed()).endswith("bytes at " + hex(int(freed())) + ", freed>")
    assert capturing().endswith(", being captured>")
    node = graph().nodes[0]
    node.remove()
    assert repr(node) == "<pycuda.driver.GraphNode, released>"
    texture = cuda.TextureObject(array())
    texture.free()
    assert repr(texture) == "<pycuda.driver.TextureObject, released>"
    pool = used_pool()
    pool.stop_holding()
    assert repr(pool).endswith("holds no more>")


def test_contexts(context):
    assert repr(context).endswith(", of device 0, current>")
    context.pop()
    assert repr(context).endswith(", not current>")
    context.push()


@pytest.mark.host
def test_kernels_show_their_parameters(module):
    """As the host device knows them."""
    assert repr(module.get_function("scale")) == "<pycuda.driver.Function 'scale' (float *, float, int)>"


def test_python_objects(module):
    elementwise = ElementwiseKernel("float *x, float a", "x[i] += a", "add")
    assert repr(elementwise) == "<pycuda.elementwise.ElementwiseKernel 'add' (float *x, float a)>"
    reduction = ReductionKernel(np.float32, "0", "a + b", arguments="float *in", name="total")
    assert repr(reduction) == "<pycuda.reduction.ReductionKernel 'total' (float *in)>"
    assert repr(InclusiveScanKernel(np.int32, "a + b")) == "<pycuda.scan.InclusiveScanKernel 'a + b' of int32>"
    assert repr(module) == f"<pycuda.compiler.SourceModule {module.module!r}>"
    assert repr(DynamicModule()) == "<pycuda.compiler.DynamicModule not linked>"
    assert "RandomNumberGenerator of 32 bits>" in repr(curandom.XORWOWRandomNumberGenerator())
    assert "'warp_size': 32" in repr(tools.DeviceData())
    assert repr(CSRMatrix(np.eye(3, dtype=np.float32))) == \
        "<pycuda.sparse.CSRMatrix of float32, shape (3, 3), 3 elements>"
    assert repr(IdentityOperator("f4", 5)) == "<pycuda.sparse.operator.IdentityOperator of f4, shape (5, 5)>"
    assert "'forc': True" in repr(ArrayFlags(np.ones(3)))


def test_dead():
    """Nothing raises for a context that is gone, and all that lived in it say so."""
    cuda.init()
    context = cuda.Device(0).make_context()
    dead = [make(SourceModule(SOURCE)) for name, (make, _) in ROWS.items()
            if name not in ("Device", "ArrayDescriptor", "ArrayDescriptor3D", "ResourceDescriptor", "TextureDescriptor",
                            "Memcpy2D", "PageLockedAllocator", "In")]
    x = gpuarray.zeros((2, 3), np.float32)
    context.detach()
    for thing in dead:
        assert repr(thing).endswith("its context was destroyed>"), repr(thing)
    assert repr(context).endswith(", destroyed>")
    assert repr(x).startswith("<pycuda.gpuarray.GPUArray of float32, shape (2, 3): cannot activate dead context")
    with pytest.raises(RuntimeError, match="dead context"):
        str(x)


@pytest.mark.usefixtures("context")
def test_half_made():
    """Subclasses whose __init__ does nothing."""
    classes = [thing for owner in (cuda, tools, curandom, gpuarray) for thing in vars(owner).values()
               if isinstance(thing, type) and thing.__module__.startswith("pycuda")
               and not issubclass(thing, (int, Exception))]
    classes += [CudaModule, DynamicModule, CSRMatrix, IdentityOperator, ArrayFlags, ElementwiseKernel, ReductionKernel,
                InclusiveScanKernel]
    shown = set()
    for cls in classes:
        own = type("Own", (cls,), {"__init__": lambda self: None})
        try:
            made = own.__new__(own)
        except (RuntimeError, TypeError):  # it wants arguments, or is made by functions alone
            continue
        assert "Own" in repr(made) or cls is gpuarray.GPUArray, repr(made)
        shown.add(cls.__name__)
    assert {"Stream", "Graph", "In", "ElementwiseKernel", "DynamicModule", "ScalarArg", "GPUArray"} <= shown
