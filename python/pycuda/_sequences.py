"""Numbers between two ends: linspace, logspace and geomspace, of ends that are arrays, under NumPy's names and with
its parameters."""

import operator

import numpy as np

from pycuda._creation import arange, on_device
from pycuda._functions import broadcast_to


def _kind(*ends):
    """The dtype, at least of floating-point numbers, of ends, of which those of Python's are weak."""
    return np.result_type(0.0, *(x if type(x) in (int, float, complex) else on_device(x).dtype for x in ends))


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    """`num` numbers from `start` to `stop`, which are arrays or numbers, along a new axis; with `retstep` also their
    distance."""
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    gaps = num - 1 if endpoint else num
    kind = _kind(start, stop)
    start, stop = on_device(start), on_device(stop)
    dtype = kind if dtype is None else np.dtype(dtype)
    start, stop = start.astype(kind) * 1.0, stop.astype(kind) * 1.0
    span = stop - start
    k = arange(num, dtype=np.float64).reshape([-1] + [1] * span.ndim).astype(np.empty(0, kind).real.dtype)
    step = span / gaps if gaps > 0 else span * np.nan
    result = k * step + start if gaps > 0 else k * span + start
    if endpoint and num > 1:
        result[-1] = broadcast_to(stop, span.shape)
    if dtype.kind in "iu":
        result = np.floor(result)
    result = np.moveaxis(result, 0, axis).astype(dtype, copy=False)
    return (result, step if gaps > 0 else on_device(np.nan)) if retstep else result


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """`base` to the powers that linspace() gives."""
    kind = _kind(start, stop, base)
    start, stop, base = (on_device(x).astype(kind, copy=False) for x in (start, stop, base))
    ndim = max(start.ndim, stop.ndim, base.ndim)
    start, stop, base = (x.reshape((1,) * (ndim - x.ndim) + x.shape) for x in (start, stop, base))
    powers = linspace(start, stop, num, endpoint, axis=axis)
    result = np.power(np.expand_dims(base, axis), powers)
    return result if dtype is None else result.astype(dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """`num` numbers from `start` to `stop`, each the same multiple of the one before. ValueError where one is zero."""
    start, stop = on_device(start), on_device(stop)
    if bool((start == 0).any()) or bool((stop == 0).any()):
        raise ValueError("Geometric sequence cannot include zero")
    kind = np.result_type(start.dtype, stop.dtype, np.dtype(dtype))  # float64 if none is given
    kind = kind if kind.kind in "fc" else np.dtype(np.float64)
    dtype = kind if dtype is None else np.dtype(dtype)
    start, stop = start.astype(kind), stop.astype(kind)
    sign = np.sign(start)
    start, stop = start / sign, stop / sign
    if kind.kind == "c":
        log = linspace(np.log(start), np.log(stop), num, endpoint, axis=0)
        result = np.exp(log)
    else:
        result = logspace(np.log10(start), np.log10(stop), num, endpoint, 10.0)
    if num > 0:
        result[0] = broadcast_to(start, result.shape[1:])
        if num > 1 and endpoint:
            result[-1] = broadcast_to(stop, result.shape[1:])
    result = np.moveaxis(result * sign, 0, axis)
    return result.astype(dtype, copy=False)
