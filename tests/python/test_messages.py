"""What users are told when they make a mistake: docs/messages.md, line by line."""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import debug, gpuarray
from pycuda.compiler import SourceModule
from pycuda.tools import DeviceMemoryPool

pytestmark = pytest.mark.host  # which knows more than a GPU's driver

PAGE = pathlib.Path(__file__).parents[2] / "docs/messages.md"
BEGIN = "import pycuda.driver as cuda, numpy as np\nfrom pycuda import gpuarray\n"

# By themselves in a process: where no context is, or will be, or one is lost.
PROGRAMS = [
    "cuda.Device(0)",
    "cuda.mem_alloc(4)",
    "cuda.init(); cuda.mem_alloc(4)",
    "cuda.init(); gpuarray.zeros(3, np.float32)",
    ("import pycuda.autoinit, threading\n"
    "x, problem = gpuarray.zeros(3, np.float32), []\n"
    "def work():\n"
    "    try:\n"
    "        x.get()\n"
    "    except cuda.Error as error:\n"
    "        problem.append(error)\n"
    "thread = threading.Thread(target=work); thread.start(); thread.join()\n"
    "raise problem[0]"),
    ("cuda.init(); context = cuda.Device(0).make_context(); x = gpuarray.zeros(3, np.float32)\n"
    "context.pop(); context.detach(); x.get()"),
    ("import pycuda.autoinit; from pycuda.compiler import SourceModule\n"
    "SourceModule('__global__ void f() { *(int *)8 = 1; }').get_function('f')(block=(1, 1, 1))\n"
    "cuda.Context.synchronize()"),
    ("import pycuda.autoinit, os\n"
    "if os.fork() == 0:\n"
    "    cuda.mem_alloc(4)\n"
    "os.wait(); raise SystemExit"),
    "cuda.init(); cuda.Device(7)",
]

OTHER_DEVICE = """
from pycuda.compiler import SourceModule
cuda.init()
other = cuda.Device(1).make_context()
x, y = gpuarray.zeros(3, np.float32), cuda.managed_zeros(3, np.float32)
cuda.Context.pop()
context = cuda.Device(0).make_context()
f = SourceModule("__global__ void f(float *x) {}").get_function("f")
f(y, block=(1, 1, 1))  # managed memory is everywhere
f(x, block=(1, 1, 1))
"""

KERNELS = """
__constant__ float factor;
__global__ void f(float *x, int n) {}
__global__ void g(float *x, float a) {}
__global__ void h(float *x) {}"""
TEMPLATE = "template <class T> __global__ void t(T *x) {}"

CALLS = [
    lambda x, m: SourceModule("__global__ void f(float *x) { x[0] = 1 }"),
    lambda x, m: SourceModule(TEMPLATE),
    lambda x, m: SourceModule("#include <nothere.h>"),
    lambda x, m: SourceModule(KERNELS, options=["--no-such-option"]),
    lambda x, m: SourceModule(KERNELS, options="-O3 -g"),
    lambda x, m: SourceModule("__global__ void saxpy() {}").get_function("saxby"),
    lambda x, m: SourceModule("__global__ void saxpy() {}", no_extern_c=True).get_function("saxpy"),
    lambda x, m: SourceModule(TEMPLATE, no_extern_c=True).get_function("t<float>"),
    lambda x, m: m.get_global("faktor"),
    lambda x, m: m.get_function("h")(x),
    lambda x, m: m.get_function("h")(x, blocks=(1, 1, 1)),
    lambda x, m: m.get_function("h")(x, block=(2048, 1, 1)),
    lambda x, m: m.get_function("h")(x, block=(32, 1, 1), grid=(0, 1)),
    lambda x, m: m.get_function("h")(x, block=(32, 1, 1), grid=(x.size / 32, 1)),
    lambda x, m: m.get_function("h")(x, block=(32, 1, 1), shared=1 << 20),
    lambda x, m: m.get_function("h").prepared_call((1, 1), (1, 1, 1), x),
    lambda x, m: m.get_function("h")(x, block=(1, 1, 1), stream=cuda.Stream(), time_kernel=True),
    lambda x, m: m.get_function("f")(x, block=(1, 1, 1)),
    lambda x, m: m.get_function("f")(x, 2.0, block=(1, 1, 1)),
    lambda x, m: m.get_function("g")(x, np.float64(2), block=(1, 1, 1)),
    lambda x, m: m.get_function("h")(x.get(), block=(1, 1, 1)),
    lambda x, m: m.get_function("h")([1, 2, 3], block=(1, 1, 1)),
    lambda x, m: m.get_function("h")(Tensor(), block=(1, 1, 1)),
    lambda x, m: m.get_function("h")(None, block=(1, 1, 1)),
    lambda x, m: m.get_function("h")(x.astype(np.float64), block=(1, 1, 1)),
    lambda x, m: m.get_function("h")(cuda.In(np.zeros(3)), block=(1, 1, 1)),
    lambda x, m: m.get_function("h")(x[::2], block=(1, 1, 1)),
    lambda x, m: m.get_function("h")(freed(), block=(1, 1, 1)),
    lambda x, m: in_another_context(m),
    lambda x, m: cuda.mem_alloc(1 << 50),
    lambda x, m: DeviceMemoryPool().allocate(1 << 50),
    lambda x, m: cuda.memcpy_htod(cuda.mem_alloc(400), np.zeros((10, 10), np.float32)[:, 1]),
    lambda x, m: cuda.memcpy_htod(cuda.mem_alloc(4), np.zeros((10, 10), np.float32)),
    lambda x, m: x.set(np.zeros(4, np.float32)),
    lambda x, m: x.set(np.zeros(3)),
    lambda x, m: x + gpuarray.zeros(4, np.float32),
    lambda x, m: x + np.zeros(3, np.float32),
    lambda x, m: x == [0, 0, 0],
    lambda x, m: np.asarray(x),
    lambda x, m: x.__cuda_array_interface__,
    lambda x, m: cuda.Event().time_since(cuda.Event()),
    lambda x, m: beyond_the_end(),
    lambda x, m: debug.check("memroy"),
]


