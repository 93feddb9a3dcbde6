"""Creation functions of the standard. New arrays lie on the device of the current context, whatever makes them."""

import numpy as np

from pycuda import _creation, _functions, _interop, _native
from pycuda._native import GPUArray
from pycuda.array_api._data_types import array
from pycuda.array_api._inspection import here

__all__ = ["arange", "asarray", "empty", "empty_like", "eye", "from_dlpack", "full", "full_like", "linspace",
           "meshgrid", "ones", "ones_like", "tril", "triu", "zeros", "zeros_like"]


def _kind(dtype):
    """The dtype that is asked for, or the one of new arrays."""
    return np.dtype(np.float64 if dtype is None else dtype)


def _holds_arrays(obj):
    return isinstance(obj, (list, tuple)) and any(isinstance(x, GPUArray) or _holds_arrays(x) for x in obj)


def _from_host(obj, dtype):
    host = np.asarray(obj, dtype)
    if host.dtype.kind not in "biufc" and dtype is None:
        raise TypeError(f"asarray: expected numbers, nested sequences of them or an array, got {type(obj).__name__}, "
                        f"which is {host.dtype} to NumPy")
    return _native.to_gpu(host)


def _converted(x, dtype, copy):
    """An array on the device in that dtype, the same one if it may be."""
    if dtype is None or np.dtype(dtype) == x.dtype:
        return x.copy() if copy else x
    if copy is False:
        raise ValueError(f"asarray: copy=False, and {x.dtype} has to be converted to {np.dtype(dtype)}")
    return x.astype(dtype)


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    """An array on the device of a number, of nested sequences of numbers or of GPUArrays, of a host array (or what
    else has a buffer), or of an array of another library by DLPack. A GPUArray is given back as it is.

    dtype: by default that of `obj`; of Python's numbers bool, int64, float64 or complex128. copy: True for a copy in
    any case, False for none: ValueError where one is needed, as from the host. TypeError for what has no numbers."""
    if isinstance(obj, GPUArray):
        return _converted(obj if device is None else obj.to_device(device), dtype, copy)
    here(device)
    if hasattr(obj, "__dlpack__") and not isinstance(obj, (np.ndarray, np.generic)):
        return _converted(from_dlpack(obj, copy=copy), dtype, None if copy else copy)
    if copy is False:
        raise ValueError(f"asarray: copy=False, and {type(obj).__name__} has to be copied to the device")
    if _holds_arrays(obj):
        return _converted(_creation.stack([asarray(x) for x in obj]), dtype, None)
    return _from_host(obj, dtype)


def from_dlpack(x, /, *, device=None, copy=None):
    """An array of anything with ``__dlpack__``, by gpuarray.from_dlpack: memory of the device is shared, other memory
    copied. copy: True for a copy in any case, False for none: BufferError where one is needed."""
    here(device)
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"from_dlpack: expected an array with __dlpack__, got {type(x).__name__}")
    return _interop.from_dlpack(x, copy=copy)


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    """Numbers from `start` below `stop` by `step`; from 0 below `start` if there is no `stop`. By default int64 if all
    are integers, else float64. ZeroDivisionError if step is 0."""
    here(device)
    start, stop = (0, start) if stop is None else (start, stop)
    return _creation.arange(start, stop, step, dtype=dtype)


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    """`num` numbers from `start` to `stop` in equal steps, the last of which is left out unless `endpoint`. By default
    float64, complex128 if one of the two is complex. They are computed in those, and rounded once.
    ValueError if num is negative."""
    here(device)
    num = _length(num, "num")
    start, stop = (_number(x, "linspace") for x in (start, stop))
    wide = np.result_type(start.dtype, stop.dtype, np.float64)
    places = _creation.arange(num, dtype=np.float64)
    steps = num - 1 if endpoint else num
    result = places * wide.type((wide.type(stop) - wide.type(start)) / max(steps, 1)) + wide.type(start)
    if endpoint and num > 1:
        result[-1] = stop
    return result.astype(wide if dtype is None else dtype, copy=False)


def _number(x, function):
    """A number on the host, as NumPy's, with its dtype."""
    x = x.get() if isinstance(x, GPUArray) else np.asarray(_native._fixed(x))
    if x.ndim or x.dtype.kind not in "biufc":
        raise TypeError(f"{function}: expected a number, got {x.tolist()!r:.60}")
    return x[()]


