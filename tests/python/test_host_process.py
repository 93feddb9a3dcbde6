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


def run(script, *, timeout=600, **environment):
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
        """Without bytes 12 to 27 of x86's: where the last x87 instruction was, which a switch of threads forgets."""
        self.libm.fegetenv(self.environment)
        return bytes(self.environment[:12] + self.environment[28:])

    def set(self, bits):
        self.get()
        self.word.value |= bits
        self.libm.fesetenv(self.environment)


@pytest.fixture
def control():
    control = Control()
    control.libm.feclearexcept(0x3d)  # what was raised before stays raised only until NumPy clears it
    control.get()
    before = bytes(control.environment)
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


# -- Stacks --------------------------------------------------------------------------------------

# Each call keeps 16 KiB that are read once the inner call has returned, so it cannot become a loop.
DEEP = """
import pycuda.autoinit, numpy as np, sys
import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule
module = SourceModule('''
__device__ __noinline__ int deep(const int *x, int n)
{
    int a[4096];
    for (int i = 0; i < 4096; i++) a[i] = x[i & 15] + i * n;
    return n == 0 ? a[17] : deep(x, n - 1) + a[n * 7919 & 4095];
}
__global__ void f(int *y, const int *x, int n) { y[blockIdx.x * blockDim.x + threadIdx.x] = deep(x, n); }
''', options=sys.argv[2:])
x, y, n = gpuarray.to_gpu(np.arange(16, dtype=np.int32)), gpuarray.zeros(2048, np.int32), int(sys.argv[1])
module.get_function("f")(y, x, np.int32(n), block=(32, 1, 1), grid=(64, 1))
want = sum((k * 7919 & 4095) % 16 + (k * 7919 & 4095) * k for k in range(1, n + 1)) + 1
assert (y.get() == np.int64(want).astype(np.int32)).all()
"""


def deep(calls, *options):
    """Runs DEEP where threads have a stack of 1 MiB unless whoever starts them says otherwise."""
    command = ["sh", "-c", 'ulimit -s 1024; exec "$@"', "sh", sys.executable, "-c", DEEP, str(calls), *options]
    return subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=600, check=False)


@pytest.mark.parametrize("option", ["-O3", "-O0"])
def test_stack_is_not_the_users(option):
    done = deep(300, option)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("option", ["-O3", "-O0", "-G"])
def test_stack_is_full(option):
    done = deep(1 << 20, option)
    assert done.returncode == 1
    assert "the stack is full: a function calls itself too deeply" in done.stderr


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


FREED_ARRAYS = """
import numpy as np, pycuda.autoinit, pycuda.driver as cuda
from pycuda import gpuarray, tools
before = cuda.mem_get_info()[0]
def leave():
    array = gpuarray.zeros((50, 1 << 20), np.uint8)
    taken = before - cuda.mem_get_info()[0]
    del array
    return taken >> 20, before - cuda.mem_get_info()[0]
print(*leave())
memory = cuda.mem_alloc(cuda.mem_get_info()[0])
memory.free()
leave()
pool = tools.DeviceMemoryPool()
block = pool.allocate(50 << 20)
block.free()
pool.free_held()
leave()
shape = cuda.ArrayDescriptor()
shape.width, shape.height, shape.num_channels = 1 << 12, 50 << 8, 1
shape.format = cuda.array_format.UNSIGNED_INT8
print(cuda.Array(shape).get_descriptor().height)
"""


def test_memory_of_freed_arrays_is_free():
    """It is counted, and there for whoever asks: programs take as much as mem_get_info() names."""
    assert run(FREED_ARRAYS, HOSTCUDA_MEMORY="64M").splitlines() in ([f"{taken} 0", "12800"] for taken in (50, 51, 52, 53))


# -- Kernels that were always short --------------------------------------------------------------

LONG = """
__global__ void numbers(double *out, const float *x, int n)
{
    double a = x[threadIdx.x], b = 1, c = 0.5;
    unsigned h = threadIdx.x * 2654435761u;
    for (int i = 0; i < n; i++) {
        a = a * 0.999 + b * 0.001;
        b = b * 0.998 + c * 0.002;
        c = c * 0.997 + x[h >> 24 & 127] * 0.003;
        h = h * 1664525u + 1013904223u;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + h;
}
__global__ void barriers(double *out, const float *x, int n)
{
    __shared__ double s[128];
    double a = x[threadIdx.x];
    s[threadIdx.x] = a;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        double v = s[(threadIdx.x + i) & 127];
        __syncthreads();
        s[threadIdx.x] = a = a * 0.5 + v * 0.5;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = a;
}
__global__ void powers(double *out, const float *x, int n)
{
    double a = x[threadIdx.x];
    for (int i = 0; i < n; i++)
        a = pow(a + 1.0, 0.9) + __popc(i);
    out[blockIdx.x * blockDim.x + threadIdx.x] = a;
}
"""


@pytest.mark.parametrize("name, n", [("numbers", 4_000_000), ("barriers", 400_000), ("powers", 150_000)])
def test_short_kernel_gets_long(context, name, n):
    """What begins in this thread goes on in another, to the same result."""
    x = gpuarray.to_gpu(np.random.default_rng(0).random(128, np.float32))
    kernel = SourceModule(LONG).get_function(name)
    expected, out = gpuarray.zeros(256, np.float64), gpuarray.zeros(256, np.float64)
    kernel(expected, x, np.int32(n), block=(128, 1, 1), grid=(2, 1))  # in a thread of ours: it is new
    expected = expected.get()
    for _ in range(4):
        for _ in range(400):
            kernel(out, x, np.int32(1), block=(128, 1, 1))
        out.fill(0)
        cuda.Context.synchronize()
        kernel(out, x, np.int32(n), block=(128, 1, 1), grid=(2, 1))
        assert out.get().tobytes() == expected.tobytes()


