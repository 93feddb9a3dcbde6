"""pycuda.sparse against dense NumPy and SciPy; shapes, dtypes and hostile input; conjugate gradients."""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

from pycuda import debug, gpuarray, libraries
from pycuda.sparse import CSRMatrix, _tiles
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


# Rows of no elements, of few and of so many that they are cut into pieces on each kind of device, side by side.
LENGTHS = [0, 3, 30_000, 0, 0, 600, 1, 2, 300, 255, 256, 257, 513, *[5] * 400, 0, 8192, 8193, 2048, 2049, *[0] * 5000, 40, 40, 1]
SHORT = [0, 3, 512, 0, 0, 300, *[5] * 400, 0, 511, *[0] * 5000, 40, 1]


def of_lengths(lengths, dtype, columns=900):
    """(matrix of rows of those lengths, a function that multiplies by NumPy)"""
    lengths = np.array(lengths)
    data, indices = numbers(lengths.sum(), dtype), random.integers(0, columns, lengths.sum())

    def multiply(x):
        products = data.reshape(-1, *[1] * (x.ndim - 1)) * x[indices]
        result = np.zeros((lengths.size, *x.shape[1:]), np.result_type(products, "f8"))
        np.add.at(result, np.repeat(np.arange(lengths.size), lengths), products)
        return result.astype(products.dtype)
    return CSRMatrix((data, indices, np.append(0, lengths.cumsum())), (lengths.size, columns)), multiply


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("columns", [None, 0, 1, 2, 3, 8, 31, 33, 70])
@pytest.mark.parametrize("lengths", [LENGTHS, SHORT, [300]], ids=["long", "short", "one"])
def test_rows_of_unlike_lengths(dtype, columns, lengths):
    matrix, multiply = of_lengths(lengths, dtype)
    x = numbers(900 if columns is None else (900, columns), dtype)
    wanted, eps = multiply(x), np.finfo(dtype).eps
    for out in (None, gpuarray.to_gpu(np.full_like(wanted, np.nan))):
        found = matrix.matvec(gpuarray.to_gpu(x), out) if columns is None else matrix.matmat(gpuarray.to_gpu(x), out)
        assert found.dtype == wanted.dtype and found.shape == wanted.shape and (out is None or found is out)
        assert np.allclose(found.get(), wanted, 100 * eps, 20_000 * eps)  # sums of 30,000 terms round, in whatever order
    again = matrix @ gpuarray.to_gpu(x)
    assert again.get().tobytes() == found.get().tobytes()  # whatever came first


@pytest.mark.parametrize("x_dtype", [*DTYPES, "int16"])
def test_product_with_a_matrix(x_dtype):
    for dtype in DTYPES:
        a = dense(70, 50, dtype)
        x, y = ((numbers(shape, "float64").round(1) * 10).astype(x_dtype) if x_dtype == "int16" else numbers(shape, x_dtype)
                for shape in ((50, 12), (12, 70)))
        matrix = CSRMatrix(a)
        assert is_close(matrix @ gpuarray.to_gpu(x), a @ x) and is_close(matrix(gpuarray.to_gpu(x)), a @ x)
        assert is_close(gpuarray.to_gpu(y) @ matrix, y @ a)


@pytest.mark.parametrize("rows, columns, n", [(0, 0, 0), (0, 5, 3), (5, 0, 3), (5, 5, 0), (1, 1, 1), (300, 3, 2), (3, 300, 200)])
def test_shapes_of_products_with_a_matrix(rows, columns, n):
    a, x = dense(rows, columns, "float32", .5), numbers((columns, n), "float32")
    assert is_close(CSRMatrix(a) @ gpuarray.to_gpu(x), a @ x)
    assert is_close(CSRMatrix(a).matmat(gpuarray.to_gpu(x)), a @ x)


def test_layouts_of_a_matrix():
    a, x = dense(40, 30, "float64"), numbers((60, 50), "float64")
    matrix, on_device = CSRMatrix(a), gpuarray.to_gpu(x)
    for part in (np.s_[:30, :7], np.s_[:30, 3:4], np.s_[::2, ::7], np.s_[::-2, 5:], np.s_[30:, ::-1], np.s_[:30, :0]):
        assert is_close(matrix @ on_device[part], a @ x[part])
    assert is_close(matrix @ on_device.T[:30], a @ x.T[:30])
    assert is_close(matrix @ np.broadcast_to(on_device[:30, :1], (30, 9)), a @ np.broadcast_to(x[:30, :1], (30, 9)))
    y = numbers((40, 7), "float64")
    out, few = gpuarray.to_gpu(y), on_device[:30, :7]
    assert matrix(few, out) is out and is_close(out, y + a @ x[:30, :7])
    assert matrix.matmat(few, out) is out and is_close(out, a @ x[:30, :7])
    square, z = CSRMatrix(a[:30]), gpuarray.to_gpu(x[:30])
    assert square.matmat(z, z) is z and is_close(z, a[:30] @ x[:30])  # in place


