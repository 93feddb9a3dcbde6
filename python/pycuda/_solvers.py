"""Factorisations of stacks of matrices on the device, and what follows from one, under the names and with the parameters of
numpy.linalg: small matrices by kernels of ours, each in the memory of a block, others by cuSOLVER. NotServed is raised where
neither is for these operands: NumPy is asked then (pycuda/_linalg.py), and raises what is to be raised of them.

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
LEAST_OF_GENERAL = 320 * 320  # they meet at 256 rows

# Kernels of ours, by their numbers in kernels.h; up to how many rows and columns, and from how many matrices on, they are asked:
# of fewer NumPy, copies included, is as fast. Of singular values the block's memory is the limit, on an H200 at 118 of float64.
_SOLVE, _DETERMINANT, _CHOLESKY, _REFLECT, _EIGEN, _ROTATE = range(6)
MOST = {_SOLVE: 128, _DETERMINANT: 128, _CHOLESKY: 128, _REFLECT: 128, _EIGEN: 96, _ROTATE: 128}
MOST_OF_EIGEN = 24  # beside a cuSOLVER that takes stacks of any size at once
FEWEST = 4
ON_HOST_DEVICE = False  # not there: NumPy is the faster one

_QR, _EIG, _EIGH, _SVD, _SLOGDET = (type(getattr(np.linalg, name)(np.eye(1))) for name in (
    "qr", "eig", "eigh", "svd", "slogdet"))
_EIGENVALUES_MAY_BE_REAL = np.linalg.eigvals(np.eye(1)).dtype.kind == "f"
_LSTSQ_RCOND = getattr(np.linalg.lstsq, "__wrapped__", np.linalg.lstsq).__defaults__[0]  # NumPy 1 has "warn"
_VECTORS_HAVE_ONE_AXIS = int(np.__version__.partition(".")[0]) >= 2


class NotServed(Exception):
    """Nothing here is for these operands."""


def are_there():
    """Whether functions of this module may be of use on this device."""
    return ON_HOST_DEVICE or not _native._is_host_device() or _native._library_solves()


# -- Operands and results --------------------------------------------------------------------------


def _kind(a):
    """The dtype in which an array is computed; None: not here."""
    if a.dtype.char in "fdFD" and a.dtype.isnative:
        return a.dtype
    return np.dtype(np.float64) if a.dtype.kind in "biu" and a.dtype.isnative else None


def _real(kind):
    return np.empty(0, kind).real.dtype


def _expect_numbers(a):
    if not isinstance(a, GPUArray) or not a.size or _kind(a) is None or not _native._is_factored(a):
        raise NotServed


def _expect_matrices(a):
    _expect_numbers(a)
    if a.ndim < 2:
        raise NotServed


def _expect_square(a):
    _expect_matrices(a)
    if a.shape[-1] != a.shape[-2]:
        raise NotServed


def _is_small(routine, a, kind, k=0, has_vectors=False, flag=False):
    """Whether a kernel of ours factors such matrices, in the dtype `kind`; k: as in kernels.h."""
    return (max(a.shape[-2:]) <= MOST[routine] and math.prod(a.shape[:-2]) >= FEWEST and (ON_HOST_DEVICE or not _native._is_host_device())
            and _native._small_fits(routine, flag, *a.shape[-2:], kind, k, has_vectors))


def _expect_library(a, least=None):
    """For matrices of at least so many elements, LEAST if there is no number."""
    if a.shape[-1] * a.shape[-2] < (LEAST if least is None else least) or not _native._library_solves():
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
        copy = _native._empty(x.shape, x.dtype, a)
        copy[...] = x
    else:
        copy = x if x.flags.c_contiguous else x.copy(order="C")
    return copy.reshape((*stack, *x.shape[1:]))


def _triangle(factor, a, is_transposed, is_upper, rows, columns):
    """The same of a triangle of the factor's matrices, or of their transposes, with so many rows and columns."""
    shape = len(factor), rows, columns
    is_there = _is_pooled(a) and not is_transposed and shape == factor.shape
    result = factor if is_there else _native._empty(shape, factor.dtype, a)
    _native._triangle(result, factor, is_transposed, is_upper)
    return result.reshape((*a.shape[:-2], rows, columns))


