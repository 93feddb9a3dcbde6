"""Products of sparse matrices by cuSPARSE: what it is asked, whose its handles are, and what comes of failures;
libraries_fake_sparse.c passes for it."""

import pytest
import test_libraries
from test_libraries import DRIVER

blas, fake, run = test_libraries.blas, test_libraries.fake, test_libraries.run

START = """
import ctypes, gc, os
import numpy as np
import pycuda.driver as cuda
from pycuda import gpuarray, libraries, _native
from pycuda.gpuarray import to_gpu
from pycuda.sparse import CSRMatrix, _tiles
cuda.init()
context = cuda.Device(0).make_context()
fake = ctypes.CDLL(os.environ["PYCUDA_LIBRARIES"] + "/libcusparse.so.12")
number = lambda name: ctypes.c_int.in_dll(fake, name)
handles, descriptors, runs = number("handles"), number("descriptors"), number("runs")
arguments = (ctypes.c_longlong * 5).in_dll(fake, "arguments")
_tiles.LIBRARY_COLUMNS, _tiles.LIBRARY_LONGEST, _tiles.LIBRARY_UNLIKE = 0, -1, -1

def fail(name, status, times=1):
    (ctypes.c_char * 64).in_dll(fake, "failing").value = name.encode()
    number("failure").value, number("failures").value = status, times

random = np.random.default_rng(3)
def numbers(*shape, dtype="d"):
    x = random.uniform(-2, 2, shape)
    return (x + 1j * random.uniform(-2, 2, shape) if dtype in "FD" else x).astype(dtype)

def dense(rows, columns, dtype="d", density=.3):
    return numbers(rows, columns, dtype=dtype) * (random.uniform(size=(rows, columns)) < density)

def same(a, x, served="cusparseSpMM", put=to_gpu):
    "a @ x of arrays on the host is NumPy's, and computed by that"
    before = runs.value
    got, wanted = CSRMatrix(a) @ put(x), a @ x
    digits = 100 * np.finfo(wanted.dtype).eps
    assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape), (got.dtype, got.shape)
    assert np.allclose(got.get(), wanted, digits, digits), (a, x, got.get(), wanted)
    assert libraries.last() == served and descriptors.value == 0, (libraries.last(), served)
    assert runs.value == before + served.startswith("cusparse")
"""
OURS = "pycuda_csr_product"


@pytest.fixture(scope="module")
def library(fake):
    return fake(name="libcusparse.so.12")


@pytest.mark.host
def test_what_is_asked(run, library):
    """One type for all three, in rows; what is of several types or empty, or a vector, is computed here, and what lies neither
    in rows nor at a multiple of 16 bytes copied or computed here."""
    run("""
ours = "pycuda_csr_product"
for dtype, code in (("f", 0), ("d", 1), ("F", 4), ("D", 5)):
    a = dense(30, 20, dtype)
    same(a, numbers(20, 7, dtype=dtype))
    assert list(arguments) == [6, code, 2, 7, 7]
    same(a, numbers(20, dtype=dtype), ours), same(a, numbers(20, 1, dtype=dtype))
a, x = dense(30, 20), numbers(20, 10)
wide = lambda x: to_gpu(np.hstack([x, x]))
same(a, x, put=lambda x: wide(x)[:, :10])
assert arguments[4] == 20
same(a, x[:, 2:], put=lambda y: wide(x)[:, 2:10])
assert list(arguments)[3:] == [8, 20]
same(a, x[:, 3:], ours, lambda y: wide(x)[:, 3:10])
same(a, x, put=lambda x: to_gpu(np.asfortranarray(x)))
same(a, x, put=lambda x: to_gpu(x[::-1].copy())[::-1])
same(a, np.broadcast_to(x[0], (20, 10)), put=lambda y: np.broadcast_to(to_gpu(x[0]), (20, 10)))
assert arguments[4] == 10
same(a, numbers(20, 3, dtype="f"))  # becomes float64
same(a.astype("f"), numbers(20, 3), ours), same(a, numbers(20, 3, dtype="D"), ours), same(a * 0, x, ours)
for rows, columns in ((0, 5), (5, 0), (0, 0)):
    before = runs.value
    for x in (numbers(columns), numbers(columns, 3)):
        assert np.array_equal((CSRMatrix(np.zeros((rows, columns))) @ to_gpu(x)).get(), np.zeros((rows, *x.shape[1:])))
    assert (CSRMatrix(np.eye(5)) @ to_gpu(numbers(5, 0))).shape == (5, 0) and runs.value == before
out = gpuarray.zeros((30, 10), "d")
assert CSRMatrix(a).matmat(to_gpu(wide(a)[:20, :10].get()), out) is out and libraries.last() == "cusparseSpMM"
x = numbers(4, 30)
assert np.allclose((to_gpu(x) @ CSRMatrix(a)).get(), x @ a) and libraries.last() == "cusparseSpMM"
print("right")
""", START, PYCUDA_LIBRARIES=library)


