"""pycuda.tools, characterize, autoinit: pools, occupancy, C names, caches, default contexts."""

import gc
import io
import re
import sys
import threading
import weakref

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _pvt_struct, characterize, gpuarray, tools
from pycuda.compiler import SourceModule

# -- Pools -----------------------------------------------------------------------------------


@pytest.mark.parametrize("size, bin_number, alloc_size", [
    (0, 0, 1), (1, 0, 1), (2, 16, 2), (3, 24, 3), (15, 62, 15), (16, 64, 16), (17, 65, 17),
    (1000, 159, 1023), (1024, 160, 1087), (1 << 20, 320, (1 << 20) + (1 << 16) - 1),
    ((1 << 40) + 1, 640, (1 << 40) + (1 << 36) - 1),
])
def test_bins(size, bin_number, alloc_size):
    assert tools.DeviceMemoryPool.bin_number(size) == bin_number
    assert tools.DeviceMemoryPool.alloc_size(bin_number) == alloc_size


def test_bins_waste_little():
    pool = tools.DeviceMemoryPool
    for size in [*range(1, 5000), *(3**k for k in range(8, 35))]:
        given = pool.alloc_size(pool.bin_number(size))
        assert size <= given <= size + size // 16 + 1
        assert pool.bin_number(given) == pool.bin_number(size) < pool.bin_number(given + 1)


def statistics(pool):
    return pool.held_blocks, pool.active_blocks, pool.managed_bytes, pool.active_bytes


def test_device_pool(context):
    pool = tools.DeviceMemoryPool()
    assert statistics(pool) == (0, 0, 0, 0)
    block = pool.allocate(np.int64(1000))
    assert len(block) == 1000 and hex(block) == hex(int(block))
    assert statistics(pool) == (0, 1, 1023, 1000)
    address = int(block)
    cuda.memset_d8(block, 1, 1000)
    del block
    assert statistics(pool) == (1, 0, 1023, 0)
    again = pool.allocate(1010)
    assert int(again) == address and statistics(pool) == (0, 1, 1023, 1010)
    again.free()
    with pytest.raises(cuda.LogicError) as info:
        again.free()
    assert str(info.value).startswith("pooled_device_allocation::free failed: invalid resource")
    del again
    assert statistics(pool) == (1, 0, 1023, 0)
    pool.free_held()
    assert statistics(pool) == (0, 0, 0, 0)
    kept = pool.allocate(10)
    pool.stop_holding()
    del kept
    assert statistics(pool) == (0, 0, 0, 0)
    assert len(pool.allocate(0)) == 0


def test_pool_blocks_outlive_the_pool(context):
    block = tools.DeviceMemoryPool().allocate(100)
    gc.collect()
    cuda.memset_d8(block, 1, 100)
    assert (cuda.from_device(block, 100, np.uint8) == 1).all()


def test_pool_in_a_cycle_is_collected(context):
    pool = tools.DeviceMemoryPool()
    pool.block, pool.me = pool.allocate(64), pool
    alive = weakref.ref(pool)
    del pool
    gc.collect()
    assert alive() is None


def test_pool_frees_without_a_current_context(context):
    pool = tools.DeviceMemoryPool()
    block = pool.allocate(100)
    pool.stop_holding()
    context.pop()
    del block
    assert pool.active_blocks == 0
    block = pool.allocate(100)  # under the pool's own context
    assert cuda.Context.get_current() is None
    context.push()
    del block, pool


def test_pool_after_its_context(context):
    other = cuda.Device(0).make_context()
    pool = tools.DeviceMemoryPool()
    block = pool.allocate(100)
    other.detach()
    del block
    with pytest.raises(RuntimeError, match="cannot activate dead context"):
        pool.allocate(100)


def test_pool_out_of_memory(context, inject):
    pool = tools.DeviceMemoryPool()
    small = pool.allocate(100)
    del small
    inject("cuMemAlloc", 2)
    assert len(pool.allocate(5000)) == 5000  # once is not enough to fail
    with pytest.raises(cuda.MemoryError) as info:
        pool.allocate(1 << 50)
    total = cuda.mem_get_info()[1]  # what is free others take, too
    assert re.fullmatch("memory_pool::allocate failed: out of memory - failed to free memory for allocation of "
                        rf"{1 << 50} bytes: the pool has 0 in use and 0 in all, the device \d+ of {total} free",
                        str(info.value))
    assert info.value.code == 2 and pool.held_blocks == 0
    for bad, error in ((-1, OverflowError), (1.5, TypeError), (None, TypeError)):
        with pytest.raises(error, match="size: "):
            pool.allocate(bad)