def _room(a, kind, *shape):
    """For a result of `a`, a stack."""
    return _native._empty(shape, kind, a)


def _lying(a, kind, outcomes):
    """The stack as kernels of ours take it, of one axis: a copy, unless it lies so."""
    if a.dtype != kind or not a.flags.c_contiguous or a.ptr % a.itemsize:
        return _copied(a, kind, outcomes)
    return a.reshape((-1, *a.shape[-2:]))


def _run_small(routine, outcomes, a, *, b=None, x=None, values=None, y=None, flag=False):
    libraries._note(_native._small_matrices(routine, flag, a, b, x, values, y, outcomes))


def _expect_convergence(outcomes):
    """Of kernels of ours: else NumPy is asked."""
    if _expect_finite(outcomes).any():
        raise NotServed


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
    if math.prod(stack) == count and _is_small(_SOLVE, a, kind, right.shape[-1]):
        outcomes = _outcomes(count)
        right = _lying(right, kind, outcomes)
        x = _room(a, kind, *right.shape)
        _run_small(_SOLVE, outcomes, _lying(left, kind, outcomes), b=right, x=x)
        _expect_success(outcomes, "Singular matrix")
        return x.reshape((*stack, *(x.shape[1:-1] if is_vector else x.shape[1:])))
    _expect_library(a)
    outcomes = _outcomes(2 * count)
    lu, pivots = _lu(left, kind, outcomes)
    x = _copied(right.mT, kind, outcomes)
    _run(_native._library_lu_solve, outcomes[1 + count:], lu, pivots, x.reshape((count, -1, a.shape[-1])), True)
    _expect_success(outcomes, "Singular matrix")
    return _result(x[:, 0] if is_vector else x.mT, stack, a)


def inv(a):
    _expect_square(a)
    count, kind = math.prod(a.shape[:-2]), _kind(a)
    if _is_small(_SOLVE, a, kind, a.shape[-1]):
        outcomes, x = _outcomes(count), _room(a, kind, *a.shape)
        _run_small(_SOLVE, outcomes, _lying(a, kind, outcomes), x=x.reshape((count, *a.shape[-2:])))
        _expect_success(outcomes, "Singular matrix")
        return x
    _expect_library(a)
    outcomes = _outcomes(2 * count)
    lu, pivots = _lu(a, kind, outcomes)
    x = _native._empty(lu.shape, lu.dtype)
    _native._identities(x)
    _run(_native._library_lu_solve, outcomes[1 + count:], lu, pivots, x, False)
    _expect_success(outcomes, "Singular matrix")
    return _result(x, a.shape[:-2], a)


def _determinants(a):
    """(signs, logarithms of absolute values, determinants)"""
    kind, stack = _kind(a), a.shape[:-2]
    outcomes = _outcomes(math.prod(stack))
    if _is_small(_DETERMINANT, a, kind):
        signs, sizes, values = (_room(a, one, math.prod(stack)) for one in (kind, _real(kind), kind))
        _run_small(_DETERMINANT, outcomes, _lying(a, kind, outcomes), x=signs, values=sizes, y=values)
        _expect_finite(outcomes)
        return [one.reshape(stack) for one in (signs, sizes, values)]
    _expect_library(a)
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
    count, kind = math.prod(a.shape[:-2]), _kind(a)
    outcomes = _outcomes(count)
    if _is_small(_CHOLESKY, a, kind, flag=bool(upper)):
        x = _room(a, kind, *a.shape)
        _run_small(_CHOLESKY, outcomes, _lying(a, kind, outcomes), x=x.reshape((count, *a.shape[-2:])), flag=bool(upper))
        _expect_success(outcomes, "Matrix is not positive definite")
        return x
    _expect_library(a)
    factor = _copied(a if upper else a.mT, kind, outcomes)
    _run(_native._library_cholesky, outcomes[1:], factor, False)
    _expect_success(outcomes, "Matrix is not positive definite")
    return _triangle(factor, a, not upper, upper, *a.shape[-2:])


# -- By reflections --------------------------------------------------------------------------------


