"""Stacks of small matrices by kernels of ours (small_matrices.cuh, small_rotations.cuh), also on the host device, against NumPy:
by what a factorisation is to be, since signs and the vectors of equal values are free. Expressions and layouts are in
test_linalg.py."""

import os
import warnings

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native, _solvers, libraries
from pycuda.gpuarray import to_gpu

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check
_random = np.random.default_rng(7)


def _numbers(*shape, dtype="d"):
    x = _random.uniform(-1, 1, shape)
    return (x + 1j * _random.uniform(-1, 1, shape) if dtype in "FD" else x).astype(dtype)


@pytest.fixture(autouse=True, scope="module")
def one_context():
    cuda.init()
    context = cuda.Device(0).make_context()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_solvers, "ON_HOST_DEVICE", True)
        patch.setattr(_solvers, "MOST_OF_EIGEN", 128)
        yield
    context.detach()


def _back(x):
    return x.conj().swapaxes(-1, -2)


def _got(function, *operands, **options):
    """NumPy's function of arrays on the device, by a kernel of ours."""
    libraries._note(None)
    result = function(*map(to_gpu, operands), **options)
    assert libraries.last().startswith("pycuda_small_"), libraries.last()
    return [part.get() for part in result] if isinstance(result, tuple) else result.get()


def _assert_close(got, wanted, what=""):
    """To some hundred units of the last place of the largest element."""
    digits = 300 * np.finfo(wanted.dtype).eps
    assert got.dtype == wanted.dtype and got.shape == wanted.shape, what
    assert np.allclose(got, wanted, 0, digits * np.abs(wanted).max(initial=0, where=np.isfinite(wanted))), (what, got, wanted)


def _assert_unitary(x):
    _assert_close(_back(x) @ x, np.broadcast_to(np.eye(x.shape[-1], dtype=x.dtype), (*x.shape[:-2], *x.shape[-1:] * 2)))


def _check_svd(host):
    for full in (False, True):
        u, s, vh = _got(np.linalg.svd, host, full_matrices=full)
        wanted = np.linalg.svd(host, full_matrices=full)
        assert [part.shape for part in (u, s, vh)] == [part.shape for part in wanted]
        _assert_close(s, wanted[1]), _assert_unitary(u), _assert_unitary(_back(vh))
        k = s.shape[-1]
        _assert_close((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], host)
    _assert_close(_got(np.linalg.svd, host, compute_uv=False), s)


def _check_eigh(host):
    for uplo in "LU":
        w, v = _got(np.linalg.eigh, host, UPLO=uplo)
        _assert_close(w, np.linalg.eigvalsh(host)), _assert_unitary(v)
        _assert_close((v * w[..., None, :]) @ _back(v), host)
        _assert_close(_got(np.linalg.eigvalsh, host, UPLO=uplo), w)


def _check_qr(host):
    q, r = _got(np.linalg.qr, host)
    _assert_unitary(q), _assert_close(q @ r, host)
    assert not np.tril(r, -1).any() and np.array_equal(_got(np.linalg.qr, host, mode="r"), r)
    q, r = _got(np.linalg.qr, host, mode="complete")
    _assert_unitary(q), _assert_close(q @ r, host)
    assert q.shape[-1] == host.shape[-2] and not np.tril(r, -1).any()


