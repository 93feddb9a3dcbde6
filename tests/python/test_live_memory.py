"""What memory is alive, where the program asked for it, how much it is at most, and what a user calls an address."""

import gc
import sys
import threading
import weakref

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native, curandom, gpuarray, tools
from pycuda.debug import check


def line(offset=0):
    """Where the caller is, as reports tell it."""
    frame = sys._getframe(1)
    return f"{frame.f_code.co_filename}:{frame.f_lineno + offset}"


def where(thing):
    return next(one.where for one in tools.live_memory() if one.object is thing)


def test_list(context):
    gc.collect()
    before = tools.live_memory()
    x = gpuarray.zeros((30, 40), np.float32)
    memory, view = cuda.mem_alloc(5000), x[3:]
    block = tools.DeviceMemoryPool().allocate(7000)
    found = tools.live_memory()
    assert len(found) == len(before) + 3 and found == sorted(found, key=lambda one: -one.bytes)
    assert [one[:2] for one in found if one.object is x or one.object is memory or one.object is block] == [
        (7000, block), (5000, memory), (4800, x)]
    memory.free()
    del x, found  # which holds it, too
    gc.collect()
    assert [one for one in tools.live_memory() if one.object is memory] == []
    assert 4800 in [one.bytes for one in tools.live_memory()]  # a view holds it
    del view
    gc.collect()
    assert 4800 not in [one.bytes for one in tools.live_memory()]


def test_where_each_kind_was_made(context):
    pool = tools.DeviceMemoryPool()
    made = [
        (gpuarray.zeros(10, np.float32), line()),
        (gpuarray.GPUArray(10, np.float32, allocator=pool.allocate), line()),
        (gpuarray.to_gpu(np.arange(10)), line()),
        (cuda.mem_alloc(100), line()),
        (cuda.mem_alloc_pitch(100, 10, 4)[0], line()),
        (cuda.mem_alloc_async(100), line()),
        (cuda.to_device(np.arange(10)), line()),
        (pool.allocate(100), line()),
        (cuda.pagelocked_zeros(10, np.float32).base, line()),
        (cuda.managed_zeros(10, np.float32).base, line()),
        (cuda.aligned_empty(10, np.float32).base, line()),
        (cuda.register_host_memory(np.zeros(4096)).base, line()),
        (tools.PageLockedMemoryPool().allocate(10, np.float32).base, line()),
    ]
    assert [where(thing) for thing, _ in made] == [expected for _, expected in made]
    sums = (made[0][0] + 1, line())  # of an operation
    assert where(sums[0]) == sums[1]


def test_where_is_outside_of_the_package(context):
    """Python code of the package, and of NumPy above it, is between the program and the allocation."""
    stacked, expected = gpuarray.concatenate([gpuarray.zeros(3, "i4"), gpuarray.zeros(4, "i4")]), line()
    assert where(stacked) == expected
    numbers, expected = curandom.rand((20,)), line()
    assert where(numbers) == expected


def test_where_in_functions_generators_and_threads(context):
    def function(size):
        return gpuarray.empty(size, np.int8)

    assert where(function(11)) == line(-2)
    generator = (gpuarray.empty(size, np.int8) for size in (12,))
    assert where(next(generator)) == line(-1)
    found = []

    def run():
        context.push()
        found.append(gpuarray.empty(13, np.int8))
        context.pop()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert where(found[0]) == line(-6)
    code = compile("\n\nx = gpuarray.empty(5, 'i1')", "<cell 7>", "exec")
    scope = {"gpuarray": gpuarray}
    exec(code, scope)  # noqa: S102
    assert where(scope["x"]) == "<cell 7>:3"


def test_allocators_of_users_are_where_memory_was_made(context):
    def allocator(size):
        return cuda.mem_alloc(size)

    x = gpuarray.GPUArray(1000, np.float32, allocator=allocator)
    assert where(x) == line(-3)


def test_a_call_site_that_is_gone(context):
    scope = {"cuda": cuda}
    exec(compile("def f(): return cuda.mem_alloc(10)", "<gone>", "exec"), scope)  # noqa: S102
    memory = scope.pop("f")()
    del scope
    gc.collect()
    assert where(memory) == "<gone>:1"


def test_list_while_memory_ends(context):
    """From a callback for something that has no references any more."""
    memory, seen = cuda.mem_alloc(777), []
    reference = weakref.ref(memory, lambda _: seen.append([one.bytes for one in tools.live_memory()]))
    del memory
    assert len(seen) == 1 and 777 not in seen[0] and reference() is None


def test_memory_of_a_context_that_ended():
    cuda.init()
    ended = cuda.Device(0).make_context()
    memory = cuda.mem_alloc(778)
    assert where(memory) == line(-1)
    ended.pop()
    ended.detach()
    assert 778 not in [one.bytes for one in tools.live_memory()]
    del memory


@pytest.fixture
def fresh():
    cuda.init()
    context = cuda.Device(0).make_context()
    yield context
    context.pop()
    context.detach()


