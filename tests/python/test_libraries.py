"""NVIDIA's libraries by dlopen: which is used, what it is asked, and what comes of failures. Libraries that compute on the
host's memory pass for them (libraries_fake_blas.c and its like), in processes of their own, since the search is
made once."""

import os
import pathlib
import subprocess
import sys

import pytest

import pycuda

HERE = pathlib.Path(__file__).parent
SOURCES = HERE.parents[1] / "src"
DRIVER = str(pathlib.Path(pycuda.__file__).parent / "libhostcuda.so")

START = """
import ctypes, os, gc, glob
import numpy as np
import pycuda.driver as cuda
from pycuda import gpuarray, libraries, _native
from pycuda.gpuarray import to_gpu
cuda.init()
context = cuda.Device(0).make_context()
path, = glob.glob(os.environ["PYCUDA_LIBRARIES"] + "/libcublas.so.*")
fake = ctypes.CDLL(path)
driver = ctypes.CDLL(os.environ["DRIVER"])
for name, entry in (("get_current", driver.cuCtxGetCurrent), ("host_function", driver.cuLaunchHostFunc)):
    ctypes.c_void_p.in_dll(fake, name).value = ctypes.cast(entry, ctypes.c_void_p).value
number = lambda name: ctypes.c_int.in_dll(fake, name)
calls, handles = number("calls"), number("handles")
arguments = (ctypes.c_longlong * 16).in_dll(fake, "arguments")

def fail(name, status, times=1):
    (ctypes.c_char * 64).in_dll(fake, "failing").value = name.encode()
    number("failure").value, number("failures").value = status, times

def same(a, b, served="cublasGemmEx"):
    "a @ b of arrays on the host, which may be views, is that of NumPy, and by cuBLAS"
    before = calls.value
    libraries._note("nothing")
    got, wanted = put(a) @ put(b), a @ b
    assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape), (got.dtype, got.shape)
    digits = np.finfo(wanted.dtype).eps
    scale = abs(a.astype("D")).max(initial=1) * abs(b.astype("D")).max(initial=1) * a.shape[-1]
    assert np.allclose(got.get(), wanted, 4 * digits, 2 * digits * scale), (a.shape, a.strides, b.shape, b.strides)
    assert libraries.last() == (served or "nothing"), (libraries.last(), a.shape, a.strides, b.shape, b.strides)
    assert calls.value == before + bool(served)

def put(a):
    "the same elements on the device, laid out as they are on the host"
    base = a if a.base is None else a.base
    if a.base is None or base.dtype != a.dtype or not base.flags.c_contiguous:
        base = a
    x = to_gpu(base)
    if a is base:
        return x
    offset = (a.ctypes.data - base.ctypes.data) // a.itemsize
    return gpuarray.GPUArray(a.shape, a.dtype, gpudata=int(x.gpudata) + offset * a.itemsize, base=x, strides=a.strides)

random = np.random.default_rng(8)
def numbers(*shape, dtype="f"):
    x = random.uniform(-2, 2, shape)
    return (x + 1j * random.uniform(-2, 2, shape) if dtype in "FD" else x).astype(dtype)
"""


@pytest.fixture(scope="module")
def fake(tmp_path_factory):
    """fake(*definitions, name=...): the folder of a cuBLAS."""
    def build(*definitions, name="libcublas.so.13"):
        folder = tmp_path_factory.mktemp("libraries")
        kind, = (one for one in ("blas", "fft", "solver", "sparse") if one in name)
        source = HERE / f"libraries_fake_{kind}.c"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-I", SOURCES, *definitions, "-o", folder / name, source, "-lm"], check=True)
        return str(folder)
    return build


@pytest.fixture(scope="module")
def blas(fake):
    return fake()


@pytest.fixture(scope="module")
def fft(fake):
    return fake(name="libcufft.so.12")


@pytest.fixture(scope="module")
def solver(fake):
    return fake(name="libcusolver.so.12")


@pytest.fixture
def run(run_python, blas):
    """A program that begins with START, on the host device."""
    def run(program, start=START, **environment):
        environment = {"PYCUDA_LIBRARIES": blas, "DRIVER": DRIVER} | environment
        done = run_python(start + program, **environment)
        assert (done.returncode, done.stdout, done.stderr) == (0, "right\n", ""), done.stderr
    return run


