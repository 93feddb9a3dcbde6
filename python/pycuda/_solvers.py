"""Factorisations of stacks of matrices by cuSOLVER, and what follows from one, under the names and with the parameters of
numpy.linalg. NotServed is raised where the library is not for these operands: NumPy is asked then
(pycuda/_linalg.py), and raises what is to be raised of them.

The library has matrices column by column. A copy in C order is the transpose to it, which does for factors of triangles and
for what is solved with them; where it does not, a copy of the transpose is made."""

import math
import numbers

import numpy as np
from numpy.linalg import LinAlgError

from pycuda import _native, driver, libraries
from pycuda._native import GPUArray

# From how many elements of a matrix on it is asked: with fewer NumPy, copies included, is faster. Measured on an H200 beside
# 16 cores, where they meet between 96 and 160 rows; of 1024 rows the library takes a fifth to a twentieth of the time.
LEAST = 128 * 128
LEAST_OF_SINGULAR_VALUES = 160 * 160

_QR, _EIGH, _SVD, _SLOGDET = (type(one) for one in (
    np.linalg.qr(np.eye(1)), np.linalg.eigh(np.eye(1)), np.linalg.svd(np.eye(1)), np.linalg.slogdet(np.eye(1))))
_VECTORS_HAVE_ONE_AXIS = int(np.__version__.partition(".")[0]) >= 2


class NotServed(Exception):
    """The library is not for these operands."""


# -- Operands and results --------------------------------------------------------------------------


def _kind(a):
    """The dtype in which an array is computed; None: not here."""
    if a.dtype.char in "fdFD" and a.dtype.isnative:
        return a.dtype
    return np.dtype(np.float64) if a.dtype.kind in "biu" and a.dtype.isnative else None


def _real(kind):
    return np.empty(0, kind).real.dtype


def _expect_numbers(a):
    if not isinstance(a, GPUArray) or not a.size or _kind(a) is None or not _native._library_solves(a):
        raise NotServed


def _expect_matrices(a, least):
    """Of at least so many elements."""
    _expect_numbers(a)
    if a.ndim < 2 or a.shape[-1] * a.shape[-2] < least:
        raise NotServed


def _expect_square(a):
    _expect_matrices(a, LEAST)
    if a.shape[-1] != a.shape[-2]:
        raise NotServed


def _outcomes(count):
    """What a call tells the host, which reads all of it at once: whether an operand has NaN or infinities, then `count`
    numbers, 0 or what the library has for a matrix."""
    return _native.zeros(1 + count, np.int32)


def _copied(a, kind, outcomes):
    """A copy in C order, with one axis before those of a matrix."""
    copy = _native._empty(a.shape, kind)
    _native._operate("COPY_CHECKED", (a, outcomes), (kind, kind, np.int32), copy)
    return copy.reshape((-1, *a.shape[-2:]))


def _is_pooled(a):
    return a.allocator is None or a.allocator is driver.mem_alloc


def _result(x, stack, a):
    """x in C order and in memory of the allocator of `a`, with the axes of the stack in place of the first."""
    if not _is_pooled(a):
        copy = GPUArray(x.shape, x.dtype, allocator=a.allocator)
        copy[...] = x
    else:
        copy = x if x.flags.c_contiguous else x.copy(order="C")
    return copy.reshape((*stack, *x.shape[1:]))


def _triangle(factor, a, is_transposed, is_upper, rows, columns):
    """The same of a triangle of the factor's matrices, or of their transposes, with so many rows and columns."""
    shape = len(factor), rows, columns
    if not _is_pooled(a):
        result = GPUArray(shape, factor.dtype, allocator=a.allocator)
    else:
        result = factor if not is_transposed and shape == factor.shape else _native._empty(shape, factor.dtype)
    _native._triangle(result, factor, is_transposed, is_upper)
    return result.reshape((*a.shape[:-2], rows, columns))


def _run(entry, info, *operands):
    routine = entry(info, *operands)
    if routine is None:  # a length of 2**31 or more
        raise NotServed
    libraries._note(routine)


def _expect_finite(outcomes):
    """Waits for the device. What becomes of NaN and infinities is for NumPy to say. Triangles and reflections take any
    numbers, so that the device need not wait for the host in between; what iterates does not: cuSOLVER has been seen to
    leave its memory (github.com/cupy/cupy/issues/6789)."""
    found = outcomes.get()
    if found[0]:
        raise NotServed
    return found


def _expect_success(outcomes, problem):
    if _expect_finite(outcomes).any():
        raise LinAlgError(problem)


# -- By two triangles ------------------------------------------------------------------------------


