"""The extension ``linalg`` of the array API standard 2024.12, on GPU arrays.

Matrices lie in the last two axes, others are stacks of them. What is a factorisation or follows from one is computed by a
library, which :func:`pycuda.libraries.last` names; integers are computed in float64. ``LinAlgError`` is NumPy's. Parameters
before ``/`` are by position alone, those behind ``*`` by name.
"""

import numpy as np
from numpy.linalg import LinAlgError

from pycuda import _linalg, _names
from pycuda._native import GPUArray
from pycuda.array_api._data_types import array
from pycuda.array_api._linear import matmul, matrix_transpose, tensordot, vecdot

__all__ = ["LinAlgError", "cholesky", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "matmul", "matrix_norm",
           "matrix_power", "matrix_rank", "matrix_transpose", "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals",
           "tensordot", "trace", "vecdot", "vector_norm"]


def cholesky(x, /, *, upper=False):
    """Triangular L with x = L @ L.mT.conj() of Hermitian positive definite matrices, or its conjugate transpose.
    upper: True for the latter. LinAlgError if x is not positive definite, or its matrices are not square."""
    result = _linalg.cholesky(array(x, "cholesky"))
    return result.mT.conj() if upper else result


def cross(x1, x2, /, *, axis=-1):
    """The cross products of vectors of three elements along an axis, which is counted from the last: negative. Other axes
    are broadcast. ValueError for vectors of another length, or an axis that is not negative."""
    array(x1, "cross"), array(x2, "cross")
    if axis >= 0:
        raise ValueError(f"cross: the axis is counted from the last, so negative, got {axis}")
    return _linalg.cross(x1, x2, axis=axis)


def det(x, /):
    """The determinants of square matrices, 1 of those without elements. LinAlgError for matrices that are not square."""
    return _linalg.det(array(x, "det"))


def diagonal(x, /, *, offset=0):
    """A view of the diagonals of matrices, those `offset` above the main one. ValueError for fewer than two axes."""
    return _linalg.diagonal(array(x, "diagonal"), offset=offset)


def eigh(x, /):
    """(eigenvalues, eigenvectors) of Hermitian matrices, of which the lower triangle is read: real numbers in ascending
    order, and columns of length one. LinAlgError for matrices that are not square, or where it does not converge."""
    return _linalg.eigh(array(x, "eigh"))


def eigvalsh(x, /):
    """The eigenvalues of eigh() alone."""
    return _linalg.eigvalsh(array(x, "eigvalsh"))


def inv(x, /):
    """The inverses of square matrices. LinAlgError if one is singular, or they are not square."""
    return _linalg.inv(array(x, "inv"))


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """The norms of matrices. ord: "fro", the root of the sum of squares, which None means, too; "nuc", 2 and -2, the sum,
    the greatest and the least of the singular values; 1 and -1, of the columns' sums of magnitudes; inf and -inf, of
    the rows'. keepdims: whether the two axes stay, with length one. ValueError for others."""
    if array(x, "matrix_norm").ndim < 2:
        raise ValueError(f"matrix_norm: expected at least two axes, got shape {x.shape}")
    return _linalg.matrix_norm(x, keepdims=keepdims, ord=ord)


def matrix_power(x, n, /):
    """Square matrices times themselves, n of them; of n = 0 the identity, of negative ones the power of the inverse.
    LinAlgError for matrices that are not square, or singular ones; TypeError if n is no integer."""
    return _linalg.matrix_power(array(x, "matrix_power"), n)


def _tolerance(values, rtol, factor):
    """Up to where singular values count as zero: the greatest times `rtol`, which is a number or an array of the shape of
    the stack; None: times the factor and the difference of 1 and the next number."""
    if rtol is None:
        rtol = factor * np.finfo(values.dtype).eps
    rtol = rtol[..., None] if isinstance(rtol, GPUArray) else rtol
    return values.max(axis=-1, keepdims=True, initial=0) * rtol