@pytest.mark.host
def test_layouts(run):
    """Every order of memory in which a matrix can be had, with gaps and without: the arguments are right if the numbers
    are, for the library refuses distances that are too short."""
    run("""
a, b = numbers(17, 33), numbers(33, 20)
same(a, b)
assert list(arguments[:9]) == [0, 0, 20, 17, 33, 0, 20, 33, 20] and arguments[13] == 68 and arguments[14] == 0
same(a, np.asfortranarray(b).T.copy().T)
assert list(arguments[:9]) == [1, 0, 20, 17, 33, 0, 33, 33, 20]
same(numbers(33, 17).T, b)
assert list(arguments[:9]) == [0, 1, 20, 17, 33, 0, 20, 17, 20]
same(numbers(33, 17).T, numbers(20, 33).T)
wide, tall = numbers(40, 50), numbers(50, 40)
same(wide[3:20, 5:38], b)                       # rows with gaps
assert arguments[7] == 50
same(wide[::2, 1:34][:17], b)
same(tall.T[3:20, 5:38], b)                     # columns with gaps
same(a, tall.T[:33, 10:30])
same(wide[::-1][:17, :33], b)                   # these are copied first
same(wide[:17, ::-1][:, :33], b)
same(numbers(80, 80)[:34:2, :66:2], b)
same(np.broadcast_to(a[:1], (17, 33)), b)
same(np.broadcast_to(a[:, :1], (17, 33)), b)
same(a, b.astype("d")), same(a, b.astype("F")), same(a.astype("e"), b)
same(a, random.integers(-3, 3, (33, 20)).astype("h"))
print("right")
""")


@pytest.mark.host
def test_dtypes(run):
    """Sums of float16 are float32's."""
    run("""
for dtype, code, computes in (("e", 2, 68), ("f", 0, 68), ("d", 1, 70), ("F", 4, 68), ("D", 5, 70)):
    same(numbers(16, 40, dtype=dtype), numbers(40, 18, dtype=dtype))
    assert arguments[5] == code and arguments[13] == computes
ones = np.full((16, 4096), 0.5, "e")
same(ones, ones.T)
for dtype in "?bBhHiIqQ":
    x = random.integers(0, 2, (32, 32)).astype(dtype)
    before = calls.value
    assert np.array_equal((to_gpu(x) @ to_gpu(x)).get(), x @ x) and calls.value == before
print("right")
""")


@pytest.mark.host
def test_stacks(run):
    run("""
many = "cublasGemmStridedBatchedEx"
a, b = numbers(3, 17, 33), numbers(3, 33, 20)
same(a, b, many)
assert list(arguments[9:13]) == [33 * 20, 17 * 33, 17 * 20, 3]
same(a, b[0], many)
assert list(arguments[9:13]) == [0, 17 * 33, 17 * 20, 3]
same(a[1], b, many), same(a[:, ::-1], b, many), same(a.transpose(0, 2, 1).copy().transpose(0, 2, 1), b, many)
same(a[:1], b, many), same(a[::2], b[::-2], many)
same(numbers(2, 1, 16, 16), numbers(3, 16, 16), many), same(numbers(2, 3, 16, 16), numbers(2, 3, 16, 20), many)
same(numbers(3, 2, 16, 16).swapaxes(0, 1), numbers(2, 3, 16, 20), many)
same(numbers(1, 1, 16, 16), numbers(16, 20))
same(numbers(0, 16, 16), numbers(16, 16), None), same(numbers(3, 16, 0), numbers(3, 0, 16), None)
same(numbers(16, 15), numbers(15, 16), None), same(numbers(16, 16), numbers(16), None)
out = gpuarray.zeros((3, 17, 20), "f")
assert np.matmul(to_gpu(a), to_gpu(b), out=out) is out and np.allclose(out.get(), a @ b, 1e-5, 1e-5)
print("right")
""")


@pytest.mark.host
def test_what_hypothesis_draws(run):
    run("""
import hypothesis
from hypothesis import strategies as st

@st.composite
def matrices(draw, rows, columns, dtype):
    "in any order, with gaps and steps"
    steps = [draw(st.sampled_from([1, 2, -1])) for _ in "ab"]
    more = [draw(st.integers(0, 3)) for _ in "ab"]
    lengths = [abs(step) * n + extra for step, n, extra in zip(steps, (rows, columns), more)]
    is_turned = draw(st.booleans())
    x = numbers(*lengths[::-1 if is_turned else 1], dtype=dtype)
    x = x.T if is_turned else x
    view = x[::steps[0], ::steps[1]][:rows, :columns]
    assert view.shape == (rows, columns)
    return view

@hypothesis.settings(max_examples=150, deadline=None, derandomize=True, database=None)
@hypothesis.given(st.data())
def check(data):
    m, n, k = (data.draw(st.integers(16, 40)) for _ in "mnk")
    kinds = data.draw(st.sampled_from(["ff", "dd", "FF", "DD", "fd", "Fd", "ee", "fF"]))
    same(data.draw(matrices(m, k, kinds[0])), data.draw(matrices(k, n, kinds[1])))

check()
print("right")
""")