@pytest.mark.host
def test_pool_gives_idle_blocks_back(run_python):
    """The largest first, until there is room; the context's own pool when mem_alloc asks."""
    done = run_python("""
import pycuda.autoinit, pycuda.driver as cuda
pool = cuda.DeviceMemoryPool()
blocks = [pool.allocate(1 << n) for n in (18, 17, 16, 16)]
del blocks
block = pool.allocate(500_000)
print(pool.held_blocks, pool.active_blocks)
try:
    pool.allocate(600_000)
except cuda.MemoryError as error:
    print(error.name, pool.held_blocks)
""", PYCUDA_DRIVER="host", HOSTCUDA_MEMORY="1000000")
    assert done.stdout.splitlines() == ["3 1", "CUDA_ERROR_OUT_OF_MEMORY 0"], done.stderr


def test_page_locked_pool(context):
    pool = tools.PageLockedMemoryPool(tools.PageLockedAllocator(cuda.host_alloc_flags.PORTABLE))
    array = pool.allocate((3, 4), np.float32, "F")
    assert array.flags.f_contiguous and array.shape == (3, 4)
    assert isinstance(array.base, cuda.PooledHostAllocation) and len(array.base) == 48
    assert statistics(pool) == (0, 1, 49, 48)
    array[...] = 1
    address = array.ctypes.data
    del array
    assert statistics(pool) == (1, 0, 49, 0)
    assert pool.allocate(12, np.float32).ctypes.data == address
    pool.free_held()
    with pytest.raises(TypeError, match="allocator: expected pycuda.driver.PageLockedAllocator"):
        tools.PageLockedMemoryPool(5)


SLOWLY = """
__global__ void copy_slowly(const int *from, int *to, volatile int *flag)
{
    while (*flag == 0)
        ;
    to[threadIdx.x] = from[threadIdx.x];
}
"""


@pytest.mark.parametrize("first, second", [("null", "null"), ("stream", "stream"),
                                           ("stream", "null"), ("null", "stream")])
def test_pool_reuses_in_order(context, first, second):
    """A block may be handed out while work on it goes on: right as long as the next work on it
    comes after, in the same stream or because one of the two streams is the null stream."""
    streams = {"null": None, "stream": cuda.Stream()}
    kernel = SourceModule(SLOWLY).get_function("copy_slowly")
    pool, flag = tools.DeviceMemoryPool(), cuda.managed_zeros(1, np.int32)
    block, to = pool.allocate(64), cuda.mem_alloc(64)
    cuda.memset_d32(block, 7, 16)
    kernel(block, to, flag, block=(16, 1, 1), stream=streams[first])
    address = int(block)
    del block
    block = pool.allocate(64)
    assert int(block) == address
    cuda.memset_d32_async(block, 8, 16, streams[second])
    flag[0] = 1
    assert cuda.from_device(to, 16, np.int32).tolist() == [7] * 16
    context.synchronize()
    assert cuda.from_device(block, 16, np.int32).tolist() == [8] * 16


def test_pool_of_host_memory_waits(context):
    """A block of host memory comes back when no copy can still read it, in no stream."""
    kernel = SourceModule(SLOWLY).get_function("copy_slowly")
    pool, flag = tools.PageLockedMemoryPool(), cuda.managed_zeros(1, np.int32)
    stream, memory = cuda.Stream(cuda.stream_flags.NON_BLOCKING), cuda.mem_alloc(64)
    kernel(memory, memory, flag, block=(16, 1, 1), stream=stream)
    array = pool.allocate(16, np.int32)
    array[:] = 7
    cuda.memcpy_htod_async(memory, array, stream)
    threading.Timer(0.05, flag.fill, [1]).start()
    del array
    pool.allocate(16, np.int32)[:] = 8
    assert stream.is_done()
    assert cuda.from_device(memory, 16, np.int32).tolist() == [7] * 16


def test_pool_of_host_memory_and_captures(context):
    pool, stream = tools.PageLockedMemoryPool(), cuda.Stream()
    with stream.capture() as graph:
        pool.allocate(16, np.int32)
        cuda.memset_d32_async(cuda.mem_alloc(64), 1, 16, stream)
    assert len(graph.nodes) == 1 and (pool.active_blocks, pool.held_blocks) == (0, 0)