class Tensor:
    """Another library's array, as far as a message is about it."""

    def __dlpack__(self):
        """It is not called."""


def freed():
    memory = cuda.mem_alloc(4)
    memory.free()
    return memory


def beyond_the_end():
    with debug.check("memory"):
        x = gpuarray.zeros(10, np.float32)
        SourceModule("__global__ void f(float *x) { x[10] = 1; }").get_function("f")(x, block=(1, 1, 1))


def in_another_context(module):
    context = cuda.Device(0).make_context()
    try:
        module.get_function("h")(gpuarray.zeros(3, np.float32), block=(1, 1, 1))
    finally:
        context.pop()


def messages():
    """The page's: a regular expression each."""
    rows = re.findall(r"^\| `(.*?)` \|", PAGE.read_text(), re.MULTILINE)
    return {row: re.compile(".*".join(map(re.escape, row.split("\u2026"))) + r"\Z", re.DOTALL) for row in rows}


def heard(code, **environment):
    """What a program says last."""
    done = subprocess.run([sys.executable, "-c", BEGIN + code], capture_output=True, text=True, check=False,
                          env=os.environ | environment)
    return re.findall(r"^(?:pycuda\.driver\.)?(\w+: .*)", done.stderr, re.MULTILINE)[-1]


def raised(call, *arguments):
    try:
        call(*arguments)
    except Exception as error:  # noqa: BLE001 - what it is stands in the page
        return f"{type(error).__name__}: {error}"
    return "nothing"


def test_page(context, inject):
    """Each mistake is answered by exactly one line, and no line is left over."""
    module, x = SourceModule(KERNELS), gpuarray.zeros(3, np.float32)
    said = [*map(heard, PROGRAMS), heard(OTHER_DEVICE, HOSTCUDA_DEVICES="2"), *(raised(call, x, module) for call in CALLS)]
    start, end = cuda.Event().record(), cuda.Event().record()
    inject("cuEventElapsedTime", 600)
    said.append(raised(end.time_since, start))
    lines = messages()
    found = [[line for line, pattern in lines.items() if pattern.match(text)] for text in said]
    assert [text for text, matching in zip(said, found, strict=True) if len(matching) != 1] == []
    assert lines.keys() == {line for matching in found for line in matching}


def test_peers_are_reached(run_python):
    done = run_python(BEGIN + OTHER_DEVICE.replace("f(x", "context.enable_peer_access(other); f(x") + "context.pop()",
                      HOSTCUDA_DEVICES="2")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def module(context):
    return SourceModule(KERNELS)


# -- What is no mistake --------------------------------------------------------------------------

PASSES = [("float", np.complex64), ("int", np.uint32), ("unsigned int", np.int32), ("long long", np.uint64),
          ("unsigned char", np.float64), ("char", np.int16), ("void", np.int16), ("bool", np.uint8),
          ("signed char", np.bool_), ("float2", np.complex64), ("float4", np.float32), ("long", "m8[s]"),
          ("float", [("a", "f4"), ("b", "f4")]), ("double", np.complex128)]


@pytest.mark.parametrize("ctype, dtype", PASSES, ids=str)
def test_dtypes_that_pass(ctype, dtype, context):
    """C lets characters alias anything, and integers those of the other sign; structs are the program's own affair."""
    f = SourceModule(f"__global__ void f(const {ctype} *__restrict__ x) {{}}").get_function("f")
    x = gpuarray.to_gpu(np.zeros(4, dtype))
    assert f(x, block=(1, 1, 1)) is None and f(cuda.In(x.get()), block=(1, 1, 1)) is None


@pytest.mark.parametrize("ctype, dtype", [("float", np.int32), ("int", np.float32), ("long", np.float64),
                                          ("double", np.complex64), ("short", np.float16), ("bool", np.float32)])
def test_dtypes_that_do_not(ctype, dtype, context):
    f = SourceModule(f"__global__ void f({ctype} *x) {{}}").get_function("f")
    x = gpuarray.zeros(4, dtype)
    for given in (x, cuda.InOut(x.get())):
        with pytest.raises(TypeError, match=re.escape(f"expected {ctype} *, got ")):
            f(given, block=(1, 1, 1))
    assert f(x.gpudata, block=(1, 1, 1)) is None


def test_layouts_that_pass(module):
    h, x = module.get_function("h"), gpuarray.zeros((4, 6), np.float32)
    for view in (x.T, x[1:3], x[2], x[:, 1:2][:1], x[:0], x[:, ::2].gpudata):
        assert h(view, block=(1, 1, 1)) is None
    for view in (x[:, 1], x[::-1], x[1:3, :2]):
        with pytest.raises(ValueError, match="gaps"):
            h(view, block=(1, 1, 1))
    take = SourceModule("__global__ void f(void *x, const char *y) {}").get_function("f")
    assert take(x[:, 1], x[::-1], block=(1, 1, 1)) is None