@pytest.mark.host
def test_in_the_order_of_the_stream(run):
    """What is on its way comes first, and what comes later waits."""
    run("""
from pycuda.compiler import SourceModule
late = SourceModule("__global__ void late(float *x) { for (volatile int k = 0; k < 3000000; k++); x[threadIdx.x] = 2; }")
for stream in (None, cuda.Stream()):
    x, one = gpuarray.zeros((16, 16), "f"), to_gpu(np.eye(16, dtype="f"))
    late.get_function("late")(x, block=(256, 1, 1), stream=stream)
    y = x @ one
    x.fill(5)
    assert calls.value and np.array_equal(y.get(), np.full((16, 16), 2, "f"))
with gpuarray.lazy():
    x = one * 3 + 1
    y = x @ x
assert np.allclose(y.get(), x.get() @ x.get())
print("right")
""")


@pytest.mark.host
def test_handles_live_as_long_as_their_context(run):
    """One for each context with products; it ends while that is current."""
    run("""
x = to_gpu(numbers(16, 16))
assert handles.value == 0
x @ x, x @ x
assert handles.value == 1
other = cuda.Device(0).make_context()
y = to_gpu(numbers(16, 16))
y @ y
assert handles.value == 2
other.pop()
x @ x
y = None
other.detach()
del other
gc.collect()
assert handles.value == 1 and number("wrong_context").value == 0
primary = cuda.Device(0).retain_primary_context()
primary.push()
z = to_gpu(numbers(16, 16))
z @ z
assert handles.value == 2
cuda.Context.pop()
z = None
primary.detach()
assert handles.value == 1
x = None
context.pop()
context.detach()
assert handles.value == 0 and number("wrong_context").value == 0
print("right")
""")


@pytest.mark.host
def test_failures(run):
    """Each becomes the exception that the driver's nearest status does, and the next product works."""
    run("""
a = numbers(16, 16)
x = to_gpu(a)
for entry, routine in (("cublasCreate_v2", "cublasCreate"), ("cublasSetStream_v2", "cublasSetStream"),
                       ("cublasGemmEx", "cublasGemmEx")):
    for status, kind, code, name in ((13, cuda.LaunchError, 719, "CUBLAS_STATUS_EXECUTION_FAILED"),
                                     (8, cuda.RuntimeError, 209, "CUBLAS_STATUS_ARCH_MISMATCH"),
                                     (7, cuda.LogicError, 1, "CUBLAS_STATUS_INVALID_VALUE"),
                                     (99, cuda.Error, 999, "a status that is not known, 99")):
        fail(entry, status)
        try:
            x @ x
            raise SystemExit(f"{entry} did not fail")
        except kind as problem:
            assert problem.code == code and name in str(problem) and routine + " failed" in str(problem), problem
    if handles.value == 0:
        fail(entry, 3)  # there is memory once the pool has given back what it keeps
        same(a, a)
        context.pop()
        context = cuda.Device(0).make_context()
        x = to_gpu(a)
        fail(entry, 3, 2)
        try:
            x @ x
            raise SystemExit("cublasCreate did not fail")
        except cuda.MemoryError as problem:
            assert "CUBLAS_STATUS_ALLOC_FAILED" in str(problem)
    same(a, a)
b = to_gpu(numbers(2, 16, 16))
fail("cublasGemmStridedBatchedEx", 15)
try:
    b @ b
    raise SystemExit("it did not fail")
except cuda.LogicError as problem:
    assert problem.code == 801 and "cublasGemmStridedBatchedEx failed" in str(problem)
same(a, a)
print("right")
""")


WITHOUT = """
a = numbers(70, 90)
same(a, a.T, None)
assert why in libraries.found()["cublas"], libraries.found()
print("right")
"""


@pytest.mark.host
@pytest.mark.parametrize("definitions, name, why", [
    (("-DLACKS",), "libcublas.so.13", "libcublas.so.13 lacks cublasGemmEx"),
    (("-DVERSION=11",), "libcublas.so.13", "libcublas.so.13 says that it is version 11"),
    ((), "libcublas.so.11", "libcublas.so.13 was looked for in $PYCUDA_LIBRARIES; `pip install nvidia-cublas` would do"),
])
def test_libraries_that_are_of_no_use(run, fake, definitions, name, why):
    """Our own kernels compute the product."""
    run(f"why = {why!r}\n{WITHOUT}", PYCUDA_LIBRARIES=fake(*definitions, name=name))