ENDLESS = """
import ctypes, os, signal, sys, threading, time
import numpy as np, pycuda.autoinit, pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule
kernel = SourceModule('''
__global__ void f(int *p, float tolerance)
{
    float e = 1;
    while (e > tolerance) { e *= 0.5f; p[1] += 1; }
    p[0] = 1;
}''').get_function("f")
a = gpuarray.zeros(8, np.int32)
for _ in range(200):
    kernel(a, np.float32(1e-3), block=(1, 1, 1))
assert a.get()[0] == 1
ticks = []
def tick():
    while True:
        ticks.append(0)
        time.sleep(0.01)
threading.Thread(target=tick, daemon=True).start()
way = sys.argv[1]
kernel(a, np.float32(-1), block=(1, 1, 1))  # never ends
print("launched", flush=True)
before = len(ticks)
while len(ticks) < before + 5:
    time.sleep(0.01)
threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    a.get() if way == "get" else cuda.Context.synchronize()
except KeyboardInterrupt:
    print("interrupted", flush=True)
os._exit(0)
"""


@pytest.mark.parametrize("way", ["get", "synchronize"])
@pytest.mark.parametrize("threads", ["1", "2"])
def test_endless_kernel_holds_nobody(way, threads):
    done = subprocess.run([sys.executable, "-c", ENDLESS, way], env=os.environ | {"HOSTCUDA_THREADS": threads},
                          cwd="/", capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "launched\ninterrupted\n", done.stderr


MOVED_FAULT = """
import numpy as np, pycuda.autoinit, pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule
kernel = SourceModule('''
__global__ void f(int *p, long long n, int *end)
{
    for (long long i = 0; i < n; i++) p[i & 7] += i;
    *end = 1;
}''').get_function("f")
a = gpuarray.zeros(8, np.int32)
for _ in range(200):
    kernel(a, np.int64(1), a, block=(1, 1, 1))
cuda.Context.synchronize()
kernel(a, np.int64(200_000_000), np.intp(8), block=(1, 1, 1))
try:
    cuda.Context.synchronize()
except cuda.Error as error:
    print(error)
"""


def test_fault_after_a_move():
    assert "kernel f, block (0,0,0), kernel.cu:5: invalid access at address 0x8" in run(MOVED_FAULT)


# -- Handlers of others --------------------------------------------------------------------------

HANDLERS = """
import ctypes, faulthandler, sys
import numpy as np, pycuda.autoinit, pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule
a = gpuarray.zeros(8, np.int32)
kernel = SourceModule("__global__ void f(int *p) { *p = 1; }").get_function("f")
before, bad, foreign = sys.argv[1:]
for _ in range(int(before)):
    kernel(a, block=(1, 1, 1))
cuda.Context.synchronize()
faulthandler.enable()
for _ in range(int(bad)):
    context = cuda.Device(0).make_context()
    other = SourceModule("__global__ void f(int *p) { *p = 1; }").get_function("f")
    mine = gpuarray.zeros(8, np.int32)
    for _ in range(int(before)):
        other(mine, block=(1, 1, 1))
    cuda.Context.synchronize()
    faulthandler.enable()
    other(np.intp(8), block=(1, 1, 1))
    try:
        cuda.Context.synchronize()
    except cuda.Error as error:
        print("invalid access" in str(error), flush=True)
    del mine
    context.pop()
if foreign == "fault":
    ctypes.string_at(0)
elif foreign == "abort":
    import os, signal
    os.kill(os.getpid(), signal.SIGSEGV)
print("end", flush=True)
"""


@pytest.mark.parametrize("before", ["0", "200"])
@pytest.mark.parametrize("foreign", ["none", "fault", "abort"])
def test_handler_installed_later(before, foreign):
    """A fault in a kernel is an error; one that is not comes to the other handler, and ends the process."""
    done = subprocess.run([sys.executable, "-c", HANDLERS, before, "3", foreign], env=os.environ, cwd="/",
                          capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "True\n" * 3 + "end\n" * (foreign == "none"), done.stderr
    assert done.returncode == (0 if foreign == "none" else -11)
    if foreign != "none":
        assert "Fatal Python error: Segmentation fault" in done.stderr


RETRIES = """
import os
import numpy as np
import pycuda.autoinit
from pycuda import gpuarray
from pycuda.compiler import SourceModule
add = SourceModule('''
__global__ void add(double *sum, const double *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long *word = (unsigned long long *)sum, old = *word, assumed;
    do {
        assumed = old;
        old = atomicCAS(word, assumed, __double_as_longlong(x[i] + __longlong_as_double(assumed)));
    } while (assumed != old);
}''', options=sys.argv[1:]).get_function("add")
before = len(os.listdir("/proc/self/task"))
x, total = gpuarray.ones(20000, np.float64), gpuarray.zeros(1, np.float64)
add(total, x, np.int32(x.size), block=(128, 1, 1), grid=(157, 1))
assert total.get()[0] == 20000
print(len(os.listdir("/proc/self/task")) - before)
"""


@pytest.mark.host
@pytest.mark.parametrize("options", [[], ["-O0"], ["-G"]])
def test_blocks_that_try_again_need_no_further_threads(options):
    """A block that waits for others is put aside, and its thread replaced; one that tries a compare and swap again is not.
    Threads are two that run kernels, where the caller's launch was taken from it after 10 ms, and the one that watches for that."""
    assert int(run(RETRIES.replace("sys.argv[1:]", repr(options)), HOSTCUDA_THREADS="2")) <= 3