@pytest.mark.host
def test_when_it_is_asked(run, library):
    """Where it has been measured to be the faster one."""
    run("""
import importlib
importlib.reload(_tiles)
few = _tiles.LIBRARY_COLUMNS
assert few > 1
for longest, rows, columns, served in ((600, 600, few, "cusparseSpMM"), (600, 600, few - 1, "pycuda_csr_product"),
                                       (512, 600, few, "pycuda_csr_product"), (600, 2, few, "pycuda_csr_product")):
    a = np.zeros((rows, 600))
    a[0, :longest] = a[:, 0] = 1
    same(a, np.ones((600, columns)), served)
    same(a, np.ones(600), "pycuda_csr_product")
print("right")
""", START, PYCUDA_LIBRARIES=library)


@pytest.mark.host
def test_wide_numbers(run, library):
    """int64 where a matrix needs it; of both kinds at once they are not for the library."""
    run("""
a, x = dense(6, 5), numbers(5, 4)
matrix, y = CSRMatrix(a), gpuarray.empty((6, 4), "d")
call = lambda indices, starts: _native._library_sparse_product(y, to_gpu(x), matrix.data, matrix.indices.astype(indices), matrix.indptr.astype(starts))
assert call("q", "q") == "cusparseSpMM" and np.allclose(y.get(), a @ x) and arguments[2] == 3
assert call("i", "q") is None and call("q", "i") is None and call("I", "I") is None
print("right")
""", START, PYCUDA_LIBRARIES=library)


@pytest.mark.host
def test_handles_live_as_long_as_their_context(run, library):
    run("""
a = dense(9, 9)
assert handles.value == 0
same(a, a), same(a, a)
assert handles.value == 1
other = cuda.Device(0).make_context()
same(a, a)
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
""", START, PYCUDA_LIBRARIES=library)


@pytest.mark.host
def test_failures(run, library):
    """Each becomes the exception that the driver's nearest status does, no descriptor is left, and the next product works."""
    run("""
a = dense(9, 9)
matrix, x = CSRMatrix(a), to_gpu(a)
for entry in ("cusparseCreate", "cusparseSetStream", "cusparseCreateCsr", "cusparseCreateDnMat", "cusparseSpMM_bufferSize", "cusparseSpMM"):
    for status, kind, code, name in ((6, cuda.LaunchError, 719, "CUSPARSE_STATUS_EXECUTION_FAILED"),
                                     (3, cuda.LogicError, 1, "CUSPARSE_STATUS_INVALID_VALUE"),
                                     (4, cuda.RuntimeError, 209, "CUSPARSE_STATUS_ARCH_MISMATCH"),
                                     (99, cuda.Error, 999, "a status that is not known, 99")):
        fail(entry, status)
        try:
            matrix @ x
            raise SystemExit(f"{entry} did not fail")
        except kind as problem:
            assert problem.code == code and name in str(problem) and entry + " failed" in str(problem), problem
        assert descriptors.value == 0 and handles.value == (entry != "cusparseCreate")
    if entry == "cusparseCreate":
        fail(entry, 2)  # there is memory once the pool has given back what it keeps
        same(a, a)
    else:
        fail(entry, 10)  # not supported: not for elements of that type, say
        same(a, a, "pycuda_csr_product")
    same(a, a)
print("right")
""", START, PYCUDA_LIBRARIES=library)


@pytest.mark.host
def test_in_the_order_of_the_stream(run, library):
    run("""
from pycuda.compiler import SourceModule
late = SourceModule("__global__ void late(double *x) { for (volatile int k = 0; k < 3000000; k++); x[threadIdx.x] = 2; }")
a = dense(32, 32)
matrix = CSRMatrix(a)
for stream in (None, cuda.Stream()):
    for given in (None, stream):
        x = to_gpu(np.zeros((32, 2)))
        late.get_function("late")(x, block=(64, 1, 1), stream=stream)
        y = matrix.matmat(x, stream=given)
        assert libraries.last() == "cusparseSpMM"
        x.fill(5)
        assert np.allclose(y.get(), a @ np.full((32, 2), 2.0))
print("right")
""", START, PYCUDA_LIBRARIES=library)


