"""Every callable of pycuda.driver and gpuarray with arguments that nobody meant: clear exceptions, no crash, no leak.

``python hostile.py SEED [CALLS]`` prints the seed, then what went wrong. Functions, classes, methods and attributes
are found by themselves, instances of each class by the table below: in use, freed, half made, and of a context that
is gone. Some arguments act when they are asked for a number, a buffer or an address: they free what lies around, call
something else, end the context, empty the list that they are in. Every fourth round runs in another thread, and every
eighth in two.
"""

import contextlib
import faulthandler
import gc
import inspect
import os
import random
import resource
import sys
import threading
import types
import warnings
from pathlib import Path

os.environ |= {"PYCUDA_DRIVER": "host", "HOSTCUDA_MEMORY": str(64 << 20)}

import numpy as np

import pycuda.driver as cuda
from pycuda import _native, compiler, gpuarray, tools

ROUND = 500  # calls with the same instances


class Deed(Exception):
    """What an argument raised by itself."""


# What a call may raise: documented classes, and what Python and NumPy raise for wrong arguments. Not SystemError,
# which is what the interpreter says of a C function that broke its rules.
EXPECTED = (cuda.Error, TypeError, ValueError, OverflowError, RuntimeError, AttributeError, MemoryError, BufferError,
            AssertionError, ZeroDivisionError, RecursionError, NotImplementedError, OSError, LookupError, Deed)
# Not tried: what waits for ever on memory that nobody writes, what makes innocent calls fail afterwards, what writes
# files, and what keeps its argument for good.
LEFT_OUT = {"Stream.wait_value32", "Stream.wait_value64", "Stream.begin_capture", "Stream.capture", "set_debugging",
            "open_to_host", "init_cuda_context_fixture", "mark_cuda_test", "DebugMemoryPool", "make_default_context",
            "Graph.debug_dot", "context_dependent_memoize", "register_dtype", "get_or_register_dtype"}
# A NumPy that has them; those of object are the interpreter's.
GPUARRAY_PROTOCOLS = ["__add__", "__radd__", "__iadd__", "__sub__", "__mul__", "__imul__", "__truediv__", "__mod__", "__pow__",
                      "__rpow__", "__matmul__", "__neg__", "__abs__", "__eq__", "__lt__", "__and__", "__invert__", "__lshift__",
                      "__divmod__", "__bool__", "__int__", "__float__", "__index__", "__len__", "__getitem__", "__setitem__",
                      "__iter__", "__contains__", "__array_ufunc__", "__array_function__", "__dlpack__", "__dlpack_device__",
                      "__init__", "__repr__", "__hash__", "__copy__", "__deepcopy__", "__reduce__", "__setstate__"]
PROTOCOLS = ["__call__", "__enter__", "__exit__", "__int__", "__index__", "__len__", "__cuda_stream__", "__init__", "__repr__",
             "__hash__", "__eq__", "__reduce_ex__", "__dict__"]

SOURCE = """
struct Pair { char a; double b; };
__device__ int counter;
__global__ void f(int *a, int n, float x, Pair pair) { }
"""


# -- Arguments ---------------------------------------------------------------------------------------------------------


class Loop:
    """Names itself as its memory."""

    @property
    def gpudata(self):
        return self


class Liar:
    """Has every protocol, and each is wrong."""

    __cuda_array_interface__ = {"data": "x"}  # noqa: RUF012
    nbytes = "many"

    def __index__(self):
        return "no"  # noqa: PLE0305

    def __len__(self):
        return -1  # noqa: PLE0303

    def __cuda_stream__(self):
        return (0, 1 << 70)

    def __iter__(self):
        raise RuntimeError("no")


class Foreign:
    def __cuda_stream__(self):
        return (0, 0xDEAD)


def acting(deed, value):
    """An object that does something whenever it is asked for anything, and then is a number, an array, a stream, ..."""

    def asked(answer):
        def method(self, *args, **kwargs):
            if not isinstance(threading.current_thread(), threading._DummyThread):  # a callback may not call the driver
                deed()
            return answer() if callable(answer) else answer
        return method

    answers = {"__index__": value, "__int__": value, "__float__": float(value), "__bool__": bool(value), "__len__": 2,
               "__complex__": complex(value), "__iter__": lambda: iter((value, value)), "__call__": value,
               "__getitem__": value, "__array__": lambda: np.full(2, value % 100, np.float32), "__fspath__": "/dev/null",
               "__cuda_stream__": (0, 0), "__eq__": True, "__hash__": 1, "__repr__": "an acting object",
               "get_pointer": value, "pre_call": None, "post_call": None, "get_device_alloc": value}
    properties = {"gpudata": value, "nbytes": 8, "shape": (2,), "dtype": np.dtype("f4"), "strides": (4,), "size": 2, "ndim": 1,
                  "__cuda_array_interface__": {"data": (value, False), "shape": (2,), "typestr": "<f4", "version": 3},
                  "__array_interface__": {"data": b"12345678", "shape": (2,), "typestr": "<f4", "version": 3}}
    return type("Acting", (), {name: asked(answer) for name, answer in answers.items()}
                | {name: property(asked(answer)) for name, answer in properties.items()})()


