"""Each driver call of a tour through pycuda.driver fails once: an exception or success, no crash, no leak.

``python failures.py [all]`` finds the calls in the trace of the driver, so the tour says only what is done. Each call
fails with one status in turn, or with all of them. Then Python's own memory runs out at places of each action.
"""

import gc
import os
import sys
import tempfile
import warnings
from pathlib import Path

TRACE = tempfile.NamedTemporaryFile(prefix="pycuda-trace-")  # noqa: SIM115
os.environ["PYCUDA_TRACE"] = TRACE.name

try:
    import _testcapi
except ImportError:  # some distributions leave it out
    _testcapi = None
import hostile
import numpy as np

import pycuda.driver as cuda
from pycuda import _native, _on_host, compiler, gpuarray

# The driver never hears of a release that fails, nor where the context cannot be entered for one.
RELEASES = ("Free", "Destroy", "Unload", "Release", "Unregister", "CtxGetCurrent", "CtxPush", "CtxPop", "TrimTo")
OUT_OF_MEMORY = 2
STATUSES = (1, OUT_OF_MEMORY, 999)  # 1: INVALID_VALUE, 999: UNKNOWN


def kernel(*args, **keywords):
    return lambda: hostile.module().get_function("f")(*args, block=(1, 1, 1), **keywords)


def small_triangles():
    """Cholesky's, the one kernel for small matrices that compiles in less than seconds: some failures have it compiled again."""
    a = gpuarray.to_gpu(np.stack([np.eye(3)] * 4))
    _native._small_matrices(2, False, a, None, a.copy(), None, None, _native.zeros(5, np.int32))


def prepared():
    function = hostile.module().get_function("f").prepare("PifD")
    function.prepared_call((1, 1), (1, 1, 1), 0, 1, 2.0, 3j)
    return function.prepared_timed_call((1, 1), (1, 1, 1), 0, 1, 2.0, 3j)()


def copies():
    memory, stream, host = cuda.mem_alloc(64), cuda.Stream(), cuda.pagelocked_zeros(64, np.uint8)
    cuda.memcpy_htod(memory, host)
    cuda.memcpy_dtoh_async(host, memory, stream)
    cuda.memcpy_dtod(memory, memory, 8)
    cuda.memset_d2d32_async(memory, 16, 1, 2, 2, stream)
    cuda.memcpy_peer(memory, memory, 8)
    stream.synchronize()


def arrays():
    array = cuda.np_to_array(np.zeros((4, 4), np.float32), "C")
    host = np.zeros(16, np.uint8)
    cuda.memcpy_htoa(array, 0, host)
    cuda.memcpy_atoh(host, array, 0)
    return array.get_descriptor()


def contexts():
    with cuda.Device(0).retain_primary_context() as primary:
        cuda.Context.synchronize()
        cuda.mem_alloc(16)
    primary.detach()


def graphs():
    stream, memory = cuda.Stream(), cuda.mem_alloc(16)
    with stream.capture() as graph:
        cuda.memset_d8_async(memory, 1, 16, stream)
    run = graph.instantiate()
    run.launch(stream)
    run.update(graph.clone())
    stream.synchronize()


def events():
    start = cuda.Event().record()
    stream = cuda.Stream(priority=0)
    stream.wait_for_event(start)
    return cuda.Event().record(stream).synchronize().time_since(start), stream.is_done()


def pools():
    pool, host = cuda.DeviceMemoryPool(), cuda.PageLockedMemoryPool()
    blocks = [pool.allocate(100), pool.allocate(5000), host.allocate(10, int)]
    del blocks
    pool.free_held(), pool.stop_holding(), host.free_held()


def alive():
    x = gpuarray.empty((3, 4), np.float32)
    _native._describe_address(int(x.gpudata), int(x.gpudata) + 5, "x")
    return _native._live_memory(), _native._memory_counts(True)