@pytest.mark.parametrize("dtype", "fdFD" if WIDE else "F")
@pytest.mark.parametrize("n", [1, 2, 3, 9, 16, 33])
def test_sizes_and_dtypes(n, dtype):
    a, b = _numbers(5, n, n, dtype=dtype), _numbers(5, n, 3, dtype=dtype)
    a += n * np.eye(n, dtype=a.real.dtype)
    definite, hermitian = a @ _back(a) + np.eye(n, dtype=a.real.dtype), a + _back(a)
    _assert_close(a @ _got(np.linalg.solve, a, b), b)
    _assert_close(a @ _got(np.linalg.inv, a), np.broadcast_to(np.eye(n, dtype=dtype), a.shape))
    _assert_close(_got(np.linalg.det, a), np.linalg.det(a))
    for got, wanted in zip(_got(np.linalg.slogdet, a), np.linalg.slogdet(a), strict=True):
        _assert_close(got, np.asarray(wanted))
    lower = _got(np.linalg.cholesky, definite)
    _assert_close(lower, np.linalg.cholesky(definite))
    _check_eigh(hermitian)
    for one in (a, a[..., :(n + 1) // 2], a[..., :(n + 1) // 2, :]):
        _check_svd(np.ascontiguousarray(one)), _check_qr(np.ascontiguousarray(one))


@pytest.mark.parametrize("dtype", "fd")
@pytest.mark.parametrize("kind", ["zero", "unit", "rank one", "equal rows", "diagonal", "graded", "huge", "tiny", "zero columns"])
def test_matrices_that_are_special(kind, dtype):
    n, limits = 7, np.finfo(dtype)
    x = _numbers(4, n, n)
    rising = np.arange(1.0, n + 1)
    host = {"zero": x * 0, "unit": x * 0 + np.eye(n), "rank one": x[..., :1] @ x[..., :1, :], "equal rows": x[..., :1, :] + x * 0,
            "diagonal": x * 0 + np.diag(rising[::-1] - 3), "graded": x * limits.eps ** (rising / 3),
            "huge": x * float(limits.max) / 99, "tiny": x * float(limits.tiny) * 99, "zero columns": x * (rising % 2)}[kind].astype(dtype)
    with np.errstate(all="ignore"):
        _check_svd(host), _check_qr(host)
        _check_eigh(host / 2 + _back(host / 2))


def test_right_sides_come_in_parts():
    """More than a block has memory for, and few matrices, whose parts blocks share."""
    for count, n, k in ((4, 20, 300), (600, 5, 130), (4, 3, 1)):
        a, b = _numbers(count, n, n) + n * np.eye(n), _numbers(count, n, k)
        _assert_close(_got(np.linalg.solve, a, b), np.linalg.solve(a, b))


def test_operands_of_other_dtypes_and_layouts():
    a, b = _random.integers(-9, 9, (2, 3, 4, 4)), _numbers(3, 4, dtype="f")
    a += 20 * np.eye(4, dtype=int)
    device = to_gpu(a)
    _assert_close(np.linalg.inv(device[:, ::-1].mT).get(), np.linalg.inv(a[:, ::-1].swapaxes(2, 3)))
    _assert_close(np.linalg.solve(device, to_gpu(b)[..., None]).get(), np.linalg.solve(a, b[..., None]))
    _assert_close(np.linalg.det(device > 12).get(), np.linalg.det(a > 12))
    assert libraries.last() == "pycuda_small_determinant"
    for bad in (device.astype("e"), device.astype("f").astype("e")[:0]):
        with pytest.raises(TypeError, match="float16"):
            np.linalg.inv(bad)


@pytest.mark.parametrize("function, text", [
    (np.linalg.inv, "Singular matrix"), (lambda a: np.linalg.solve(a, a), "Singular matrix"),
    (np.linalg.cholesky, "Matrix is not positive definite")])
def test_one_that_fails_fails_all(function, text):
    a = np.stack([np.eye(5)] * 6)
    a[4, 3, 3] = 0
    for one in (a, to_gpu(a)):
        with pytest.raises(np.linalg.LinAlgError, match=text):
            function(one)
    signs, sizes = np.linalg.slogdet(to_gpu(a))
    assert libraries.last() == "pycuda_small_determinant"
    assert np.array_equal(signs.get(), [1, 1, 1, 1, 0, 1]) and np.array_equal(sizes.get(), [0, 0, 0, 0, -np.inf, 0])


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_numpy_has_those_of_nan_and_infinity(wrong):
    a = np.stack([np.eye(5)] * 6)
    a[4, 3, 1] = wrong
    for name in ["inv", "det", "cholesky", "qr", "eigvalsh", "svdvals"]:
        function = getattr(np.linalg, name, None)
        results = []
        for one in (a, to_gpu(a)) if function else ():
            try:
                with warnings.catch_warnings(), np.errstate(all="ignore"):
                    warnings.simplefilter("ignore")
                    result = function(one)
            except np.linalg.LinAlgError as problem:
                result = str(problem)
            results.append([str(part) for part in result] if isinstance(result, tuple) else str(result))
        assert not results or results[0] == results[1], name


def test_few_or_large_ones_are_not_for_them():
    for shape in ((3, 5, 5), (4, 130, 130), (5, 5)):
        np.linalg.inv(to_gpu(_numbers(*shape)))
        assert not libraries.last().startswith("pycuda_small_"), shape
    _got(np.linalg.inv, _numbers(4, 5, 5))


def test_arrays_that_do_not_fit():
    """The kernels' door takes no arrays of other shapes or types."""
    a, tall, values, outcomes = (_native.zeros(shape, dtype) for shape, dtype in (
        ((4, 3, 3), "d"), ((4, 5, 3), "d"), ((4, 3), "d"), ((5,), "i")))
    single, number, u = a.astype("f"), _native.zeros(4, "d"), _native.zeros((4, 5, 4), "d")
    for arguments in (
            (0, False, tall, None, a, None, None), (0, True, a, None, a, None, None), (0, False, a, None, single, None, None),
            (0, False, a, tall, tall, None, None), (0, False, a, None, tall, None, None), (0, False, a, None, None, None, None),
            (0, False, a, a, a, values, None), (0, False, a[:2], None, a, None, None), (0, False, a.mT, None, a, None, None),
            (1, False, a, None, number, values, number), (1, False, a, None, number, number, None), (2, False, tall, None, tall, None, None),
            (3, False, tall, None, u, None, a), (3, False, tall, None, None, None, tall[:, :4]), (3, True, tall, None, tall, None, a),
            (4, False, a, None, a, number, None), (4, False, a, None, tall, values, None), (5, False, tall, None, tall, values, None),
            (5, True, tall, None, None, values, None), (5, False, tall, None, u, values, a), (0, False, a[:, :0], None, a, None, None),
            (0, False, outcomes, None, a, None, None), (0, False, a.astype("e"), None, a.astype("e"), None, None)):
        try:
            _native._small_matrices(*arguments, outcomes)
        except ValueError as problem:
            assert "do not fit" in str(problem)
        else:
            pytest.fail(f"{arguments} were taken")
    for wrong in (outcomes[:4], outcomes[::-1], outcomes.astype("q"), number):
        with pytest.raises(ValueError, match="do not fit"):
            _native._small_matrices(0, False, a, None, a.copy(), None, None, wrong)
    for kind in (-1, 6, 1 << 40):
        with pytest.raises((ValueError, OverflowError)):
            _native._small_matrices(kind, False, a, None, a, None, None, outcomes)
    for wrong in ((0, False, 3, None, a, None, None, outcomes), ("0", False, a, None, a, None, None, outcomes)):
        with pytest.raises(TypeError):
            _native._small_matrices(*wrong)
    huge = _native.zeros((1, 700, 700), "d")
    assert not _native._small_fits(0, False, 700, 700, "d", 1, False)
    with pytest.raises(ValueError, match="do not fit"):
        _native._small_matrices(0, False, huge, None, huge.copy(), None, None, outcomes[:2])