@pytest.mark.host
def test_what_is_no_library(run, fake):
    folder = pathlib.Path(fake(name="libcublas.so.11"))  # for START, which wants one
    (folder / "libcublas.so.13").write_text("nothing" * 100)
    start = START.replace("libcublas.so.*", "libcublas.so.11")
    run(f"why = 'invalid ELF header'\n{WITHOUT}", start, PYCUDA_LIBRARIES=str(folder))


@pytest.mark.host
def test_the_older_version_will_do(run, fake):
    run("same(numbers(16, 16), numbers(16, 16))\nprint('right')",
        PYCUDA_LIBRARIES=fake("-DVERSION=12", name="libcublas.so.12"))


@pytest.mark.host
def test_the_host_device_has_none(run_python):
    done = run_python("import pycuda.autoinit; from pycuda import libraries; print(libraries.found()['cublas'])",
                      PYCUDA_LIBRARIES="")
    assert done.stdout == "the host device needs none: NumPy's libraries compute on its memory\n", done.stderr


@pytest.mark.host
@pytest.mark.parametrize("library, file, names", [
    ("fft", "test_fft.py", ""), ("fft", "test_array_api_extensions.py", "fft"), ("solver", "test_linalg.py", "not blocks")])
def test_what_numpy_gives(request, library, file, names):
    """What NumPy's functions and the standard's are to give, by cuFFT and cuSOLVER; not by kernels of ours, which ask neither."""
    environment = os.environ | {"PYCUDA_LIBRARIES": request.getfixturevalue(library), "DRIVER": DRIVER}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", names, HERE / file],
                          env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "[100%]" in done.stdout, done.stdout + done.stderr


START_FFT = """
import ctypes, gc, os
import numpy as np
import pycuda.driver as cuda
from pycuda import libraries
from pycuda.gpuarray import to_gpu
cuda.init()
context = cuda.Device(0).make_context()
fake = ctypes.CDLL(os.environ["PYCUDA_LIBRARIES"] + "/libcufft.so.12")
number = lambda name: ctypes.c_int.in_dll(fake, name)
plans, made = number("plans"), number("made")

def fail(name, status, times=1):
    (ctypes.c_char * 64).in_dll(fake, "failing").value = name.encode()
    number("failure").value, number("failures").value = status, times

def same(host, function=np.fft.fft):
    digits = 1e-5 if host.dtype == "f" else 1e-10
    assert np.allclose(function(to_gpu(host)).get(), function(host), digits, digits) and libraries.last() == "cufftXtExec"
"""


@pytest.mark.host
def test_plans(run, fft):
    """One for each kind of transform; of a context those that were used last, and none behind its end."""
    run("""
x = np.random.default_rng(2).uniform(-1, 1, (3, 8))
for _ in range(3):
    same(x), same(x.astype("f")), same(x, np.fft.rfft)
    assert made.value == plans.value == 3
for length in range(1, 30):
    same(x[0, :1].repeat(length))
    same(x)
assert plans.value == 16 and made.value == 32
other = cuda.Device(0).make_context()
same(x)
assert plans.value == 17
other.pop()
other.detach()
del other
gc.collect()
assert plans.value == 16
y = np.fft.fftn(to_gpu(np.ones((2, 3, 4, 5))), axes=(0, 1, 2, 3))  # three axes, and the fourth
assert number("runs").value == 3 * 3 + 29 * 2 + 1 + 2 and abs(y.get()[0, 0, 0, 0] - 120) < 1e-9
y = None
context.pop()
context.detach()
gc.collect()
assert plans.value == 0 and number("wrong_context").value == 0
print("right")
""", START_FFT, PYCUDA_LIBRARIES=fft)