@pytest.mark.parametrize("tile, longest, piece", [(4, 2, 3), (1536, 512, 2048), (4096, 256, 8192), (1, 1, 1), (7, 0, 2)])
def test_tiles(tile, longest, piece):
    """Every element is in one tile, every row in one or cut; a tile has no more than a block has room for."""
    for lengths in (LENGTHS, [], [0], [9000], [1] * 5000, random.integers(0, 9, 700), random.integers(0, 3000, 50)):
        starts = np.append(0, np.cumsum(lengths)).astype(np.int64)
        rows, elements, cuts = _tiles.cut(starts, tile, longest, piece)
        assert rows.shape == elements.shape and (rows[-1], elements[-1]) == (len(lengths), starts[-1])
        if not len(lengths):
            continue
        assert (rows[0], elements[0]) == (0, 0) and (np.diff(rows) >= 0).all() and (np.diff(elements) >= 0).all()
        parts = np.diff(elements)
        is_piece = starts[rows[:-1]] != elements[:-1]
        is_piece[:-1] |= rows[1:-1] == rows[:-2]
        assert (parts[is_piece] <= piece).all() and (elements[:-1] >= starts[rows[:-1]]).all()
        assert np.array_equal(elements[:-1][~is_piece], starts[rows[:-1][~is_piece]])
        for k in np.flatnonzero(~is_piece):  # whole rows, in the room of a block, or one long one
            assert parts[k] < tile + longest or (rows[k + 1] - rows[k] == 1 and parts[k] <= max(longest, piece))
        wanted = [(k, k + np.count_nonzero(rows[:-1] == row)) for row in range(len(lengths))
                  for k in [np.searchsorted(rows, row)] if np.count_nonzero(rows[:-1] == row) > 1]
        assert cuts.tolist() == [list(cut) for cut in wanted]


def test_as_scipy():
    sparse = pytest.importorskip("scipy.sparse")
    for dtype in DTYPES:
        a = sparse.random_array((200, 150), density=.05, format="csr", rng=random).astype(dtype)
        for matrix in (CSRMatrix(a), CSRMatrix(a.tocoo()), PacketedSpMV(a, False, dtype), CoordinateSpMV(a.tocsc(), dtype)):
            for x in (numbers(150, dtype), numbers((150, 4), dtype)):
                assert is_close(matrix @ gpuarray.to_gpu(x), a @ x) and is_close(matrix(gpuarray.to_gpu(x)), a @ x)


def test_pending_operands():
    a, x = dense(20, 30, "float64"), numbers((30, 6), "float64")
    matrix, on_device = CSRMatrix(a), gpuarray.to_gpu(x)
    with gpuarray.lazy():
        doubled = on_device * 2
        found = [matrix @ doubled, matrix @ doubled[:, :4], matrix @ (on_device + 1)[:, 2], matrix @ (on_device[:, 1:3] * 3)]
        found.append((found[0] + 1) @ (on_device + 2).T)
    for one, wanted in zip(found, (a @ (2 * x), a @ (2 * x)[:, :4], a @ (x + 1)[:, 2], a @ (3 * x)[:, 1:3],
                                   (a @ (2 * x) + 1) @ (x + 2).T), strict=True):
        assert is_close(one, wanted)


def test_which_library_computed():
    a, x = dense(70, 50, "float32"), numbers(50, "float32")
    for operand in (x, x[:, None] + np.arange(5, dtype="f")):
        found = CSRMatrix(a) @ gpuarray.to_gpu(operand)
        assert is_close(found, a @ operand)
        assert libraries.last() in ("pycuda_csr_product", f"cusparseSp{'MV' if operand.ndim == 1 else 'MM'}")
        assert libraries.last() == "pycuda_csr_product" or libraries.found()["cusparse"][0] == "/"


