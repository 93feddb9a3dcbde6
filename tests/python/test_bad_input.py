"""Bad input of every sort: a clear error, nothing lost, and the context usable after it, where CUDA
says so. Finer distinctions of each sort stand with the module they are about."""

import gc
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native, gpuarray
from pycuda.compiler import SourceModule
from pycuda.gpuarray import GPUArray, vec

SOURCE = """
struct Pair { char a; double b; };
__global__ void scale(float *a, int n, float factor)
{
    if (threadIdx.x < n)
        a[threadIdx.x] *= factor;
}
__global__ void pair(Pair *out, Pair value) { *out = value; }
__global__ void __launch_bounds__(64) small(float *a) { a[threadIdx.x] = 1; }
__global__ void shared(float *a)
{
    __shared__ float fixed[256];
    extern __shared__ float rest[];
    fixed[threadIdx.x] = rest[threadIdx.x] = 1;
    __syncthreads();
    a[threadIdx.x] = fixed[0] + rest[0];
}
__global__ void read(const float *a, float *b, long i) { *b = a[i]; }
"""
DEAD = r"cannot activate dead context: pycuda\.driver\.DeviceAllocation at 0x\w+ went with it"
KINDS = ("context", "module", "stream", "event", "array", "memory")
ONE = (1, 1, 1)


def counts():
    gc.collect()
    return {kind: _native._live_objects(kind) for kind in KINDS}


@pytest.fixture
def kernels(context, on_host):
    """The module; afterwards nothing is lost and it still works."""
    module = SourceModule(SOURCE)
    scale, memory = module.get_function("scale"), cuda.to_device(np.ones(4, np.float32))
    before = on_host and counts()
    yield module
    assert not on_host or counts() == before
    scale(memory, np.int32(4), np.float32(3), block=(4, 1, 1))
    assert cuda.from_device(memory, 4, np.float32).tolist() == [3] * 4


def freed():
    memory = cuda.mem_alloc(64)
    memory.free()
    return memory


def device():
    return cuda.mem_alloc(64)


class Loop:
    @property
    def gpudata(self):
        return self


def freed_array():
    array = GPUArray(4, np.float32, allocator=cuda.mem_alloc)
    array.gpudata.free()
    return array


def dead(make=device):
    """What was made in a context that is gone."""
    other = cuda.Device(0).make_context()
    made = make()
    other.detach()
    return made


def call(name, *args, **keywords):
    return lambda module: module.get_function(name)(*args, **({"block": ONE} | keywords))


def call_with_memory(name, *args, **keywords):
    return lambda module: module.get_function(name)(device(), *args, **({"block": ONE} | keywords))


