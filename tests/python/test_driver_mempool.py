"""Stream-ordered memory, stream memory operations, occupancy, advice."""

import gc

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

SIZE = 1 << 20
USED, RESERVED = (cuda.mempool_attribute.USED_MEM_CURRENT,
                  cuda.mempool_attribute.RESERVED_MEM_CURRENT)


def test_mem_alloc_async(context):
    stream = cuda.Stream()
    memory = cuda.mem_alloc_async(SIZE, stream)
    cuda.memset_d8_async(memory, 7, SIZE, stream)
    host = np.empty(SIZE, np.uint8)
    cuda.memcpy_dtoh_async(host, memory, stream)
    stream.synchronize()
    assert (host == 7).all() and isinstance(memory, cuda.DeviceAllocation)
    memory.free_async()
    with pytest.raises(cuda.LogicError, match="it was done before"):
        memory.free()
    with pytest.raises(cuda.LogicError):
        cuda.memset_d8(memory, 0, 1)
    cuda.mem_alloc_async(SIZE).free_async(stream)
    cuda.mem_alloc_async(SIZE).free()
    context.synchronize()


def test_pool(context):
    stream = cuda.Stream()
    pool = cuda.MemoryPool(stream=stream)
    assert pool.get_attribute(USED) == 0
    memory = pool.allocate(SIZE)
    assert pool.get_attribute(USED) >= SIZE and pool.get_attribute(RESERVED) >= SIZE
    del memory
    stream.synchronize()
    assert pool.get_attribute(USED) == 0
    pool.set_attribute(cuda.mempool_attribute.RELEASE_THRESHOLD, 64 << 20)
    assert pool.get_attribute(cuda.mempool_attribute.RELEASE_THRESHOLD) == 64 << 20
    pool.allocate(SIZE)
    stream.synchronize()
    assert pool.get_attribute(RESERVED) >= SIZE
    pool.trim_to()
    assert pool.get_attribute(RESERVED) == 0
    reuse = cuda.mempool_attribute.REUSE_ALLOW_OPPORTUNISTIC
    pool.set_attribute(reuse, False)
    assert pool.get_attribute(reuse) is False
    device = context.get_device()
    assert pool.get_access(device) == cuda.mem_access_flags.PROT_READWRITE
    pool.set_access(device, cuda.mem_access_flags.PROT_READWRITE)


def test_pool_as_allocator(context):
    stream = cuda.Stream()
    pool = cuda.MemoryPool(stream=stream)
    x = gpuarray.to_gpu_async(np.arange(1000, dtype=np.float32), allocator=pool.allocate,
                              stream=stream)
    stream.synchronize()
    y = x + x
    assert pool.get_attribute(USED) >= x.nbytes
    assert y.get()[999] == 1998
    del x, y, pool
    gc.collect()
    context.synchronize()


def test_memory_outlives_names(context):
    pool, stream = cuda.MemoryPool(), cuda.Stream()
    memory = pool.allocate(SIZE, stream)
    del pool, stream
    gc.collect()
    cuda.memset_d8(memory, 1, SIZE)
    assert (cuda.from_device(memory, SIZE, np.uint8) == 1).all()
    del memory
    context.synchronize()


def test_pools_of_the_device(context):
    standard = cuda.MemoryPool.get_default()
    assert cuda.MemoryPool.get_current(context.get_device()).handle == standard.handle
    pool = cuda.MemoryPool()
    pool.make_current()
    assert cuda.MemoryPool.get_current().handle == pool.handle
    memory = cuda.mem_alloc_async(SIZE)
    assert pool.get_attribute(USED) >= SIZE
    memory.free_async()
    standard.make_current()


def test_out_of_memory(context):
    with pytest.raises(cuda.MemoryError, match="cuMemAllocAsync failed: out of memory"):
        cuda.mem_alloc_async(1 << 50)
    context.synchronize()


