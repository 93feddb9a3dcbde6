"""Which accesses out of bounds are seen without any option on the host device. The rule: memory of an array ends where
its bytes, rounded up to 256, do; what lies behind faults, and so does all else among the addresses of device memory that
is no array's. So the shares of overruns that go unseen are known, and are measured here by kernels that do them."""

import ctypes
import pathlib
import random
import re

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

pytestmark = pytest.mark.host
ALIGNMENT, TIB = 256, 1 << 40
SIZES = [1 << 10, 64 << 10, 1 << 20, 16 << 20]
SOURCE = "__global__ void poke(char *p, long offset) { p[offset] = 42; }"


def stream_ordered(size):
    return cuda.mem_alloc_async(size)


def from_pool(size):
    return cuda.DeviceMemoryPool().allocate(size)


def result(size):
    """What an operation on arrays makes; it must not be dropped before the memory is used."""
    return gpuarray.zeros(size, np.uint8) + np.uint8(1)


def managed(size):
    return cuda.managed_empty(size, np.uint8, mem_flags=cuda.mem_attach_flags.GLOBAL)


KINDS = {"mem_alloc": cuda.mem_alloc, "pool": from_pool, "mem_alloc_async": stream_ordered, "array": result,
         "managed": managed}


def address(memory):
    if isinstance(memory, np.ndarray):
        return memory.ctypes.data
    return int(memory.gpudata if isinstance(memory, gpuarray.GPUArray) else memory)


class Fresh:
    """A context that a fault may end, and the kernel in it."""

    def __enter__(self):
        cuda.init()
        self.context = cuda.Device(0).make_context()
        self.kernel = SourceModule(SOURCE).get_function("poke")
        return self

    def __exit__(self, *_):
        self.context.pop()

    def poke(self, address, offset):
        """What the fault says, or None."""
        self.kernel(np.uint64(address), np.int64(offset), block=(1, 1, 1))
        try:
            cuda.Context.synchronize()
        except cuda.Error as error:
            return re.search(r"invalid access at address 0x[0-9a-f]+, (.*); the context", str(error))[1]


def unseen(allocate, sizes, offset):
    """The share of accesses at offset(bytes of the array) that are not seen, among others' arrays of those sizes."""
    silent = 0
    for size in sizes:
        with Fresh() as fresh:
            others = [allocate(size) for _ in range(2)]
            memory = allocate(size)
            others.extend(allocate(size) for _ in range(2))
            silent += fresh.poke(address(memory), offset(size)) is None
            del memory, others
    return silent / len(sizes)


