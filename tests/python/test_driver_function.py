"""Modules and kernels: what arguments become, what is refused and in which words."""

import gc

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda.compiler import SourceModule, compile

SOURCE = """
struct Pair { char a; double b; };
struct Big { int values[512]; };
struct Word { unsigned short bits; };
typedef float real;
enum Colour { RED, GREEN, BLUE };
__device__ int counter = 5;
__constant__ float table[4];

#define STORE(name, type) __global__ void name(type *out, type value) { *out = value; }
STORE(store_bool, bool) STORE(store_char, signed char) STORE(store_uchar, unsigned char)
STORE(store_short, short) STORE(store_ushort, unsigned short) STORE(store_int, int)
STORE(store_uint, unsigned int) STORE(store_long, long long) STORE(store_ulong, unsigned long)
STORE(store_float, float) STORE(store_double, double) STORE(store_pair, Pair)
STORE(store_float3, float3) STORE(store_real, real) STORE(store_pointer, const void *)
STORE(store_colour, Colour) STORE(store_big, Big) STORE(store_word, Word)

__global__ void nothing() {}
__global__ void scale(float *a, int n, float factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= factor;
}
__global__ void copy(float *to, const float *from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void shape(int *out)
{
    extern __shared__ int buffer[];
    buffer[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.x + blockIdx.y + blockIdx.z == 0) {
        out[0] = gridDim.x; out[1] = gridDim.y; out[2] = gridDim.z;
        out[3] = blockDim.x; out[4] = blockDim.y; out[5] = blockDim.z;
    }
}
__global__ void many(int *out, char a, short b, int c, long long d, float e, double f, char g)
{
    *out = a + b + c + d + e + f + g;
}
"""


@pytest.fixture(scope="module")
def image():
    cuda.init()
    context = cuda.Device(0).make_context()
    try:
        return compile(SOURCE)
    finally:
        context.pop()
        context.detach()


@pytest.fixture
def module(context, image):
    return cuda.module_from_buffer(image)


# -- Modules ---------------------------------------------------------------------------------


