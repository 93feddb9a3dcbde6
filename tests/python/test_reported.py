"""What users of PyCUDA report most: aborts on clean-up, pools at exit, other threads, other libraries, page-locked
memory, installation. Each sort of report is a test here, unless it is one of a module's own."""

import ctypes
import gc
import itertools
import os
import subprocess
import sys
import threading
from functools import partial

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native
from pycuda.compiler import SourceModule

THINGS = {
    "memory": lambda: cuda.mem_alloc(64),
    "stream": cuda.Stream,
    "kernel": lambda: SourceModule("__global__ void f() { }").get_function("f"),
    "block": lambda: cuda.DeviceMemoryPool().allocate(64),
    "array": lambda: cuda.pagelocked_empty(8, np.uint8),
}


@pytest.mark.host  # which counts
def test_clean_up_in_any_order(unraisable):
    """Of a context and what lives in it, with or without it being current, and after its end."""
    cuda.init()
    before = _native._live_objects()
    for i, order in enumerate(itertools.permutations([*THINGS, "context"])):
        if i % 5:
            continue
        held = {"context": cuda.Device(0).make_context()} | {name: make() for name, make in THINGS.items()}
        if i % 2:
            cuda.Context.pop()
        elif i % 4:
            held["context"].detach()
        for name in order:
            del held[name]
        if cuda.Context.get_current():
            cuda.Context.pop()
    gc.collect()
    assert _native._live_objects() == before and not unraisable


def in_threads(count, work):
    wrong = []

    def run():
        try:
            work()
        except Exception as error:  # noqa: BLE001
            wrong.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_primary_context_in_threads(context):
    """Each retains, uses and drops it, some without a pop; nothing stays."""
    counted = _native._is_host_device() and _native._live_objects()

    def work(leave):
        primary = cuda.Device(0).retain_primary_context()
        primary.push()
        data = np.arange(100)
        assert (cuda.from_device(cuda.to_device(data), 100, int) == data).all()
        if not leave:
            cuda.Context.pop()

    in_threads(4, lambda: work(False))
    in_threads(4, lambda: work(True))
    gc.collect()
    assert not counted or _native._live_objects() == counted
    assert cuda.Context.get_current() is context


def test_threads_share_one_context(context):
    """Pushed in each; what one made another uses and drops."""
    stack = []

    def work():
        with context:
            for i in range(20):
                stack.append((i, cuda.to_device(np.full(8, i)), cuda.Stream()))
                number, memory, stream = stack.pop(0)
                host = np.empty(8, int)
                cuda.memcpy_dtoh_async(host, memory, stream)
                stream.synchronize()
                assert (host == number).all()

    in_threads(8, work)


@pytest.mark.host  # a GPU's driver believes in handles
def test_context_that_another_library_ends(context, unraisable):
    """What lived in it says so when it is used, and goes without a word."""
    library = ctypes.CDLL(_native._driver_path())
    other = cuda.Device(0).make_context()
    memory, stream, event = cuda.mem_alloc(64), cuda.Stream(), cuda.Event()
    assert library.cuCtxDestroy_v2(ctypes.c_void_p(other.handle)) == 0
    assert cuda.Context.get_current() is context
    uses = [stream.synchronize, other.push, partial(event.record, stream)]
    for use in uses:
        with pytest.raises(cuda.LogicError):
            use()
    del memory, stream, event, other, uses, use
    gc.collect()
    assert not unraisable and cuda.mem_alloc(64)


BEGIN = "import threading, pycuda.driver as cuda, pycuda.autoinit as a\n"


@pytest.mark.parametrize("code", [
    "pool = cuda.DeviceMemoryPool(); a.block = pool.allocate(9); a.context.pop()",
    "pool = cuda.PageLockedMemoryPool(); block = pool.allocate(9, int); a.context.detach()",
    "pool = cuda.DeviceMemoryPool(); held = [pool.allocate(9) for _ in range(9)]; del held[::2], pool",
    "pool = cuda.DeviceMemoryPool(); block = pool.allocate(9); pool.destroy(); del cuda, a",
    "import sys\nwith cuda.Device(0).make_context(): cuda.mem_alloc(9); sys.exit()",
    ("def work(): a.context.push(); a.memory = cuda.mem_alloc(9); started.set(); threading.Event().wait()\n"
     "started = threading.Event(); threading.Thread(target=work, daemon=True).start(); started.wait()"),
    ("import atexit; memory = cuda.mem_alloc(9)\n"
     "@atexit.register\ndef late(): cuda.mem_alloc(9); a.context.pop()"),
])
def test_exit(run_python, code):
    done = run_python(BEGIN + code)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("dtype", ["u1", "f4", "f8", "c16"])
@pytest.mark.parametrize("count", [1, 511, 4097])
def test_registered_memory_is_whole(context, dtype, count):
    """And ordinary again afterwards, so that it can be registered once more."""
    array = cuda.aligned_zeros(count, dtype)
    array[:] = np.arange(count).astype(dtype)
    for _ in range(2):
        registered = cuda.register_host_memory(array)
        memory, stream = cuda.mem_alloc(array.nbytes), cuda.Stream()
        cuda.memcpy_htod_async(memory, registered, stream)
        stream.synchronize()
        assert (cuda.from_device_like(memory, array) == array).all()
        registered.base.unregister()


def test_import_needs_nothing():
    """No compiler, no toolkit, no GPU, no home."""
    code = ("import pycuda.driver, pycuda.gpuarray, pycuda.compiler, pycuda.tools, pycuda.gl\n"
            "import pycuda.elementwise, pycuda.reduction, pycuda.scan, pycuda.curandom, pycuda.characterize")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd="/",
                          env={"PATH": "/nonexistent"} | {name: os.environ[name] for name in (
                              "LD_LIBRARY_PATH", "PYTHONPATH") if name in os.environ},
                          check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
