"""Sums of products of an array and a short one that slides along it: convolve and correlate, and interpolation
between points, under NumPy's names and with its parameters. Each is one kernel, made for its dtypes."""

import functools

import numpy as np

from pycuda import _native
from pycuda._creation import concatenate, on_device
from pycuda._native import GPUArray
from pycuda._sorting import argsort

_MODES = {"valid": 0, "same": 1, "full": 2}


@functools.cache
def _sliding(dtype, is_inside):
    """The kernel of sums of a[first + i + k] * v[k]; is_inside: a has all of these. Sixteen products are summed by
    themselves, so that rounding errors grow less."""
    from pycuda.elementwise import ElementwiseKernel  # it brings the compiler along
    from pycuda.tools import ScalarArg, VectorArg, dtype_to_ctype

    name = dtype_to_ctype(dtype)
    wide = "float" if dtype.itemsize == 2 and dtype.kind == "f" else name
    if dtype == bool:
        step = "sum = sum || (convert(a[first + i + k]) && convert(v[k]))"
    else:
        step = "part += convert(a[first + i + k]) * convert(v[k])"
    low, high = ("0", "m") if is_inside else ("low", "high")
    bounds = "" if is_inside else """
        long long at = first + (long long)i, low = at < 0 ? -at : 0, high = n_a - at < m ? n_a - at : m;"""
    code = f"""
        auto convert = [](auto x) {{ return pycuda::convert<{wide}>(x); }};{bounds}
        {wide} sum = 0;
        for (long long start = {low}; start < {high}; start += 16) {{
            long long end = start + 16 < {high} ? start + 16 : {high};
            {wide} part = 0;
            for (long long k = start; k < end; k++)
                {step};
            sum = sum + part;
        }}
        z[i] = pycuda::convert<{name}>(sum)"""
    whole = [ScalarArg(np.int64, one) for one in ("first", "n_a", "m")]
    return ElementwiseKernel([VectorArg(dtype, "z"), VectorArg(dtype, "a"), VectorArg(dtype, "v"), *whole],
                             code, "pycuda_slide")