@pytest.mark.parametrize("entry, call", [
    ("cuMemPoolCreate", lambda pool: cuda.MemoryPool()),
    ("cuMemAllocFromPoolAsync", lambda pool: pool.allocate(8)),
    ("cuMemAllocAsync", lambda pool: cuda.mem_alloc_async(8)),
    ("cuMemFreeAsync", lambda pool: cuda.mem_alloc_async(8).free_async()),
    ("cuMemPoolTrimTo", lambda pool: pool.trim_to()),
])
def test_failures_of_the_driver(context, inject, entry, call):
    pool = cuda.MemoryPool()
    inject(entry, 1)
    with pytest.raises(cuda.LogicError, match=f"{entry} failed: invalid argument"):
        call(pool)


@pytest.mark.parametrize("call, error, text", [
    (lambda: cuda.mem_alloc_async("8"), TypeError, "bytes"),
    (lambda: cuda.mem_alloc_async(8, 5), TypeError, "stream: expected Stream"),
    (lambda: cuda.mem_alloc_async(0), cuda.LogicError, "cuMemAllocAsync"),
    (lambda: cuda.MemoryPool(5), TypeError, "device: expected pycuda.driver.Device"),
    (lambda: cuda.MemoryPool().get_attribute(99), cuda.LogicError, "cuMemPoolGetAttribute"),
    (lambda: cuda.MemoryPool().set_access(5, 0), TypeError, "device"),
])
def test_bad_input(context, call, error, text):
    with pytest.raises(error, match=text):
        call()


EVIL = """
import gc
import pycuda.driver as cuda
cuda.init()
other = cuda.Device(0).make_context()
other.pop()
cuda.Device(0).make_context() # held by its push alone

class Stream:
    def __cuda_stream__(self):
        cuda.Context.pop() # destroys it
        other.push()
        return 0, 0

class Number:
    def __index__(self):
        cuda.Context.pop()
        return 1 << 20

class Garbage:
    def __init__(self):
        self.me = self

    def __del__(self):
        cuda.Context.pop()
"""

# An array that keeps another context alive than the current one.
ARRAY = """
import numpy as np
from pycuda import _native, gpuarray
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel
from pycuda.scan import InclusiveScanKernel
other.push()
x = gpuarray.ones(2, np.float32)
other.pop()
"""


@pytest.mark.parametrize("code, printed", [
    # Memory lives in the context that was current when it was allocated.
    ("memory = cuda.mem_alloc_async(64, Stream())\nprint(cuda.mem_get_address_range(memory)[1] >= 64)", "True"),
    ("print('destroyed' in repr(cuda.MemoryPool(None, Stream())))", "False"),
    (("try: cuda.MemoryPool(None, None, Number())\n"
     "except cuda.LogicError as error: print('no currently active context' in str(error))"), "True"),
    (("gc.disable()\nGarbage()\ngc.set_threshold(1)\ngc.enable()\npool = cuda.DeviceMemoryPool()\ngc.disable()\n"
     "print(cuda.Context.get_current(), len(pool.allocate(64)))"), "None 64"),
    (ARRAY + "ElementwiseKernel('float *x', 'x[i] = 2')(x, stream=Stream())\nprint(x.get())", "[2. 2.]"),
    (ARRAY + "kernel = ReductionKernel(np.float32, '0', 'a+b', 'x[i]', 'float *x')\nprint(kernel(x, stream=Stream()).get())", "2.0"),
    (ARRAY + "print(InclusiveScanKernel(np.float32, 'a+b')(x, stream=Stream()).get())", "[1. 2.]"),
    (ARRAY + "print(_native._reduce_axis('AXIS_ADD', (x,), 0, None, np.float32, Stream()).get())", "[2.]"),
], ids=["allocation", "stream of a pool", "size of a pool", "collector", "elementwise", "reduction", "scan", "axis"])
def test_python_code_may_end_the_context(run_python, code, printed):
    """Of a stream, of a number, and of what the collector finds while an object is made: nothing is used that is gone."""
    done = run_python(EVIL + code, PYTHONMALLOC="debug")
    assert (done.stdout.strip(), done.stderr, done.returncode) == (printed, "", 0)