def spoil_capture():
    stream = cuda.Stream()
    stream.begin_capture()
    with pytest.raises(cuda.LogicError):
        cuda.Context.synchronize()
    with pytest.raises(cuda.LogicError):
        stream.end_capture()


@pytest.mark.parametrize("abandon", [lambda: cuda.Stream().begin_capture() and None, spoil_capture])
def test_pool_of_host_memory_after_a_capture_that_never_ended_well(context, abandon):
    abandon()
    pool = tools.PageLockedMemoryPool()
    pool.allocate(16, np.int32)
    assert pool.held_blocks == 1


def test_capture_goes_with_its_context(context):
    pool, other = tools.PageLockedMemoryPool(), context.get_device().make_context()
    stream = cuda.Stream()
    stream.begin_capture()
    other.detach()
    pool.allocate(16, np.int32)
    assert pool.held_blocks == 1
    with pytest.raises(RuntimeError, match="dead context"):
        stream.end_capture()


def test_debug_pool(context):
    log = io.StringIO()
    pool = tools.DebugMemoryPool(interactive=False, logfile=log)
    blocks = [pool.allocate(100) for _ in range(2)]
    assert re.search(r"2 x 100 bytes from .*\|test_debug_pool\|<listcomp>\n|"
                     r"2 x 100 bytes from .*\|test_debug_pool\n", log.getvalue())
    del blocks


def test_debug_pool_describes_as_a_subclass_says(context):
    class Pool(tools.DebugMemoryPool):
        def describe(self, stack, size):
            return f"{stack[-1]} of {size}"

    log = io.StringIO()
    block = Pool(interactive=False, logfile=log).allocate(7)
    assert "1 x 7 bytes from test_debug_pool_describes_as_a_subclass_says of 7\n" in log.getvalue()
    del block


def test_bitlog2():
    assert [tools.bitlog2(n) for n in (0, 1, 2, 3, 4, 1023, 1024, 1 << 63)] == [
        0, 0, 1, 1, 2, 9, 10, 63]


# -- Default contexts ------------------------------------------------------------------------


def test_make_default_context(monkeypatch, tmp_path):
    cuda.init()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CUDA_DEVICE", raising=False)
    (tmp_path / ".cuda_device").write_text("0\n")
    made = []

    def maker(device):
        made.append(device)
        return device.make_context()

    for _ in range(2):
        context = tools.make_default_context(maker)
        assert made.pop() == cuda.Device(0)
        context.pop()
        monkeypatch.setenv("CUDA_DEVICE", "0")
    monkeypatch.setenv("CUDA_DEVICE", "x")
    with pytest.raises(ValueError, match="no device number: 'x'"):
        tools.make_default_context()
    monkeypatch.setenv("CUDA_DEVICE", "77")
    with pytest.raises(cuda.LogicError, match="invalid device ordinal"):
        tools.make_default_context()
    monkeypatch.delenv("CUDA_DEVICE")
    (tmp_path / ".cuda_device").unlink()

    def broken(device):
        raise cuda.LogicError("no")

    with pytest.raises(RuntimeError, match="wasn't able to create a context on any of the"):
        tools.make_default_context(broken)
    with pytest.warns(DeprecationWarning):
        assert tools.get_default_device() == cuda.Device(0)


def test_autoinit(run_python):
    for name in ("autoinit", "autoprimaryctx"):
        done = run_python(
            f"import pycuda.{name} as auto, pycuda.driver as cuda\n"
            "assert cuda.Context.get_current() is auto.context\n"
            "assert auto.context.get_device() == auto.device\n"
            "print(len(cuda.mem_get_info()))")
        assert (done.stdout, done.stderr) == ("2\n", "")


def test_memoize(context):
    calls = []

    @tools.context_dependent_memoize
    def compute(a, b=0):
        calls.append((a, b))
        return a + b

    assert compute(1) == compute(1) == 1 and compute(1, b=2) == compute(1, b=2) == 3
    assert calls == [(1, 0), (1, 2)]
    other = cuda.Device(0).make_context()
    compute(1)
    assert len(calls) == 3
    other.pop()
    tools.clear_context_caches()
    compute(1)
    assert len(calls) == 4 and compute in [f for f in [compute]]
    assert compute.__wrapped__ in tools.context_dependent_memoized_functions


def test_mark_cuda_test():
    @tools.mark_cuda_test
    def inner(value):
        return cuda.Context.get_current() is not None and value

    assert inner(5) == 5
    assert cuda.Context.get_current() is None
    fixture = tools.init_cuda_context_fixture()
    assert next(fixture) is cuda.Context.get_current()
    assert next(fixture, None) is None and cuda.Context.get_current() is None