ROWS = {
    "a kernel that does not compile": (
        lambda m: SourceModule("__global__ void f()\n{\n  int x = y;\n}\n"), cuda.CompileError,
        r"compilation of kernel.cu failed(.|\n)*kernel\.cu[(:]3(.|\n)*'?\"?y'?\"?"),
    "a source that is none": (
        lambda m: SourceModule("\0\xff"), ValueError, "embedded null character"),
    "a kernel that is not there": (
        lambda m: m.get_function("nope"), cuda.LogicError,
        "cuModuleGetFunction failed: named symbol not found - no kernel 'nope' in the module, which has "),
    "a global that is not there": (
        lambda m: m.get_global("nope"), cuda.LogicError,
        "cuModuleGetGlobal failed: named symbol not found - no global 'nope' in the module"),
    "too few arguments": (
        call_with_memory("scale"), TypeError, r"kernel 'scale' takes 3 arguments \(.*\), got 1"),
    "too many arguments": (
        call_with_memory("scale", np.int32(1), np.float32(1), 7), TypeError,
        r"kernel 'scale' takes 3 arguments \(.*\), got 4"),
    "an argument of the wrong type": (
        call_with_memory("scale", "x", np.float32(1)), TypeError,
        r"invalid type on parameter #1 \(0-based\) of kernel 'scale': expected .*4 bytes.*, got str"),
    "an argument of the wrong size": (
        call_with_memory("scale", np.int64(1), np.float32(1)), TypeError,
        (r"invalid type on parameter #1 \(0-based\) of kernel 'scale': expected .*4 bytes.*, "
         r"got numpy.int64 \(8 bytes\)")),
    "a struct of the wrong size": (
        call_with_memory("pair", np.zeros((), "i1,f8")), TypeError,
        r"parameter #1 .*expected .*16 bytes.*, got numpy.ndarray of 1 .* \(9 bytes\)"),
    "a host array for a pointer": (
        call("scale", np.zeros(4), np.int32(1), np.float32(1)), TypeError,
        r"parameter #0 .*expected .*8 bytes.*, got numpy.ndarray of 4 float64 \(32 bytes\)"),
    "no block": (lambda m: m.get_function("small")(device()), ValueError,
                 "must specify block size"),
    "a block that is too long": (
        call_with_memory("shared", block=(2048, 1, 1)), cuda.LogicError,
        ("cuLaunchKernel failed: invalid argument - kernel 'shared': block (2048, 1, 1): x must "
         "be 1 to 1024")),
    "a block of too many threads": (
        call_with_memory("shared", block=(64, 32, 1)), cuda.LogicError,
        "kernel 'shared': block (64, 32, 1): 2048 threads, at most 1024"),
    "a block beyond the launch bounds": (
        call_with_memory("small", block=(65, 1, 1)), cuda.Error,
        "kernel 'small': block (65, 1, 1): 65 threads, at most 64"),
    "an empty grid": (
        call_with_memory("shared", grid=(1, 0)), cuda.LogicError,
        "kernel 'shared': grid (1, 0, 1): y must be 1 to 65535"),
    "a grid that is too long": (
        call_with_memory("shared", grid=(1, 1, 65536)), cuda.LogicError,
        "kernel 'shared': grid (1, 1, 65536): z must be 1 to 65535"),
    "too much shared memory": (
        call_with_memory("shared", shared=48 << 10), cuda.LogicError,
        ("kernel 'shared': shared=49152 bytes besides 1024 static ones, at most 48128 (see "
         "set_attribute(MAX_DYNAMIC_SHARED_SIZE_BYTES))")),
    "too much shared memory to ask for": (
        lambda m: m.get_function("shared").set_attribute(
            cuda.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30), cuda.LogicError,
        "cuFuncSetAttribute failed: invalid argument"),
    "a null pointer": (
        lambda m: cuda.memcpy_htod(0, b"abcd"), cuda.LogicError,
        "cuMemcpyHtoD failed: invalid argument"),
    "a freed pointer": (
        lambda m: cuda.memset_d8(freed(), 0, 1), cuda.LogicError,
        "device pointer failed: invalid resource handle - pycuda.driver.DeviceAllocation at 0x"),
    "the number of a freed pointer": (
        lambda m: cuda.memcpy_htod(int(freed()), b"abcd"), cuda.LogicError,
        "cuMemcpyHtoD failed: invalid argument"),
    "a freed pointer for a kernel": (
        lambda m: m.get_function("small")(freed(), block=ONE), cuda.LogicError,
        "device pointer failed: invalid resource handle - pycuda.driver.DeviceAllocation at 0x"),
    "a foreign pointer": (
        lambda m: cuda.memcpy_dtod(device(), np.zeros(64, np.uint8).ctypes.data, 64),
        cuda.LogicError, "cuMemcpyDtoD failed: invalid argument"),
    "a foreign object": (
        lambda m: cuda.memcpy_dtoh(bytearray(4), object()), TypeError,
        ("device pointer: expected an allocation, a GPU array, PointerHolderBase or an integer, "
         "got object")),
    "memory behind an array that was freed": (
        lambda m: m.get_function("small")(freed_array(), block=ONE), cuda.LogicError,
        "device pointer failed: invalid resource handle - pycuda.driver.DeviceAllocation at 0x"),
    "memory of a dead context": (
        lambda m: cuda.memset_d8(dead(), 0, 1), RuntimeError, DEAD),
    "memory of a dead context for a kernel": (
        lambda m: m.get_function("small")(dead(), block=ONE), RuntimeError, DEAD),
    "managed memory of a dead context": (
        lambda m: m.get_function("small")(dead(lambda: cuda.managed_empty(4, int)), block=ONE),
        RuntimeError, DEAD.replace("Device", "Managed")),
    "an array in memory of a dead context": (
        lambda m: GPUArray(4, int, gpudata=dead()), RuntimeError, DEAD),
    "a stream of a dead context": (
        lambda m: m.get_function("small")(device(), block=ONE, stream=dead(cuda.Stream)),
        RuntimeError, "cannot activate dead context"),
    "an event of a dead context": (
        lambda m: cuda.Stream().wait_for_event(dead(cuda.Event)),
        RuntimeError, "cannot activate dead context"),
    "a name with a null character": (
        lambda m: m.get_function("small\0"), ValueError, r"embedded null character in 'small\x00'"),
    "a name that is none": (lambda m: m.get_global(b"x"), TypeError, "expected a str, got bytes"),
    "an object that names itself as its memory": (
        lambda m: m.get_function("small")(Loop(), block=ONE), RecursionError,
        "maximum recursion depth exceeded|Stack overflow"),  # the latter since Python 3.14
    "freed twice": (
        lambda m: freed().free(), cuda.LogicError,
        "device_allocation::free failed: invalid resource handle - it was done before"),
    "a copy past the end": (
        lambda m: cuda.memcpy_htod(device(), bytes(65)), cuda.LogicError,
        "cuMemcpyHtoD failed: invalid argument"),
    "a copy back past the end": (
        lambda m: cuda.memcpy_dtoh_async(bytearray(65), device(), cuda.Stream()), cuda.LogicError,
        "cuMemcpyDtoHAsync failed: invalid argument"),
    "a fill past the end": (
        lambda m: cuda.memset_d32(device(), 0, 17), cuda.LogicError,
        "cuMemsetD32 failed: invalid argument"),
    "out of memory": (
        lambda m: cuda.mem_alloc(1 << 60), cuda.MemoryError, "cuMemAlloc failed: out of memory"),
    "out of memory in a pool": (
        lambda m: cuda.DeviceMemoryPool().allocate(1 << 60), cuda.MemoryError,
        ("memory_pool::allocate failed: out of memory - failed to free memory for "
         "allocation")),
    "out of memory for an argument": (
        call("small", cuda.Out(np.lib.stride_tricks.as_strided(
            np.zeros(1, np.float32), (1 << 50,), (0,)))), cuda.MemoryError, "out of memory"),
}