def _length(n, name):
    n = _native._fixed(n)
    if not isinstance(n, (int, np.integer)) or isinstance(n, bool):
        raise TypeError(f"{name}: expected an integer, got {type(n).__name__}")
    if n < 0:
        raise ValueError(f"{name}: {n} is negative")
    return int(n)


def empty(shape, *, dtype=None, device=None):
    """An array whose elements are whatever is in its memory. shape: an integer or a tuple; dtype: by default float64.
    ValueError for a negative length."""
    here(device)
    return _native._empty(shape, _kind(dtype))


def zeros(shape, *, dtype=None, device=None):
    """An array of zeros; otherwise like empty()."""
    here(device)
    return _native.zeros(shape, _kind(dtype))


def ones(shape, *, dtype=None, device=None):
    """An array of ones; otherwise like empty()."""
    here(device)
    return _native.ones(shape, _kind(dtype))


def full(shape, fill_value, *, dtype=None, device=None):
    """An array of one number. dtype: by default bool, int64, float64 or complex128, as the number is. OverflowError if
    the dtype cannot hold an integer."""
    here(device)
    if isinstance(fill_value, GPUArray):
        result = _native._empty(shape, fill_value.dtype if dtype is None else np.dtype(dtype))
        result[...] = fill_value
        return result
    return _native.full(shape, fill_value, _number(fill_value, "full").dtype if dtype is None else np.dtype(dtype))


def _like(x, dtype, device, function):
    here(device)
    return _native.empty_like(array(x, function), None if dtype is None else np.dtype(dtype))


def empty_like(x, /, *, dtype=None, device=None):
    """An array of the shape of x, and of its dtype unless one is given, with whatever is in its memory."""
    return _like(x, dtype, device, "empty_like")


def zeros_like(x, /, *, dtype=None, device=None):
    """Zeros in the shape of x, and in its dtype unless one is given."""
    return _like(x, dtype, device, "zeros_like").fill(0)


def ones_like(x, /, *, dtype=None, device=None):
    """Ones in the shape of x, and in its dtype unless one is given."""
    return _like(x, dtype, device, "ones_like").fill(1)


def full_like(x, /, fill_value, *, dtype=None, device=None):
    """One number in the shape of x, and in its dtype unless one is given. OverflowError if that cannot hold an
    integer."""
    return _like(x, dtype, device, "full_like").fill(fill_value)


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    """A matrix of zeros with ones on its diagonal, or on the one `k` columns right of it (left, if negative). As many
    columns as rows unless said otherwise; by default float64."""
    here(device)
    rows = _length(n_rows, "n_rows")
    result = _native.zeros((rows, rows if n_cols is None else _length(n_cols, "n_cols")), _kind(dtype))
    result.diagonal(k)[...] = 1
    return result


def _matrices(x, function):
    if array(x, function).ndim < 2:
        raise ValueError(f"{function}: expected at least two axes, got shape {x.shape}")
    return x


def tril(x, /, *, k=0):
    """The matrices in the last two axes of x with zeros right of the diagonal `k`. ValueError for fewer axes."""
    return _functions.tril(_matrices(x, "tril"), k)


def triu(x, /, *, k=0):
    """The matrices in the last two axes of x with zeros left of the diagonal `k`. ValueError for fewer axes."""
    return _functions.triu(_matrices(x, "triu"), k)


def meshgrid(*arrays, indexing="xy"):
    """The coordinates of a grid, a list of an array for each of the arrays of one axis, whose element i counts along
    axis i; with "xy" axes 0 and 1 are interchanged, with "ij" not. TypeError for mixed dtypes, ValueError for another
    `indexing` or number of axes."""
    for x in arrays:
        if array(x, "meshgrid").ndim > 1:
            raise ValueError(f"meshgrid: expected arrays of one axis, got shape {x.shape}")
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing is 'xy' or 'ij', got {indexing!r}")
    if len({x.dtype for x in arrays}) > 1:
        raise TypeError(f"meshgrid: expected one dtype, got {', '.join(str(x.dtype) for x in arrays)}")
    return list(_functions.meshgrid(*arrays, indexing=indexing))