# -- Occupancy -------------------------------------------------------------------------------


def test_device_data(context):
    data = tools.DeviceData()
    assert data.warp_size == 32 and data.max_threads == 1024
    assert tools.DeviceData(cuda.Device(0)).shared_memory == data.shared_memory
    assert data.align(65) == 128 and data.align_dtype(17, 4) == 32 and data.align_words(8) == 16
    assert data.align_bytes(16) == 128 and data.coalesce(17) == 32
    assert [data.make_valid_tex_channel_count(n) for n in (1, 2, 3, 4)] == [1, 2, 4, 4]
    for call in (lambda: data.align_bytes(3), lambda: data.make_valid_tex_channel_count(5)):
        with pytest.raises(ValueError):
            call()


class Device:
    max_threads, warp_size, warps_per_mp, thread_blocks_per_mp = 1024, 32, 64, 32
    registers, shared_memory, smem_alloc_granularity = 65536, 49152, 128


@pytest.mark.parametrize("arguments, blocks, limit, occupancy", [
    ((32,), 32, "device", 0.5), ((256,), 8, "warps", 1.0), ((256, 48000), 1, "smem", 0.125),
    ((256, 0, 64), 4, "regs", 0.5),
])
def test_occupancy(arguments, blocks, limit, occupancy):
    record = tools.OccupancyRecord(Device, *arguments)
    assert (record.tb_per_mp, record.limited_by, record.occupancy) == (blocks, limit, occupancy)
    assert record.warps_per_mp == occupancy * 64 and min(record.tb_per_mp_limits)[0] == blocks


@pytest.mark.parametrize("arguments, text", [
    ((2048,), "too many threads"), ((1024, 0, 255), "too many registers"),
    ((32, 1 << 20), "too much smem"),
])
def test_occupancy_errors(arguments, text):
    with pytest.raises(ValueError, match=text):
        tools.OccupancyRecord(Device, *arguments)


# -- C names ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype, name", [
    (np.bool_, "bool"), (np.int8, "signed char"), (np.uint8, "unsigned char"), (np.int16, "short"),
    (np.uint16, "unsigned short"), (np.int32, "int"), (np.uint32, "unsigned"), (np.int64, "long"),
    (np.uint64, "unsigned long"), (np.longlong, "long"), (np.float16, "half"),
    (np.float32, "float"), (np.float64, "double"), (np.complex64, "pycuda::complex<float>"),
    (np.complex128, "pycuda::complex<double>"),
])
def test_dtype_to_ctype(dtype, name):
    assert tools.dtype_to_ctype(dtype) == name


def test_dtype_to_ctype_corners():
    assert tools.dtype_to_ctype(np.float32, with_fp_tex_hack=True) == "fp_tex_float"
    assert tools.dtype_to_ctype(np.complex128, True) == "fp_tex_cdouble"
    assert tools.dtype_to_ctype(np.int32, True) == "int"
    with pytest.raises(ValueError, match="dtype may not be None"):
        tools.dtype_to_ctype(None)
    with pytest.raises(ValueError, match="unable to map dtype"):
        tools.dtype_to_ctype(np.dtype("S3"))


@pytest.mark.parametrize("declarator, kind, dtype, name, letter", [
    ("float *x", "VectorArg", np.float32, "x", "P"), ("int n", "ScalarArg", np.int32, "n", "i"),
    ("const float* __restrict__ x", "VectorArg", np.float32, "x", "P"),
    ("float x[3]", "VectorArg", np.float32, "x", "P"), ("double  *  y", "VectorArg", float, "y", "P"),
    ("unsigned long long z", "ScalarArg", np.uint64, "z", "L"),
    ("size_t n", "ScalarArg", np.uint64, "n", "L"), ("uint8_t *p", "VectorArg", np.uint8, "p", "P"),
    ("half h", "ScalarArg", np.float16, "h", "e"), ("long long int q", "ScalarArg", np.int64, "q", "l"),
    ("pycuda::complex<float> *c", "VectorArg", np.complex64, "c", "P"),
    ("volatile unsigned int v", "ScalarArg", np.uint32, "v", "I"),
])
def test_parse_c_arg(declarator, kind, dtype, name, letter):
    argument = tools.parse_c_arg(declarator)
    assert type(argument).__name__ == kind and argument.name == name
    assert argument.dtype == dtype and argument.struct_char == tools.get_arg_type(declarator) == letter