@pytest.mark.host
def test_failures_of_transforms(run, fft):
    run("""
x = np.random.default_rng(2).uniform(-1, 1, (3, 8))
y = to_gpu(x)
for entry in ("cufftCreate", "cufftMakePlanMany64", "cufftSetStream", "cufftXtExec"):
    for status, kind, code, name in ((6, cuda.LaunchError, 719, "CUFFT_EXEC_FAILED"), (4, cuda.LogicError, 1, "CUFFT_INVALID_VALUE"),
                                     (16, cuda.LogicError, 801, "CUFFT_NOT_SUPPORTED"), (99, cuda.Error, 999, "99")):
        before = plans.value
        fail(entry, status)
        try:
            np.fft.fft(y)
            raise SystemExit(f"{entry} did not fail")
        except kind as problem:
            assert problem.code == code and name in str(problem) and entry + " failed" in str(problem), problem
        assert before <= plans.value <= before + (entry in ("cufftSetStream", "cufftXtExec"))
    if entry == "cufftMakePlanMany64":
        fail(entry, 2)  # there is memory once the pool has given back what it keeps
        same(x[0])
        fail(entry, 2, 2)
        try:
            np.fft.fft(y)
            raise SystemExit("it did not fail")
        except cuda.MemoryError as problem:
            assert "CUFFT_ALLOC_FAILED" in str(problem)
    if entry != "cufftCreate" and entry != "cufftMakePlanMany64":
        same(x)
same(x)
print("right")
""", START_FFT, PYCUDA_LIBRARIES=fft)


@pytest.mark.host
def test_transforms_come_in_the_order_of_the_stream(run, fft):
    run("""
from pycuda.compiler import SourceModule
late = SourceModule("__global__ void late(double *x) { for (volatile int k = 0; k < 3000000; k++); x[threadIdx.x] = 2; }")
for stream in (None, cuda.Stream()):
    x = to_gpu(np.zeros(32))
    late.get_function("late")(x, block=(32, 1, 1), stream=stream)
    y = np.fft.rfft(x)
    x.fill(5)
    assert np.allclose(y.get(), np.fft.rfft(np.full(32, 2.0)))
print("right")
""", START_FFT, PYCUDA_LIBRARIES=fft)


START_SOLVER = START_FFT[:START_FFT.index("fake =")] + """
from pycuda import _native, _solvers, gpuarray
fake = ctypes.CDLL(os.environ["PYCUDA_LIBRARIES"] + "/libcusolver.so.12")
number = lambda name: ctypes.c_int.in_dll(fake, name)
handles, runs = number("handles"), number("runs")
_solvers.LEAST = _solvers.LEAST_OF_SINGULAR_VALUES = _solvers.LEAST_OF_GENERAL = 0
random = np.random.default_rng(4)
x = random.uniform(-1, 1, (5, 5))
""" + START_FFT[START_FFT.index("\ndef fail"):START_FFT.index("def same")] + """
def same(host, function=np.linalg.inv, served="cusolverDnXgetrs"):
    assert np.allclose(function(to_gpu(host)).get(), function(host), 1e-9, 1e-9), (host, function)
    assert libraries.last() == served, libraries.last()
"""


@pytest.mark.host
def test_solvers_live_as_long_as_their_context(run, solver):
    run("""
same(x), same(x), same(x, np.linalg.det, "cusolverDnXgetrf")
assert handles.value == 1
other = cuda.Device(0).make_context()
same(x)
assert handles.value == 2
other.pop()
other.detach()
del other
gc.collect()
assert handles.value == 1
context.pop()
context.detach()
gc.collect()
assert handles.value == 0 and number("wrong_context").value == 0
print("right")
""", START_SOLVER, PYCUDA_LIBRARIES=solver)


@pytest.mark.host
def test_failures_of_solvers(run, solver):
    run("""
y = to_gpu(x)
calls = {"cusolverDnXgetrf": np.linalg.inv, "cusolverDnXgetrs": np.linalg.inv, "cusolverDnXpotrf": np.linalg.cholesky,
         "cusolverDnXgeqrf": np.linalg.qr, "cusolverDnDorgqr": np.linalg.qr, "cusolverDnXsyevd": np.linalg.eigh,
         "cusolverDnXgesvdp": np.linalg.svd, "cusolverDnXgeev": np.linalg.eig, "cusolverDnCreate": np.linalg.inv, "cusolverDnCreateParams": np.linalg.inv,
         "cusolverDnSetStream": np.linalg.inv}
calls = {name: calls[name] for name in reversed(calls)}  # handles are made once
calls |= {name + "_bufferSize": function for name, function in calls.items() if "DnX" in name and name != "cusolverDnXgetrs"}
for entry, function in calls.items():
    for status, kind, code, name in ((6, cuda.LaunchError, 719, "EXECUTION_FAILED"), (3, cuda.LogicError, 1, "INVALID_VALUE"),
                                     (4, cuda.RuntimeError, 209, "ARCH_MISMATCH"), (99, cuda.Error, 999, "99")):
        if "Create" in entry and handles.value:
            context.pop(), context.detach()
            context = cuda.Device(0).make_context()
            y = to_gpu(x)
        before = handles.value
        fail(entry, status)
        try:
            function(y)
            raise SystemExit(f"{entry} did not fail")
        except kind as problem:
            routine = entry.removesuffix("_bufferSize")
            assert problem.code == code and name in str(problem) and routine + " failed" in str(problem), problem
        assert before <= handles.value <= before + ("Create" not in entry)
    if "Create" in entry:
        fail(entry, 2)  # there is memory once the pool has given back what it keeps
    same(x)
for function, text in ((np.linalg.inv, "Singular matrix"), (np.linalg.eigh, "Eigenvalues did not converge"),
                       (np.linalg.cholesky, "Matrix is not positive definite"), (np.linalg.svd, None)):
    number("failing_info").value = 2
    try:
        function(to_gpu(np.eye(5)))
        assert text is None, text
    except np.linalg.LinAlgError as problem:
        assert str(problem) == text
assert libraries.last() == "cusolverDnXgesvd" and number("wrong_context").value == 0
print("right")
""", START_SOLVER, PYCUDA_LIBRARIES=solver)


