"""Code for blocks whose rows are not whole warps is compiled for the first launch that needs it."""

import ctypes
import logging
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native, gpuarray
from pycuda.compiler import SourceModule

pytestmark = [pytest.mark.host, pytest.mark.usefixtures("context")]

SOURCE = """
#include <cooperative_groups.h>
static __device__ int warps;
// The sum of each warp of the block, by the warp's number, and how many warps there were before.
extern "C" __global__ void sums(const int *x, int *y)
{
    int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), v = x[t];
    for (int k = 16; k > 0; k /= 2)
        v += __shfl_down_sync(0xffffffff, v, k);
    if (t % 32 == 0)
        y[t / 32] = v, y[30] = atomicAdd(&warps, 1);
}
extern "C" __global__ void rows(int *y) { y[threadIdx.x] = threadIdx.x; }
"""
HOSTCC = Path(cuda.__file__).parent / "hostcc"
FLAT, SQUARE = (192, 1, 1), (24, 4, 2)
X = np.arange(192, dtype="i4") ** 2
SUMS = X.reshape(6, 32).sum(1)


def module(**keywords):
    return SourceModule(SOURCE, no_extern_c=True, **{"cache_dir": "", **keywords})


class Launches:
    """The memory of a launch, and whether it is right after it."""

    def __init__(self):
        self.x, self.y = gpuarray.to_gpu(X), gpuarray.zeros(32, np.int32)

    def check(self):
        cuda.Context.synchronize()
        assert (self.y.get()[:6] == SUMS).all()
        self.y.fill(0)


def compilations(caplog):
    return sum("hostcc compiled sums" in record.getMessage() for record in caplog.records)


def test_first_launch_that_needs_it(caplog, tmp_path):
    caplog.set_level(logging.INFO, "pycuda")
    for turn in range(2):  # the second time from the cache
        sums, launches = module(cache_dir=tmp_path).get_function("sums"), Launches()
        for block, compiled in ((FLAT, 1), (SQUARE, 2), (SQUARE, 2), (FLAT, 2), ((2, 96, 1), 2), ((96, 2, 1), 2)):
            sums(launches.x, launches.y, block=block)
            launches.check()
            assert compilations(caplog) == compiled + (turn and 2 - compiled)
        sums(launches.x, launches.y, block=FLAT)
        assert 36 <= launches.y.get()[30] < 42  # both layouts count in one variable


def plainly(sums, launches):
    sums(launches.x, launches.y, block=SQUARE)


def prepared(sums, launches):
    sums.prepare("PP").prepared_call((1, 1), SQUARE, launches.x.gpudata, launches.y.gpudata)


def in_a_stream(sums, launches):
    sums(launches.x, launches.y, block=SQUARE, stream=cuda.Stream())


def cooperatively(sums, launches):
    sums(launches.x, launches.y, block=SQUARE, cooperative=True)


def of_before_cuda_4(sums, launches):
    sums.param_set_size(16)
    sums.param_setv(0, np.array([int(launches.x.gpudata), int(launches.y.gpudata)], np.uintp))
    sums.set_block_shape(*SQUARE)
    sums.launch_grid(1, 1)


def as_a_node(sums, launches):
    graph = cuda.Graph()
    graph.add_kernel(sums, (launches.x, launches.y), block=SQUARE)
    graph.instantiate().launch()


def as_a_node_that_changes(sums, launches):
    graph = cuda.Graph()
    node = graph.add_kernel(sums, (launches.x, launches.y), block=FLAT)
    run = graph.instantiate()
    run.set_kernel(node, sums, (launches.x, launches.y), block=SQUARE)
    run.launch()


def captured(sums, launches):
    stream = cuda.Stream()
    with stream.capture() as graph:
        sums(launches.x, launches.y, block=SQUARE, stream=stream)
    graph.instantiate().launch()


@pytest.mark.parametrize("launch", [plainly, prepared, in_a_stream, cooperatively, of_before_cuda_4, as_a_node,
                                    as_a_node_that_changes, captured], ids=lambda launch: launch.__name__)
def test_all_ways_to_launch(launch):
    sums, launches = module().get_function("sums"), Launches()
    launch(sums, launches)
    launches.check()


def test_inline_ptx(caplog):
    caplog.set_level(logging.INFO, "pycuda")
    call = "v += __shfl_down_sync(0xffffffff, v, k);"
    assembly = """{ int w; asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(w) : "r"(v), "r"(k));
                    v += w; }"""
    assert call in SOURCE
    sums = SourceModule(SOURCE.replace(call, assembly), no_extern_c=True, cache_dir="").get_function("sums")
    launches = Launches()
    for block, compiled in ((FLAT, 1), (SQUARE, 2)):
        sums(launches.x, launches.y, block=block)
        launches.check()
        assert compilations(caplog) == compiled


