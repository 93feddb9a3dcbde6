"""Every callable of pycuda.driver with arguments that nobody meant: clear exceptions, no crash, no leak.

``python hostile.py SEED [CALLS]`` prints the seed, then what went wrong. Functions, classes, methods and attributes
are found by themselves, instances of each class by the table below: in use, freed, and of a context that is gone.
"""

import faulthandler
import gc
import inspect
import os
import random
import resource
import sys
import threading
import warnings
from pathlib import Path

os.environ |= {"PYCUDA_DRIVER": "host", "HOSTCUDA_MEMORY": str(64 << 20)}

import numpy as np

import pycuda.driver as cuda
from pycuda import _native, compiler

# What a call may raise: documented classes, and what Python and NumPy raise for wrong arguments. Not SystemError,
# which is what the interpreter says of a C function that broke its rules.
EXPECTED = (cuda.Error, TypeError, ValueError, OverflowError, RuntimeError, AttributeError, MemoryError, BufferError,
            AssertionError, ZeroDivisionError, RecursionError, NotImplementedError, OSError)
# Not tried: what waits for ever on memory that nobody writes, and what makes innocent calls fail afterwards.
LEFT_OUT = {"Stream.wait_value32", "Stream.wait_value64", "Stream.begin_capture", "Stream.capture", "set_debugging"}

SOURCE = """
struct Pair { char a; double b; };
__device__ int counter;
__global__ void f(int *a, int n, float x, Pair pair) { }
"""


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


def strange():
    """Values without a handle in them; many are right for something."""
    return [None, True, False, -1, 0, 1, 2, 3, 4, 64, 255, 1 << 16, 1 << 31, (1 << 32) - 1, 1 << 64, -(1 << 63), 10**30,
            1.5, float("nan"), float("inf"), 1j, "", "f", "x", "/dev/null", "a\0b", "\udc80", "é" * 300, b"", b"1234", b"\x7fELF",
            bytearray(64), memoryview(b"12345678"), (), (1,), (1, 1), (1, 2, 3), [4, 1, 1], (1, 2, 3, 4), (0, 0), (-1, 1), ("a",),
            {}, {"data": (1, False)}, set(), object(), object, int, Ellipsis, np.int64(4), np.uint8(7), np.float32(2),
            np.float64(3), np.complex64(1j), np.bool_(True), np.datetime64("2020-01-01"), np.str_("x"), np.dtype("f4"),
            np.float32, np.dtype([("a", "i1"), ("b", "f8")]), np.dtype(object), np.zeros(16, np.uint8), np.zeros(()), np.zeros(0),
            np.zeros((4, 4), np.float32), np.zeros((4, 4), np.float32, "F"), np.zeros((4, 4))[::2, ::-1],
            np.zeros(4, object), np.zeros(3, "U3"), np.zeros(1, "i1,f8"), np.zeros((2, 2, 2, 2)), np.broadcast_to(np.zeros(1), (9,)),
            lambda *args: None, lambda *args: 1 / 0, Loop(), Liar(), Foreign(), cuda.jit_option.TARGET, "PPi", "i",
            [(0, 1)], [(cuda.jit_option.MAX_REGISTERS, 16)], [None], [[1]], iter(()), "C", "F", "K"]


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
    "In": lambda: cuda.In(np.zeros(4)),
    "InOut": lambda: cuda.InOut(np.zeros(4)),
    "Linker": cuda.Linker,
    "ManagedAllocation": lambda: cuda.managed_empty(64, np.uint8).base,
    "Memcpy2D": lambda: box(cuda.Memcpy2D),
    "Memcpy3D": lambda: box(cuda.Memcpy3D),
    "Memcpy3DPeer": lambda: box(cuda.Memcpy3DPeer),
    "MemoryPool": cuda.MemoryPool,
    "Module": module,
    "Out": lambda: cuda.Out(np.zeros(4)),
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
}
# Need a driver with OpenGL or inter-process memory, or a module with references; their constructors are tried.
WITHOUT_INSTANCES = {"IPCMemoryHandle", "RegisteredBuffer", "RegisteredImage", "RegisteredMapping", "RegisteredObject", "SurfaceReference"}


def classes():
    return {name: value for name, value in vars(cuda).items()
            if isinstance(value, type) and value.__module__ == "pycuda._driver" and not name.startswith("_")
            and not issubclass(value, (int, Exception)) and hasattr(_native, name)}


def targets():
    """(name, class or None) of all that can be called or assigned."""
    found = [(name, None) for name, value in vars(cuda).items()
             if callable(value) and not name.startswith("_")
             and getattr(value, "__module__", "").startswith("pycuda")
             and not (isinstance(value, type) and issubclass(value, (int, Exception)))]
    for name, cls in classes().items():
        found += [(f"{name}.{member}", cls) for member in dir(cls)
                  if not member.startswith("__") or member in ("__call__", "__enter__", "__exit__", "__int__",
                                                               "__index__", "__len__", "__cuda_stream__")]
    return [row for row in found if row[0] not in LEFT_OUT]


