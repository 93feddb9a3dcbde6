"""Eigenvalues and least squares by cuSOLVER, also by one that lacks newer entries: libraries_fake_eigen.h passes for those."""

import pytest
import test_libraries
from test_libraries import START_SOLVER

blas, fake, run, solver = test_libraries.blas, test_libraries.fake, test_libraries.run, test_libraries.solver


@pytest.mark.host
def test_eigenvalues_of_any_matrix(run, solver):
    """In pairs, of real matrices; real ones where NumPy has them; NumPy has those of NaN, and all of a cuSOLVER that lacks
    the entry."""
    run("""
def check(host):
    w, v = np.linalg.eig(to_gpu(host))
    assert libraries.last() == "cusolverDnXgeev", libraries.last()
    values, wanted = np.linalg.eigvals(to_gpu(host)), np.linalg.eig(host)
    assert (w.dtype, v.dtype, values.dtype) == (*(one.dtype for one in wanted), wanted[0].dtype), (w.dtype, host.dtype)
    w, v, digits = w.get(), v.get(), 1000 * np.finfo(host.dtype if host.dtype.kind in "fc" else "d").eps
    assert np.allclose(host @ v, v * w[..., None, :], digits, digits) and np.allclose((abs(v) ** 2).sum(-2), 1), (host, w, v)
    for one, other, of_both in zip(w.reshape(-1, w.shape[-1]), wanted[0].reshape(-1, w.shape[-1]), values.get().reshape(-1, w.shape[-1])):
        for mine in (one, of_both):
            assert all(abs(other - value).min() < digits * 9 for value in mine) and all(abs(mine - value).min() < digits * 9 for value in other), (mine, other, dtype, shape)

for dtype in "dDfF":
    for shape in ((1, 1), (2, 2), (3, 3), (8, 8), (3, 2, 5, 5)):
        check((random.uniform(-1, 1, shape) + (1j * random.uniform(-1, 1, shape) if dtype in "DF" else 0)).astype(dtype))
check(np.array([[0.0, -1], [1, 0]])), check(np.diag([3.0, 1, 2])), check(np.diag([3, 1, 2])), check((x @ x.T)[::-1].T), check(np.eye(3))
check(np.stack([np.diag([1.0, 2]), np.array([[0.0, -1], [1, 0]])]))
y = to_gpu(np.where(np.eye(5), np.nan, x))
for function in (np.linalg.eig, np.linalg.eigvals):
    try:
        function(y)
        raise SystemExit("NaN was taken")
    except np.linalg.LinAlgError as problem:
        assert str(problem) == "Array must not contain infs or NaNs", problem
number("failing_info").value = 2
try:
    np.linalg.eigvals(to_gpu(x))
    raise SystemExit("it converged")
except np.linalg.LinAlgError as problem:
    assert str(problem) == "Eigenvalues did not converge"
print("right")
""", START_SOLVER, PYCUDA_LIBRARIES=solver)


@pytest.mark.host
def test_what_an_older_solver_lacks(run, fake):
    """Its other entries are used."""
    run("""
same(x)
for function in (np.linalg.eigvals, np.linalg.eig):
    function(to_gpu(x))
    assert libraries.last() == f"numpy.linalg.{function.__name__}"
h = np.stack([x + x.T, x @ x.T])
same(h, np.linalg.eigvalsh, "cusolverDnXsyevd")
print("right")
""", START_SOLVER, PYCUDA_LIBRARIES=fake("-DOLD", name="libcusolver.so.12"))


@pytest.mark.host
def test_eigenvalues_of_stacks_are_one_call(run, solver):
    run("""
h = x @ x.T + np.eye(5) * np.arange(1, 5)[:, None, None]
same(np.stack([h, h]), np.linalg.eigvalsh, "cusolverDnXsyevBatched"), same(h[:2], np.linalg.eigvalsh, "cusolverDnXsyevBatched")
_solvers.LEAST = 1000
for dtype in "dfDF":
    for uplo in "LU":
        host = (h + (1j * np.tri(5) - 1j * np.tri(5).T if dtype in "DF" else 0)).astype(dtype)
        w, v = np.linalg.eigh(to_gpu(host), uplo)
        assert libraries.last() == "cusolverDnXsyevBatched" and w.dtype == host.real.dtype and v.dtype == dtype
        digits = 1000 * np.finfo(dtype).eps
        assert np.allclose(host @ v.get(), v.get() * w.get()[:, None], digits, digits)
        assert np.allclose(np.linalg.eigvalsh(to_gpu(host), uplo).get(), np.linalg.eigvalsh(host), digits, digits)
same(h[0], np.linalg.eigvalsh, "numpy.linalg.eigvalsh"), same(h[:3], np.linalg.eigvalsh, "numpy.linalg.eigvalsh")
print("right")
""", START_SOLVER, PYCUDA_LIBRARIES=solver)


@pytest.mark.host
def test_least_squares(run, solver):
    """x, residuals, rank and singular values as NumPy has them; NumPy's are those of wrong shapes and of nothing."""
    run("""
random = np.random.default_rng(2)
for dtype in "dfDFi":
    for rows, columns in ((7, 3), (3, 7), (5, 5), (1, 1), (6, 1)):
        for right in ((rows,), (rows, 2)):
            for rank in (None, 1):
                def numbers(*shape):
                    parts = random.uniform(-9, 9, shape) + (1j * random.uniform(-9, 9, shape) if dtype in "DF" else 0)
                    return parts.astype(dtype)
                a, b = numbers(rows, columns), numbers(*right)
                a = a if rank is None else (a[:, :1] * a[:1]).astype(dtype)
                for options in ({"rcond": None}, {"rcond": 1e-5}, {"rcond": -1}, {"rcond": 0.5}):
                    if rank and options["rcond"] not in (1e-5, 0.5):
                        continue  # what was rounded off counts or does not
                    got, wanted = np.linalg.lstsq(to_gpu(a), to_gpu(b), **options), np.linalg.lstsq(a, b, **options)
                    assert libraries.last().startswith("cusolverDnXgesvd"), libraries.last()
                    for k, (one, other) in enumerate(zip(got, map(np.asarray, wanted))):
                        assert (one.dtype, one.shape) == (other.dtype, other.shape), (k, one.dtype, one.shape, other)
                        digits = 1000 * np.finfo(other.dtype).eps if other.dtype.kind in "fc" else 0
                        assert np.allclose(one.get(), other, digits, digits * 9), (k, one, other, dtype, rows, columns, options)
a, b = random.uniform(-1, 1, (4, 3)), random.uniform(-1, 1, (4, 2))
for one, other in ((a, b[:3]), (a[None], b), (a, b[:, :0]), (a[:0], b[:0])):
    outcomes = []
    for put in (to_gpu, lambda host: host):
        try:
            outcomes.append(tuple(np.shape(part) for part in np.linalg.lstsq(put(one), put(other), rcond=None)))
        except np.linalg.LinAlgError as problem:
            outcomes.append(str(problem))
    assert outcomes[0] == outcomes[1], outcomes
try:
    np.linalg.lstsq(to_gpu(a), b, rcond=None)
    raise SystemExit("a host array was taken")
except TypeError as problem:
    assert "expected GPUArrays" in str(problem)
print("right")
""", START_SOLVER, PYCUDA_LIBRARIES=solver)