def qr(a, mode="reduced"):
    _expect_matrices(a)
    if mode not in ("reduced", "complete", "r", "raw"):
        raise NotServed
    outcomes = _outcomes(math.prod(a.shape[:-2]))
    rows, columns = a.shape[-2:]
    k = rows if mode == "complete" else min(rows, columns)
    if mode != "raw" and _is_small(_REFLECT, a, _kind(a), k, mode != "r"):
        factors = _qr_small(a, k, mode != "r", outcomes)
    else:
        _expect_library(a)
        factors = _qr(a, mode, outcomes)
    _expect_finite(outcomes)
    return factors


def _qr_small(a, k, has_q, outcomes):
    kind, (rows, columns) = _kind(a), a.shape[-2:]
    stack, count = a.shape[:-2], math.prod(a.shape[:-2])
    q, r = _room(a, kind, count, rows, k) if has_q else None, _room(a, kind, count, k, columns)
    _run_small(_REFLECT, outcomes, _lying(a, kind, outcomes), x=q, y=r)
    r = r.reshape((*stack, k, columns))
    return _QR(q.reshape((*stack, rows, k)), r) if has_q else r


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


def _is_at_once(a):
    """Whether the library computes all eigenvalues in one call."""
    return math.prod(a.shape[:-2]) >= FEWEST and _native._library_solves() and _native._library_solves_stacks()


def _eigen(a, uplo, has_vectors):
    """(values, vectors) of the conjugate matrices, as the transposes are; vectors lie row by row."""
    _expect_library(a, 0 if _is_at_once(a) else None)
    outcomes = _outcomes(math.prod(a.shape[:-2]))
    vectors = _copied(a, _kind(a), outcomes)
    values = _native._empty(vectors.shape[:2], _real(vectors.dtype))
    _expect_finite(outcomes)
    _run(_native._library_eigen, outcomes[1:], vectors, values, has_vectors, uplo in "lL")
    _expect_success(outcomes, "Eigenvalues did not converge")
    return values, vectors


def _eigen_small(a, uplo, has_vectors):
    kind, stack, n = _kind(a), a.shape[:-2], a.shape[-1]
    count = math.prod(stack)
    outcomes, values = _outcomes(count), _room(a, _real(kind), count, n)
    vectors = _room(a, kind, count, n, n) if has_vectors else None
    _run_small(_EIGEN, outcomes, _lying(a, kind, outcomes), x=vectors, values=values, flag=uplo in "uU")
    _expect_convergence(outcomes)
    return values.reshape((*stack, n)), vectors.reshape(a.shape) if has_vectors else None


def _expect_hermitian(a, uplo, has_vectors):
    """Whether they are small."""
    _expect_square(a)
    if uplo not in ("L", "l", "U", "u"):
        raise NotServed
    if a.shape[-1] > MOST_OF_EIGEN and _is_at_once(a):
        return False
    return _is_small(_EIGEN, a, _kind(a), 0, has_vectors, uplo in "uU")


def eigh(a, UPLO="L"):
    if _expect_hermitian(a, UPLO, True):
        return _EIGH(*_eigen_small(a, UPLO, True))
    values, vectors = _eigen(a, UPLO, True)
    return _EIGH(_result(values, a.shape[:-2], a), _result(vectors.mT.conj(), a.shape[:-2], a))


def eigvalsh(a, UPLO="L"):
    if _expect_hermitian(a, UPLO, False):
        return _eigen_small(a, UPLO, False)[0]
    return _result(_eigen(a, UPLO, False)[0], a.shape[:-2], a)


def _general(a, has_vectors):
    """(values, vectors) of the transposes of what lies there; vectors lie row by row, as LAPACK has them."""
    _expect_square(a)
    _expect_library(a, LEAST_OF_GENERAL)
    outcomes, kind = _outcomes(math.prod(a.shape[:-2])), _kind(a)
    work = _copied(a.mT, kind, outcomes)
    values = _native._empty(work.shape[:2], np.result_type(kind, np.complex64))
    vectors = _native._empty(work.shape, kind)
    _expect_finite(outcomes)
    _run(_native._library_eigen_general, outcomes[1:], work, values, vectors, has_vectors)
    _expect_success(outcomes, "Eigenvalues did not converge")
    return values, vectors