@pytest.mark.host
def test_what_solvers_are_asked(run, solver):
    """Small matrices, those of other types and those with NaN are NumPy's; singular ones are given exactly; right sides for
    one matrix are columns of one call."""
    run("""
import warnings
warnings.simplefilter("ignore")
same(x, np.linalg.svdvals, "cusolverDnXgesvdp")
same(x[:, :1] @ x[:1], np.linalg.svdvals, "cusolverDnXgesvd")
same(x[:, :1] @ x[:1], np.linalg.pinv, "cusolverDnXgesvd")
same(x[:, :1] @ x[:1], np.linalg.matrix_rank, "cusolverDnXgesvd")
before = runs.value
np.linalg.solve(to_gpu(x), to_gpu(random.uniform(-1, 1, (7, 5, 2))))
assert runs.value == before + 2
np.linalg.solve(to_gpu(np.stack([x, x])), to_gpu(random.uniform(-1, 1, (7, 2, 5, 2))))
assert runs.value == before + 2 + 28
same(np.eye(3)[:0, :0], np.linalg.inv, "numpy.linalg.inv"), same(x[None][:0], np.linalg.inv, "numpy.linalg.inv")
y = to_gpu(np.where(np.eye(5), np.nan, x))
assert np.isnan(np.linalg.inv(y).get()).all() and libraries.last() == "numpy.linalg.inv"
for wrong in (np.nan, np.inf, -np.inf):
    for dtype in "fdFD":
        host, right = np.eye(5, dtype=dtype), np.ones(5, dtype)
        host[3, 1] = right[4] = wrong
        calls = [(getattr(np.linalg, name), host) for name in "inv det slogdet cholesky qr eigh eigvalsh svdvals".split()]
        for function, *operands in (*calls, (np.linalg.solve, host, right), (np.linalg.solve, np.eye(5, dtype=dtype), right)):
            found = []
            for those in ([to_gpu(one) for one in operands], operands):
                try:
                    parts = function(*those)
                    parts = parts if isinstance(parts, tuple) else (parts,)
                    found.append([part.get() if isinstance(part, gpuarray.GPUArray) else part for part in parts])
                except np.linalg.LinAlgError as problem:
                    found.append(str(problem))
            if isinstance(found[1], str):
                assert found[0] == found[1], (function, found)
            else:
                assert "numpy" in libraries.last() and all(np.array_equal(one, other, equal_nan=True) for one, other in zip(
                    *found, strict=True)), (function, found)
_solvers.LEAST = 25
same(x)
_solvers.LEAST = 26
same(x, np.linalg.inv, "numpy.linalg.inv")
print("right")
""", START_SOLVER, PYCUDA_LIBRARIES=solver)


@pytest.mark.host
def test_solvers_work_in_the_order_of_the_stream(run, solver):
    run("""
from pycuda.compiler import SourceModule
late = SourceModule("__global__ void late(double *x) { for (volatile int k = 0; k < 3000000; k++); x[6 * threadIdx.x] = 2; }")
for function in (np.linalg.inv, np.linalg.det, np.linalg.qr, np.linalg.eigvalsh):
    for stream in (None, cuda.Stream()):
        y = to_gpu(np.zeros((5, 5)))
        late.get_function("late")(y, block=(5, 1, 1), stream=stream)
        z = function(y)
        y.fill(5)
        wanted = function(np.eye(5) * 2)
        for got, host in zip(z, wanted) if isinstance(z, tuple) else ((z, wanted),):
            assert np.allclose(abs(got.get()), abs(host)), (function, got, host)
print("right")
""", START_SOLVER, PYCUDA_LIBRARIES=solver)


