"""Who may run while a driver call is made: other threads, where the call may last or wait for a callback, and then what
they change must be borne. A driver that only records tells whether the GIL was let go and lets Python code run within
a call."""


import pytest

import pycuda.driver as cuda

BEGIN = """
import ctypes, gc, os
import numpy as np
import pycuda.driver as cuda
from pycuda import _native, gpuarray
from pycuda.elementwise import ElementwiseKernel
cuda.init()
context = cuda.Device(0).make_context()
driver = ctypes.CDLL(os.environ["PYCUDA_DRIVER"])
with_gil, without_gil = (ctypes.c_int.in_dll(driver, name) for name in ("with_gil", "without_gil"))

def load():
    return cuda.module_from_buffer(b"// PTX .version 8.0\\n.target sm_90\\n.visible .entry f() { ret; }\\0")

def show(call):
    with_gil.value = without_gil.value = 0
    call()
    gc.collect()
    print("held" if with_gil.value else "let go" if without_gil.value else "no call")
"""


@pytest.fixture
def run(run_python, fake_driver, fake_nvrtc, tmp_path):
    def run(code, **environment):
        done = run_python(BEGIN + code, PYCUDA_DRIVER=fake_driver, PYCUDA_NVRTC=fake_nvrtc,
                          PYCUDA_CACHE_DIR=str(tmp_path), **environment)
        assert (done.stderr, done.returncode) == ("", 0)
        return done.stdout.split("\n")[:-1]

    return run


def test_callbacks_on_their_way(run):
    """What a driver may hold up until a callback, which needs the GIL, has returned: launches, and unloading of
    modules, users' own and those of kernels made to measure."""
    code = """
stream, x = cuda.Stream(), gpuarray.GPUArray(4, np.float32)
twice = ElementwiseKernel("float *x", "x[i] *= 2")
function, held = load().get_function("f"), [load()]
launches = [lambda: function(block=(1, 1, 1)), lambda: x + x, lambda: twice(x)]
for launch in launches:
    show(launch)
stream.add_callback(print)
assert _native._callbacks() == 1
for launch in launches:
    show(launch)
show(held.clear)
del launches, launch
def drop():
    global twice
    del twice
show(drop)
"""
    assert run(code) == ["held"] * 3 + ["let go"] * 5


@pytest.mark.parametrize(("grid", "block", "expected"), [
    ((1, 1), (32, 1, 1), "held"), ((512, 1), (32, 1, 1), "held"), ((513, 1), (32, 1, 1), "let go"),
    ((1 << 30, 1 << 15, 1 << 15), (16, 1, 1), "let go"),  # 2**64 threads
    ((1 << 30, 1 << 15, 1 << 15), (16, 4, 1), "let go"), ((1 << 31, 65535, 65535), (1024, 1, 1), "let go")])
def test_large_launches(run, grid, block, expected):
    """Up to 16384 threads are launched with the GIL. Six extents can be more than 64 bits hold."""
    assert run(f"show(lambda: load().get_function('f')(block={block}, grid={grid}))")[0] == expected


def test_a_pool_may_end_while_it_frees(run):
    """cuMemFree is made without the GIL: here another "thread" ends the context, and its pool with it."""
    code = """
blocks = [gpuarray.GPUArray(1 << k, np.uint8) for k in range(20)]
del blocks
called = []

@ctypes.CFUNCTYPE(None)
def end():
    if not called:
        called.append(1)
        context.detach()
        called.append(bytearray(bytes([255]) * 100000))

ctypes.c_void_p.in_dll(driver, "on_free").value = ctypes.cast(end, ctypes.c_void_p).value
_native._inject_failure("cuMemAlloc", 1, 2)  # out of memory: the context's pool frees what it holds
cuda.mem_alloc(1 << 30)
print(len(called))
"""
    assert run(code, PYTHONMALLOC="debug") == ["2"]


def test_missing_memory_is_said(context):
    """Where Python has no memory for a list of nodes, that is the exception."""
    testcapi = pytest.importorskip("_testcapi")
    graph = cuda.Graph()
    first = graph.add_empty()
    second = graph.add_empty(after=[first])
    for call in (lambda: second.dependencies, lambda: first.dependents, lambda: graph.add_empty(after=(first,)),
                 lambda: graph.add_empty(after=first)):
        raised = 0
        for n in range(12):
            testcapi.set_nomemory(n, n + 1)
            try:
                call()
            except MemoryError:
                raised += 1
            finally:
                testcapi.remove_mem_hooks()
        assert raised >= 2


PENDING = """
import ctypes, gc, sys, weakref
import pycuda.driver as cuda
cuda.init()
context = cuda.Device(0).make_context()
sys.setswitchinterval(100)
add, nothing = ctypes.pythonapi.Py_AddPendingCall, ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda _: 0)
class Argument: pass
def fill(stream, status, argument):
    while add(nothing, None) == 0:
        pass
stream, arguments = cuda.Stream(), [Argument(), Argument()]
gone = [weakref.ref(argument) for argument in arguments]
stream.add_callback(fill, arguments[0])
stream.synchronize()
stream.add_callback(lambda *args: None, arguments[1])
stream.synchronize()
del arguments
for _ in range(1000):
    pass
print([reference() is None for reference in gone])
"""


@pytest.mark.host
def test_what_callbacks_held_goes_when_the_queue_was_full(run_python):
    """The main thread drops it; the interpreter takes no more than 32 calls for that thread at a time."""
    done = run_python(PENDING)
    assert (done.stdout, done.stderr) == ("[True, True]\n", "")


# -- The module's end -------------------------------------------------------------------------

AGAIN = """
import gc, signal, sys, threading, weakref
import numpy as np
def load():
    import pycuda.driver as cuda
    from pycuda import compiler, _native
    return cuda, compiler, _native
def forget():
    gone = weakref.ref(sys.modules["pycuda._native"])
    for name in [name for name in sys.modules if name.partition(".")[0] == "pycuda"]:
        del sys.modules[name]
    return gone
first = load()
first[0].init()
gone = forget()
del first
gc.collect()
print(gone() is None)
junk = [bytearray([255] * size) for size in range(500, 5000, 8)]  # where its state was
cuda, compiler, native = load()
if INIT:
    cuda.init()
context = cuda.Device(0).make_context()
flag = cuda.managed_zeros(1, np.int32, mem_flags=cuda.mem_attach_flags.GLOBAL)
kernel = compiler.SourceModule("__global__ void wait(volatile int *flag) { while (*flag == 0) ; }").get_function("wait")
def end(*args):
    flag[0] = 1
    raise KeyboardInterrupt
signal.signal(signal.SIGALRM, end)
stream = cuda.Stream()
kernel(flag, block=(1, 1, 1), stream=stream)
if not INIT:  # nobody runs the handler during the wait
    threading.Timer(0.3, lambda: flag.fill(1)).start()
signal.setitimer(signal.ITIMER_REAL, 0.1)
try:
    stream.synchronize()
    print("waited")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.host
@pytest.mark.parametrize("init", [False, True])
def test_the_driver_outlives_the_module(run_python, init):
    """It asks the module during waits whether to go on: no more once that is gone, and the next one after init()."""
    done = run_python(AGAIN.replace("INIT", str(init)), PYTHONMALLOC="debug")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["True", "interrupted"]