@pytest.mark.parametrize("bad, error, text", ROWS.values(), ids=ROWS)
def test_bad_input(kernels, bad, error, text):
    with pytest.raises(error) as info:
        bad(kernels)
    assert text in str(info.value) or re.search(text, str(info.value)), str(info.value)


@pytest.mark.host  # which adds why
@pytest.mark.parametrize("bad, text", [
    (lambda: cuda.memcpy_htod(0, b"abcd"),
     "4 bytes at (nil) are not inside one allocation: the address is in no allocation"),
    (lambda: cuda.memcpy_htod(device(), bytes(65)), "65 bytes at 0x"),
    (lambda: cuda.mem_alloc(1 << 60), "1152921504606846976 bytes asked for, "),
])
def test_host_device_says_more(kernels, bad, text):
    with pytest.raises(cuda.Error) as info:
        bad()
    assert f" - {text}" in str(info.value)


def read_out_of_bounds():
    read = SourceModule(SOURCE).get_function("read")
    memory, stream, event = device(), cuda.Stream(), cuda.Event()
    read(memory, memory, 1 << 40, block=ONE, stream=stream)
    for use in (cuda.Context.synchronize, stream.synchronize, event.record, device,
                lambda: read(memory, memory, 0, block=ONE)):
        with pytest.raises(cuda.LogicError) as info:
            use()
        assert info.value.name == "CUDA_ERROR_ILLEGAL_ADDRESS"
        assert " failed: an illegal memory access was encountered - kernel read, block (0,0,0), kernel.cu:" in (
            str(info.value))