@pytest.mark.host
def test_solvers_in_threads(run, solver):
    """A handle serves one call at a time: the GIL is let go in each."""
    run("""
import threading
y, results = to_gpu(x), []
def work():
    context.push()
    results.extend(np.allclose(np.linalg.inv(y).get() @ x, np.eye(5)) for _ in range(20))
    cuda.Context.pop()
threads = [threading.Thread(target=work) for _ in range(4)]
for one in threads:
    one.start()
for one in threads:
    one.join()
assert len(results) == 80 and all(results) and 1 <= handles.value <= 4
print("right")
""", START_SOLVER, PYCUDA_LIBRARIES=solver)


@pytest.mark.host
def test_solvers_are_not_captured(run, solver):
    run("""
y = to_gpu(x)
with gpuarray.capture() as graph:
    assert not _native._is_factored(y)
    z = y + 1
graph.instantiate().launch()
assert np.array_equal(z.get(), x + 1) and _native._is_factored(y) and _native._library_solves()
print("right")
""", START_SOLVER, PYCUDA_LIBRARIES=solver)


@pytest.mark.host
def test_solvers_refuse_what_does_not_fit(run, solver):
    run("""
info, a, tall = (_native.zeros(shape, dtype) for shape, dtype in (((2,), "i"), ((2, 3, 3), "d"), ((2, 3, 4), "d")))
pivots, values, single = (_native.zeros((2, 3), dtype) for dtype in ("q", "d", "f"))
wrong = (
    lambda: _native._library_lu(info, tall, pivots), lambda: _native._library_lu(info, a, values),
    lambda: _native._library_lu(info[:1], a, pivots), lambda: _native._library_lu(info, a.mT, pivots),
    lambda: _native._library_lu(info, a[:, :0], pivots), lambda: _native._library_lu(info, a[0], pivots),
    lambda: _native._library_lu(pivots[0], a, pivots), lambda: _native._library_lu_solve(info, a, pivots, tall, True),
    lambda: _native._library_lu_solve(info, a, pivots, a.astype("f"), True), lambda: _native._library_cholesky(info, tall, True),
    lambda: _native._library_qr(info, tall, single), lambda: _native._library_qr(info, tall, values[:, :2]),
    lambda: _native._library_reflections(info, a, _native.zeros((2, 4), "d")),
    lambda: _native._library_reflections(info, _native.zeros((2, 4, 3), "d"), values),
    lambda: _native._library_eigen(info, a, single, True, True), lambda: _native._library_eigen(info, tall, values, True, True),
    lambda: _native._library_svd(info, tall, _native.zeros((2, 4), "d"), a, a, True, True),
    lambda: _native._library_svd(info, tall, values, _native.zeros((2, 2, 4), "d"), a, True, True),
    lambda: _native._library_svd(info, tall, values, a, a, True, True), lambda: _native._library_svd(info, tall, values, tall, tall, True, True),
    lambda: _native._library_svd(info, _native.zeros((2, 4, 3), "d"), _native.zeros((2, 4), "d"), _native.zeros((2, 4, 3), "d"),
                                 _native.zeros((2, 4, 4), "d"), True, True))
for one in wrong:
    try:
        one()
        raise SystemExit(f"{wrong.index(one)} was taken")
    except ValueError as problem:
        assert "fit" in str(problem) or "square" in str(problem) or "more columns" in str(problem), problem
for one in (lambda: _native._library_lu(info, 3, pivots), lambda: _native._library_lu(None, a, pivots)):
    try:
        one()
        raise SystemExit("it was taken")
    except TypeError:
        pass
half = _native.zeros((2, 3, 3), "e")
assert _native._library_lu(info, half, pivots) is None and runs.value == 0
print("right")
""", START_SOLVER, PYCUDA_LIBRARIES=solver)


