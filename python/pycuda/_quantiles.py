"""Medians, quantiles and percentiles, with and without NaNs, under NumPy's names and with its parameters: of
rows that are sorted, elements at places that Hyndman and Fan's rules (Sample Quantiles in Statistical
Packages, 1996) give, on the host where all rows have as many elements, else on the device."""

import numpy as np

from pycuda import _indexing, _native
from pycuda._creation import arange, on_device, stack
from pycuda._functions import _spread, broadcast_to
from pycuda._native import GPUArray
from pycuda._ranks import ranks_of
from pycuda._reductions import axes_of, finish, mean_dtypes
from pycuda._sorting import expect_numbers, sort_rows

# alpha and beta of the rules in which results are continuous in q.
_CONTINUOUS = {"linear": (1, 1), "interpolated_inverted_cdf": (0, 1), "hazen": (0.5, 0.5), "weibull": (0, 0),
               "median_unbiased": (1 / 3, 1 / 3), "normal_unbiased": (3 / 8, 3 / 8)}
_FEW = 4  # quantiles of one row for which it is not sorted
_STEPS = ("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "lower", "higher", "midpoint", "nearest")


def _step(method, n, q):
    """The place of the one element that is the result, before it is kept within the row."""
    if method == "inverted_cdf":
        return np.ceil(n * q - 1)
    if method == "closest_observation":
        at = n * q - 1.5
        low = np.floor(at)
        return np.where((at == low) & (low % 2 == 1), low, low + 1)
    return {"lower": np.floor, "higher": np.ceil, "nearest": np.rint}[method]((n - 1) * q)


def _between(method, n, q):
    """(place before the result, how far it is from there to the next one)"""
    if method == "midpoint":
        at = (n - 1) * q
        return np.floor(at), np.where(at == np.floor(at), 0.0, 0.5)
    if method == "averaged_inverted_cdf":
        at = n * q - 1
        return np.floor(at), np.where(at == np.floor(at), 0.5, 1.0)
    alpha, beta = _CONTINUOUS[method]
    at = (n - 1) * q if method == "linear" else n * q + (alpha + q * (1 - alpha - beta)) - 1
    return np.floor(at), at - np.floor(at)


def _element(rows, place, last):
    """The element at a place, kept within 0 and last, of each sorted row."""
    place = np.maximum(np.minimum(place, last), 0)
    if not isinstance(place, GPUArray):
        return rows[..., int(place)]
    length = rows.shape[-1]
    places = arange(place.size) * length + place.ravel().astype(np.int64)
    return _indexing._take(rows.ravel(), places).reshape(place.shape)


def _quantile(rows, n, q, method, is_weak):
    """Of sorted rows with n elements that count, the quantile q: places and shares are computed in its dtype."""
    if method in ("inverted_cdf", "closest_observation", "lower", "higher", "nearest"):
        return _element(rows, _step(method, n, q), n - 1)
    place, share = _between(method, n, q)
    low, high = _element(rows, place, n - 1), _element(rows, place + 1, n - 1)
    span = high - low
    if isinstance(share, GPUArray):
        dtype = low.dtype if is_weak and low.dtype.kind == "f" else q.dtype
        return np.where(share >= 0.5, high - span * (1 - share).astype(dtype), low + span * share.astype(dtype))
    share = float(share) if is_weak else q.dtype.type(share)
    return high - span * (1 - share) if share >= 0.5 else low + span * share


def _rows(a, axis):
    """(rows that the axes make, put last; the axes)"""
    axes = axes_of(axis, a.ndim)
    others = [i for i in range(a.ndim) if i not in axes]
    length = int(np.prod([a.shape[i] for i in axes], dtype=np.int64))
    return a.transpose([*others, *axes]).reshape([*(a.shape[i] for i in others), length]), axes


def _finished(result, before, a, axes, keepdims, out, casting="same_kind"):
    """The result, whose shape begins with `before`, in the shape that NumPy gives it."""
    if keepdims:
        result = result.reshape([*before, *(1 if i in axes else n for i, n in enumerate(a.shape))])
    return finish(result, [], True, out, casting)


def _weights(weights, a, axis):
    """Weights in the shape of the array. ValueError for some below zero."""
    weights = on_device(weights)
    if weights.shape != a.shape:
        weights = broadcast_to(_spread(weights, a, axis), a.shape)
    if bool((weights < 0).any()):
        raise ValueError("Weights must be non-negative.")
    return weights


def _weighted(rows, weights, q, skips_nan):
    """Of rows, for each q the first of their sorted elements up to which the weights are that share of all."""
    rows, places = sort_rows(rows, None, True)
    weights = np.take_along_axis(weights, places, -1).astype(np.float64)
    is_nan = None if rows.dtype.kind in "biu" else _native.isnan(rows)
    if skips_nan and is_nan is not None:
        weights = _native.where(is_nan, 0.0, weights)
    sums = weights.cumsum(-1)
    no_shares = _native.isnan(sums[..., -1] / sums[..., -1])
    if skips_nan and is_nan is not None:
        no_shares &= ~np.all(is_nan, axis=-1)
    if bool(no_shares.any()):
        raise ValueError("Weights included NaN, inf or were all zero.")
    last = rows.shape[-1] - 1
    parts = []
    for one in q:
        reached = (sums / sums[..., -1:]).astype(one.dtype)
        before = ((reached < one) | (sums == 0)).sum(-1)
        part = _element(rows, before.astype(np.float64), last)
        if is_nan is not None:
            end = rows[..., -1]
            shown = np.all(is_nan, axis=-1) if skips_nan else is_nan[..., -1]
            part = _native.where(shown, end * np.nan if skips_nan else end, part).astype(rows.dtype, copy=False)
        parts.append(part)
    return parts


def _all_quantiles(a, q, axis, out, method, keepdims, weights, interpolation, skips_nan, most):
    method = method if interpolation is None else interpolation
    if a.dtype.kind == "c":
        raise TypeError("a must be an array of real numbers")
    if method not in _CONTINUOUS and method not in _STEPS:
        raise ValueError(f"{method!r} is not a valid method. Use one of: {', '.join((*_CONTINUOUS, *_STEPS))}")
    is_weak = type(q) in (int, float)
    q = np.asarray(q.get() if isinstance(q, GPUArray) else _native._fixed(q))
    if most == 1 and q.dtype.kind in "biu" and method == "linear":  # the least and the greatest, as they are
        method = "lower"
    q = np.asarray(q / most)  # a number, of one that no integer dtype holds
    if q.ndim > 2:
        raise ValueError("q must be a scalar or 1d")
    if not ((q >= 0) & (q <= 1)).all():
        raise ValueError(f"{'Quantiles' if most == 1 else 'Percentiles'} must be in the range [0, {most}]")
    expect_numbers(a)
    rows, axes = _rows(a, axis)
    n = rows.shape[-1]
    if weights is not None and method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    if not a.size and skips_nan:
        rows, weights = _native.full((*rows.shape[:-1], 1), np.nan, mean_dtypes(a, None)[0]), None
    elif n == 0 and (q.size or weights is not None):
        raise IndexError("quantiles of no elements are not defined")
    elif n == 0:
        rows = _native.zeros((*rows.shape[:-1], 1), rows.dtype)
    if weights is not None:
        parts = _weighted(rows, _rows(_weights(weights, a, axis), axis)[0], q.ravel(), skips_nan)
        shape = (*q.shape, *rows.shape[:-1])
        return _finished(stack(parts).reshape(shape) if parts else _native._empty(shape, rows.dtype), q.shape, a, axes,
                         keepdims, out)
    ranks = ranks_of(rows, float(q.flat[0]), q.size, skips_nan) if 0 < q.size <= _FEW else None
    rows = ranks or sort_rows(rows)[0]
    has_nan = rows.dtype.kind not in "biu" and not ranks
    if skips_nan and has_nan:
        n = (~_native.isnan(rows)).sum(-1).astype(q.dtype)
    some = q.ravel() if q.size else np.array([0.5], q.dtype)  # which says the dtype of none
    parts = [_quantile(rows, n, one, method, is_weak) for one in some]
    if has_nan and not skips_nan:
        last = rows[..., -1]
        parts = [_native.where(_native.isnan(last), last, part).astype(part.dtype, copy=False) for part in parts]
    result = parts[0].copy() if q.ndim == 0 else stack(parts)[:q.size]
    return _finished(result.reshape((*q.shape, *rows.shape[:-1])), q.shape, a, axes, keepdims, out)


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None,
             interpolation=None):
    """The quantiles `q`, numbers from 0 to 1, of all elements, or along an axis or a tuple of axes, by one
    of NumPy's methods; NaN where there is one. weights: of the elements, or of those along the axes, for the method
    "inverted_cdf"."""
    return _all_quantiles(a, q, axis, out, method, keepdims, weights, interpolation, False, 1)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None,
               interpolation=None):
    """quantile() of hundredths."""
    return _all_quantiles(a, q, axis, out, method, keepdims, weights, interpolation, False, 100)


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None,
                interpolation=None):
    """quantile() of what is no NaN; NaN where nothing is left."""
    return _all_quantiles(a, q, axis, out, method, keepdims, weights, interpolation, True, 1)


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *,
                  weights=None, interpolation=None):
    """nanquantile() of hundredths."""
    return _all_quantiles(a, q, axis, out, method, keepdims, weights, interpolation, True, 100)


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The middle of the sorted elements, of all or along axes, or the mean of the two in the middle; NaN
    where there is one or no element."""
    expect_numbers(a)
    rows, axes = _rows(a, axis)
    n = rows.shape[-1]
    ranks = ranks_of(rows, 0.5)
    if ranks:
        middle = stack([ranks[..., (n - 1) // 2], ranks[..., n // 2]])
        return _finished(middle.mean().reshape(rows.shape[:-1]), (), a, axes, keepdims, out, "unsafe")
    rows = sort_rows(rows)[0]
    result = rows[..., max((n - 1) // 2, 0):n // 2 + 1].mean(-1)
    if n and a.dtype.kind not in "biu":
        last = rows[..., -1]
        result = _native.where(_native.isnan(last), last, result)
    return _finished(result, (), a, axes, keepdims, out, "unsafe")


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """median() of what is no NaN; NaN where nothing is left."""
    if a.dtype.kind in "biu" or not a.size:
        return median(a, axis, out, overwrite_input, keepdims)
    expect_numbers(a)
    rows, axes = _rows(a, axis)
    rows = sort_rows(rows)[0]
    n = (~_native.isnan(rows)).sum(-1)
    low, high = (_element(rows, place, n - 1) for place in ((n - 1) // 2, n // 2))
    result = _native.where(n % 2 == 1, low, stack([low, high], -1).mean(-1))
    return _finished(result, (), a, axes, keepdims, out, "unsafe")