def _is_real(a, values):
    """Whether NumPy makes these complex numbers real ones."""
    return _EIGENVALUES_MAY_BE_REAL and a.dtype.kind != "c" and not values.imag.any().get()


def eigvals(a):
    values = _general(a, False)[0]
    return _result(values.real if _is_real(a, values) else values, a.shape[:-2], a)


def eig(a):
    values, vectors = _general(a, True)
    if _is_real(a, values):
        values = values.real
    elif a.dtype.kind != "c":  # row j and the next one are the parts of a vector, whose conjugate follows
        signs = np.sign(values.imag)[..., None].astype(vectors.dtype)
        before, behind = (np.roll(vectors, step, -2) for step in (1, -1))
        vectors = np.where(signs < 0, before, vectors) + 1j * np.where(signs > 0, behind, signs * vectors)
    return _EIG(_result(values, a.shape[:-2], a), _result(vectors.mT, a.shape[:-2], a))


def _svd_small(a, k, compute_uv):
    """Of wide matrices by their conjugate transposes; k: left vectors of those, or right ones."""
    kind, stack, (rows, columns) = _kind(a), a.shape[:-2], a.shape[-2:]
    count, least, is_wide = math.prod(stack), min(a.shape[-2:]), rows < columns
    outcomes, values = _outcomes(count), _room(a, _real(kind), count, least)
    u = vh = None
    if compute_uv:
        u = _room(a, kind, count, rows, least if is_wide else k)
        vh = _room(a, kind, count, k if is_wide else least, columns)
    _run_small(_ROTATE, outcomes, _lying(a, kind, outcomes), x=u, values=values, y=vh, flag=is_wide)
    _expect_convergence(outcomes)
    parts = [part if part is None else part.reshape((*stack, *part.shape[1:])) for part in (u, values, vh)]
    return _SVD(*parts) if compute_uv else parts[1]


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
    _expect_matrices(a)
    if hermitian:
        raise NotServed
    stack = a.shape[:-2]
    k = max(a.shape[-2:]) if full_matrices else min(a.shape[-2:])
    if _is_small(_ROTATE, a, _kind(a), k, bool(compute_uv), a.shape[-2] < a.shape[-1]):
        return _svd_small(a, k, compute_uv)
    _expect_library(a, LEAST_OF_SINGULAR_VALUES)
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
    _expect_matrices(a)
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


def lstsq(a, b, rcond=_LSTSQ_RCOND):
    """By singular values in double precision, as LAPACK's gelsd, which NumPy asks and which takes another precision for none."""
    _expect_numbers(b)
    _expect_matrices(a)
    (rows, columns), is_vector = a.shape[-2:], b.ndim == 1
    if a.ndim != 2 or b.ndim not in (1, 2) or b.shape[0] != rows or not (rcond is None or _is_number(rcond)):
        raise NotServed
    result = np.result_type(_kind(a), _kind(b))
    kind, epsilon = np.result_type(result, np.float64), np.finfo(np.float64).eps
    rcond = max(rows, columns) * epsilon if rcond is None else float(rcond)
    rcond = rcond if 0 < rcond < 1 else epsilon / 2
    a, right = a.astype(kind), (b[:, None] if is_vector else b).astype(kind)
    if not np.isfinite(right).all().get():
        raise NotServed
    u, values, vh = svd(a, full_matrices=False)
    name = libraries.last()
    kept = values > values[:1] * rcond
    rank = kept.sum()
    factors = np.where(kept, 1 / np.where(kept, values, 1), 0)
    x = vh.T.conj() @ (factors[:, None] * (u.T.conj() @ right))
    if rows > columns and rank.get() == columns:
        off = abs(right - a @ x)
        residuals = (off * off).sum(0).astype(_real(result))
    else:
        residuals = _native._empty((0,), _real(result))
    libraries._note(name)
    x = _result((x[:, 0] if is_vector else x).astype(result)[None], (), a)
    return x, residuals, rank.astype(np.int32), values.astype(_real(result))