def _lu(a, kind, outcomes):
    """(lu, pivots) of the transposes."""
    lu = _copied(a, kind, outcomes)
    pivots = _native._empty(lu.shape[:2], np.int64)
    _run(_native._library_lu, outcomes[1:1 + len(lu)], lu, pivots)
    return lu, pivots


def solve(a, b):
    _expect_square(a)
    _expect_numbers(b)
    is_vector = b.ndim == (1 if _VECTORS_HAVE_ONE_AXIS else a.ndim - 1)
    right = b[..., None] if is_vector else b
    if right.ndim < 2 or right.shape[-2] != a.shape[-1]:
        raise NotServed
    try:
        stack = np.broadcast_shapes(a.shape[:-2], right.shape[:-2])
    except ValueError:
        raise NotServed from None
    left, count = a, math.prod(a.shape[:-2])
    if count > 1:  # else all right sides are columns for one matrix
        left, right = (np.broadcast_to(x, (*stack, *x.shape[-2:])) for x in (a, right))
        count = math.prod(stack)
    kind = np.result_type(_kind(a), _kind(b))
    outcomes = _outcomes(2 * count)
    lu, pivots = _lu(left, kind, outcomes)
    x = _copied(right.mT, kind, outcomes)
    _run(_native._library_lu_solve, outcomes[1 + count:], lu, pivots, x.reshape((count, -1, a.shape[-1])), True)
    _expect_success(outcomes, "Singular matrix")
    return _result(x[:, 0] if is_vector else x.mT, stack, a)


def inv(a):
    _expect_square(a)
    count = math.prod(a.shape[:-2])
    outcomes = _outcomes(2 * count)
    lu, pivots = _lu(a, _kind(a), outcomes)
    x = _native._empty(lu.shape, lu.dtype)
    _native._identities(x)
    _run(_native._library_lu_solve, outcomes[1 + count:], lu, pivots, x, False)
    _expect_success(outcomes, "Singular matrix")
    return _result(x, a.shape[:-2], a)


def _determinants(a):
    """(signs, logarithms of absolute values, determinants)"""
    kind, stack = _kind(a), a.shape[:-2]
    outcomes = _outcomes(math.prod(stack))
    lu, pivots = _lu(a, kind, outcomes)
    parts = [_native._empty((len(lu),), one) for one in (kind, _real(kind), kind)]
    _native._determinants(lu, pivots, outcomes[1:], *parts)
    _expect_finite(outcomes)
    return [_result(part, stack, a) for part in parts]


def slogdet(a):
    _expect_square(a)
    return _SLOGDET(*_determinants(a)[:2])


def det(a):
    _expect_square(a)
    return _determinants(a)[2]


def cholesky(a, /, *, upper=False):
    """By the lower triangle column by column, which is twice as fast as by the upper one; that is the upper one row by row,
    and so are their factors."""
    _expect_square(a)
    outcomes = _outcomes(math.prod(a.shape[:-2]))
    factor = _copied(a if upper else a.mT, _kind(a), outcomes)
    _run(_native._library_cholesky, outcomes[1:], factor, False)
    _expect_success(outcomes, "Matrix is not positive definite")
    return _triangle(factor, a, not upper, upper, *a.shape[-2:])


# -- By reflections --------------------------------------------------------------------------------


def qr(a, mode="reduced"):
    _expect_matrices(a, LEAST)
    if mode not in ("reduced", "complete", "r", "raw"):
        raise NotServed
    outcomes = _outcomes(math.prod(a.shape[:-2]))
    factors = _qr(a, mode, outcomes)
    _expect_finite(outcomes)
    return factors


def _qr(a, mode, outcomes):
    rows, columns = a.shape[-2:]
    kind, stack, least = _kind(a), a.shape[:-2], min(rows, columns)
    factor = _copied(a.mT, kind, outcomes)
    tau = _native._empty((len(factor), least), kind)
    _run(_native._library_qr, outcomes[1:], factor, tau)
    if mode == "raw":
        return _result(factor, stack, a), _result(tau, stack, a)
    is_whole = mode == "complete" and rows > columns
    r = _triangle(factor, a, True, True, rows if is_whole else least, columns)
    if mode == "r":
        return r
    q = factor[:, :least]
    if is_whole:
        q = _native.zeros((len(factor), rows, rows), kind)
        q[:, :least] = factor
    elif rows < columns:
        q = q.copy(order="C")
    _run(_native._library_reflections, outcomes[1:], q, tau)
    return _QR(_result(q.mT, stack, a), r)