@pytest.mark.host
def test_tiles_fit_into_shared_memory(run_python, like_gpu):
    """What a GPU's blocks have room for in sparse.cuh and sparse_dense.cuh."""
    done = run_python("import pycuda.autoinit; from pycuda import _native; print(_native._csr_geometry())", **like_gpu, LIKE_GPU="90 4")
    threads, (tile, longest, piece), (uneven_tile, uneven_longest, uneven_piece) = eval(done.stdout)
    headers = pathlib.Path(debug.__file__).parent / "include" / "pycuda"
    text = (headers / "sparse.cuh").read_text() + (headers / "sparse_dense.cuh").read_text()
    block, room, uneven_room = (int(re.search(rf"\b{name} = (\d+)", text)[1]) for name in ("csr_block", "csr_capacity", "uneven_capacity"))
    assert threads == block and tile + longest <= room and uneven_tile + uneven_longest <= uneven_room and uneven_piece <= uneven_room
    assert tile <= room and uneven_tile <= uneven_room and piece >= longest and uneven_piece >= uneven_longest


@pytest.mark.host
def test_in_the_shape_of_a_gpu(like_gpu):
    """The kernels that a GPU has, on the host device."""
    chosen = "product or unlike or layouts or shapes" if "PYCUDA_TESTS_WIDE" in os.environ else "unlike and float32"
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen, pathlib.Path(__file__)],
                          env=os.environ | like_gpu | {"LIKE_GPU": "90 4"}, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "[100%]" in done.stdout, done.stdout + done.stderr


@pytest.mark.host
def test_nothing_is_reported_by_checks():
    a, x = dense(700, 600, "float64", .02), numbers(600, "float64")
    matrix, multiply = of_lengths(LENGTHS, "float32")
    wide = numbers((900, 3), "float32")
    with debug.check("all"):
        before = debug.reports()
        assert is_close(CSRMatrix(a) @ gpuarray.to_gpu(x), a @ x)
        assert np.allclose((matrix @ gpuarray.to_gpu(wide)).get(), multiply(wide), 1e-3, 1e-3)
        assert np.allclose((matrix @ gpuarray.to_gpu(wide[:, 0])).get(), multiply(wide[:, 0]), 1e-3, 1e-3)
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
    (lambda: CSRMatrix(GOOD, (2,)), ValueError, r"expected \(rows, columns\), got \(2,\)"),
    (lambda: CSRMatrix(GOOD, (2, -1)), ValueError, "do not fit"),
    (lambda: CSRMatrix(GOOD) @ gpuarray.zeros((), "f8"), ValueError, r"got float64 of shape \(\)"),
    (lambda: CSRMatrix(GOOD) @ np.zeros(2), TypeError, "x: expected a GPUArray, got ndarray"),
    (lambda: CSRMatrix(GOOD) @ gpuarray.zeros(3, "f8"), ValueError, r"shape \(2,\), got float64"),
    (lambda: CSRMatrix(GOOD) @ gpuarray.zeros((2, 2, 2), "f8"), ValueError, "x: expected numbers"),
    (lambda: CSRMatrix(GOOD) @ gpuarray.zeros((3, 2), "f8"), ValueError,
     r"x: expected numbers of shape \(2, 2\), got float64 of shape \(3, 2\)"),
    (lambda: CSRMatrix(GOOD).matmat(gpuarray.zeros(2, "f8")), ValueError, r"of shape \(2, n\), got float64 of shape \(2,\)"),
    (lambda: CSRMatrix(GOOD).matvec(gpuarray.zeros((2, 2), "f8")), ValueError, r"of shape \(2,\), got float64 of shape \(2, 2\)"),
    (lambda: CSRMatrix(GOOD) @ np.zeros((2, 2)), TypeError, "x: expected a GPUArray, got ndarray"),
    (lambda: CSRMatrix(GOOD).matmat(None), TypeError, "x: expected a GPUArray, got NoneType"),
    (lambda: CSRMatrix(GOOD, dtype="f4") @ gpuarray.zeros(2, "f2")[:1], ValueError, "got float16 of shape"),
    (lambda: CSRMatrix(GOOD).matmat(gpuarray.zeros((2, 3), "f8"), gpuarray.zeros((2, 2), "f8")), ValueError,
     r"out: expected a GPUArray without gaps of float64 and shape \(2, 3\)"),
    (lambda: CSRMatrix(GOOD).matmat(gpuarray.zeros((2, 3), "f8"), gpuarray.zeros((3, 2), "f8").T), ValueError, "without gaps"),
    (lambda: CSRMatrix((GOOD[0], GOOD[1], GOOD[2]), (2, 2**40)) @ gpuarray.zeros(2, "f8"), ValueError, "1099511627776"),
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