def _slide(a, v, mode):
    """Of a and the shorter v, sums of a[i + k] * v[k] wherever they meet."""
    n, m = a.size, v.size
    first, length = {0: (0, n - m + 1), 1: (-(m // 2), n), 2: (1 - m, n + m - 1)}[mode]
    result = _native._empty(length, a.dtype)
    inside = -first, n - m - first + 1  # of the results, those for which all of v meets a
    for low, high, is_inside in ((0, inside[0], False), (*inside, True), (inside[1], length, False)):
        if low < high:
            _sliding(a.dtype, is_inside)(result[low:high], a, v, first + low, n, m)
    return result


def _mode_of(mode):
    if isinstance(mode, str) and mode in _MODES:
        return _MODES[mode]
    if not isinstance(mode, str) and mode in (0, 1, 2):
        return int(mode)
    raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got {mode!r})")


def _line(x, dtype):
    x = x.astype(dtype, copy=False)
    return x if x.flags.c_contiguous else x.copy(order="C")


def _pair(a, v, name):
    a, v = (np.atleast_1d(on_device(x)) for x in (a, v))
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError(f"{name}: expected arrays of one axis, got shapes {a.shape} and {v.shape}")
    for x, letter in ((a, "a"), (v, "v")):
        if not x.size:
            raise ValueError(f"{letter} cannot be empty" if name == "convolve" else
                             f"{'first' if letter == 'a' else 'second'} array argument cannot be empty")
    dtype = np.result_type(a.dtype, v.dtype)
    return _line(a, dtype), _line(v, dtype)


def convolve(a, v, mode="full"):
    """The convolution of two arrays of one axis, as long as both together less one; with mode "same" as long as the
    longer, with "valid" where they overlap completely. Takes as many steps as the product of their lengths.
    ValueError for an empty array."""
    a, v = _pair(a, v, "convolve")
    if v.size > a.size:
        a, v = v, a
    return _slide(a, _line(v[::-1], v.dtype), _mode_of(mode))


def correlate(a, v, mode="valid"):
    """Sums of a[i + k] times the conjugate of v[k] for all i where both overlap completely; with mode "same" as many
    as the longer has elements, with "full" wherever they overlap. ValueError for an empty array."""
    a, v = on_device(a), on_device(v)
    if a.ndim == 0 or v.ndim == 0:
        raise ValueError("correlate: object of too small depth for desired array: an array has no axes")
    a, v = _pair(a, v, "correlate")
    mode = _mode_of(mode)
    if v.size <= a.size:
        return _slide(a, _line(v.conj(), v.dtype), mode)
    return _slide(_line(v.conj(), v.dtype), a, mode)[::-1].copy(order="C")  # the other way round


# -- Interpolation ---------------------------------------------------------------------------------


@functools.cache
def _interpolating(dtype):
    from pycuda.elementwise import ElementwiseKernel
    from pycuda.tools import ScalarArg, VectorArg, dtype_to_ctype

    name = dtype_to_ctype(dtype)
    code = f"""
        double at = x[i];
        long long k = pycuda::search<true>(px, n_p, at) - 1;
        {name} value;
        if (n_p == 1)
            value = at < px[0] ? left : at > px[0] ? right : f[0];
        else if (at != at)
            value = at;
        else if (k < 0)
            value = left;
        else if (k == n_p - 1)
            value = at > px[k] ? right : f[k];
        else if (at == px[k])
            value = f[k];
        else {{
            double gap = px[k + 1] - px[k];
            PARTS
        }}
        z[i] = value"""
    real = """{ double low = LOW, high = HIGH, slope = (high - low) / gap, between = slope * (at - px[k]) + low;
            if (between != between)
                between = slope * (at - px[k + 1]) + high;
            if (between != between && low == high)
                between = low;
            STORE }"""
    if dtype.kind == "c":
        parts = [real.replace("LOW", f"f[k].{part}()").replace("HIGH", f"f[k + 1].{part}()")
                 .replace("STORE", f"{part}_ = between;") for part in ("real", "imag")]
        text = "double real_, imag_; " + " ".join(parts) + f" value = {name}(real_, imag_);"
    else:
        text = real.replace("LOW", "f[k]").replace("HIGH", "f[k + 1]").replace("STORE", "value = between;")
    return ElementwiseKernel(
        [VectorArg(dtype, "z"), VectorArg(np.float64, "x"), VectorArg(np.float64, "px"), VectorArg(dtype, "f"),
         ScalarArg(dtype, "left"), ScalarArg(dtype, "right"), ScalarArg(np.int64, "n_p")],
        code.replace("PARTS", text), "pycuda_interpolate")


def interp(x, xp, fp, left=None, right=None, period=None):
    """The values at `x` of the line through the points (xp, fp), whose places rise; before the first `left`, behind
    the last `right`, which are those of the ends by default. With a period, x and xp are taken modulo that and xp
    need not be sorted. float64, or complex128 where fp is complex. ValueError for no points, or another number of
    values than of places."""
    x, xp, fp = on_device(x), on_device(xp), on_device(fp)
    dtype = np.dtype(np.complex128 if fp.dtype.kind == "c" else np.float64)
    for one in (x, xp):
        if one.dtype.kind == "c":
            raise TypeError("Cannot cast array data from dtype('complex128') to dtype('float64') according to the "
                            "rule 'safe'")
    if period is not None:
        if period == 0:
            raise ValueError("period must be a non-zero value")
        period = abs(period)
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("Data points must be 1-D sequences")
    if xp.size != fp.size:
        raise ValueError("fp and xp are not of the same length.")
    if not xp.size:
        raise ValueError("array of sample points is empty")
    shape, x, xp, fp = x.shape, _line(x.ravel(), np.float64), _line(xp, np.float64), _line(fp, dtype)
    if period is not None:
        left = right = None
        x, xp = x % period, xp % period
        order = argsort(xp)
        xp, fp = xp.take(order), fp.take(order)
        xp = concatenate([xp[-1:] - period, xp, xp[:1] + period])
        fp = concatenate([fp[-1:], fp, fp[:1]])
    left, right = (end.get()[()] if one is None else dtype.type(one.get() if isinstance(one, GPUArray) else one)
                   for one, end in ((left, fp[0]), (right, fp[-1])))
    result = _native._empty(x.size, dtype)
    if x.size:
        _interpolating(dtype)(result, x, xp, fp, left, right, xp.size)
    return result.reshape(shape)
