"""pycuda.sparse against dense NumPy; shapes, dtypes and hostile input; conjugate gradients."""

import numpy as np
import pytest

from pycuda import debug, gpuarray
from pycuda.sparse import CSRMatrix
from pycuda.sparse.cg import ConvergenceError, solve, solve_pkt_with_cg
from pycuda.sparse.coordinate import CoordinateSpMV
from pycuda.sparse.operator import DiagonalPreconditioner, IdentityOperator
from pycuda.sparse.packeted import PacketedSpMV

pytestmark = pytest.mark.usefixtures("context")

DTYPES = ["float32", "float64", "complex64", "complex128"]
random = np.random.default_rng(7)


def numbers(shape, dtype):
    x = random.standard_normal(shape) + 1j * random.standard_normal(shape)
    return (x if np.dtype(dtype).kind == "c" else x.real).astype(dtype)


def dense(rows, columns, dtype, density=0.1):
    return numbers((rows, columns), dtype) * (random.random((rows, columns)) < density)


def is_close(found, wanted):
    found = found.get()
    eps = np.finfo(found.dtype).eps
    return found.dtype == wanted.dtype and found.shape == wanted.shape and np.allclose(
        found, wanted, rtol=64 * eps, atol=64 * eps * max(1, np.abs(wanted).max(initial=0)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("x_dtype", [*DTYPES, "int16"])
def test_product(dtype, x_dtype):
    a = dense(70, 50, dtype)
    x = numbers(50, "float64").round(1) * 10 if x_dtype == "int16" else numbers(50, x_dtype)
    x, y = x.astype(x_dtype), numbers(70, x_dtype if x_dtype != "int16" else dtype)
    matrix = CSRMatrix(a)
    assert (matrix.shape, matrix.dtype, matrix.nnz) == (a.shape, a.dtype, np.count_nonzero(a))
    assert is_close(matrix @ gpuarray.to_gpu(x), a @ x)
    assert is_close(matrix.T @ gpuarray.to_gpu(y), a.T @ y)
    assert is_close(gpuarray.to_gpu(y) @ matrix, y @ a)
    assert np.array_equal(matrix.get(), a)


@pytest.mark.parametrize("rows, columns, density", [
    (0, 0, 1), (0, 5, 1), (5, 0, 1), (1, 1, 1), (7, 3000, 1), (255, 256, 0), (256, 255, .02),
    (257, 40, .1), (3000, 7, .5), (33, 33, 1)])
def test_shapes(rows, columns, density):
    """Rows without elements and long ones; every number of lanes to a row."""
    a = dense(rows, columns, "float64", density)
    matrix, x = CSRMatrix(a), numbers(columns, "float64")
    assert is_close(matrix @ gpuarray.to_gpu(x), a @ x)
    assert is_close(matrix.T @ gpuarray.to_gpu(a @ x), a.T @ (a @ x))


@pytest.mark.host
def test_nothing_is_reported_by_checks():
    a, x = dense(700, 600, "float64", .02), numbers(600, "float64")
    with debug.check("all"):
        before = debug.reports()
        assert is_close(CSRMatrix(a) @ gpuarray.to_gpu(x), a @ x)
        assert debug.reports() == before


def test_operands():
    a = dense(40, 30, "float32")
    matrix, x, y = CSRMatrix(a), numbers(60, "float32"), numbers(40, "float32")
    strided, out = gpuarray.to_gpu(x)[::-2], gpuarray.to_gpu(y)
    assert is_close(matrix @ strided, a @ x[::-2])
    assert is_close(matrix(strided), a @ x[::-2])
    assert matrix(strided, out) is out and is_close(out, y + a @ x[::-2])
    assert matrix.matvec(strided, out) is out and is_close(out, a @ x[::-2])


def test_what_a_matrix_is_made_of():
    data, indices, indptr = np.array([1., 2, 3, 4]), np.array([1, 1, 0, 2]), np.array([0, 2, 2, 4])
    wanted = np.array([[0, 3, 0], [0, 0, 0], [3, 0, 4]])  # an element that comes twice is added
    on_device = [gpuarray.to_gpu(part) for part in (data, indices, indptr)]

    class OfSciPy:  # what is asked of a scipy.sparse.csr_array
        shape = 3, 3

        def tocsr(self):
            self.data, self.indices, self.indptr = data, indices, indptr
            return self

    for matrix in (CSRMatrix((data, indices, indptr)), CSRMatrix(tuple(on_device)),
                   CSRMatrix(OfSciPy()), CoordinateSpMV(OfSciPy(), np.float32),
                   PacketedSpMV(OfSciPy(), False, np.complex64)):
        x = gpuarray.to_gpu(np.array([1, 2, 3], matrix.dtype))
        assert np.array_equal((matrix @ x).get(), wanted @ [1, 2, 3])
        assert matrix.diagonal().get().tolist() == [0, 0, 4]
        assert matrix.indices.dtype == matrix.indptr.dtype == np.int32
    assert CSRMatrix((data, indices, indptr), (3, 9)).shape == (3, 9)
    assert repr(CSRMatrix(wanted, dtype="f4")) == (
        "<pycuda.sparse.CSRMatrix of float32, shape (3, 3), 3 elements>")


def test_another_context_and_a_stream():
    import pycuda.driver as cuda

    a, stream = dense(30, 30, "float64"), cuda.Stream()
    x = gpuarray.to_gpu(a[0])
    found = CSRMatrix(a).matvec(x, stream=stream)
    stream.synchronize()
    assert is_close(found, a @ a[0])
    other = cuda.Device(0).make_context()
    try:
        assert is_close(CSRMatrix(a) @ gpuarray.to_gpu(a[0]), a @ a[0])
    finally:
        other.pop()


GOOD = np.array([1., 2]), np.array([0, 1]), np.array([0, 1, 2])


@pytest.mark.parametrize("call, error, text", [
    (lambda: CSRMatrix(5), TypeError, "expected a SciPy sparse matrix, .* got int"),
    (lambda: CSRMatrix(np.zeros(3)), TypeError, "got ndarray"),
    (lambda: CSRMatrix((1, 2)), TypeError, "three arrays with one axis"),
    (lambda: CSRMatrix((GOOD[0], GOOD[1], 7)), TypeError, "three arrays with one axis"),
    (lambda: CSRMatrix(np.eye(3, dtype=int)), TypeError,
     "dtype: expected one of float32, .*, got int64"),
    (lambda: CSRMatrix(np.eye(3), dtype="f2"), TypeError, "got float16"),
    (lambda: CSRMatrix((GOOD[0], GOOD[0], GOOD[2])), TypeError, "expected integers, got float64"),
    (lambda: CSRMatrix((GOOD[0], GOOD[1][:1], GOOD[2])), ValueError, "indices has 1"),
    (lambda: CSRMatrix((GOOD[0], GOOD[1], GOOD[2][:2])), ValueError, "rise from 0 to 2"),
    (lambda: CSRMatrix((GOOD[0], GOOD[1], np.array([0, 3, 2]))), ValueError, "rise from 0 to 2"),
    (lambda: CSRMatrix((GOOD[0], GOOD[1], np.array([], int))), ValueError, "rise from 0 to 2"),
    (lambda: CSRMatrix((GOOD[0], GOOD[1] - 1, GOOD[2])), ValueError, "indices from -1 to 0"),
    (lambda: CSRMatrix(GOOD, (2, 1)), ValueError, r"do not fit a matrix of shape \(2, 1\)"),
    (lambda: CSRMatrix(GOOD, (3, 2)), ValueError, "2 rows do not fit"),
    (lambda: CSRMatrix(GOOD) @ np.zeros(2), TypeError, "x: expected a GPUArray, got ndarray"),
    (lambda: CSRMatrix(GOOD) @ gpuarray.zeros(3, "f8"), ValueError, r"shape \(2,\), got float64"),
    (lambda: CSRMatrix(GOOD) @ gpuarray.zeros((2, 2), "f8"), ValueError, "x: expected numbers"),
    (lambda: CSRMatrix(GOOD).matvec(gpuarray.zeros(2, "f8"), gpuarray.zeros(2, "f4")), ValueError,
     "out: expected a GPUArray without gaps of float64"),
    (lambda: solve(CSRMatrix(np.ones((2, 3))), gpuarray.zeros(2, "f8")), ValueError, "square"),
    (lambda: solve(CSRMatrix(-np.eye(9) + np.eye(9, k=3)), gpuarray.ones(9, "f8"), max_iterations=50),
     ConvergenceError, "after .* iterations the residual is .*Hermitian and positive definite"),
])
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


# -- Conjugate gradients -------------------------------------------------------------------


def poisson_matrix(n, dtype):
    """The five-point Laplacian on a square of n x n points; the complex one is Hermitian."""
    one = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    matrix = np.kron(one, np.eye(n)) + np.kron(np.eye(n), one)
    if np.dtype(dtype).kind == "c":
        matrix = matrix + 0.5j * np.eye(n * n, k=1) - 0.5j * np.eye(n * n, k=-1)
    return (matrix + 0.1 * np.diag(np.arange(n * n) % 7)).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_solve(dtype):
    a = poisson_matrix(12, dtype)
    b, tol = numbers(144, dtype), 50 * np.finfo(dtype).eps
    matrix, right = CSRMatrix(a), gpuarray.to_gpu(b)
    precon = DiagonalPreconditioner(1 / matrix.diagonal())
    for keywords in ({}, {"precon": precon}, {"precon": IdentityOperator(dtype, 144)},
                     {"x": gpuarray.to_gpu(numbers(144, dtype))}):
        x, iterations = solve(matrix, right, tol=tol, **keywords)
        assert x.dtype == dtype and 8 <= iterations <= 144
        assert np.linalg.norm(b - a @ x.get()) <= 4 * tol * np.linalg.norm(b)
    assert np.array_equal(right.get(), b)


def test_solve_by_other_products():
    a, b = poisson_matrix(5, "float64"), numbers(25, "float32")
    wanted = np.linalg.solve(a, b)
    for matrix in (gpuarray.to_gpu(a), CSRMatrix(a)):
        x, _ = solve(matrix, gpuarray.to_gpu(b), tol=1e-12)
        assert np.allclose(x.get(), wanted)
    x, iterations = solve(CSRMatrix(a), gpuarray.zeros(25, "float64"))
    assert iterations == 0 and not x.get().any()


def test_pycudas_names(capsys):
    a, b = poisson_matrix(6, "float64"), numbers(36, "float64")
    operator = PacketedSpMV(a, True, np.float64)
    x, iterations, looks = solve_pkt_with_cg(operator, operator.permute(gpuarray.to_gpu(b)),
                                             tol=1e-10, debug=True)
    assert np.allclose(a @ operator.unpermute(x).get(), b) and looks == iterations // 8 + 1
    assert capsys.readouterr().out.count("residual") == looks