PAIR = np.zeros((), np.dtype([("a", "i1"), ("b", "f8")], align=True))
TOUR = hostile.MAKERS | {
    "a launch": kernel(np.zeros(1, np.int32).ctypes.data, 1, 2.0, PAIR),
    "a launch with copies": kernel(cuda.InOut(np.zeros(4, np.int32)), 1, 2.0, PAIR, time_kernel=True),
    "a launch with attributes": kernel(cuda.In(np.zeros(4, np.int32)), 1, 2.0, PAIR, cooperative=True),
    "prepared calls": prepared, "copies": copies, "arrays": arrays, "contexts": contexts, "graphs": graphs,
    "events": events, "pools": pools,
    "attributes": lambda: (cuda.Device(0).get_attributes(), cuda.Device(0).name(), cuda.mem_get_info()),
    "what is alive": alive,
    "a global": lambda: hostile.module().get_global("counter"),
    "a 2D copy": lambda: hostile.box(cuda.Memcpy2D)(aligned=True),
    "a view of NumPy's": lambda: _on_host.view(gpuarray.to_gpu(np.eye(3))),
    "triangles of small matrices": small_triangles,
    "numpy.fft.fftshift": lambda: np.fft.fftshift(gpuarray.to_gpu(np.ones(4))).get(),
    "a GPUArray": lambda: (gpuarray.to_gpu(np.ones(4, np.float32)) + 1).get(),
}


def calls_of(action):
    """The entries that it calls, in their order."""
    start = Path(TRACE.name).stat().st_size
    action()
    gc.collect()
    text = Path(TRACE.name).read_text()[start:]
    return [line.partition("(")[0] for line in text.splitlines() if not line.startswith("cux")]


def out_of_memory(name, action, context, step, problems):
    """The nth allocation of an action fails, for some n. Counts are not compared: Python itself loses frames then."""
    for n in range(step % 13, 200, 1 if "all" in sys.argv else 13):
        _testcapi.set_nomemory(n, n + 1)
        try:
            action()
        except (MemoryError, *hostile.EXPECTED):
            pass
        except Exception as error:  # noqa: BLE001
            _testcapi.remove_mem_hooks()
            problems.append(f"{name}, allocation {n} fails: {error!r}")
        _testcapi.remove_mem_hooks()
        come_back(context)


def come_back(context):
    while cuda.Context.get_current() is not context:
        cuda.Context.pop() if cuda.Context.get_current() else context.push()


def main():
    warnings.simplefilter("ignore")
    sys.unraisablehook = lambda what: None  # destructors report what is made to fail here
    cuda.init()
    context = cuda.Device(0).make_context()
    hostile.IMAGE.append(compiler.compile(hostile.SOURCE))
    problems, tried = [], 0
    for name, action in TOUR.items():
        action()
        calls = calls_of(action)
        before = hostile.count_objects()
        for i, entry in enumerate(calls):
            nth = calls[: i + 1].count(entry)
            for status in STATUSES if "all" in sys.argv else STATUSES[tried % 3 :][:1]:
                _native._inject_failure(entry, nth, status)
                tried += 1
                try:
                    action()
                except hostile.EXPECTED:
                    pass
                except Exception as error:  # noqa: BLE001
                    problems.append(f"{name}, call {nth} of {entry} answers {status}: {error!r}")
                _native._inject_failure(entry, 0, 0)
                come_back(context)
                after = hostile.count_objects()
                changes = {kind: after[kind] - before[kind] for kind in after if after[kind] != before[kind]}
                if status == OUT_OF_MEMORY and changes.get("memory", 0) < 0:
                    del changes["memory"]  # what kernels kept to work in is given back then
                if changes and not any(word in entry for word in RELEASES):
                    problems.append(f"{name}, call {nth} of {entry} answers {status}: left over {changes}")
                before = after
    for step, (name, action) in enumerate(TOUR.items() if _testcapi else ()):
        out_of_memory(name, action, context, step, problems)
    print(f"{tried} failures of {len(TOUR)} actions, {len(problems)} problems")
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
