"""Covariances and correlations of variables: cov and corrcoef, under NumPy's names and with its parameters."""

import warnings

import numpy as np

from pycuda import _native
from pycuda._creation import concatenate, on_device
from pycuda._reductions import matmul


def _weights(given, count, name, has_whole_numbers):
    if given is None:
        return None
    given = on_device(given).astype(np.float64)
    if has_whole_numbers and not bool((given == np.rint(given)).all()):
        raise TypeError(f"{name} must be integer")
    if given.ndim > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    if given.shape[0] != count:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    if bool((given < 0).any()):
        raise ValueError(f"{name} cannot be negative")
    return given


def _rows(m, rowvar, dtype, is_first):
    m = on_device(m)
    if m.ndim > 2:
        raise ValueError(f"{'m' if is_first else 'y'} has more than 2 dimensions")
    rows = m if m.ndim == 2 else m.reshape(1, -1)
    if not rowvar and m.ndim == 2 and (is_first or rows.shape[0] != 1):  # as NumPy from 2.2 on
        rows = rows.T
    return rows.astype(dtype, copy=False)


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    """The covariance matrix of the variables in the rows of `m` and `y`, or in their columns if `rowvar` is False. The
    divisor is the number of observations less `ddof`, which is 1 by default and 0 with `bias`. fweights: how often
    each observation counts, aweights: its weight."""
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    m = on_device(m)
    kinds = [m.dtype] if y is None else [m.dtype, on_device(y).dtype]
    dtype = np.result_type(*kinds, np.float64) if dtype is None else np.dtype(dtype)
    if y is not None and on_device(y).ndim > 2:
        raise ValueError("y has more than 2 dimensions")
    rows = _rows(m, rowvar, dtype, True)
    if rows.shape[0] == 0:
        return _native._empty((0, 0), np.float64)
    if y is not None:
        rows = concatenate([rows, _rows(y, rowvar, dtype, False)])
    ddof = (0 if bias else 1) if ddof is None else ddof
    count = rows.shape[1]
    repeats, shares = (_weights(fweights, count, "fweights", True), _weights(aweights, count, "aweights", False))
    w = shares if repeats is None else repeats if shares is None else repeats * shares
    real = np.empty(0, dtype).real.dtype
    if w is None:
        total, divisor = count, count - ddof
        mean = rows.mean(1, keepdims=True)
    else:
        total = float(w.sum().get())
        if total == 0:
            raise ZeroDivisionError("Weights sum to zero, can't be normalized")
        mean = (rows * w.astype(real)).sum(1, keepdims=True) / real.type(total)
        if ddof == 0:
            divisor = total
        elif shares is None:
            divisor = total - ddof
        else:
            divisor = total - ddof * float((w * shares).sum().get()) / total
        dtype = np.result_type(dtype, w.dtype)
    if divisor <= 0:
        warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=2)
        divisor = 0.0
    rows = rows - mean
    weighted = rows if w is None else rows * w.astype(real)
    result = matmul(rows, weighted.T.conj()) * np.true_divide(1, divisor) if divisor else \
        matmul(rows, weighted.T.conj()) * np.inf
    return np.squeeze(result.astype(dtype, copy=False))


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    """The correlation coefficients of the variables in the rows of `x` and `y`, or in their columns: cov() divided by
    both standard deviations."""
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviations = np.sqrt(c.diagonal().real)
    c = c / deviations[:, None] / deviations
    if c.dtype.kind == "c":
        c.real = np.clip(c.real, -1, 1)
        c.imag = np.clip(c.imag, -1, 1)
        return c
    return np.clip(c, -1, 1)