@pytest.mark.host  # a GPU's driver gives up the whole process
def test_read_out_of_bounds(context, unraisable):
    """The context is lost and says why; what lives in it goes with it, and others live on."""
    before = counts()
    other = cuda.Device(0).make_context()
    read_out_of_bounds()
    other.detach()
    del other
    assert counts() == before and not unraisable
    assert cuda.from_device(cuda.to_device(b"abc"), 3, "S1").tolist() == [b"a", b"b", b"c"]


@pytest.mark.parametrize("folder", ["/proc/self", __file__])
def test_read_only_cache(kernels, folder):
    """One warning in a process; kernels compile."""
    code = """if True:
        import warnings
        import pycuda.autoinit
        from pycuda.compiler import SourceModule
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for i in range(2):
                SourceModule("__global__ void f() {}").get_function("f")(block=(1, 1, 1))
        print(*[w.message for w in caught])
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd="/",
                          env=os.environ | {"PYCUDA_CACHE_DIR": folder}, check=False)
    assert done.returncode == 0 and done.stderr == ""
    assert re.fullmatch(rf"the compiler cache {folder} cannot be written \(.+\): kernels are "
                        "compiled anew in each process\n", done.stdout)


def test_vectors_are_made_of_all_their_fields():
    made = vec.make_float3(1, z=3, y=2)
    assert made[()] == vec.make_float3(1, 2, 3)[()] and made["z"] == 3
    for args, kwargs in [((1, 2), {}), ((1, 2, 3, 4), {}), ((1, 2), {"x": 3}), ((1, 2), {"w": 3}), ((), {})]:
        with pytest.raises(TypeError, match=r"make_float3\(x, y, z\) takes one number for each field"):
            vec.make_float3(*args, **kwargs)


TEMPLATE = """template <class T> __global__ void scale(T *x) { *x *= 2; }
template __global__ void scale(float *);
__global__ void other() {}"""


@pytest.mark.parametrize("source, extern_c, listed", [
    ("__global__ void other() {} __global__ void scale(float *x) {}", True, "which has scale, other$"),
    (TEMPLATE, False, r'which has \w*scale\w*, \w*other\w* \(names of C\+\+; extern "C"'),
    ("__device__ int x;", True, "$"),
], ids=["extern C", "C++", "none"])
def test_a_misspelt_kernel_is_told_those_that_there_are(context, source, extern_c, listed):
    """The most alike first."""
    module = SourceModule(source, no_extern_c=not extern_c)
    with pytest.raises(cuda.LogicError, match=f"no kernel 'scal' in the module(, )?{listed}"):
        module.get_function("scal")


@pytest.mark.parametrize("call, error, text", [
    (lambda x, out: gpuarray.if_positive(x, x, x, out=out), TypeError, "'if_positive' output from .*float32.* to .*int8"),
    (lambda x, out: gpuarray.if_positive(1, 2, 3), TypeError, "if_positive: at least one operand must be a GPUArray"),
    (lambda x, out: gpuarray.take(x, gpuarray.zeros(3, np.int32), out=out.astype("i")), TypeError, "out to which float32 converts"),
    (lambda x, out: gpuarray.take(x, gpuarray.zeros(3, np.int32), out=np.zeros(3, "f")), TypeError, "out"),
    (lambda x, out: gpuarray.take(x, [0, 0], out=[1, 2]), TypeError, "expected a GPUArray, got list"),
    (lambda x, out: _native.where(3, 1, 2), TypeError, "where: at least one operand must be a GPUArray"),
])
def test_operations_without_a_name_of_numpys(context, call, error, text):
    """Their messages called them by a null pointer."""
    with pytest.raises(error, match=text):
        call(gpuarray.zeros(3, np.float32), gpuarray.zeros(3, np.int8))
