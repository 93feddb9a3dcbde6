"""Polynomials with coefficients from the highest power down, as numpy.poly1d has them: polyval, polyfit, polyadd and
the like, and vander. Coefficients are few: what needs one after the other, or eigenvalues, is done on the host."""

import operator

import numpy as np

from pycuda import _native
from pycuda._creation import arange, concatenate, on_device
from pycuda._reductions import matmul


def _coefficients(p):
    return np.atleast_1d(on_device(p))


def polyval(p, x):
    """The values of a polynomial at `x`, by Horner's rule."""
    p, x = on_device(p), on_device(x)
    if p.ndim == 0:
        raise TypeError("iteration over a 0-d array")
    result = _native.zeros_like(x)
    for k in range(len(p)):
        result = result * x + p[k]
    return result


def _together(a1, a2, function):
    a1, a2 = _coefficients(a1), _coefficients(a2)
    short = abs(len(a1) - len(a2))
    if short:
        longer = a1 if len(a1) > len(a2) else a2
        zeros = _native.zeros(short, longer.dtype)
        a1, a2 = (x if x is longer else concatenate([zeros.astype(x.dtype), x]) for x in (a1, a2))
    return function(a1, a2)


def polyadd(a1, a2):
    """The coefficients of the sum of two polynomials."""
    return _together(a1, a2, np.add)


def polysub(a1, a2):
    """The coefficients of the difference of two polynomials."""
    return _together(a1, a2, np.subtract)


def polymul(a1, a2):
    """The coefficients of the product of two polynomials."""
    return np.convolve(*(_without_zeros(_coefficients(one)) for one in (a1, a2)))


def _without_zeros(p):
    """Coefficients without leading zeros; of none but zeros, one."""
    trimmed = np.trim_zeros(p, "f")
    return trimmed if trimmed.size else _native.zeros(1, p.dtype)


def polydiv(u, v):
    """(quotient, remainder) of two polynomials. Done on the host, whose steps follow one from the other."""
    u, v = (_coefficients(one).get() for one in (u, v))
    return tuple(map(_native.to_gpu, np.polydiv(u, v)))


def roots(p):
    """The zeros of a polynomial, the eigenvalues of its companion matrix, which are computed on the host."""
    return _native.to_gpu(np.roots(on_device(p).get()))


def poly(seq_of_zeros):
    """The coefficients of the polynomial with these zeros, or the characteristic one of a matrix. Done on the host."""
    return _native.to_gpu(np.atleast_1d(np.poly(on_device(seq_of_zeros).get())))


def polyder(p, m=1):
    """The coefficients of the derivative of order m."""
    m, p = operator.index(m), on_device(p)
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    for _ in range(m):
        n = len(p) - 1
        p = p[:-1] * arange(max(n, 0), 0, -1)
    return p


def polyint(p, m=1, k=None):
    """The coefficients of the integral of order m; k: the constants of integration, zero by default."""
    m = operator.index(m)
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    k = np.zeros(m) if k is None else np.atleast_1d(on_device(k).get())
    if len(k) == 1 and m > 1:
        k = np.full(m, k[0])
    if len(k) < m:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    p = on_device(p)
    for constant in k[:m]:
        p = concatenate([p / arange(len(p), 0, -1),
                         _native.to_gpu(np.array([constant]))])
    return p


def vander(x, N=None, increasing=False):
    """The matrix of powers of x from N - 1 down to 0, or up from 0; N: by default the number of elements."""
    x = on_device(x)
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    count = len(x) if N is None else operator.index(N)
    if count < 0:
        raise ValueError("negative dimensions are not allowed")
    result = _native._empty((len(x), count), np.promote_types(x.dtype, int))
    upwards = result if increasing else result[:, ::-1]
    if count > 0:
        upwards[:, 0] = 1
    for k in range(1, count):
        np.multiply(upwards[:, k - 1], x, out=upwards[:, k])
    return result


# -- Least squares ---------------------------------------------------------------------------------


def _triangle(rows):
    """(Q, R) of a tall matrix, a column after the other by modified Gram and Schmidt, twice each: R on the host."""
    count = rows.shape[1]
    columns = rows.T.copy(order="C")
    upper = np.zeros((count, count), rows.dtype)
    for k in range(count):
        for _ in range(2):
            if k:
                parts = matmul(columns[:k].conj(), columns[k])
                columns[k] = columns[k] - matmul(parts, columns[:k])
                upper[:k, k] += parts.get()
        length = np.sqrt((abs(columns[k]) ** 2).sum())
        upper[k, k] = length.get()
        if upper[k, k]:
            columns[k] = columns[k] / length
    return columns.T, upper


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """The coefficients of the polynomial of degree `deg` that is closest to the points (x, y), in the sense of least
    squares; y may have several columns. w: weights of the points. full: also the residuals, rank, singular values
    and rcond, as arrays of the device and numbers; cov: also the covariance of the coefficients. TypeError for no
    points, ValueError for a degree below zero. Waits for the device."""
    order = int(deg) + 1
    x, y = on_device(x), on_device(y)
    x, y = (one + 0.0 for one in (x, y))
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if not x.size:
        raise TypeError("expected non-empty vector for x")
    if y.ndim not in (1, 2):
        raise TypeError("expected 1D or 2D array for y")
    if x.shape[0] != y.shape[0]:
        raise TypeError("expected x and y to have same length")
    rcond = len(x) * np.finfo(x.dtype).eps if rcond is None else rcond
    left, right = vander(x, order), y
    if w is not None:
        w = on_device(w) + 0.0
        if w.ndim != 1:
            raise TypeError("expected a 1-d array for weights")
        if w.shape[0] != y.shape[0]:
            raise TypeError("expected w and y to have the same length")
        left = left * w[:, None]
        right = right * (w[:, None] if right.ndim == 2 else w)
    dtype = np.result_type(left.dtype, right.dtype)
    left, right = left.astype(dtype, copy=False), right.astype(dtype, copy=False)
    scale = np.sqrt((abs(left) ** 2).sum(0))
    scale = _native.where(scale == 0, scale.dtype.type(1), scale)
    left = left / scale
    scale = scale.get()
    if len(x) < order:  # R would be no square
        solution = np.linalg.lstsq(left.get(), right.get(), rcond)
        c, residuals, rank, singular = solution
        inverse = None
    else:
        q, upper = _triangle(left)
        target = matmul(q.conj().T, right).get()
        c, _, rank, singular = np.linalg.lstsq(upper, target, rcond)
        rest = right - matmul(left, _native.to_gpu(c))
        residuals = (abs(rest) ** 2).sum(0).get().reshape(-1)
        inverse = upper
    c = (c.T / scale).T
    coefficients = _native.to_gpu(np.ascontiguousarray(c))
    if full:
        residuals = residuals if rank == order and len(x) > order else residuals[:0]
        return coefficients, _native.to_gpu(residuals), rank, _native.to_gpu(singular), rcond
    if not cov:
        return coefficients
    root = inverse if inverse is not None else left.get()
    spread = np.linalg.inv(root.conj().T @ root) / np.outer(scale, scale)
    if cov == "unscaled":
        factor = 1
    else:
        if len(x) <= order:
            raise ValueError("the number of data points must exceed order to scale the covariance matrix")
        factor = residuals / (len(x) - order)
        factor = factor if y.ndim == 2 else factor[0]
    spread = spread[:, :, np.newaxis] * factor if y.ndim == 2 else spread * factor
    return coefficients, _native.to_gpu(np.ascontiguousarray(spread))
