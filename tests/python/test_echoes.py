"""Results of reductions that a GPU's kernels write to page-locked memory, too: when they are read from there, and
that nobody reads what is out of date. The host device passes for a GPU; its trace tells copies from waits."""

import pytest

pytestmark = pytest.mark.host

BEGIN = """
import gc, os, threading
import numpy as np
import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule
from pycuda.reduction import ReductionKernel
cuda.init()
context = cuda.Device(0).make_context()
x = gpuarray.to_gpu(np.arange(1000, dtype=np.float32))
trace = open(os.environ["PYCUDA_TRACE"])
add_one = SourceModule("__global__ void f(float *x) { *x += 1; }").get_function("f")
twice = ReductionKernel(np.float32, "0", "a + b", "2 * x[i]", "float *x")

def show(call):
    trace.read()
    try:
        result = call()
    except Exception as error:
        result = type(error).__name__
    made = trace.read()
    print("copied" if "cuMemcpyDtoH" in made else "waited" if "cuStreamSynchronize" in made else "neither", result)

float(x[3])  # the first small copy makes the page-locked memory
"""


@pytest.fixture
def run(run_python, like_gpu, tmp_path):
    def run(code):
        done = run_python(BEGIN + code, **like_gpu, LIKE_GPU="90 4", PYCUDA_TRACE=str(tmp_path / "trace"))
        assert (done.stderr, done.returncode) == ("", 0)
        return done.stdout.split("\n")[:-1]

    return run


def test_results(run):
    """Of every kind of reduction, type and number of blocks; more than once."""
    assert run("""
large = gpuarray.to_gpu(np.ones(100_000, np.int32))
with gpuarray.lazy():
    for call in (lambda: x.sum().get(), lambda: float(x.max()), lambda: bool(x.any()), lambda: twice(x).get(),
                 lambda: gpuarray.dot(x, x).get(), lambda: (x + 1).sum().get(), lambda: large.sum().get(),
                 lambda: int(large.astype(np.int8).sum()), lambda: complex(x.astype(np.complex128).sum())):
        show(call)
s = x.sum()
show(s.get), show(s.get), show(lambda: s.get(np.zeros((), np.float32))), show(lambda: s.get(async_=True).shape)
""") == ["waited 499500.0", "waited 999.0", "waited True", "waited 999000.0", "waited 3.328335e+08", "waited 500500.0",
         "waited 100000", "waited 100000", "waited (499500+0j)", "waited 499500.0", "waited 499500.0", "waited 499500.0",
         "copied ()"]


def test_changed_since(run):
    """Whoever has the address may have written: by operators, views, kernels, copies, numbers."""
    assert run("""
def view(s): s.reshape(1)[0] = 7
def pending(s):
    with gpuarray.lazy():
        s *= 2
def pending_view(s):
    with gpuarray.lazy():
        y = s.reshape(1)
        y += 1
        return show(s.get)
def number(s): cuda.memset_d32(int(s.gpudata), 0, 1)
def number_of_view(s): cuda.memset_d32(s.reshape(1).gpudata, 0, 1)
def attribute(s): cuda.memset_d32(s.ptr, 0, 1)
def interface(s): cuda.memset_d32(s.__cuda_array_interface__["data"][0], 0, 1)
def other(s): s.gpudata = gpuarray.zeros(1, np.float32).gpudata
def freed(s): s.gpudata.free()
for change in (lambda s: s.fill(3), lambda s: s.set(np.array(4, np.float32)), lambda s: add_one(s, block=(1, 1, 1)),
               lambda s: add_one(s.gpudata, block=(1, 1, 1)), lambda s: add_one.prepare("P").prepared_call(
               (1, 1), (1, 1, 1), s.gpudata), lambda s: cuda.memcpy_htod(s.gpudata, np.float32([5])),
               view, pending, pending_view, number, number_of_view, attribute, interface, other, freed):
    s = x.sum()
    change(s)
    show(s.get)
""") == [f"copied {value}" for value in (3.0, 4.0, 499501.0, 499501.0, 499501.0, 5.0, 7.0, 999000.0, 499501.0, 499501.0,
                                         0.0, 0.0, 0.0, 0.0, 0.0)] + ["neither LogicError"]


