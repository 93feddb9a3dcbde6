"""Ctrl-C while the device works: every call that waits returns, and nothing is lost."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native
from pycuda.compiler import SourceModule

pytestmark = pytest.mark.host  # a GPU's driver does not let go of a thread that waits

SOURCE = "__global__ void wait(volatile int *flag) { while (*flag == 0) ; }"


class Work:
    """A kernel that runs until `end` is called."""

    def __init__(self):
        self.flag = cuda.managed_zeros(1, np.int32)
        self.kernel = SourceModule(SOURCE).get_function("wait")
        self.stream = cuda.Stream()
        self.event = cuda.Event()
        self.memory = cuda.mem_alloc(1 << 20)
        self.array = np.full(1 << 20, 7, np.uint8)

    def start(self):
        self.kernel(self.flag, block=(1, 1, 1), stream=self.stream)
        self.event.record(self.stream)

    def end(self):
        self.flag[0] = 1
        cuda.Context.synchronize()


@pytest.fixture
def work(context):
    work = Work()
    work.start()
    yield work
    work.end()


@pytest.fixture
def alarm():
    """alarm(handler): the handler runs in a moment, as a signal's."""
    before = signal.getsignal(signal.SIGALRM)

    def alarm(handler, *args):
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.02, *args)

    yield alarm
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


WAITS = {
    "Context.synchronize": lambda work: cuda.Context.synchronize(),
    "Stream.synchronize": lambda work: work.stream.synchronize(),
    "Event.synchronize": lambda work: work.event.synchronize(),
    "memcpy_dtoh": lambda work: cuda.memcpy_dtoh(work.array, work.memory),
    "memcpy_htod": lambda work: cuda.memcpy_htod(work.memory, work.array),
    "memcpy_dtoh_async": lambda work: cuda.memcpy_dtoh_async(work.array, work.memory, work.stream),
    "from_device": lambda work: cuda.from_device(work.memory, 4, np.int32),
    "InOut": lambda work: work.kernel(cuda.InOut(work.array.view(np.int32)), block=(1, 1, 1)),
    "time_kernel": lambda work: work.kernel(work.flag, block=(1, 1, 1), time_kernel=True),
    "mem_alloc.free": lambda work: cuda.mem_alloc(1 << 20).free() or cuda.Context.synchronize(),
}


@pytest.mark.parametrize("wait", WAITS.values(), ids=WAITS)
def test_interrupt(work, alarm, wait):
    with pytest.raises(KeyboardInterrupt):
        alarm(signal.default_int_handler)
        wait(work)
    assert not work.stream.is_done()
    work.end()
    assert (work.array == 7).all()  # the copy was dropped
    cuda.memset_d8(work.memory, 5, 4)
    assert cuda.from_device(work.memory, 4, np.uint8).tolist() == [5] * 4


def test_much_is_queued(work, alarm):
    """Behind the kernel: three streams, each with copies and an event of the one before, and a
    graph of two more such kernels. What was queued is done in the end, in order."""
    before, streams = work.event, [cuda.Stream() for _ in range(3)]
    host = [cuda.pagelocked_empty(1 << 20, np.uint8) for _ in streams]
    for i, stream in enumerate(streams):
        stream.wait_for_event(before)
        cuda.memset_d8_async(work.memory, i + 1, 1 << 20, stream)
        cuda.memcpy_dtoh_async(host[i], work.memory, stream)
        before = cuda.Event().record(stream)
    with work.stream.capture() as graph:
        work.kernel(work.flag, block=(1, 1, 1), stream=work.stream)
        work.kernel(work.flag, block=(1, 1, 1), stream=work.stream)
    run = graph.instantiate()
    run.launch(work.stream)
    run.launch(streams[2])
    for wait in (streams[2].synchronize, before.synchronize, work.stream.synchronize,
                 cuda.Context.synchronize):
        with pytest.raises(KeyboardInterrupt):
            alarm(signal.default_int_handler)
            wait()
    assert not streams[0].is_done() and not before.query()
    del run, graph
    work.end()
    assert [array[[0, -1]].tolist() for array in host] == [[1, 1], [2, 2], [3, 3]]