def test_usage(fresh):
    assert tools.memory_usage() == (0, 0, 0, 0)
    x = cuda.mem_alloc(1000)
    y = gpuarray.empty(500, np.float32)
    host = cuda.pagelocked_empty(300, np.int8)
    assert tools.memory_usage() == (3000, 3000, 300, 300)
    y = y[2:7]  # holds all
    assert tools.memory_usage().device == 3000
    x.free()
    del y, host
    assert tools.memory_usage() == (0, 3000, 0, 300)
    pool = tools.DeviceMemoryPool()
    block = pool.allocate(1001)
    assert tools.memory_usage() == (1001, 3000, 0, 300) and pool.managed_bytes > 1001
    tools.reset_peak_memory()
    assert tools.memory_usage() == (1001, 1001, 0, 0)
    del block
    assert tools.memory_usage() == (0, 1001, 0, 0) and pool.held_blocks == 1


def test_peak_of_a_loop(fresh):
    """The latest result and the one before are alive at once; each is 4000 bytes."""
    x = gpuarray.zeros(1000, np.float32)
    for _ in range(10):
        x = x + 1
    assert tools.memory_usage() == (4000, 8000, 0, 0)


def test_usage_is_that_of_a_context(fresh):
    memory = cuda.mem_alloc(100)
    other = cuda.Device(0).make_context()
    assert tools.memory_usage() == (0, 0, 0, 0)
    other.pop()
    other.detach()
    assert tools.memory_usage() == (100, 100, 0, 0)
    del memory
    with pytest.raises(cuda.LogicError):
        fresh.pop()
        try:
            tools.memory_usage()
        finally:
            fresh.push()


def test_what_a_user_calls_an_address(context):
    def describe(*arguments):
        found = _native._describe_address(*arguments)
        return found and found[0]

    x, at = gpuarray.zeros(1000, np.float32), line()
    start = int(x.gpudata)
    assert describe(start, start + 4000, "x") == f"element 1000 of x, an array of 1000 float32 allocated at {at}"
    assert describe(start + 400, start + 403) == f"element 100 of an array of 1000 float32 allocated at {at}"
    assert describe(start, start - 1) == f"element -1 of an array of 1000 float32 allocated at {at}"
    matrix, at = gpuarray.zeros((30, 40), np.int16), line()
    start = int(matrix[1:].gpudata)
    assert describe(start, start, "m") == f"element 40 of m, an array of (30, 40) int16 allocated at {at}"
    memory, at = cuda.mem_alloc(100), line()
    assert describe(int(memory), int(memory) + 100) == f"byte 100 of an allocation of 100 bytes allocated at {at}"
    used = gpuarray.GPUArray((5, 5), np.float32, gpudata=memory)
    assert describe(int(memory), int(memory) + 100) == f"element 25 of an array of (5, 5) float32 allocated at {at}"
    del used
    deep, at = gpuarray.zeros((2,) * 6, np.int8), line()
    start = int(deep.gpudata)
    assert describe(start, start + 64) == f"element 64 of an array of 64 int8 allocated at {at}"
    host, at = cuda.pagelocked_zeros((4, 4), np.float64), line()
    start = host.ctypes.data
    assert describe(start, start + 128) == f"element 16 of an array of (4, 4) float64 allocated at {at}"
    assert describe(8, 8) is None
    x.gpudata.free()
    assert describe(int(x.gpudata), int(x.gpudata)) is None


def test_what_is_known_of_memory(context):
    describe = _native._describe_address
    x, at = gpuarray.zeros((10, 20), np.float32), line()
    start = int(x.gpudata)
    assert describe(start, start) == (f"element 0 of an array of (10, 20) float32 allocated at {at}", at, None,
                                      np.dtype(np.float32), (10, 20))
    memory, at = cuda.mem_alloc(100), line()
    assert describe(int(memory), int(memory))[1:] == (at, None, None, None)


@pytest.mark.host
def test_freed_memory_is_known_under_check(context):
    describe = _native._describe_address
    with check("memory"):
        memory, at = cuda.mem_alloc(100), line()
        start = int(memory)
        memory.free()
        freed = line(-1)
        assert describe(start, start + 8, "x", True) == (
            f"byte 8 of x, an allocation of 100 bytes allocated at {at}", at, freed, None, None)
        for _ in range(300):
            cuda.mem_alloc(10).free()
    assert "100 bytes" not in str(describe(start, start, None, True))


def test_words_when_python_has_no_memory(context):
    """Each of its allocations fails once: a MemoryError, or the words without it."""
    testcapi = pytest.importorskip("_testcapi", reason="this Python comes without it")
    x = gpuarray.zeros((3, 4), np.float32)
    start = int(x.gpudata)
    for number in range(60):
        testcapi.set_nomemory(number, number + 1)
        try:
            _native._describe_address(start, start + 5, "x")
            _native._live_memory()
        except MemoryError:
            pass
        finally:
            testcapi.remove_mem_hooks()
    assert "an array of (3, 4) float32" in str(_native._describe_address(start, start))
