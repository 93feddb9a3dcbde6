"""What single calls of pycuda.driver cost, and what kernel calls and memory add to those of a C program.

    make bench            or:  PYCUDA_DRIVER=host python bench/calls.py

Microseconds, medians of batches. C and Python launch the same kernels in turn; what counts is the difference. A
batch is short enough for a GPU's queue: the launches are measured, not the kernels. Targets of calls are for the
host device, those of what is added for any.
"""

import ctypes
import pathlib
import statistics
import subprocess
import tempfile
import timeit

import numpy as np

import pycuda.autoinit
import pycuda.driver as cuda
from pycuda import _native
from pycuda.compiler import SourceModule

BATCH, ROUNDS = 256, 41
HERE = pathlib.Path(__file__).parent
MODULE = SourceModule("""
__global__ void scale(float *a, unsigned int n, float factor)
{
    if (threadIdx.x < n)
        a[threadIdx.x] *= factor;
}
__global__ void sixteen(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j,
                        int k, int l, int m, int n, int o, int p) {}
__global__ void nothing() {}
""")
scale, sixteen, nothing = map(MODULE.get_function, ("scale", "sixteen", "nothing"))
memory, n, factor, many = cuda.mem_alloc(4096), np.uint32(32), np.float32(1), [np.int32(i) for i in range(16)]
many_names = [f"a{i}" for i in range(16)]
names = dict(zip(many_names, many, strict=True)) | {
    "scale": scale, "sixteen": sixteen, "nothing": nothing, "memory": memory, "n": n, "factor": factor,
    "array": np.zeros(1024, np.float32), "block": (32, 1, 1), "grid": (1, 1), "synchronize": cuda.Context.synchronize,
    "prepared": scale.prepare("PIf").prepared_call, "prepared_sixteen": sixteen.prepare("i" * 16).prepared_call,
    "allocate": cuda.DeviceMemoryPool().allocate, "event": cuda.Event(), "stream": cuda.Stream(), "cuda": cuda}

CALL, PREPARED = "scale(memory, n, factor, block=block, grid=grid)", "prepared(grid, block, memory, 32, 1.0)"
SIXTEEN = f"sixteen({', '.join(many_names)}, block=block, grid=grid)"
PREPARED_SIXTEEN = f"prepared_sixteen(grid, block, {', '.join(map(str, range(16)))})"

# Name, statement, microseconds at most on the host device.
CALLS = [
    ("kernel call and synchronize", CALL + "; synchronize()", 1),
    ("prepared call and synchronize", PREPARED + "; synchronize()", 0.8),
    ("kernel call, three arguments", CALL, 0.5),
    ("the same with Python's numbers", "scale(memory, 32, 1.0, block=block, grid=grid)", None),
    ("kernel call, no arguments", "nothing(block=block)", None),
    ("kernel call with InOut of 4 KB", "scale(cuda.InOut(array), n, factor, block=block)", 4),
    ("pool allocate and free", "allocate(4096)", 0.15),
    ("mem_alloc and free", "cuda.mem_alloc(4096)", None),
    ("memcpy_htod of 4 KB", "cuda.memcpy_htod(memory, array)", None),
    ("memcpy_dtoh of 4 KB", "cuda.memcpy_dtoh(array, memory)", None),
    ("Event.record", "event.record()", 0.2),
    ("Event.record in a stream", "event.record(stream)", 0.2),
    ("Event.query", "event.query()", 0.2),
    ("Event.synchronize", "event.synchronize()", 0.2),
    ("Stream.wait_for_event", "stream.wait_for_event(event)", 0.2),
    ("Stream.is_done", "stream.is_done()", 0.2),
    ("Stream.synchronize", "stream.synchronize()", 0.2),
    ("Context.synchronize", "synchronize()", 0.2),
    ("Context.get_current", "cuda.Context.get_current()", None),
]

# Name, kernel, its arguments, statements, microseconds that they may add.
LAUNCHES = [
    ("three arguments", scale, [np.uint64(int(memory)), n, factor], [CALL, PREPARED], 0.35),
    ("sixteen arguments", sixteen, many, [SIXTEEN, PREPARED_SIXTEEN], 0.6),
]