def test_argument_declarators():
    assert tools.VectorArg(np.float32, "x").declarator() == "float *x"
    assert tools.ScalarArg(np.uint32, "n").declarator() == "unsigned n"
    assert repr(tools.ScalarArg(np.uint32, "n")) == "ScalarArg('n', uint32)"


@pytest.mark.parametrize("declarator, text", [
    ("nonsense x", "unknown type 'nonsense'"), ("float", "couldn't parse C declarator 'float'"),
    ("", "couldn't parse C declarator ''"), ("float **x", "couldn't parse C declarator"),
])
def test_parse_errors(declarator, text):
    if declarator == "float **x":
        assert tools.parse_c_arg(declarator).struct_char == "P"
        return
    with pytest.raises(ValueError, match=text):
        tools.parse_c_arg(declarator)


def test_registry():
    registry = tools.DTypeRegistry()
    pair = np.dtype([("a", "i4"), ("b", "f4")])
    assert registry.get_or_register_dtype(["pair", "pair_t"], pair) is pair
    same = np.dtype([("a", "i4"), ("b", "f4")])
    assert registry.get_or_register_dtype("pair", same) is pair
    assert registry.get_or_register_dtype("pair_t") == pair
    assert registry.dtype_to_ctype(same) == "pair"
    with pytest.raises(RuntimeError, match="already registered to different dtype"):
        registry.get_or_register_dtype("pair", np.float32)
    with pytest.raises(tools.TypeNameNotKnown):
        registry.get_or_register_dtype("nope")
    with pytest.raises(RuntimeError, match="already registered"):
        tools.register_dtype(np.float32, "also_float")


# -- characterize ----------------------------------------------------------------------------


def test_characterize(context):
    assert characterize.platform_bits() == 64
    assert characterize.has_stack() and characterize.has_double_support()
    assert characterize.sizeof("double") == 8
    assert characterize.sizeof("P", "struct P { char c; double d; };") == 16
    assert characterize.sizeof("float3") == 12


# -- struct with complex numbers -------------------------------------------------------------


def test_struct():
    import struct

    assert _pvt_struct.pack("bF", 1, 2 + 3j) == struct.pack("b2f", 1, 2, 3)
    assert _pvt_struct.unpack("iD2s", _pvt_struct.pack("iD2s", 5, 1 - 2j, b"ab")) == (
        5, 1 - 2j, b"ab")
    assert _pvt_struct.calcsize("bP") == 16 and _pvt_struct.Struct("3F").size == 24
    buffer = bytearray(16)
    _pvt_struct.pack_into("D", buffer, 0, np.complex128(1j))
    assert _pvt_struct.unpack_from("D", buffer) == (1j,)
    for bad in (lambda: _pvt_struct.pack("i"), lambda: _pvt_struct.calcsize("y"),
                lambda: _pvt_struct.pack("b", 300)):
        with pytest.raises(_pvt_struct.error):
            bad()


@pytest.mark.parametrize("pool", [tools.DeviceMemoryPool, tools.PageLockedMemoryPool])
def test_pool_that_the_collector_finds_before_its_blocks(context, on_host, pool, monkeypatch):
    """In a cycle that the pool is older than: memory goes back, and nothing is said. Of a GPU others may take memory, too."""
    class Model:
        pass

    said = []
    monkeypatch.setattr(sys, "unraisablehook", said.append)
    gc.collect()
    free = cuda.mem_get_info()[0]
    for size in (1000, 160_000, 5_000_000):
        memory = pool()
        model = Model()
        model.cycle, model.memory = model, memory
        model.blocks = [memory.allocate(size) if pool is tools.DeviceMemoryPool else memory.allocate(size, np.uint8)
                        for _ in range(3)]
        del model.blocks[0], memory, model
        gc.collect()
    assert not said and (cuda.mem_get_info()[0] == free or not on_host)


@pytest.mark.parametrize("size", [2**63 - 1, 2**63, 2**63 + 4096, 2**64 - 4096, 2**64 - 1])
def test_pool_is_asked_for_more_than_can_be(context, size):
    """Also where freed arrays left memory, which would be given back for it."""
    array = gpuarray.zeros(1 << 20, np.float32)
    del array
    pool = tools.DeviceMemoryPool()
    with pytest.raises(cuda.MemoryError):
        pool.allocate(size)
    assert pool.active_blocks == 0 and pool.managed_bytes == 0
