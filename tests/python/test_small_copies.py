"""Small arrays on their way to a GPU and back go through page-locked memory, where one wait does for all of them. A
driver that records its calls stands in for the GPU's."""

import pytest

BEGIN = """
import ctypes, gc, os, threading
import numpy as np
import pycuda.driver as cuda
from pycuda import gpuarray
cuda.init()
context = cuda.Device(0).make_context()
driver = ctypes.CDLL(os.environ["PYCUDA_DRIVER"])
calls = (ctypes.c_char * 64).in_dll(driver, "calls")
on_wait = ctypes.c_void_p.in_dll(driver, "on_wait")
image = b"// PTX .version 8.0\\n.target sm_90\\n.visible .entry f(.param .u64 a) { ret; }\\0"
f = cuda.module_from_buffer(image).get_function("f")

def show(call):
    calls.raw = bytes(64)
    try:
        result = call()
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    print(calls.value.decode(), result)

def launched(handler, value, n, **more):
    a = np.full(n, value, np.uint8)
    f(handler(a), block=(1, 1, 1), **more)
    return sorted(set(a.tolist()))
"""


@pytest.fixture
def run(run_python, fake_driver):
    def run(code, **environment):
        done = run_python(BEGIN + code, PYCUDA_DRIVER=fake_driver, **environment)
        assert (done.stderr, done.returncode) == ("", 0)
        return done.stdout.split("\n")[:-1]

    return run


ARGUMENTS = """
for handler in cuda.InOut, cuda.In:
    for n in 1, 65_536, 65_537:
        show(lambda: launched(handler, 5, n))
show(lambda: launched(cuda.InOut, 5, 7, stream=cuda.Stream()))
show(lambda: launched(cuda.InOut, 5, 0))
"""


def test_arguments(run):
    """What comes back after a launch is waited for once, if it fits; what goes there alone needs no wait."""
    assert run(ARGUMENTS) == ["TlFw [6]", "TlFw [6]", "tlwf [6]", "tl [5]", "tl [5]", "tl [5]", "TlFw [6]", "lw []"]


def test_no_page_locked_memory(run):
    """Where there is none to be had, the driver copies, and it is asked for once."""
    assert run(ARGUMENTS, FAKE_NO_HOST_MEMORY="1")[:3] == ["tlwf [6]"] * 3


def test_results(run):
    assert run("""
for n in 1, 65_536, 65_537:
    x = gpuarray.to_gpu(np.full(n, 9, np.uint8))
    show(lambda: set(x.get().tolist()))
""") == ["Fw {9}", "Fw {9}", "f {9}"]


def test_another_thread_meanwhile(run):
    """The memory is one call's at a time."""
    assert run("""
def within():
    on_wait.value = None
    other = threading.Thread(target=lambda: (context.push(), show(lambda: launched(cuda.InOut, 1, 3)), context.pop()))
    other.start()
    other.join()

callback = ctypes.CFUNCTYPE(None)(within)
on_wait.value = ctypes.cast(callback, ctypes.c_void_p).value
a = np.full(3, 7, np.uint8)
f(cuda.InOut(a), block=(1, 1, 1))
print(a)
""") == ["tlwf [2]", "[8 8 8]"]


@pytest.mark.parametrize("call", ["launched(cuda.InOut, 1, 3)", "x.get()"])
def test_a_context_that_ends_meanwhile(run, call):
    """Its page-locked memory went with it, and is not read."""
    assert run(f"""
def within():
    context.pop()
    context.detach()

x = gpuarray.to_gpu(np.zeros(4, np.uint8))
callback = ctypes.CFUNCTYPE(None)(within)
on_wait.value = ctypes.cast(callback, ctypes.c_void_p).value
show(lambda: {call})
""")[0].partition(" ")[2].partition(":")[0] in ("LogicError", "RuntimeError")


REFUSED = ("w ValueError: pycuda.driver.InOut: the array has 5 bytes now, and its device memory 4: make another "
           "pycuda.driver.InOut for another array")


def test_another_array_meanwhile(run):
    """An array that is exchanged for one of another size by what a launch runs is refused, and not overrun."""
    assert run("""
class Exchanges(cuda.PointerHolderBase):
    def get_pointer(self):
        handler.array = np.zeros(self.n, np.uint8)
        return 1

image = image.replace(b".param .u64 a", b".param .u64 a, .param .u64 b")
f = cuda.module_from_buffer(image).get_function("f")
for n in 5, 3:
    handler, other = cuda.InOut(np.zeros(4, np.uint8)), Exchanges()
    other.n = n
    show(lambda: f(handler, other, block=(1, 1, 1)))
""") == [REFUSED, "TlFw None"]