@pytest.mark.host
def test_products_are_captured(run, library):
    """By the kernels here: what the library works in would have to stay as long as the graph."""
    run("""
a, x = dense(9, 9), numbers(9, 4)
matrix, y = CSRMatrix(a), to_gpu(x)
matrix @ y
with gpuarray.capture() as graph:
    z, vector = matrix @ y, matrix @ y[:, 0].copy()
assert libraries.last() == "pycuda_csr_product"
y.set(2 * x)
graph.instantiate().launch()
assert np.allclose(z.get(), 2 * (a @ x)) and np.allclose(vector.get(), 2 * (a @ x[:, 0])) and runs.value == 1
print("right")
""", START, PYCUDA_LIBRARIES=library)


@pytest.mark.host
def test_what_does_not_fit_is_refused(run, library):
    run("""
matrix = CSRMatrix(dense(6, 5))
parts = matrix.data, matrix.indices, matrix.indptr
x, y = gpuarray.zeros((5, 3), "d"), gpuarray.zeros((6, 3), "d")
call = _native._library_sparse_product
for one, error in ((lambda: call(y[:5], x, *parts), ValueError), (lambda: call(y[0], x, *parts), ValueError),
                   (lambda: call(gpuarray.zeros((6, 2), "d"), x, *parts), ValueError), (lambda: call(y, x[0], *parts), ValueError),
                   (lambda: call(y, x, parts[0], parts[1][1:], parts[2]), ValueError),
                   (lambda: call(y, x, parts[0].reshape(1, -1), *parts[1:]), ValueError),
                   (lambda: call(y, gpuarray.zeros((), "d"), *parts), ValueError),
                   (lambda: call(y, 5, *parts), TypeError), (lambda: call(None, x, *parts), TypeError)):
    try:
        one()
        raise SystemExit("it was taken")
    except error as problem:
        assert "expected" in str(problem) or "fit" in str(problem) or "axes" in str(problem), problem
assert call(y, x, *parts) == "cusparseSpMM"
for other in (x.copy(order="F"), x.astype("f"), x[::-1]):
    assert call(y, other, *parts) is None
assert call(y.copy(order="F"), x, *parts) is None and call(y.astype("f"), x, *parts) is None
print("right")
""", START, PYCUDA_LIBRARIES=library)


@pytest.mark.host
@pytest.mark.parametrize("definitions, name, why", [
    (("-DLACKS",), "libcusparse.so.12", "libcusparse.so.12 lacks cusparseSpMM"),
    (("-DVERSION=11",), "libcusparse.so.12", "libcusparse.so.12 says that it is version 11"),
    ((), "libcusparse.so.11", "libcusparse.so.12 was looked for in $PYCUDA_LIBRARIES; `pip install nvidia-cusparse` would do"),
])
def test_libraries_that_are_of_no_use(run_python, fake, definitions, name, why):
    """The kernels here compute the product."""
    done = run_python(f"""
import numpy as np, pycuda.autoinit
from pycuda import libraries
from pycuda.gpuarray import to_gpu
from pycuda.sparse import CSRMatrix, _tiles
a = np.diag(np.arange(5.0))
_tiles.LIBRARY_COLUMNS, _tiles.LIBRARY_LONGEST, _tiles.LIBRARY_UNLIKE = 0, -1, -1
for x in (np.arange(5.0), a + 1):
    assert np.array_equal((CSRMatrix(a) @ to_gpu(x)).get(), a @ x) and libraries.last() == {OURS!r}
assert {why!r} in libraries.found()["cusparse"], libraries.found()
""", PYCUDA_LIBRARIES=fake(*definitions, name=name), DRIVER=DRIVER)
    assert done.returncode == 0, done.stderr


@pytest.mark.host
@pytest.mark.parametrize("minor, version, why", [
    (6, 13000, ""), (5, 13000, ""), (5, 12080, ""),
    (6, 12080, " is of CUDA 13, and the driver is older; `pip install nvidia-cusparse-cu12` would do")])
def test_one_of_cuda_13_is_left_alone_by_an_older_driver(run_python, fake, like_gpu, minor, version, why):
    """Both versions of CUDA give it one name; its minor version tells."""
    folder = fake(f"-DMINOR={minor}", name="libcusparse.so.12")
    done = run_python("from pycuda import driver, libraries; driver.init(); print(libraries.found()['cusparse'])",
                      **like_gpu | {"PYCUDA_LIBRARIES": folder}, LIKE_GPU=f"90 4 {version}", DRIVER=DRIVER)
    assert done.stdout == f"{folder}/libcusparse.so.12{why}\n", done.stderr