def parameters(function):
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 3, ()
    return len(found), tuple(p.name for p in found if p.kind is not p.VAR_POSITIONAL)


class Attempt:
    """Random calls with a pool of values."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.targets = targets()
        self.problems = []
        self.calls = self.successes = 0

    def instances(self):
        """Of each class: in use, freed, and of a context that is gone."""
        fresh = {name: make() for name, make in MAKERS.items()}
        other = cuda.Device(0).make_context()
        dead = {name: make() for name, make in MAKERS.items()} | {"Context": other}
        other.detach()
        used = {name: make() for name, make in MAKERS.items() if name not in ("Context", "MemoryPool")}
        for instance in used.values():
            for release in ("free", "close", "unregister", "link_module"):
                if hasattr(instance, release):
                    try:
                        getattr(instance, release)()
                    except cuda.Error:
                        pass
        return [fresh, dead, used]

    def value(self):
        if self.random.random() < 0.5:
            return self.random.choice(self.strange)
        return self.random.choice(list(self.random.choice(self.pool).values()))

    def arguments(self, function):
        count, names = parameters(function)
        args = [self.value() for _ in range(self.random.choice([count, count, count, count - 1, count + 1, 0, 1]))]
        keywords = {}
        if self.random.random() < 0.2:
            keywords[self.random.choice([*names, "nonsense"])] = self.value()
        if "__call__" in getattr(function, "__name__", "") and self.random.random() < 0.8:
            keywords["block"] = self.random.choice([(1, 1, 1), (32, 1, 1), self.value()])
        return args, keywords

    def attempt(self, name, cls):
        owner, self.shown = cuda, name
        if cls:
            name, member = name.split(".")
            instances = [pool[name] for pool in self.pool if name in pool]
            owner = self.random.choice([*instances, cls])
            name = member
        thing = getattr(owner, name)
        if callable(thing):
            args, keywords = self.arguments(thing)
            self.shown = f"{self.shown} of {owner!r:.60} with {args!r:.200} {keywords!r:.100}"
            thing(*args, **keywords)
        elif owner is not cls:
            value = self.value()
            self.shown = f"{self.shown} = {value!r:.100}"
            setattr(owner, name, value)

    def batch(self, count):
        self.strange = strange()
        for _ in range(count):
            name, cls = self.random.choice(self.targets)
            self.calls += 1
            try:
                self.attempt(name, cls)
                self.successes += 1
            except EXPECTED as error:
                if not str(error) and not isinstance(error, (AssertionError, MemoryError)):
                    self.problems.append(f"{self.shown}: {error!r} says nothing")
            except Exception as error:  # noqa: BLE001
                self.problems.append(f"{self.shown}: {error!r}")


def count_objects():
    gc.collect()
    return {kind: _native._live_objects(kind) for kind in
            ("context", "module", "stream", "event", "array", "memory", "graph", "executable", "pool")}


def round_of_calls(attempt, count, in_thread):
    attempt.pool = attempt.instances()
    if in_thread:
        thread = threading.Thread(target=attempt.batch, args=(count,))
        thread.start()
        thread.join()
    else:
        attempt.batch(count)
    attempt.pool = attempt.strange = None
    while cuda.Context.get_current():  # what methods made current, too
        cuda.Context.pop()


def main(seed, calls):
    faulthandler.enable()
    warnings.simplefilter("ignore")
    hooked = []

    def hook(what):  # exceptions of callbacks come here too
        if isinstance(what.exc_value, (cuda.Error, SystemError)):
            hooked.append(f"a destructor: {what.exc_value!r} in {what.object!r}")

    sys.unraisablehook = hook
    missing = set(classes()) ^ set(MAKERS) ^ WITHOUT_INSTANCES
    assert not missing, f"MAKERS lacks or has too many: {missing}"
    cuda.init()
    IMAGE.append(compiler.compile(SOURCE, no_extern_c=False))
    attempt = Attempt(seed)
    before = count_objects()
    space = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (space + (1 << 30),) * 2)
    for number in range(0, calls, 500):
        context = cuda.Device(0).make_context()
        round_of_calls(attempt, 500, number // 500 % 4 == 3)
        context.detach()
        del context
    after = count_objects()
    if after != before:
        attempt.problems.append(f"left over: {after}, and before {before}")
    problems = [*attempt.problems, *hooked]
    print(f"seed {seed}: {attempt.calls} calls of {len(attempt.targets)} targets, {attempt.successes} succeeded, "
          f"{len(problems)} problems")
    print("\n".join(sorted(set(problems))))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 4000))