def test_rows_alone_need_nothing(caplog):
    caplog.set_level(logging.INFO, "pycuda")
    rows, y = module().get_function("rows"), gpuarray.zeros(32, np.int32)
    rows(y, block=(24, 2, 1))
    assert (y.get()[:24] == np.arange(24)).all() and compilations(caplog) == 1


@pytest.mark.parametrize("options", [["-G"], ["--check=memory"]], ids=str)
def test_options_with_both_at_once(caplog, options):
    caplog.set_level(logging.INFO, "pycuda")
    sums, launches = module(options=options).get_function("sums"), Launches()
    before = compilations(caplog)
    plainly(sums, launches)
    launches.check()
    assert compilations(caplog) == before


def test_eager(caplog, monkeypatch):
    monkeypatch.setenv("CUDA_MODULE_LOADING", "EAGER")
    test_options_with_both_at_once(caplog, [])


def test_compiler_that_fails(monkeypatch):
    sums, launches = module().get_function("sums"), Launches()
    monkeypatch.setenv("PYCUDA_HOSTCC", "/bin/false")
    for _ in range(2):
        with pytest.raises(cuda.CompileError, match="hostcc compilation"):
            plainly(sums, launches)
    sums(launches.x, launches.y, block=FLAT)  # needs no more
    launches.check()
    monkeypatch.delenv("PYCUDA_HOSTCC")
    plainly(sums, launches)
    launches.check()


def test_interrupted(monkeypatch, tmp_path):
    """A signal's exception comes out of the launch, and later launches go well."""
    sums, launches = module().get_function("sums"), Launches()
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nkill -USR1 $PPID\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PYCUDA_HOSTCC", str(slow))

    class Enough(Exception):
        pass

    def stop(*_):
        raise Enough

    before = signal.signal(signal.SIGUSR1, stop)
    try:
        start = time.monotonic()
        with pytest.raises(Enough):
            plainly(sums, launches)
        assert time.monotonic() - start < 50
    finally:
        signal.signal(signal.SIGUSR1, before)
    monkeypatch.delenv("PYCUDA_HOSTCC")
    plainly(sums, launches)
    launches.check()


def test_threads(context):
    """Threads that all launch what none has loaded; the first loads it for all, or several do."""
    sums, errors = module().get_function("sums"), []
    barrier = threading.Barrier(6)

    def work():
        context.push()
        try:
            launches = Launches()
            barrier.wait()
            sums(launches.x, launches.y, block=SQUARE, stream=cuda.Stream())
            launches.check()
        except (cuda.Error, AssertionError) as error:
            errors.append(error)
        finally:
            cuda.Context.pop()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def test_launches_by_other_bindings():
    """The driver asks whoever loaded it, also where another library calls it."""
    sums, launches = module().get_function("sums"), Launches()
    library = ctypes.CDLL(_native._driver_path())
    values = [ctypes.c_void_p(int(a.gpudata)) for a in (launches.x, launches.y)]
    arguments = (ctypes.c_void_p * 2)(*(ctypes.addressof(value) for value in values))
    status = library.cuLaunchKernel(ctypes.c_void_p(sums.handle), 1, 1, 1, *SQUARE, 0, None, arguments, None)
    assert status == 0
    launches.check()


def test_context_that_ends_meanwhile(monkeypatch, tmp_path):
    program = f"""
import numpy as np, os, threading, pycuda.driver as cuda
from pycuda.compiler import SourceModule
cuda.init()
context = cuda.Device(0).make_context()
sums = SourceModule({SOURCE!r}, no_extern_c=True, cache_dir="").get_function("sums")
memory = cuda.mem_alloc(4096)
os.environ["PYCUDA_HOSTCC"] = "{tmp_path}/slow"
def end():
    open("{tmp_path}/begun").read()  # of the compiler
    context.detach()
    open("{tmp_path}/ended", "w").close()
thread = threading.Thread(target=end)
thread.start()
try:
    sums(memory, memory, block=(24, 2, 1))
except cuda.LogicError as error:
    print("refused:", error)
thread.join()
"""
    for fifo in ("begun", "ended"):
        subprocess.run(["mkfifo", tmp_path / fifo], check=True)
    slow = tmp_path / "slow"
    slow.write_text(f"#!/bin/sh\n: >{tmp_path}/begun\ncat {tmp_path}/ended\nexec {HOSTCC} \"$@\"\n")
    slow.chmod(0o755)
    run = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0 and run.stdout.startswith("refused:"), (run.returncode, run.stdout, run.stderr)