PLACES = {
    "one element past the end": lambda size: size,
    "100 elements past the end": lambda size: size + 400,
    "twice the length": lambda size: 2 * size,
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", PLACES)
def test_multiples_of_256_bytes(place, kind, size):
    """All of their overruns are seen."""
    assert unseen(KINDS[kind], [size], PLACES[place]) == 0


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_other_sizes(kind, size):
    """What lies behind the next multiple of 256 bytes is seen, and nothing before it."""
    rng = random.Random(size)
    sizes = [size + rng.randrange(1, ALIGNMENT) for _ in range(4)]
    assert unseen(KINDS[kind], sizes, lambda size: -(-size // ALIGNMENT) * ALIGNMENT) == 0
    assert unseen(KINDS[kind], sizes, lambda size: -(-size // ALIGNMENT) * ALIGNMENT - 1) == 1
    assert unseen(KINDS[kind], sizes, lambda size: size + 400) == 0
    assert unseen(KINDS[kind], sizes, lambda size: 2 * size) == 0


@pytest.mark.parametrize("size", SIZES[1:])
@pytest.mark.parametrize("kind", ["mem_alloc", "mem_alloc_async", "managed"])
def test_before_the_start(kind, size):
    """Seen where the size is one of whole pages."""
    assert unseen(KINDS[kind], [size], lambda size: -1) == 0
    assert unseen(KINDS[kind], [size], lambda size: -size) == 0


SHARED = """
__global__ void address(unsigned long long *at)
{
    __shared__ float s[256];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (s[255 - threadIdx.x] == 0)
        *at = (unsigned long long)s;
}
"""


def test_behind_shared_memory(context):
    """A load of neighbours, of which the last do not run, meets no page that is missing: that would take hundreds of
    cycles. A write behind shared memory faults."""
    at = np.zeros(1, np.uint64)
    SourceModule(SHARED).get_function("address")(cuda.Out(at), block=(256, 1, 1))
    end = int(at[0]) + 4 * 256
    mappings = [(int(begin, 16), int(last, 16), how) for begin, last, how in re.findall(
        r"^(\w+)-(\w+) (\S+)", pathlib.Path("/proc/self/maps").read_text(), re.MULTILINE)]
    assert [how[:3] for begin, last, how in mappings if begin <= end - 1 < last] == ["rw-"]
    assert [how[:3] for begin, last, how in mappings if begin <= end < last] == ["r--"]
    assert [how[:3] for begin, last, how in mappings if begin <= end + 32 * 8 - 1 < last] == ["r--"]


# -- Wild addresses ------------------------------------------------------------------------------------------


def neighbourhood(address):
    """First and last address of the mappings without gaps around that one which no file has."""
    first = last = None
    for line in pathlib.Path("/proc/self/maps").read_text().splitlines():
        begin, end, name = re.match(r"(\w+)-(\w+) \S+ \S+ \S+ \S+ *(.*)", line).groups()
        begin, end = int(begin, 16), int(end, 16)
        if name or begin != last:
            if last and first <= address < last:
                break
            first = begin
        last = end
    assert first <= address < last
    return first, last


def test_range():
    """Half a tebibyte and more on each side of any array belongs to the device: whatever a kernel adds to its address
    there, no memory of the process is met."""
    with Fresh():
        held = [allocate(size) for allocate in KINDS.values() for size in SIZES]
        first, last = neighbourhood(address(held[0]))
        for memory in held:
            assert first + TIB // 2 < address(memory) < last - TIB // 2
        objects = [np.zeros(1 << size) for size in range(4, 24)] + [cuda.pagelocked_zeros(1 << 20, np.uint8)]
        middle = address(held[0])
        for array in objects:
            assert abs(array.ctypes.data - middle) > TIB // 2
        for thing in (np, test_range, ctypes.pythonapi.Py_IncRef):
            assert abs(id(thing) - middle) > TIB // 2
        del held


WILD = """
import hashlib, random, sys
import numpy as np
import pycuda.driver as cuda
from pycuda.compiler import SourceModule
rng = random.Random(int(sys.argv[1]) if sys.argv[1:] else 3)
cuda.init()
ours = [np.full(n, 7, np.uint8) for n in [100, 10000, 1 << 20, 1 << 24]] + [list(range(10000)), "x" * 100000]
mark = lambda: [hashlib.sha1(bytes(part) if isinstance(part, np.ndarray) else repr(part).encode()).digest()
                for part in ours]
before, seen = mark(), 0
for turn in range(100):
    context = cuda.Device(0).make_context()
    poke = SourceModule("__global__ void poke(char *p, long i) { p[i] = 42; }").get_function("poke")
    arrays = [cuda.mem_alloc(rng.choice([40, 1000, 4096, 70000, 1 << 20])) for _ in range(20)]
    reach = 1 << rng.randrange(16, 40)
    poke(rng.choice(arrays), np.int64(rng.randrange(-reach, reach)), block=(1, 1, 1))
    try:
        cuda.Context.synchronize()
    except cuda.Error as error:
        seen += "invalid access" in str(error)
    del arrays, poke
    context.pop()
    assert mark() == before
print("seen", seen)
"""


def test_wild_writes(run_python):
    """They are seen, or hit another array; the process is left alone."""
    done = run_python(WILD)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[1]) >= 80


# -- Memory that was freed -----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [100_000, 1 << 20, 16 << 20])
def test_freed(size):
    with Fresh() as fresh:
        memory = cuda.mem_alloc(size)
        stale = int(memory)
        memory.free()
        others = [cuda.mem_alloc(size) for _ in range(20)]
        assert stale not in map(int, others)
        assert fresh.poke(stale, 80) == f"80 bytes into a freed allocation of {size} bytes at {stale:#x}"
        del others


TEXTS = {
    (100_000, 100_096): "96 bytes past the end of the allocation of 100000 bytes at",
    (1 << 20, 1 << 20): "0 bytes past the end of the allocation of 1048576 bytes at",
    (1 << 20, -8): "8 bytes before the allocation of 1048576 bytes at",
    (4096, 5000): "904 bytes past the end of the allocation of 4096 bytes at",
    (4096, 1 << 39): "in no allocation, but among the addresses of device memory",
}


@pytest.mark.parametrize("size, offset", TEXTS)
def test_what_faults_say(size, offset):
    with Fresh() as fresh:
        memory = cuda.mem_alloc(size)
        assert fresh.poke(int(memory), offset).startswith(TEXTS[size, offset])
        del memory


# -- Where there is little room ------------------------------------------------------------------------------

MANY = """
import resource
import numpy as np
import pycuda.driver as cuda
if {limit}:
    resource.setrlimit(resource.RLIMIT_AS, ({limit} << 20, {limit} << 20))
import pycuda.autoinit
def fill(count, size):
    held = [cuda.mem_alloc(size) for _ in range(count)]
    for i in range(0, count, 97):
        cuda.memset_d32(held[i], i, size // 4)
    for i in range(0, count, 97):
        got = np.zeros(size // 4, np.int32)
        cuda.memcpy_dtoh(got, held[i])
        assert (got == i).all()
    assert len(set(map(int, held))) == count and all(int(memory) % 256 == 0 for memory in held)
for count, size in {rows}:
    fill(count, size)
try:
    cuda.mem_alloc(cuda.mem_get_info()[1] + 1)
except cuda.MemoryError:
    print("whole")
"""


@pytest.mark.parametrize("limit, rows", [
    (0, [(100_000, 64), (40_000, 70_000), (20_000, 5000)]),  # more than the system has mappings for
    (6 << 10, [(5000, 64), (500, 5000), (500, 70_000), (50, 1 << 20), (4, 64 << 20)]),
    (1200, [(5000, 64), (500, 5000), (500, 70_000), (50, 1 << 20), (4, 64 << 20)]),
], ids=["many", "6 GiB of addresses", "1.2 GiB of addresses"])
def test_room(run_python, limit, rows):
    done = run_python(MANY.format(limit=limit, rows=rows), HOSTCUDA_MEMORY="8G",
                      HOSTCUDA_THREADS="1", OPENBLAS_NUM_THREADS="1")
    assert (done.returncode, done.stdout) == (0, "whole\n"), done.stderr