def strange():
    """Values without a handle in them; many are right for something."""
    return [None, True, False, -1, 0, 1, 2, 3, 4, 64, 255, 1 << 16, 1 << 31, (1 << 32) - 1, 1 << 64, -(1 << 63), 10**30,
            (1 << 63) - 1, (1 << 64) - 1, 1 << 62, (1 << 61) + 1, -2, -(1 << 31), 65535,
            1.5, float("nan"), float("inf"), -0.0, 1e308, 1j, "", "f", "x", "/dev/null", "a\0b", "\udc80", "é" * 300, b"", b"1234",
            b"\x7fELF", bytearray(64), memoryview(b"12345678"), (), (1,), (1, 1), (1, 2, 3), [4, 1, 1], (1, 2, 3, 4), (0, 0), (-1, 1),
            ("a",), (1 << 40, 1 << 40), [1 << 62, 4], (0, 1 << 62), (1 << 31, 1 << 31, 2), (1,) * 40,
            {}, {"data": (1, False)}, set(), object(), object, int, Ellipsis, slice(None), slice(None, None, -1), slice(5, 1 << 70, 0),
            np.int64(4), np.uint8(7), np.float32(2), np.newaxis, (slice(1, 2), ..., None), (np.array([0, 1]), slice(None)),
            np.float64(3), np.complex64(1j), np.bool_(True), np.datetime64("2020-01-01"), np.str_("x"), np.bytes_(b"12345678"),
            np.dtype("f4"), np.float32, np.dtype([("a", "i1"), ("b", "f8")]), np.dtype(object), np.dtype("V0"), np.dtype("U0"),
            np.dtype(">f4"), np.zeros(16, np.uint8), np.zeros(()), np.zeros(0), np.zeros(1, np.float32), np.array([True, False]),
            np.zeros((4, 4), np.float32), np.zeros((4, 4), np.float32, "F"), np.zeros((4, 4))[::2, ::-1], np.zeros(2, np.int64),
            np.zeros(4, object), np.zeros(3, "U3"), np.zeros(1, "i1,f8"), np.zeros((2, 2, 2, 2)), np.broadcast_to(np.zeros(1), (9,)),
            np.frombuffer(b"12345678", np.uint8), np.zeros(3, "M8[s]"), np.array(1, ">f4"), np.zeros((1,) * 32),
            lambda *args: None, lambda *args: 1 / 0, Loop(), Liar(), Foreign(), cuda.jit_option.TARGET, "PPi", "i", "9999999999x",
            [(0, 1)], [(cuda.jit_option.MAX_REGISTERS, 16)], [(cuda.jit_option.INFO_LOG_BUFFER, 8)], [None], [[1]], iter(()), "C", "F",
            "K", "A", "raise", "wrap", "unsafe", types.SimpleNamespace(gpudata=1 << 20, shape=(4,), dtype=np.dtype("f4"))]


def descriptor(kind=None):
    descr = (kind or cuda.ArrayDescriptor)()
    descr.width, descr.height, descr.num_channels, descr.format = 4, 4, 1, cuda.array_format.FLOAT
    return descr


def box(kind):
    copy = kind()
    copy.set_src_host(np.zeros((4, 4), np.uint8))
    copy.set_dst_device(cuda.mem_alloc(16))
    copy.width_in_bytes = copy.src_pitch = copy.dst_pitch = copy.height = 4
    return copy


def resource_descriptor():
    descr = cuda.ResourceDescriptor()
    descr.set_array(cuda.Array(descriptor()))
    return descr


def surface():
    descr = descriptor(cuda.ArrayDescriptor3D)
    descr.flags = cuda.array3d_flags.SURFACE_LDST
    resource = cuda.ResourceDescriptor()
    resource.set_array(cuda.Array(descr))
    return cuda.SurfaceObject(resource)


def graph():
    made = cuda.Graph()
    made.add_memset(cuda.mem_alloc(16), 0, 4)
    return made