def test_module(context, module, image, tmp_path):
    path = tmp_path / "image"
    path.write_bytes(image)
    for loaded in (cuda.module_from_file(str(path)), cuda.module_from_file(path),
                   cuda.module_from_buffer(bytearray(image), options=[])):
        loaded.get_function("nothing")(block=(1, 1, 1))
    pointer, size = module.get_global("counter")
    assert size == 4 and cuda.from_device(pointer, 1, np.int32)[0] == 5
    assert module.get_global("table")[1] == 16
    with pytest.raises(cuda.LogicError, match="bytes are not all of the image"):
        cuda.module_from_buffer(image[: len(image) // 2])
    context.synchronize()


def test_message_handler(context, image):
    calls = []
    cuda.module_from_buffer(image, [(cuda.jit_option.OPTIMIZATION_LEVEL, 4)],
                            lambda *args: calls.append(args))
    assert len(calls) == 1 and calls[0][0] is True and isinstance(calls[0][1], str)
    with pytest.raises(cuda.Error):
        cuda.module_from_buffer(b"rubbish" * 100, message_handler=lambda *a: calls.append(a))
    assert calls[1][0] is False
    with pytest.raises(ZeroDivisionError):
        cuda.module_from_buffer(image, message_handler=lambda *args: 1 / 0)


@pytest.mark.parametrize("call, error, text", [
    (lambda m: m.get_function(3), TypeError, ""),
    (lambda m: cuda.module_from_file("/nowhere"), cuda.RuntimeError,
     "cuModuleLoad failed: file not found"),
    (lambda m: cuda.module_from_buffer(b""), cuda.Error, "cuModuleLoadDataEx failed"),
    (lambda m: cuda.module_from_buffer(None), TypeError, "bytes-like object"),
    (lambda m: cuda.module_from_buffer(b"x", options=[1]), TypeError, ""),
    (lambda m: cuda.module_from_buffer(b"x", options=5), TypeError, "options: expected"),
    (lambda m: cuda.module_from_buffer(b"x", options=[(1, 2, 3)]), TypeError, "exactly 2 arguments"),
    (lambda m: cuda.module_from_buffer(b"x", options=[(0, "a")]), TypeError, "option value: expected"),
    (lambda m: cuda.module_from_buffer(b"x", options=[(0, 32)] * 40), ValueError, "options: too many"),
])
def test_module_errors(module, call, error, text):
    with pytest.raises(error) as info:
        call(module)
    assert text in str(info.value)


def test_function_keeps_its_module(context, image):
    function = cuda.module_from_buffer(image).get_function("store_int")
    gc.collect()
    out = np.zeros(1, np.int32)
    function(cuda.Out(out), np.int32(7), block=(1, 1, 1))
    assert out[0] == 7


def test_dead_context(context, image):
    other = cuda.Device(0).make_context()
    function = cuda.module_from_buffer(image).get_function("nothing")
    other.detach()
    for use in (lambda: function(block=(1, 1, 1)), lambda: function.num_regs):
        with pytest.raises(RuntimeError, match="cannot activate dead context"):
            use()


# -- Values ----------------------------------------------------------------------------------

NUMBERS = [
    ("store_bool", np.bool_, [True, False, np.bool_(True), 1]),
    ("store_char", np.int8, [-128, 127, np.int8(-3)]),
    ("store_uchar", np.uint8, [0, 255, np.uint8(200), True]),
    ("store_short", np.int16, [-32768, 32767, np.int16(7), np.array(5, np.int16)]),
    ("store_ushort", np.uint16, [65535, np.uint16(9)]),
    ("store_int", np.int32, [-(1 << 31), (1 << 31) - 1, np.int32(4), np.uint32(5)]),
    ("store_uint", np.uint32, [(1 << 32) - 1, np.uint32(4), np.int32(5)]),
    ("store_long", np.int64, [-(1 << 63), (1 << 63) - 1, np.int64(3), np.longlong(4)]),
    ("store_ulong", np.uint64, [(1 << 64) - 1, np.uint64(3), np.ulonglong(4)]),
    ("store_float", np.float32, [1, -2.5, True, float("inf"), np.float32(3), 1 << 100]),
    ("store_double", np.float64, [1, -2.5, 1e300, np.float64(3)]),
    ("store_real", np.float32, [1, -2.5, np.float32(2)]),
    ("store_colour", np.uint32, [2, np.int32(1)]),
]


@pytest.mark.parametrize("name, dtype, values", NUMBERS)
def test_numbers(module, name, dtype, values):
    function = module.get_function(name)
    for value in values:
        out = np.zeros(1, dtype)
        function(cuda.Out(out), value, block=(1, 1, 1))
        assert out[0] == dtype(value)


class Tensor:
    """Another library's array, as far as a message is about it."""

    def __dlpack__(self):
        """It is not called."""


PREFIX = "invalid type on parameter #1 (0-based) of kernel '%s': expected "

WRONG = [
    ("store_int", 1.5, TypeError, "int (4 bytes), got float; numpy.int32(...) makes one"),
    ("store_int", np.int64(1), TypeError, "int (4 bytes), got numpy.int64 (8 bytes); numpy.int32(...) makes one"),
    ("store_int", np.float32(1), TypeError, "int (4 bytes), got numpy.float32 (4 bytes); numpy.int32(...) makes one"),
    ("store_int", None, TypeError, "int (4 bytes), got NoneType"),
    ("store_int", "7", TypeError, "int (4 bytes), got str"),
    ("store_int", 1j, TypeError, "int (4 bytes), got complex; numpy.int32(...) makes one"),
    ("store_float", np.float64(1), TypeError, "float (4 bytes), got numpy.float64 (8 bytes); numpy.float32(...) makes one"),
    ("store_float", np.int32(1), TypeError, "float (4 bytes), got numpy.int32 (4 bytes); numpy.float32(...) makes one"),
    ("store_float", np.zeros(1, np.int32), TypeError,
     "float (4 bytes), got numpy.ndarray of 1 int32 (4 bytes)"),
    ("store_float", np.zeros(2, np.float32), TypeError,
     "float (4 bytes), got numpy.ndarray of 2 float32 (8 bytes)"),
    ("store_pointer", np.zeros(1, np.int64), TypeError,
     ("const void * (8 bytes), got numpy.ndarray of 1 int64 (8 bytes); wrap host arrays in "
     "driver.In, Out or InOut")),
    ("store_float", np.array(1, ">f4"), TypeError,
     "float (4 bytes), got numpy.ndarray of 1 >f4 (4 bytes); numpy.float32(...) makes one"),
    ("store_pointer", np.zeros(4, np.float32), TypeError,
     ("const void * (8 bytes), got numpy.ndarray of 4 float32 (16 bytes); wrap host arrays in "
     "driver.In, Out or InOut")),
    ("store_pointer", Tensor(), TypeError,
     "const void * (8 bytes), got Tensor; gpuarray.from_dlpack(...) makes an array of its memory"),
    ("store_pointer", 1.0, TypeError, "const void * (8 bytes), got float"),
    ("store_pair", np.zeros((), [("a", "i1"), ("b", "f8")]), TypeError,
     ("Pair (16 bytes), got numpy.ndarray of 1 [('a', 'i1'), ('b', '<f8')] (9 bytes); structs need "
     "the alignment of C: numpy.dtype(..., align=True)")),
    ("store_pair", 5, TypeError, "Pair (16 bytes), got int"),
]


@pytest.mark.host  # which tells the types of parameters
@pytest.mark.parametrize("name, value, error, text", WRONG)
def test_wrong_types(module, name, value, error, text):
    with pytest.raises(error) as info:
        module.get_function(name)(cuda.mem_alloc(16), value, block=(1, 1, 1))
    assert str(info.value) == PREFIX % name + text


@pytest.mark.host  # which tells the types of parameters
@pytest.mark.parametrize("name, value, text", [
    ("store_int", 1 << 31, "2147483648 does not fit int (4 bytes)"),
    ("store_uint", -1, "-1 does not fit unsigned int (4 bytes)"),
    ("store_uchar", 256, "256 does not fit unsigned char (1 bytes)"),
    ("store_char", -129, "-129 does not fit signed char (1 bytes)"),
    ("store_long", 1 << 63, "9223372036854775808 does not fit long long (8 bytes)"),
    ("store_ulong", 1 << 64, "18446744073709551616 does not fit unsigned long (8 bytes)"),
    ("store_float", 1e300, "1e+300 does not fit float (4 bytes)"),
    ("store_pointer", -1, "-1 does not fit const void * (8 bytes)"),
])
def test_out_of_range(module, name, value, text):
    with pytest.raises(OverflowError) as info:
        module.get_function(name)(cuda.mem_alloc(16), value, block=(1, 1, 1))
    assert str(info.value) == (
        f"invalid value on parameter #1 (0-based) of kernel '{name}': {text}")


@pytest.mark.host  # which tells the types of parameters
def test_wrong_count(module):
    scale, memory = module.get_function("scale"), cuda.mem_alloc(4)
    for args in ((), (memory,), (memory, 1, 2.0, 3)):
        with pytest.raises(TypeError) as info:
            scale(*args, block=(1, 1, 1))
        assert str(info.value) == (
            f"kernel 'scale' takes 3 arguments (float *, int, float), got {len(args)}")


def test_wrong_count_and_size_without_types(module):
    scale, memory = module.get_function("scale"), cuda.mem_alloc(4)
    with pytest.raises(TypeError, match="kernel 'scale' takes 3 arguments"):
        scale(memory, np.int32(1), block=(1, 1, 1))
    with pytest.raises(TypeError, match=r"invalid type on parameter #1 \(0-based\)"):
        scale(memory, np.int64(1), np.float32(1), block=(1, 1, 1))


def test_numpy_scalars_and_records(module):
    """What works on every device: sizes decide."""
    for name, dtype, _ in NUMBERS:
        out = np.zeros(1, dtype)
        module.get_function(name)(cuda.Out(out), dtype(1), block=(1, 1, 1))
        assert out[0] == 1
    pair = np.dtype([("a", np.int8), ("b", np.float64)], align=True)
    value = np.array((3, 4.5), pair)
    for given in (value, value[()]):  # a 0-d array, and a void scalar
        out = np.zeros(1, pair)
        module.get_function("store_pair")(cuda.Out(out), given, block=(1, 1, 1))
        assert out[0] == value
    out = np.zeros(3, np.float32)
    module.get_function("store_float3")(
        cuda.Out(out), np.array([1, 2, 3], np.float32), block=(1, 1, 1))
    assert out.tolist() == [1, 2, 3]
    out = np.zeros(1, np.int32)
    module.get_function("many")(
        cuda.Out(out), np.int8(1), np.int16(2), np.int32(3), np.int64(4), np.float32(5),
        np.float64(6), np.int8(7), block=(1, 1, 1))
    assert out[0] == 28


def test_pointers(module):
    memory = cuda.to_device(np.arange(4, dtype=np.float32))
    pooled = cuda.DeviceMemoryPool().allocate(16)
    managed = cuda.managed_zeros(8, np.float32)

    class Holder(cuda.PointerHolderBase):
        def get_pointer(self):
            return int(memory)

    class Interface:
        @property
        def __cuda_array_interface__(self):
            return {"data": (int(memory), False)}

    class Gpudata:
        gpudata = memory

    class Both(Gpudata, cuda.PointerHolderBase):
        def get_pointer():  # not called: kernels take gpudata
            raise AssertionError

    class Mine(type(memory)):
        pass

    copy = module.get_function("copy")
    for source in (memory, Holder(), Interface(), Gpudata(), Both(), np.uintp(int(memory))):
        for target in (pooled, managed, managed[4:]):
            copy(target, source, block=(4, 1, 1))
            cuda.Context.synchronize()
    assert managed.tolist() == [0, 1, 2, 3] * 2
    assert cuda.from_device(pooled, 4, np.float32).tolist() == [0, 1, 2, 3]
    for store in map(module.get_function, ("store_ulong", "store_long")):  # as integers, too
        store(managed, memory, block=(1, 1, 1))
        cuda.Context.synchronize()
        assert managed.view(np.uint64)[0] == int(memory)
    memory.free()
    for freed in (memory, Gpudata()):
        with pytest.raises(cuda.LogicError, match="DeviceAllocation at 0x[0-9a-f]+ was freed"):
            copy(pooled, freed, block=(4, 1, 1))


# -- Geometry --------------------------------------------------------------------------------


@pytest.mark.parametrize("grid, block, expected", [
    ((2, 3, 4), (5, 6, 7), [2, 3, 4, 5, 6, 7]), ((2,), (8,), [2, 1, 1, 8, 1, 1]),
    ([2, 3], [4, 4], [2, 3, 1, 4, 4, 1]), (3, 5, [3, 1, 1, 5, 1, 1]),
    (np.uint8(3), np.int32(5), [3, 1, 1, 5, 1, 1]),
    (np.array([2, 2]), (np.int64(4), 1, np.uint8(1)), [2, 2, 1, 4, 1, 1]),
])
def test_geometry(module, grid, block, expected):
    out = np.zeros(6, np.int32)
    module.get_function("shape")(cuda.Out(out), grid=grid, block=block, shared=64)
    assert out.tolist() == expected


@pytest.mark.parametrize("keywords, error, text", [
    ({}, ValueError, "must specify block size"),
    ({"block": None}, ValueError, "must specify block size"),
    ({"block": (1, 1, 1), "b": 1, "a": 2}, ValueError, "extra keyword arguments: b,a"),
    ({"block": (1, 1, 1, 1)}, ValueError, "block: expected 1 to 3 dimensions, got 4"),
    ({"block": ()}, ValueError, "block: expected 1 to 3 dimensions, got 0"),
    ({"block": (1, 1 << 32, 1)}, OverflowError, "block: 4294967296 is out of range"),
    ({"block": (1, 1, 1), "gri": 1, "blocks": 1}, ValueError, "extra keyword arguments: gri,blocks"),
    ({"block": (1, 1, 1), "grid\0": 1}, ValueError, "extra keyword arguments: grid\0"),
    ({"block": (1, 1, 1), "größe": 1}, ValueError, "extra keyword arguments: größe"),
    ({"block": (1.5, 1, 1)}, TypeError, "block: expected an integer, got float"),
    ({"block": 2.0}, TypeError, "block: expected a tuple of 1 to 3 integers, got float"),
    ({"block": (-1, 1, 1)}, OverflowError, "block: -1 is out of range (0 to 4294967295)"),
    ({"block": (1, 1, 1), "grid": (1, 1, 1, 1)}, ValueError, "grid: expected 1 to 3 dimensions"),
    ({"block": (1, 1, 1), "stream": 7}, TypeError, "stream: expected Stream, None or"),
    ({"block": (1, 1, 1), "shared": -1}, OverflowError, "shared memory size: -1 is out of"),
    ({"block": (0, 1, 1)}, cuda.LogicError, "block (0, 1, 1): x must be 1 to 1024"),
    ({"block": (1, 1, 65)}, cuda.LogicError, "block (1, 1, 65): z must be 1 to 64"),
    ({"block": (1, 1, 1), "grid": (1, 70000)}, cuda.LogicError, "y must be 1 to 65535"),
    ({"block": (1, 1, 1), "grid": (0, 1)}, cuda.LogicError, "grid (0, 1, 1): x must be 1 to"),
])
def test_launch_errors(module, keywords, error, text):
    with pytest.raises(error) as info:
        module.get_function("nothing")(**keywords)
    assert text in str(info.value)


FAULT = """
import numpy as np, sys
import pycuda.autoinit, pycuda.driver as cuda
from pycuda.compiler import SourceModule
reported = []
sys.unraisablehook = lambda hook: reported.append(hook.exc_value)
wild = SourceModule("__global__ void wild(int *p) { p[1ull << 40] = 1; }").get_function("wild")
things = [cuda.mem_alloc(16), cuda.Stream(), cuda.Event()]
try:
    wild(things[0], block=(1, 1, 1))
    cuda.Context.synchronize()
except cuda.Error as error:
    print(type(error).__name__, error.name, error)
things.clear()
print(reported)
try:
    cuda.mem_alloc(16)
except cuda.Error as error:
    print(error.name)
cuda.Context.pop()
"""


def test_fault(run_python, on_host):
    """The process survives and hears of the fault once, and with every call after it."""
    other = """
context = cuda.Device(0).make_context()
print(cuda.from_device(cuda.to_device(np.arange(3)), 3, int).tolist())
context.pop()
""" if on_host else ""  # a GPU's driver gives up the whole process, the host device one context
    done = run_python(FAULT + other)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("LogicError CUDA_ERROR_ILLEGAL_ADDRESS "), done.stderr
    assert " failed: an illegal memory access was encountered" in lines[0]
    assert lines[1:3] == ["[]", "CUDA_ERROR_ILLEGAL_ADDRESS"]
    if on_host:
        assert "wild" in lines[0] and lines[3:] == ["[0, 1, 2]"]
    assert done.returncode == 0 and done.stderr == ""


def test_streams_and_times(context, module):
    scale = module.get_function("scale")
    memory = cuda.to_device(np.ones(64, np.float32))
    stream = cuda.Stream()
    assert scale(memory, np.int32(64), np.float32(2), block=(64, 1, 1), stream=stream) is None
    stream.synchronize()
    seconds = scale(memory, np.int32(64), np.float32(2), block=(64, 1, 1), time_kernel=True)
    assert isinstance(seconds, float) and 0 < seconds < 10
    with pytest.raises(AssertionError, match="Can't time the kernel on an asynchronous"):
        scale(memory, np.int32(64), np.float32(2), block=(64, 1, 1), stream=stream,
              time_kernel=True)
    assert scale(memory, np.int32(64), np.float32(2), block=(64, 1, 1), texrefs=[]) is None
    assert (cuda.from_device(memory, 64, np.float32) == 8).all()


# -- In, Out, InOut --------------------------------------------------------------------------


@pytest.mark.parametrize("stream", [None, 0, 1])
def test_handlers(context, module, stream):
    keywords = {} if stream is None else {"stream": cuda.Stream(stream)}
    data = np.arange(64, dtype=np.float32)
    expected = data * 3
    module.get_function("scale")(
        cuda.InOut(data), np.int32(64), np.float32(3), block=(64, 1, 1), **keywords)
    assert (data == expected).all()
    out = np.zeros_like(data)
    module.get_function("copy")(cuda.Out(out), cuda.In(data), block=(64, 1, 1), **keywords)
    assert (out == expected).all()


def test_handler_objects(context, module):
    data = np.ones(4, np.float32)
    handler = cuda.InOut(data)
    assert handler.array is data and handler.dev_alloc is None
    memory = handler.get_device_alloc()
    assert handler.dev_alloc is memory is handler.get_device_alloc()
    for _ in range(2):
        module.get_function("scale")(handler, np.int32(4), np.float32(2), block=(4, 1, 1))
    assert data.tolist() == [4] * 4 and handler.dev_alloc is memory
    assert isinstance(handler, cuda.In) and isinstance(handler, cuda.ArgumentHandler)
    empty = np.zeros(0, np.float32)
    module.get_function("scale")(cuda.InOut(empty), np.int32(0), np.float32(2), block=(4, 1, 1))


def test_handler_subclasses(context, module):
    calls = []

    class Mine(cuda.ArgumentHandler):
        def pre_call(self, stream):
            calls.append(("pre", stream))
            cuda.memcpy_htod(self.get_device_alloc(), self.array)

        def post_call(self, stream):
            calls.append(("post", stream))
            cuda.memcpy_dtoh(self.array, self.get_device_alloc())

    class Loud(cuda.Out):
        def post_call(self, stream):
            calls.append("loud")
            super().post_call(stream)

    data, out = np.ones(4, np.float32), np.zeros(4, np.float32)
    module.get_function("scale")(Mine(data), np.int32(4), np.float32(2), block=(4, 1, 1))
    module.get_function("copy")(Loud(out), cuda.In(data), block=(4, 1, 1))
    assert data.tolist() == out.tolist() == [2] * 4
    assert calls == [("pre", None), ("post", None), "loud"]


def test_handler_with_memory_of_its_own(context, module):
    class Buffer(cuda.ArgumentHandler):
        def __init__(self, memory):  # the base has no array to know of
            self.memory = memory

        def get_device_alloc(self):
            return self.memory

    buffer = Buffer(cuda.to_device(np.ones(4, np.float32)))
    module.get_function("scale")(buffer, np.int32(4), np.float32(2), block=(4, 1, 1))
    assert cuda.from_device(buffer.memory, 4, np.float32).tolist() == [2] * 4
    buffer.memory = "text"
    with pytest.raises(TypeError):
        module.get_function("scale")(buffer, np.int32(4), np.float32(2), block=(4, 1, 1))


@pytest.mark.parametrize("make, error, text", [
    (lambda: cuda.In(5), TypeError,
     "could not determine array length of 'int': unsupported array type or not an array"),
    (lambda: cuda.In(np.zeros((8, 8))[::2, ::2]), ValueError, "not contiguous"),
    (lambda: cuda.Out(np.frombuffer(b"1234", np.uint8)), ValueError, "read-only"),
    (lambda: cuda.In(), TypeError, "argument 1 is missing"),
])
def test_handler_errors(context, module, make, error, text):
    with pytest.raises(error, match=text):
        module.get_function("store_pointer")(make(), make(), block=(1, 1, 1))


# -- prepare ---------------------------------------------------------------------------------


@pytest.mark.parametrize("types, letters", [
    ("Pif", "Pif"), (["P", np.int32, np.float32], "Pif"), ([None, "i", np.dtype("f4")], "Pif"),
    ([np.intp, "if"], "lif"), (["P", np.dtype("u4"), "f"], "PIf"), ("Lif", "Lif"),
])
def test_prepare(context, module, types, letters):
    scale = module.get_function("scale")
    assert scale.prepare(types) is scale
    assert scale.arg_format == letters and scale.texrefs == [] and not vars(scale)
    memory = cuda.to_device(np.ones(64, np.float32))
    assert scale.prepared_call((1, 1), (64, 1, 1), memory, 64, 2.0) is None
    scale.prepared_async_call((1,), (64,), cuda.Stream(), int(memory), np.int64(64), 2)
    scale.prepared_async_call((1,), (64,), None, memory, np.int8(64), np.float64(2),
                              shared_size=16)
    seconds = scale.prepared_timed_call((1, 1), (64, 1, 1), memory, 64, 2)()
    assert isinstance(seconds, float)
    context.synchronize()
    assert (cuda.from_device(memory, 64, np.float32) == 16).all()


def test_prepare_structs(module):
    pair = np.dtype([("a", np.int8), ("b", np.float64)], align=True)
    out = cuda.mem_alloc(16)
    module.get_function("store_pair").prepare(["P", pair]).prepared_call(
        (1,), (1,), out, np.array((3, 4.5), pair))
    assert cuda.from_device(out, 1, pair)[0].tolist() == (3, 4.5)
    module.get_function("store_float3").prepare(["P", "12s"]).prepared_call(
        (1,), (1,), out, np.array([1, 2, 3], np.float32))
    assert cuda.from_device(out, 3, np.float32).tolist() == [1, 2, 3]
    module.get_function("store_float3").prepare("Pfff").prepared_call((1,), (1,), out, 4, 5, 6)
    assert cuda.from_device(out, 3, np.float32).tolist() == [4, 5, 6]


class Number:
    def __complex__(self):
        return 3 + 4j


@pytest.mark.parametrize("name, types, value, expected", [
    ("store_float3", "PFf", (Number(), 5), np.array([3, 4, 5], "f")),
    ("store_float3", "PFf", (np.complex128(3 + 4j), 5), np.array([3, 4, 5], "f")),
    ("store_float3", "PFf", (np.array(3 + 4j, "F"), 5), np.array([3, 4, 5], "f")),
    ("store_word", "Pe", (1.5,), np.array([1.5], "e")),
    ("store_bool", "P?", ([1],), np.array([True])), ("store_bool", "P?", ([],), np.array([False])),
    ("store_big", "P2048s", (np.arange(510, dtype="i4").tobytes(),), np.r_[:510, 0, 0].astype("i4")),
    ("store_big", "P2048s", (np.arange(999, dtype="i4"),), np.arange(512, dtype="i4")),
])
def test_what_prepared_calls_convert(module, name, types, value, expected):
    out = cuda.to_device(np.full(2048, 0xee, np.uint8))
    module.get_function(name).prepare(types).prepared_call((1,), (1,), out, *value)
    assert np.array_equal(cuda.from_device(out, expected.shape, expected.dtype), expected)


def test_large_and_padded_arguments(module):
    out, data = cuda.mem_alloc(2048), np.arange(512, dtype="i4")
    module.get_function("store_big")(out, data, block=1)
    assert np.array_equal(cuda.from_device(out, 512, "i4"), data)
    module.get_function("many").prepare("Pbxhiqfdb").prepared_call((1,), (1,), out, *range(1, 8))
    assert cuda.from_device(out, 1, "i4")[0] == 28


@pytest.mark.parametrize("call, error, text", [
    (lambda f, m: f.prepared_call((1,), (1,), m, 1, 1.0), AttributeError,
     "arg_format of kernel 'scale' is not set: call prepare() first"),
    (lambda f, m: f.prepare("Pi"), TypeError, "prepare: kernel 'scale' has 3 parameters"),
    (lambda f, m: f.prepare("Pdf"), TypeError, "prepare: parameter #1 (0-based) of kernel 'scale'"),
    (lambda f, m: f.prepare("Pi!"), ValueError, "prepare: unknown format letter '!'"),
    (lambda f, m: f.prepare(5), TypeError, "prepare: expected a list of types"),
    (lambda f, m: f.prepare("Pif").prepared_call((1,), (1,), m, 1), TypeError,
     "kernel 'scale' takes 3 arguments"),
    (lambda f, m: f.prepare("Pif").prepared_call((1,)), TypeError,
     "prepared call: expected grid and block before the arguments"),
    (lambda f, m: f.prepare("Pif").prepared_call((1,), None, 1, 1.0), TypeError, "block: expected"),
    (lambda f, m: f.prepare(["P", "8s"]).prepared_call((1,), (1,), m, 5), TypeError,
     "prepare: kernel 'scale' has 3 parameters"),
    (lambda f, m: f.prepare("Pif").prepared_call((1,), (1,), m, 1, 1.0, x=1), TypeError,
     "unknown keyword arguments: x"),
    (lambda f, m: f.prepare("Pif").prepared_call((1,), (1,), m, 1.5, 1.0), TypeError,
     "invalid type on parameter #1 (0-based) of kernel 'scale'"),
    (lambda f, m: f.prepare("Pif").prepared_call((1,), (1,), m, 1 << 40, 1.0), OverflowError,
     "invalid value on parameter #1 (0-based) of kernel 'scale': 1099511627776 does not fit"),
    (lambda f, m: f.prepare("Pif").prepared_call((1,), (1,), "x", 1, 1.0), TypeError,
     "invalid type on parameter #0 (0-based) of kernel 'scale'"),
    (lambda f, m: f.prepare("Pif").prepared_call((1,), (1,), cuda.In(np.zeros(1)), 1, 1.0),
     TypeError, "prepared calls take addresses, not In, Out or InOut"),
])
def test_prepare_errors(module, call, error, text):
    with pytest.raises(error) as info:
        call(module.get_function("scale"), cuda.mem_alloc(16))
    assert text in str(info.value)


def test_raw_launch(context, module):
    memory = cuda.to_device(np.ones(4, np.float32))
    import struct

    arguments = struct.pack("Pif", int(memory), 4, 3.0)
    module.get_function("scale")._launch_kernel((1, 1), (4, 1, 1), arguments, 0, None)
    assert (cuda.from_device(memory, 4, np.float32) == 3).all()


@pytest.mark.host
def test_what_the_driver_says_of_a_refused_launch(module):
    """Where no limit of the geometry tells why."""
    with pytest.raises(cuda.LogicError, match=r"cuLaunchKernel failed: invalid argument - kernel scale: the parameters take 16 bytes, the buffer has 12"):
        module.get_function("scale")._launch_kernel((1, 1), (4, 1, 1), bytes(12), 0, None)


def test_steps(context, module):
    """The calls of before CUDA 4."""
    class Shrinks:
        def __len__(self):
            shrinking.clear()
            return 1

        def __getitem__(self, at):
            return 1.0

    shrinking = [Shrinks() for _ in range(3)]
    scale, memory = module.get_function("scale"), cuda.to_device(np.ones(8, np.float32))
    scale.param_set_size(16)
    scale.param_setv(0, np.uintp(int(memory)))
    scale._param_seti(8, 8)
    scale.param_setf(12, 3)
    scale.set_block_shape(4, 1, 1)
    scale.set_shared_size(16)
    scale.launch()
    scale.launch_grid(2, 1)
    scale._launch_grid_async(2, 1, cuda.Stream())
    context.synchronize()
    assert cuda.from_device(memory, 8, np.float32).tolist() == [27] * 4 + [9] * 4
    for offset in (-1, 13):
        with pytest.raises(cuda.LogicError) as info:
            scale.param_seti(offset, 1)
        assert str(info.value) == (f"param_setv failed: invalid argument - 4 bytes at {offset} are "
                                   "not inside the 16 of param_set_size")
    for call, error in ((lambda: scale.param_seti(0, 1 << 32), OverflowError),
                        (lambda: scale.param_setv(0, 5), TypeError),
                        (lambda: scale.param_setf(0, shrinking), TypeError),
                        (lambda: scale.set_block_shape(1), TypeError)):
        with pytest.raises(error):
            call()
    module.get_function("nothing").launch()


# -- Attributes ------------------------------------------------------------------------------


def test_attributes(module):
    shape = module.get_function("shape")
    assert shape.name == "shape" and shape.handle
    for name in ("num_regs", "shared_size_bytes", "local_size_bytes", "const_size_bytes",
                 "max_threads_per_block", "ptx_version", "binary_version", "cache_mode_ca",
                 "max_dynamic_shared_size_bytes", "preferred_shared_memory_carveout"):
        assert isinstance(getattr(shape, name), int)
    assert shape.get_attribute(cuda.function_attribute.NUM_REGS) == shape.num_regs
    shape.set_attribute(cuda.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024)
    assert shape.max_dynamic_shared_size_bytes == 1024
    shape.set_cache_config(cuda.func_cache.PREFER_SHARED)
    shape.mine = 5
    assert shape.mine == 5
    with pytest.raises(AttributeError) as info:
        _ = shape.nonsense
    assert str(info.value) == "'pycuda.driver.Function' object has no attribute 'nonsense'"
    with pytest.raises(cuda.LogicError, match="cuFuncSetAttribute failed: invalid argument"):
        shape.set_attribute(12345, 1)


def test_source_module_of_driver():
    assert cuda.SourceModule is SourceModule