def test_where_there_are_none(run):
    """Other streams, results that are given, wide ones, and those after which too many came."""
    assert run("""
stream, out = cuda.Stream(), gpuarray.empty((), np.float32)
show(lambda: gpuarray.sum(x, stream=stream).get())
show(lambda: twice(x, out=out).get())
show(lambda: x.sum().get(stream=stream))
first, second = x.sum(), x.max()
others = [float(x.min()) for _ in range(63)]
show(first.get), show(second.get)
""") == ["copied 499500.0", "copied 999000.0", "copied 499500.0", "copied 499500.0", "waited 999.0"]


def test_results_that_nobody_reads(run):
    """A kernel with an echo ends later: there are none until somebody asks for a result again."""
    assert run("""
for _ in range(3):
    sums = [x[k:].sum() for k in range(40)]
    show(sums[31].get), show(sums[32].get)
    for k, s in enumerate(sums):
        assert float(s) == sum(range(k, 1000)), k
means = [x.mean() for _ in range(100)]
show(means[99].get), show(lambda: (x.sum() + 0).get()), show(lambda: x.sum().get())
""") == ["waited 499035.0", "copied 499004.0"] * 3 + ["copied 499.5", "copied 499500.0", "waited 499500.0"]


def test_contexts(run):
    """What is another context's is copied, and what went with its context is refused."""
    assert run("""
s = x.sum()
context.synchronize()
other = cuda.Device(0).make_context()
show(s.get)
other.pop()
show(s.get)
context.pop()
context.detach()
show(s.get)
""") == ["copied 499500.0", "copied 499500.0", "neither RuntimeError"]


def test_threads(run):
    """Their results do not mix."""
    assert run("""
wrong = []
def work(n):
    context.push()
    part, want = x[n:], sum(range(n, 1000))
    wrong.extend(k for k in range(200) if float(part.sum()) != want)
    context.pop()

threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
[t.start() for t in threads], [t.join() for t in threads]
print(wrong)
""") == ["[]"]


def test_a_kernel_that_is_compiled_meanwhile(run):
    """What others asked for since then is not overwritten."""
    assert run("""
wrong, done = [], threading.Event()
def work():
    context.push()
    kernel = ReductionKernel(np.float32, "0", "a + b", "3 * x[i]", "float *x", f"not_cached_{os.getpid()}")
    wrong.extend(value for value in [float(kernel(x))] if value != 3 * 499500)
    context.pop()
    done.set()

thread = threading.Thread(target=work)
thread.start()
while not done.is_set():
    sums = [x[k:].sum() for k in range(60)]
    done.wait(5e-3)
    wrong.extend(k for k, s in enumerate(sums) if float(s) != sum(range(k, 1000)))
thread.join()
print(wrong)
""") == ["[]"]


def test_flags_of_indices(run):
    """One wait and no copy; while another thread has the memory, and for places that are not there."""
    assert run("""
at = gpuarray.to_gpu(np.arange(0, 1000, 7))
show(lambda: x[at].shape)
show(lambda: x[at + 990].shape)
wrong = []
def work(n):
    context.push()
    for k in range(60):
        try:
            wrong.extend([k] if not np.array_equal(x[at + n].get(), np.arange(n, 1000, 7)) else [])
            wrong.extend([k] if n > 5 else [])
        except IndexError:
            wrong.extend([k] if n <= 5 else [])
    context.pop()

threads = [threading.Thread(target=work, args=(n,)) for n in (0, 2, 5, 6)]
[t.start() for t in threads], [t.join() for t in threads]
print(wrong)
""") == ["waited (143,)", "waited IndexError", "[]"]