def test_stream_memory_operations(context):
    first, second = cuda.Stream(), cuda.Stream()
    words = cuda.to_device(np.zeros(4, np.uint64))
    flag, target = int(words), int(words) + 8
    first.wait_value32(flag, 5)
    first.write_value64(target, 1 << 40)
    assert not first.is_done()
    second.write_value32(flag, 9)
    first.synchronize()
    assert cuda.from_device(words, 4, np.uint64).tolist() == [9, 1 << 40, 0, 0]
    first.wait_value64(target, 1 << 40, cuda.stream_wait_value_flags.EQ)
    first.synchronize()
    with pytest.raises(cuda.LogicError, match="cuStreamWriteValue32"):
        first.write_value32(flag + 1, 9)


def test_stream_questions(context):
    stream, other = cuda.Stream(priority=-1), cuda.Stream(1)
    assert stream.get_id() != other.get_id()
    assert stream.get_priority() == -1 and other.get_priority() == 0
    assert other.get_flags() == cuda.stream_flags.NON_BLOCKING


def test_occupancy(context):
    source = "__global__ void f(int *x) { __shared__ int y[256]; y[threadIdx.x] = x[0]; x[1] = y[0]; }"
    kernel = SourceModule(source).get_function("f")
    blocks = kernel.max_active_blocks(256)
    assert 1 <= kernel.max_active_blocks(256, shared=32 << 10) <= blocks
    grid, block = kernel.max_potential_block_size(limit=128)
    assert 1 <= block <= 128 and grid >= 1
    assert kernel.max_potential_block_size()[1] <= kernel.max_threads_per_block
    assert kernel.available_shared(1, 256) > 0
    with pytest.raises(cuda.LogicError, match="cuOccupancyMaxActiveBlocksPerMultiprocessor"):
        kernel.max_active_blocks(0)


def test_advice(context):
    device = context.get_device()
    if not device.get_attribute(cuda.device_attribute.CONCURRENT_MANAGED_ACCESS):
        return
    array = cuda.managed_zeros(SIZE // 4, np.int32, mem_flags=cuda.mem_attach_flags.GLOBAL)
    memory = array.base
    attribute = cuda.mem_range_attribute
    cuda.mem_advise(memory, SIZE, cuda.mem_advice.SET_READ_MOSTLY, 0)
    cuda.mem_advise(memory, SIZE, cuda.mem_advice.SET_PREFERRED_LOCATION, -1)
    cuda.mem_advise(memory, SIZE, cuda.mem_advice.SET_ACCESSED_BY, 0)
    assert cuda.mem_range_get_attribute(memory, SIZE, attribute.READ_MOSTLY) == 1
    assert cuda.mem_range_get_attribute(memory, SIZE, attribute.PREFERRED_LOCATION) == -1
    assert cuda.mem_range_get_attribute(memory, SIZE, attribute.ACCESSED_BY) == [0]
    stream = cuda.Stream()
    cuda.mem_prefetch_async(memory, SIZE, 0, stream)
    stream.synchronize()
    assert cuda.mem_range_get_attribute(memory, SIZE, attribute.LAST_PREFETCH_LOCATION) == 0
    cuda.mem_advise(memory, SIZE, cuda.mem_advice.UNSET_READ_MOSTLY, 0)
    assert cuda.mem_range_get_attribute(memory, SIZE, attribute.READ_MOSTLY) == 0
    with pytest.raises(cuda.LogicError, match="cuMemAdvise"):
        cuda.mem_advise(cuda.mem_alloc(8), 8, cuda.mem_advice.SET_READ_MOSTLY, 0)