IMAGE = []  # of SOURCE, compiled once


def module():
    return cuda.module_from_buffer(IMAGE[0])


def another_context():
    made = cuda.Device(0).make_context()
    made.pop()
    return made


MAKERS = {
    "AlignedHostAllocation": lambda: cuda.aligned_empty(64, np.uint8).base,
    "ArgumentHandler": lambda: cuda.ArgumentHandler(np.zeros(4)),
    "Array": lambda: cuda.Array(descriptor()),
    "ArrayDescriptor": descriptor,
    "ArrayDescriptor3D": lambda: descriptor(cuda.ArrayDescriptor3D),
    "Context": another_context,
    "Device": lambda: cuda.Device(0),
    "DeviceAllocation": lambda: cuda.mem_alloc(64),
    "DeviceMemoryPool": cuda.DeviceMemoryPool,
    "Event": cuda.Event,
    "Function": lambda: module().get_function("f"),
    "Graph": graph,
    "GraphExec": lambda: graph().instantiate(),
    "GraphNode": lambda: cuda.Graph().add_empty(),
    "HostPointer": lambda: cuda.pagelocked_empty(8, np.uint8).base,
    "In": lambda: cuda.In(np.zeros(4, np.int32)),
    "InOut": lambda: cuda.InOut(np.zeros(4, np.int32)),
    "Linker": cuda.Linker,
    "ManagedAllocation": lambda: cuda.managed_empty(64, np.uint8).base,
    "Memcpy2D": lambda: box(cuda.Memcpy2D),
    "Memcpy3D": lambda: box(cuda.Memcpy3D),
    "Memcpy3DPeer": lambda: box(cuda.Memcpy3DPeer),
    "MemoryPool": cuda.MemoryPool,
    "Module": module,
    "Out": lambda: cuda.Out(np.zeros(4, np.int32)),
    "PageLockedAllocator": cuda.PageLockedAllocator,
    "PageLockedMemoryPool": cuda.PageLockedMemoryPool,
    "PagelockedHostAllocation": lambda: cuda.pagelocked_empty(64, np.uint8).base,
    "PooledDeviceAllocation": lambda: cuda.DeviceMemoryPool().allocate(64),
    "PooledHostAllocation": lambda: cuda.PageLockedMemoryPool().allocate(64, np.uint8).base,
    "RegisteredHostMemory": lambda: cuda.register_host_memory(cuda.aligned_empty(4096, np.uint8)).base,
    "ResourceDescriptor": resource_descriptor,
    "Stream": cuda.Stream,
    "StreamAllocation": lambda: cuda.mem_alloc_async(64),
    "SurfaceObject": surface,
    "TextureDescriptor": cuda.TextureDescriptor,
    "TextureObject": lambda: cuda.TextureObject(resource_descriptor()),
    "TextureReference": cuda.TextureReference,
    "GPUArray": lambda: gpuarray.zeros((4, 4), np.float32),
}
# Arguments alone: arrays of several sorts.
ARRAYS = {
    "bytes": lambda: gpuarray.to_gpu(np.arange(16, dtype=np.uint8)),
    "transposed": lambda: gpuarray.zeros((4, 2), np.float64).T,
    "reversed": lambda: gpuarray.zeros(9, np.int32)[::-2],
    "empty": lambda: gpuarray.empty((0, 3), np.float32),
    "scalar": lambda: gpuarray.zeros((), np.complex64),
    "structs": lambda: gpuarray.zeros(2, gpuarray.vec.float3),
    "mask": lambda: gpuarray.zeros(4, np.bool_),
}
# Need a driver with OpenGL or inter-process memory, or a module with references; their constructors are tried.
WITHOUT_INSTANCES = {"IPCMemoryHandle", "RegisteredBuffer", "RegisteredImage", "RegisteredMapping", "RegisteredObject", "SurfaceReference"}


def half_made(cls):
    """Without __init__, by way of a subclass that has its own and a __del__; None where that is refused."""

    def end(self):
        for name in ("synchronize", "free", "free_held", "get"):
            if hasattr(self, name):
                with contextlib.suppress(EXPECTED):
                    getattr(self, name)()

    own = type("Own", (cls,), {"__init__": lambda self: None, "__del__": end})
    try:
        return own.__new__(own)
    except EXPECTED:
        return None


# -- What is called ----------------------------------------------------------------------------------------------------


def classes():
    return {name: value for name, value in vars(cuda).items()
            if isinstance(value, type) and value.__module__ == "pycuda.driver" and not name.startswith("_")
            and not issubclass(value, (int, Exception)) and hasattr(_native, name)}