def verdict(value, target):
    return "" if target is None else f"   {target:<5}{'ok' if value <= target else 'ABOVE'}"


def timer(statement):
    """A function that runs a batch and gives the microseconds of one."""
    run = timeit.Timer(statement, globals=names).timeit

    def batch():
        spent = run(BATCH) * 1e6 / BATCH
        cuda.Context.synchronize()
        return spent

    return batch


def c_timer(function, *arguments):
    """The same of a C program's function, which gets the arguments and how often to do it."""
    function.restype = ctypes.c_double

    def batch():
        spent = function(*arguments, BATCH)
        cuda.Context.synchronize()
        return spent * 1e6 / BATCH

    return batch


def c_launch(kernel, arguments):
    """What cuLaunchKernel gets: the function, pointers to the arguments; and these, which somebody must keep."""
    values = [np.array(argument) for argument in arguments]
    return ctypes.c_void_p(kernel.handle), (ctypes.c_void_p * len(values))(*[value.ctypes.data for value in values]), values


def median(batches):
    return [statistics.median(column) for column in zip(*batches, strict=True)]


def calls(on_host):
    print(f"{'':34}{'us':>7}   target")
    for name, statement, target in CALLS:
        batch = timer(statement)
        batch()
        value = statistics.median(batch() for _ in range(ROUNDS))
        print(f"{name:34}{value:7.3f}{verdict(value, target if on_host else None)}")


def c_library():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.check_call(["cc", "-O2", "-shared", "-fPIC", "-o", f"{folder}/calls.so", HERE / "calls.c"])
        return ctypes.CDLL(f"{folder}/calls.so")


def turns(batches):
    """Medians of them all, and of what each of the others adds to the first."""
    for batch in batches:
        batch()
    rounds = [[batch() for batch in batches] for _ in range(ROUNDS)]
    return median(rounds), median([[value - first for value in rest] for first, *rest in rounds])


def added(library, driver):
    print(f"\n{'':20}{'C':>8}{'call':>8}{'prepared':>10}{'call adds':>11}{'prepared adds':>15}   target")
    for name, kernel, arguments, statements, target in LAUNCHES:
        function, pointers, _kept = c_launch(kernel, arguments)
        in_c = c_timer(library.launches, driver.cuLaunchKernel, function, pointers)
        (c, call, prepared), (more, prepared_more) = turns([in_c, *map(timer, statements)])
        print(f"{name:20}{c:8.3f}{call:8.3f}{prepared:10.3f}{more:11.3f}{prepared_more:15.3f}"
              f"{verdict(max(more, prepared_more), target)}")


def memory_added(library, driver):
    print(f"\n{'':34}{'C':>8}{'pycuda':>8}{'adds':>8}")
    function, pointers, _kept = c_launch(scale, LAUNCHES[0][2])
    for name, in_c, statement in [
            ("mem_alloc and free, 4 KB",
             c_timer(library.allocations, driver.cuMemAlloc_v2, driver.cuMemFree_v2, ctypes.c_size_t(4096)),
             "cuda.mem_alloc(4096)"),
            ("kernel call with InOut of 4 KB",
             c_timer(library.round_trips, driver.cuLaunchKernel, driver.cuMemcpyHtoD_v2, driver.cuMemcpyDtoH_v2, function,
                     pointers, ctypes.c_uint64(int(memory)), ctypes.c_void_p(names["array"].ctypes.data),
                     ctypes.c_size_t(4096)),
             "scale(cuda.InOut(array), n, factor, block=block)")]:
        (c, ours), (more,) = turns([in_c, timer(statement)])
        print(f"{name:34}{c:8.3f}{ours:8.3f}{more:8.3f}")


print(pycuda.autoinit.device.name())
calls(_native._is_host_device())
programs = c_library(), ctypes.CDLL(_native._driver_path())
added(*programs)
memory_added(*programs)