# -- Eigenvalues and singular values ---------------------------------------------------------------


def _eigen(a, uplo, has_vectors):
    """(values, vectors) of the conjugate matrices, as the transposes are; vectors lie row by row."""
    _expect_square(a)
    if uplo not in ("L", "l", "U", "u"):
        raise NotServed
    outcomes = _outcomes(math.prod(a.shape[:-2]))
    vectors = _copied(a, _kind(a), outcomes)
    values = _native._empty(vectors.shape[:2], _real(vectors.dtype))
    _expect_finite(outcomes)
    _run(_native._library_eigen, outcomes[1:], vectors, values, has_vectors, uplo in "lL")
    _expect_success(outcomes, "Eigenvalues did not converge")
    return values, vectors


def eigh(a, UPLO="L"):
    values, vectors = _eigen(a, UPLO, True)
    return _EIGH(_result(values, a.shape[:-2], a), _result(vectors.mT.conj(), a.shape[:-2], a))


def eigvalsh(a, UPLO="L"):
    return _result(_eigen(a, UPLO, False)[0], a.shape[:-2], a)


def _tall_svd(a, full_matrices, compute_uv):
    """(left, values, right) of matrices with no fewer rows than columns. The entry that is two to seven times as fast is
    not exact for what is singular, or nearly, and says so: the other one computes these."""
    rows, columns = a.shape[-2:]
    kind = _kind(a)
    outcomes = _outcomes(math.prod(a.shape[:-2]))
    for is_polar in (True, False):
        work = _copied(a.mT, kind, outcomes)
        values = _native._empty(work.shape[:2], _real(kind))
        left = _native._empty((len(work), rows if full_matrices and compute_uv else columns, rows), kind)
        right = _native._empty((len(work), columns, columns), kind)
        if is_polar:
            _expect_finite(outcomes)
        _run(_native._library_svd, outcomes[1:], work, values, left, right, compute_uv, is_polar)
        if not outcomes.get().any():
            break
    else:
        raise LinAlgError("SVD did not converge")
    return left.mT, values, right.conj() if is_polar else right.mT


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    _expect_matrices(a, LEAST_OF_SINGULAR_VALUES)
    if hermitian:
        raise NotServed
    stack = a.shape[:-2]
    is_tall = a.shape[-2] >= a.shape[-1]
    left, values, right = _tall_svd(a if is_tall else a.mT, full_matrices, compute_uv)
    values = _result(values, stack, a)
    if not compute_uv:
        return values
    u, vh = (left, right) if is_tall else (right.mT, left.mT)
    return _SVD(_result(u, stack, a), values, _result(vh, stack, a))


# -- What follows from singular values -------------------------------------------------------------


def _is_number(x):
    return isinstance(x, numbers.Real)


def cond(x, p=None):
    if not (p is None or (_is_number(p) and abs(p) == 2)):
        raise NotServed
    values = svd(x, compute_uv=False)
    ends = values[..., 0], values[..., -1]
    ratio = ends[1] / ends[0] if p == -2 else ends[0] / ends[1]
    return np.where(np.isnan(ratio), np.inf, ratio).astype(values.dtype)


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    given = [one for one in (tol, rtol) if one is not None]
    if hermitian or len(given) > 1 or not all(map(_is_number, given)):
        raise NotServed
    values = svd(A, compute_uv=False)
    if tol is None:
        if rtol is None:
            rtol = float(max(A.shape[-2:]) * np.finfo(values.dtype).eps)
        tol = values.max(-1, keepdims=True) * rtol
    return (values > tol).sum(-1)


def pinv(a, rcond=None, hermitian=False, *, rtol=np._NoValue):
    """In double precision: what rcond is usually tells apart no singular values of single precision."""
    _expect_matrices(a, LEAST_OF_SINGULAR_VALUES)
    if rcond is None and rtol is None and a.dtype.kind in "fc":
        rcond = float(max(a.shape[-2:]) * np.finfo(a.dtype).eps)
    elif rcond is None:
        rcond = 1e-15 if rtol is np._NoValue else rtol
    elif rtol is not np._NoValue:
        raise NotServed
    if hermitian or not _is_number(rcond):
        raise NotServed
    kind = _kind(a)
    u, values, vh = svd(a.astype(np.result_type(kind, np.float64)), full_matrices=False)
    factors = np.where(values > values.max(-1, keepdims=True) * float(rcond), 1 / values, 0)
    result = vh.mT.conj() @ (factors[..., None] * u.mT.conj())
    return _result(result.astype(kind).reshape((-1, *result.shape[-2:])), a.shape[:-2], a)