def targets():
    """(name, owner or class, whether that is a class) of all that can be called or assigned."""
    found = [(name, owner, False) for owner in (cuda, gpuarray, tools) for name, value in vars(owner).items()
             if callable(value) and not name.startswith("_")
             and getattr(value, "__module__", "").startswith("pycuda")
             and not (isinstance(value, type) and issubclass(value, (int, Exception)))]
    for name, cls in (classes() | {"GPUArray": gpuarray.GPUArray}).items():
        protocols = GPUARRAY_PROTOCOLS if name == "GPUArray" else PROTOCOLS
        found += [(f"{name}.{member}", cls, True) for member in dir(cls)
                  if not member.startswith("__") or member in protocols]
    return sorted({row for row in found if row[0] not in LEFT_OUT}, key=lambda row: (row[0], str(row[1])))


def parameters(function):
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 3, ()
    return len(found), tuple(p.name for p in found if p.kind is not p.VAR_POSITIONAL)


class Attempt:
    """Random calls with a pool of values; one for each thread."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.targets = targets()
        self.problems, self.shown, self.depth = [], "", 0
        self.calls = self.successes = 0

    def instances(self):
        """Of each class: in use, freed, half made, and of a context that is gone."""
        fresh = {name: make() for name, make in (MAKERS | ARRAYS).items()}
        other = cuda.Device(0).make_context()
        dead = {name: make() for name, make in (MAKERS | ARRAYS).items()} | {"Context": other}
        other.detach()
        used = {name: make() for name, make in MAKERS.items() if name not in ("Context", "MemoryPool", "GPUArray")}
        for instance in used.values():
            for release in ("free", "close", "unregister", "link_module"):
                if hasattr(instance, release):
                    with contextlib.suppress(cuda.Error):
                        getattr(instance, release)()
        half = {name: half_made(cls) for name, cls in (classes() | {"GPUArray": gpuarray.GPUArray}).items()
                if name not in ("Context", "MemoryPool")}
        return [fresh, dead, used, {name: instance for name, instance in half.items() if instance is not None}]

    # What an acting argument does.

    def free_something(self):
        instance = self.random.choice(list(self.random.choice(self.pool).values()))
        for name in ("free", "close", "unregister", "remove"):
            if hasattr(instance, name):
                with contextlib.suppress(cuda.Error):
                    getattr(instance, name)()

    def drop_something(self):
        pool = self.random.choice(self.pool)
        if len(pool) > 10:
            del pool[self.random.choice(list(pool))]

    def end_a_context(self):
        current = cuda.Context.get_current()
        if current and self.random.random() < 0.1:
            current.detach()
        else:
            another_context().detach()

    def call_something(self):
        if self.depth < 3:
            self.depth += 1
            shown = self.shown
            with contextlib.suppress(EXPECTED):
                self.attempt(*self.random.choice(self.targets))
            self.shown = shown
            self.depth -= 1

    def fail(self):
        raise self.random.choice([Deed("by itself"), TypeError("by itself"), MemoryError("by itself")])

    def quietly(self, deed):
        with contextlib.suppress(EXPECTED):
            deed()

    def in_another_thread(self):
        thread = threading.Thread(target=self.quietly, args=(self.free_something,))
        thread.start()
        thread.join()

    def acting(self):
        items = []

        def shrink():
            items.clear()
            gc.collect(0)

        deed = self.random.choice([self.fail, self.free_something, self.drop_something, self.end_a_context, self.call_something,
                                   self.call_something, shrink, self.in_another_thread, lambda: gc.collect(1)])
        one = acting(deed, self.random.choice([0, 1, 2, 8, 1 << 40, -1]))
        if self.random.random() < 0.7:
            return one
        items += [one, *(self.value() for _ in range(self.random.choice([0, 1, 2, 7])))]
        return items

    def value(self):
        kind = self.random.random()
        if kind < 0.45:
            return self.random.choice(self.strange)
        if kind < 0.6:
            return self.acting()
        pool = self.random.choice(self.pool)
        return self.random.choice(list(pool.values())) if pool else None

    def arguments(self, function):
        count, names = parameters(function)
        args = [self.value() for _ in range(max(0, self.random.choice([count, count, count, count - 1, count + 1, 0, 1])))]
        keywords = {}
        if self.random.random() < 0.2:
            keywords[self.random.choice([*names, "nonsense"])] = self.value()
        if "__call__" in getattr(function, "__name__", "") and self.random.random() < 0.8:
            keywords["block"] = self.random.choice([(1, 1, 1), (32, 1, 1), self.value()])
        return args, keywords

    def attempt(self, name, owner, is_class):
        self.shown = name
        if is_class:
            of, name = name.split(".")
            owner = self.random.choice([*(pool[of] for pool in self.pool if of in pool), owner])
        thing = getattr(owner, name)
        if callable(thing):
            args, keywords = self.arguments(thing)
            self.shown = f"{self.shown} of {show(owner)} with {show(args)} {show(keywords)}"
            thing(*args, **keywords)
        elif is_class and not isinstance(owner, type):
            value = self.value()
            self.shown = f"{self.shown} = {show(value)}"
            if self.random.random() < 0.1:
                delattr(owner, name)
            else:
                setattr(owner, name, value)

    def batch(self, count):
        self.strange = strange()
        for _ in range(count):
            self.calls += 1
            try:
                self.attempt(*self.random.choice(self.targets))
                self.successes += 1
            except EXPECTED as error:
                if not str(error) and not isinstance(error, (AssertionError, MemoryError, RecursionError)):
                    self.problems.append(f"{self.shown}: {error!r} says nothing")
            except Exception as error:  # noqa: BLE001
                self.problems.append(f"{self.shown}: {error!r}")
        self.strange = None


def show(value):
    """Without asking an object for its repr, which may act."""
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(map(show, list(value)[:6])) + ")"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {show(item)}" for key, item in list(value.items())[:4]) + "}"
    simple = isinstance(value, (int, float, complex, str, bytes, type, types.ModuleType, np.generic, np.dtype, type(None)))
    return f"{value!r:.60}" if simple else type(value).__name__


def count_objects():
    for _ in range(3):
        gc.collect()
    return {kind: _native._live_objects(kind) for kind in
            ("context", "module", "stream", "event", "array", "memory", "graph", "executable", "pool")}


def round_of_calls(attempts, count, threads):
    """With the same instances in each thread."""
    pool = attempts[0].instances()
    context = cuda.Context.get_current()

    def work(attempt):
        with contextlib.suppress(RuntimeError):  # a call of another thread has ended it
            context.push()
        attempt.batch(count // threads)
        while cuda.Context.get_current():
            cuda.Context.pop()

    for attempt in attempts[:max(threads, 1)]:
        attempt.pool = pool
    if threads:
        running = [threading.Thread(target=work, args=(attempt,)) for attempt in attempts[:threads]]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
    else:
        attempts[0].batch(count)
    for attempt in attempts:
        attempt.pool = None
    while cuda.Context.get_current():  # what methods made current, too
        cuda.Context.pop()


def main(seed, calls):
    faulthandler.enable()
    warnings.simplefilter("ignore")
    hooked = []

    def hook(what):  # exceptions of callbacks come here too
        error = what.exc_value
        faulted = getattr(error, "name", "") == "CUDA_ERROR_ILLEGAL_ADDRESS"  # a destructor may hear of it first
        if isinstance(error, (cuda.Error, SystemError)) and not faulted:
            hooked.append(f"a destructor: {error!r} in {type(what.object).__name__}")

    sys.unraisablehook = hook
    missing = (set(classes()) | {"GPUArray"}) ^ set(MAKERS) ^ WITHOUT_INSTANCES
    assert not missing, f"MAKERS lacks or has too many: {missing}"
    cuda.init()
    IMAGE.append(compiler.compile(SOURCE, no_extern_c=False))
    attempts = [Attempt(seed), Attempt(seed + 1)]
    before = count_objects()
    if "asan" not in os.environ.get("LD_PRELOAD", ""):  # which reserves more than anybody has
        space = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (space + (1 << 30),) * 2)
    for number in range(0, calls, ROUND):
        context = cuda.Device(0).make_context()
        which = number // ROUND
        round_of_calls(attempts, min(ROUND, calls - number), 2 if which % 8 == 7 else which % 4 == 3)
        tools.clear_context_caches()
        with contextlib.suppress(cuda.LogicError):  # a call did it
            context.detach()
        del context
        gc.collect()
    after = count_objects()
    problems = [problem for attempt in attempts for problem in attempt.problems] + hooked
    if after != before:
        problems.append(f"left over: {after}, and before {before}")
    print(f"seed {seed}: {sum(attempt.calls for attempt in attempts)} calls of {len(attempts[0].targets)} targets, "
          f"{sum(attempt.successes for attempt in attempts)} succeeded, {len(problems)} problems")
    print("\n".join(sorted(set(problems))))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 4000))
