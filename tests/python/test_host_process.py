"""The host device shares a process with others: floating-point control words, descriptors, limits of a
container."""

import ctypes
import os
import platform
import subprocess
import sys

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

pytestmark = pytest.mark.host


def run(script, *, timeout=120, **environment):
    """What a program of its own prints."""
    done = subprocess.run([sys.executable, "-c", script], env=os.environ | environment, cwd="/",
                          capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


# -- The floating-point control word -------------------------------------------------------------

ROUNDING = """
__global__ void third(float *y, double *z, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] * 0.5f;
    z[i] = x[i] / 3.0;
}
__global__ void fails(float *y, double *z, const float *x) { *(volatile int *)8 = (int)(x[0] / 3.0f); }
"""
# Offsets and bits of the control words in glibc's fenv_t (Intel's manual, volume 1, 10.2.3; Arm's, FPCR).
WORDS = {"x86_64": (28, {"flush": 0x8040, "up": 0x4000, "down": 0x2000, "zero": 0x6000}),
         "aarch64": (0, {"flush": 1 << 24, "up": 1 << 22, "down": 2 << 22, "zero": 3 << 22})}


class Control:
    """This thread's control word."""

    libm = ctypes.CDLL("libm.so.6")

    def __init__(self):
        offset, self.bits = WORDS[platform.machine()]
        self.environment = (ctypes.c_char * 32)()
        self.word = ctypes.c_uint32.from_buffer(self.environment, offset)

    def get(self):
        self.libm.fegetenv(self.environment)
        return bytes(self.environment)

    def set(self, bits):
        self.get()
        self.word.value |= bits
        self.libm.fesetenv(self.environment)


@pytest.fixture
def control():
    control = Control()
    before = control.get()
    yield control
    control.libm.fesetenv(before)


@pytest.mark.skipif(platform.machine() not in WORDS, reason="knows no other processor's control word")
@pytest.mark.parametrize("word", ["flush", "up", "down", "zero"])
@pytest.mark.parametrize("blocks", [1, 4096])
def test_control_word(context, control, word, blocks):
    n = 256 * blocks
    x = (np.arange(n) % 1000 * 1e-42).astype(np.float32)
    half, third = x * np.float32(0.5), x.astype(np.float64) / 3
    x_gpu, y, z = gpuarray.to_gpu(x), gpuarray.empty(n, np.float32), gpuarray.empty(n, np.float64)
    kernel = SourceModule(ROUNDING).get_function("third")
    control.set(control.bits[word])
    before = control.get()
    results = []
    for _ in range(30):  # the first ones run in threads of ours, short ones in this one later
        y.fill(0)
        kernel(y, z, x_gpu, block=(256, 1, 1), grid=(blocks, 1))
        results.append((y.get().tobytes(), z.get().tobytes()))
    assert control.get() == before
    assert results == [(half.tobytes(), third.tobytes())] * 30


@pytest.mark.skipif(platform.machine() not in WORDS, reason="knows no other processor's control word")
def test_control_word_after_a_fault(control):
    context = cuda.Device(0).make_context()
    try:
        x = gpuarray.to_gpu(np.ones(256, np.float32))
        z = gpuarray.empty(256, np.float64)
        module = SourceModule(ROUNDING)
        control.set(control.bits["up"])
        before = control.get()
        for _ in range(3):
            module.get_function("third")(x, z, x, block=(256, 1, 1))
        module.get_function("fails")(x, z, x, block=(1, 1, 1))
        with pytest.raises(cuda.Error, match="invalid access"):
            cuda.Context.synchronize()
        assert control.get() == before
    finally:
        context.pop()
        context.detach()


# -- Descriptors ---------------------------------------------------------------------------------

MANY_MODULES = """
import os, resource
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
import pycuda.autoinit
from pycuda.compiler import SourceModule, compile
image = compile("__global__ void f(int *p) { *p = 1; }", options=["-lineinfo"])
import pycuda.driver as cuda
before = len(os.listdir("/proc/self/fd"))
modules = [cuda.module_from_buffer(image) for _ in range(600)]
assert len(os.listdir("/proc/self/fd")) - before <= 32
del modules
assert len(os.listdir("/proc/self/fd")) == before
full = [os.open("/dev/null", os.O_RDONLY) for _ in range(256 - len(os.listdir("/proc/self/fd")) + 1)]
try:
    cuda.module_from_buffer(image)
except cuda.Error as error:
    print(error)
"""


def test_many_modules_with_lines():
    printed = run(MANY_MODULES)
    assert "OS call failed" in printed and "Too many open files" in printed


# -- A fault ends what waits for the faulting kernel ----------------------------------------------

WAITER = """
import numpy as np, pycuda.autoinit, pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule
module = SourceModule('''
__global__ void consumer(volatile int *flag, int *out) { while (*flag == 0); *out = 1; }
__global__ void producer(int *bad, int *flag) { *bad = 1; __threadfence(); *flag = 1; }''')
flag = gpuarray.zeros(2, np.int32)
first, second = cuda.Stream(1), cuda.Stream(1)
module.get_function("consumer")(flag, flag[1:], block=(1, 1, 1), stream=first)
module.get_function("producer")(np.intp(8), flag, block=(1, 1, 1), stream=second)
for stream in second, first:
    try:
        stream.synchronize()
    except cuda.Error as error:
        print("invalid access" in str(error))
pycuda.autoinit.context.pop()
pycuda.autoinit.context.detach()
print("detached")
"""


def test_fault_ends_waiters():
    assert run(WAITER) == "True\nTrue\ndetached\n"


# -- Pagelocked memory ---------------------------------------------------------------------------

LOCKED = """
import numpy as np, pycuda.autoinit, pycuda.driver as cuda
free, total = cuda.mem_get_info()
held = [cuda.pagelocked_empty(1 << 20, np.uint8) for _ in range(40)]
print(total - cuda.mem_get_info()[0] - (total - free) >> 20)
try:
    more = cuda.pagelocked_empty(30 << 20, np.uint8)
except cuda.MemoryError as error:
    print(error)
del held
more = cuda.pagelocked_empty(30 << 20, np.uint8)
print(more.nbytes >> 20)
"""


def test_pagelocked_memory_counts():
    first, message, last = run(LOCKED, HOSTCUDA_MEMORY="64M").splitlines()
    assert (first, last) == ("40", "30") and "bytes asked for" in message