@pytest.mark.host
@pytest.mark.parametrize("definitions, name, why", [
    (("-DVERSION=10",), "libcufft.so.12", "libcufft.so.12 says that it is version 10"),
    ((), "libcufft.so.10", "libcufft.so.12 was looked for in $PYCUDA_LIBRARIES; `pip install nvidia-cufft` would do"),
    (("-DVERSION=10",), "libcusolver.so.12", "libcusolver.so.12 says that it is version 10"),
    (("-DLACKS",), "libcusolver.so.12", "libcusolver.so.12 lacks cusolverDnZungqr"),
    ((), "libcusolver.so.10", "libcusolver.so.12 was looked for in $PYCUDA_LIBRARIES; `pip install nvidia-cusolver` would do"),
])
def test_without_them_numpy_computes(run_python, fake, definitions, name, why):
    done = run_python(f"""
import numpy as np, pycuda.autoinit
from pycuda import _solvers, libraries
from pycuda.gpuarray import to_gpu
_solvers.LEAST = 0
a = np.arange(5.0)
for function, host in ((np.fft.fft, a), (np.linalg.inv, np.diag(a + 1))):
    assert np.array_equal(function(to_gpu(host)).get(), function(host))
    assert libraries.last() == f"{{function.__module__}}.{{function.__name__}}"
assert {why!r} in libraries.found()[{name.partition('.')[0][3:]!r}], libraries.found()
""", PYCUDA_LIBRARIES=fake(*definitions, name=name), DRIVER=DRIVER)
    assert done.returncode == 0, done.stderr


def test_who_computes_a_product(run_python):
    """On a GPU with cuBLAS it does; the numbers are the same by whatever there is."""
    done = run_python("""
import numpy as np, pycuda.autoinit
from pycuda import libraries
from pycuda.gpuarray import to_gpu
x = np.random.default_rng(1).uniform(-1, 1, (5, 64, 80))
for dtype in "efdFD":
    a = x.astype(dtype)
    for one, other, name in ((a, a.swapaxes(1, 2), "cublasGemmStridedBatchedEx"), (a[0], a[1].T, "cublasGemmEx")):
        got, wanted = (to_gpu(one) @ to_gpu(other)).get(), one @ other
        digits = np.finfo(dtype).eps
        assert got.dtype == wanted.dtype and np.allclose(got, wanted, 100 * digits, 100 * digits)
        assert libraries.last() == (name if libraries.found()["cublas"][0] == "/" else None)
""", PYCUDA_LIBRARIES="")
    assert done.returncode == 0, done.stderr


HEADERS = {"libraries/blas.def": "cublas_v2.h", "libraries/fft.def": "cufftXt.h", "libraries/solver.def": "cusolverDn.h", "libraries/sparse.def": "cusparse.h",
           "cuda/nccl.def": "nccl.h"}


def header_folders():
    yield from (pathlib.Path(folder, "include") for folder in ("/usr/local/cuda",))
    for folder in sys.path:
        yield from pathlib.Path(folder).glob("nvidia/*/include")


TOOLKIT = pathlib.Path("/usr/local/cuda/lib64")


@pytest.mark.host
@pytest.mark.parametrize("name", ["cublas", "cufft", "cusolver", "cusparse"])
def test_nvidias_own_have_what_is_asked(run_python, name):
    """They can be opened without a GPU; it is the version that their name says, and no entry point is missing."""
    if not any(TOOLKIT.glob(f"lib{name}.so.1[123]")):
        pytest.skip(f"no toolkit with {name} is installed")
    done = run_python(f"import pycuda.autoinit; from pycuda import libraries; print(libraries.found()[{name!r}])",
                      PYCUDA_LIBRARIES=str(TOOLKIT))
    assert done.stdout.startswith(f"{TOOLKIT}/lib{name}.so."), done.stdout + done.stderr


@pytest.mark.parametrize("definitions, header", HEADERS.items())
def test_prototypes_are_nvidias(definitions, header, tmp_path):
    """The compiler takes each function of the header for a pointer with the parameters of the list."""
    folders = [*header_folders()]
    if not any((folder / header).is_file() for folder in folders):
        pytest.skip(f"no {header} of NVIDIA's is installed")
    program = tmp_path / "prototypes.c"
    program.write_text(f"""
#include <cuda.h>
#include <{header}>
#define LIBRARY(name, parameters) unsigned(*const check_##name) parameters = name;
#define LIBRARY_NEWER(name, parameters) LIBRARY(name, parameters)
#define N(result, name, ...) LIBRARY_OF(result, name, (__VA_ARGS__))
#define LIBRARY_OF(result, name, parameters) result (*const check_##name) parameters = name;
#include "{definitions}"
""")
    command = ["cc", "-fsyntax-only", "-Werror", "-Wno-deprecated-declarations", "-I", SOURCES, *(word for folder in folders for word in ("-I", folder))]
    done = subprocess.run([*command, program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    program.write_text(program.read_text().replace("parameters = name", "parameters = (void *)0; static int (*wrong)(int) = name"))
    assert subprocess.run([*command, program], capture_output=True, check=False).returncode