def matrix_rank(x, /, *, rtol=None):
    """How many singular values of matrices are greater than the greatest of them times `rtol`, as int64. rtol: a number,
    or an array of the shape of the stack; None: the greater length of a matrix times finfo(dtype).eps. LinAlgError for
    fewer than two axes."""
    if array(x, "matrix_rank").ndim < 2:
        raise LinAlgError(f"matrix_rank: {x.ndim}-dimensional array given. Array must be at least two-dimensional")
    values = _linalg.svdvals(x)
    return (values > _tolerance(values, rtol, max(x.shape[-2:]))).sum(-1)


def outer(x1, x2, /):
    """The products of each element of x1 with each of x2, which have one axis each: ValueError for others."""
    return _linalg.outer(array(x1, "outer"), array(x2, "outer"))


def pinv(x, /, *, rtol=None):
    """The Moore-Penrose inverses of matrices. rtol: singular values up to the greatest times that count as zero, as in
    matrix_rank(). LinAlgError for fewer than two axes, or where it does not converge."""
    if array(x, "pinv").ndim < 2:
        raise LinAlgError(f"pinv: {x.ndim}-dimensional array given. Array must be at least two-dimensional")
    if rtol is None:
        kind = x.dtype if x.dtype.kind in "fc" else np.float64
        rtol = float(max(x.shape[-2:]) * np.finfo(kind).eps)
    return _linalg.pinv(x, rtol)


def qr(x, /, *, mode="reduced"):
    """(Q, R) with x = Q @ R, of which Q has columns of length one that are at right angles to each other and R is an upper
    triangle. mode: "reduced", as many columns as the lesser length of x, or "complete", a square Q. ValueError for others,
    LinAlgError for fewer than two axes."""
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr: mode is 'reduced' or 'complete', got {mode!r:.60}")
    return _linalg.qr(array(x, "qr"), mode)


def slogdet(x, /):
    """(sign, logabsdet): the determinants of square matrices as their signs, of complex ones numbers of magnitude 1, and
    the natural logarithms of their magnitudes, which overflow later. LinAlgError for matrices that are not square."""
    return _linalg.slogdet(array(x, "slogdet"))


def solve(x1, x2, /):
    """What x1 has to be multiplied by, from the right, to give x2: a vector if x2 has one axis, else matrices. Stacks are
    broadcast. LinAlgError if a matrix x1 is singular, or not square; ValueError if lengths do not agree."""
    array(x1, "solve"), array(x2, "solve")
    if x2.ndim == x1.ndim - 1 and x2.ndim > 1:  # which NumPy before 2 takes for a stack of vectors
        x2 = x2[None]
    return _linalg.solve(x1, x2)


def svd(x, /, *, full_matrices=True):
    """(U, S, Vh) with x = (U * S) @ Vh: columns of U and rows of Vh have length one and are at right angles to each other,
    S are the singular values in descending order. full_matrices: whether U and Vh are square; else they have as many
    columns and rows as S has elements. LinAlgError for fewer than two axes, or where it does not converge."""
    return _linalg.svd(array(x, "svd"), full_matrices)


def svdvals(x, /):
    """The singular values of svd() alone, in descending order."""
    return _linalg.svdvals(array(x, "svdvals"))


def trace(x, /, *, offset=0, dtype=None):
    """The sums of the diagonals of matrices, those `offset` above the main one. dtype: that of the result; None: 64 bits
    for integers, else that of x. ValueError for fewer than two axes."""
    return _linalg.trace(array(x, "trace"), offset=offset, dtype=dtype)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """The norms of vectors along an axis, along a tuple of them taken together, or of all elements: the sum of magnitudes
    to the power of `ord`, to the power of 1 / ord. ord: inf and -inf for the greatest and the least magnitude, 0 for the
    number of elements that are not zero. keepdims: whether those axes stay, with length one. IndexError for axes that are
    not there."""
    return _linalg.vector_norm(array(x, "vector_norm"), axis=axis, keepdims=keepdims, ord=ord)


_names.publish(__name__, globals())