def test_handlers_run_during_a_wait(work, alarm):
    """A handler that raises nothing lets the wait go on; its own exceptions come through."""
    calls = []

    def handler(number, frame):
        calls.append(number)
        if len(calls) == 2:
            raise TimeoutError("enough")

    with pytest.raises(TimeoutError, match="enough"):
        alarm(handler, 0.1)
        cuda.Context.synchronize()
    assert calls == [signal.SIGALRM] * 2


def test_destructor(work, alarm, unraisable):
    """What interrupts a destructor comes right after it; the memory goes when the work is done."""
    memory = cuda.mem_alloc(1 << 20)
    before = _native._live_objects("memory")
    with pytest.raises(KeyboardInterrupt):
        alarm(signal.default_int_handler)
        del memory
        for _ in range(1000):
            threading.Event()
    assert _native._live_objects("memory") == before and not unraisable
    work.end()
    cuda.mem_alloc(4).free()
    assert _native._live_objects("memory") == before - 1


def test_registered_memory_stays(work, alarm, unraisable):
    array = cuda.aligned_zeros(1 << 12, np.uint8)
    references = sys.getrefcount(array)
    registered = cuda.register_host_memory(array)
    with pytest.raises(KeyboardInterrupt):
        alarm(signal.default_int_handler)
        registered.base.unregister()
    del registered
    assert sys.getrefcount(array) == references + 1 and not unraisable


EXIT = f"""
import numpy as np, threading
import pycuda.autoinit, pycuda.driver as cuda
from pycuda.compiler import SourceModule
kernel = SourceModule({SOURCE!r}).get_function("wait")
flag, memory = cuda.managed_zeros(1, np.int32), [cuda.mem_alloc(1 << 20) for _ in range(100)]
kernel(flag, block=(1, 1, 1))

def wait():
    pycuda.autoinit.context.push()
    cuda.Context.synchronize()

print("started", flush=True)
"""


def wait_until_asleep(process):
    """Until its main thread waits for the device: what it says before, it may say long before."""
    state = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/stat")
    while process.poll() is None and state.read_text().rpartition(")")[2].split()[0] != "S":
        time.sleep(0.01)


def run(code, interrupt):
    process = subprocess.Popen([sys.executable, "-c", code], cwd="/", text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == "started\n"
    if interrupt:
        wait_until_asleep(process)
        os.kill(process.pid, signal.SIGINT)
    try:
        _, errors = process.communicate(timeout=600)
    finally:
        process.kill()
    return process.returncode, errors


@pytest.mark.parametrize("tail, status, error", [
    ("", 0, ""),
    ("cuda.Context.synchronize()", -signal.SIGINT, "KeyboardInterrupt"),
    ("threading.Thread(target=wait, daemon=True).start()", 0, ""),
])
def test_exit(tail, status, error):
    """A kernel that never ends does not keep the process."""
    returncode, errors = run(EXIT + tail, bool(error))
    assert returncode == status and error in errors and (error or not errors)


# Nothing in the loop asks whether to go on, so nothing can end it.
NEVER = """
import threading
import numpy as np
import pycuda.driver as cuda
from pycuda.compiler import SourceModule
cuda.init()
context = cuda.Device(0).make_context()
kernel = SourceModule("__global__ void f(int *p) { for (float e = 1; e > -1; e *= 0.5f) p[1] += 1; p[0] = 1; }").get_function("f")
memory = cuda.mem_alloc(8)
kernel(memory, block=(1, 1, 1))
print("started", flush=True)
"""


@pytest.mark.parametrize("tail, error", [
    ("context.pop()", ""),
    ("context.pop(); del context, kernel, memory\nfor _ in range(1000): threading.Event()", "KeyboardInterrupt"),
    ("context.detach()", "KeyboardInterrupt"),
    ("try: context.detach()\nexcept KeyboardInterrupt: context.detach()", "cannot detach from invalid context"),
    ("context.synchronize()", "KeyboardInterrupt"),
    ("del kernel, memory; context.synchronize()", "KeyboardInterrupt"),
    ("threading.Thread(target=context.detach, daemon=True).start()", ""),
], ids=["pop", "del", "detach", "detach twice", "synchronize", "pending", "in another thread"])
def test_kernel_without_end(tail, error):
    """It keeps a thread, and its context the memory, until the process ends; nobody else is held up."""
    returncode, errors = run(NEVER + tail, bool(error))
    assert (returncode != 0) == bool(error) and error in errors
