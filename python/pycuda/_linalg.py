"""numpy.linalg on GPU arrays. What is a factorisation or follows from one is computed by kernels of ours or cuSOLVER
(pycuda/_solvers.py) or NumPy (pycuda/_on_host.py); products, norms and what is put together from those are compositions
here, under NumPy's names and with its parameters. pycuda/_function_table.py finds them."""

import contextlib
import functools
import math
import operator

import numpy as np
from numpy.linalg import LinAlgError

from pycuda import _functions, _native, _products, _reductions, _solvers
from pycuda._creation import axis_of
from pycuda._methods import expect_fit
from pycuda._on_host import expect_arrays, served
from pycuda._reductions import axes_of

# -- Factorisations, and what follows from one ----------------------------------------------------


def _factorisation(name, count=1):
    """NumPy's function, on the device where that is of use."""
    by_numpy, by_device = served(getattr(np.linalg, name), count), getattr(_solvers, name)

    @functools.wraps(by_numpy)
    def ours(*args, **kwargs):
        if _solvers.are_there():
            with contextlib.suppress(_solvers.NotServed):
                return by_device(*args, **kwargs)
        return by_numpy(*args, **kwargs)

    return ours


cholesky, cond, det, eig, eigh, eigvals, eigvalsh, inv, matrix_rank, pinv, qr, slogdet, svd = map(_factorisation, (
    "cholesky", "cond", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matrix_rank", "pinv", "qr", "slogdet", "svd"))
solve, lstsq = _factorisation("solve", 2), _factorisation("lstsq", 2)


def svdvals(x, /):
    return svd(x, compute_uv=False)


def _square(name, *arrays):
    expect_arrays(name, *arrays)
    for a in arrays:
        if a.ndim < 2:
            raise LinAlgError(f"{name}: {a.ndim}-dimensional array given. Array must be at least two-dimensional")
        if a.shape[-1] != a.shape[-2]:
            raise LinAlgError(f"{name}: Last 2 dimensions of the array must be square, not {a.shape[-2:]}")


# -- Parts of matrices -----------------------------------------------------------------------------


def diagonal(x, /, *, offset=0):
    return x.diagonal(offset, -2, -1)


def trace(x, /, *, offset=0, dtype=None):
    return x.trace(offset, -2, -1, dtype)


def matrix_transpose(x, /):
    return x.mT


# -- Products --------------------------------------------------------------------------------------


def matmul(x1, x2, /):
    expect_arrays("numpy.linalg.matmul", x1, x2)
    return _reductions.matmul(x1, x2)


def outer(x1, x2, /):
    expect_arrays("numpy.linalg.outer", x1, x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"numpy.linalg.outer: expected arrays of one axis, got {x1.ndim} and {x2.ndim} axes")
    return _functions.outer(x1, x2)


def tensordot(x1, x2, /, *, axes=2):
    expect_arrays("tensordot", x1, x2)
    return _products.tensordot(x1, x2, axes)


def vecdot(x1, x2, /, *, axis=-1):
    expect_arrays("vecdot", x1, x2)
    return _products.vecdot(x1, x2, axis)


def cross(x1, x2, /, *, axis=-1):
    expect_arrays("cross", x1, x2)
    lengths = [x.shape[axis_of(axis, x.ndim)] for x in (x1, x2)]
    if lengths != [3, 3]:
        raise ValueError(f"cross: expected vectors of 3 elements, got {lengths[0]} and {lengths[1]}")
    return _products.cross(x1, x2, axis=axis)


def matrix_power(a, n):
    _square("numpy.linalg.matrix_power", a)
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError(f"numpy.linalg.matrix_power: exponent must be an integer, got {n!r:.60}") from None
    if n == 0:
        result = _native.zeros(a.shape, a.dtype)
        diagonal(result)[...] = 1
        return result
    if n < 0:
        a, n = inv(a), -n
    result = None
    while n:
        if n & 1:
            result = a if result is None else _reductions.matmul(result, a)
        n >>= 1
        a = _reductions.matmul(a, a) if n else a
    return result


def _chain(lengths):
    """Where to cut a chain of matrices with lengths[i] rows and lengths[i + 1] columns so that the fewest numbers
    are multiplied: cut(i, j) is the last matrix of the left part of those from i to j."""
    @functools.cache
    def cost(i, j):
        return min(((cost(i, k)[0] + cost(k + 1, j)[0] + lengths[i] * lengths[k + 1] * lengths[j + 1], k)
                    for k in range(i, j)), default=(0, i))
    for distance in range(len(lengths) - 1):  # short ones first, so that none goes deep
        for i in range(len(lengths) - 1 - distance):
            cost(i, i + distance)
    return lambda i, j: cost(i, j)[1]


def multi_dot(arrays, *, out=None):
    arrays = [*arrays]
    expect_arrays("numpy.linalg.multi_dot", *arrays)
    if len(arrays) < 2:
        raise ValueError(f"numpy.linalg.multi_dot: expected at least two arrays, got {len(arrays)}")
    is_row, is_column = arrays[0].ndim == 1, arrays[-1].ndim == 1
    arrays[0] = arrays[0][None] if is_row else arrays[0]
    arrays[-1] = arrays[-1][:, None] if is_column else arrays[-1]
    for a in arrays:
        if a.ndim != 2:
            raise LinAlgError(f"numpy.linalg.multi_dot: {a.ndim}-dimensional array given. Array must be two-dimensional")
    cut = _chain((*(len(a) for a in arrays), arrays[-1].shape[1]))

    def product(i, j):
        if i == j:
            return arrays[i]
        k = cut(i, j)
        return _reductions.matmul(product(i, k), product(k + 1, j))

    if out is not None:
        expect_fit(out, np.result_type(*(a.dtype for a in arrays)))
    result = product(0, len(arrays) - 1)
    result = result[:, 0] if is_column else result
    return _reductions.finish(result[0] if is_row else result, [], True, out)


# -- Equations of tensors --------------------------------------------------------------------------


def tensorsolve(a, b, axes=None):
    expect_arrays("numpy.linalg.tensorsolve", a, b)
    if axes is not None:
        last = axes_of(tuple(axes) if np.iterable(axes) else axes, a.ndim)
        order = [axis for axis in range(a.ndim) if axis not in last]
        order.extend(axis_of(axis, a.ndim) for axis in (axes if np.iterable(axes) else (axes,)))
        a = a.transpose(order)
    shape = a.shape[b.ndim - a.ndim:]
    if a.size != math.prod(shape) ** 2:
        raise LinAlgError(f"numpy.linalg.tensorsolve: {a.shape} makes no square matrix: it has {a.size} elements, "
                          f"not as many as the square of those of {shape}")
    matrix = a.reshape((math.prod(shape),) * 2)
    return solve(matrix, b.ravel()).reshape(shape)


def tensorinv(a, ind=2):
    expect_arrays("numpy.linalg.tensorinv", a)
    if ind <= 0:
        raise ValueError(f"numpy.linalg.tensorinv: ind must be positive, got {ind}")
    rows, columns = a.shape[:ind], a.shape[ind:]
    matrix = a.reshape((math.prod(rows), math.prod(columns)))
    return inv(matrix).reshape((*columns, *rows))


# -- Norms -----------------------------------------------------------------------------------------


def _magnitudes(x):
    """Absolute values as floating-point numbers."""
    return abs(x.astype(np.float64) if x.dtype.kind in "biu" else x)


def _extreme(sizes, is_greatest, axes, keepdims):
    """The greatest, which of none is 0, or the least."""
    if is_greatest:
        return sizes.max(axis=axes, keepdims=keepdims, initial=0)
    return sizes.min(axis=axes, keepdims=keepdims)


def _of_vectors(x, ord, axes, keepdims):
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")  # noqa: TRY004  (NumPy's)
    sizes = _magnitudes(x)
    if ord in (math.inf, -math.inf):
        return _extreme(sizes, ord > 0, axes, keepdims)
    if ord == 0:
        return (sizes != 0).astype(sizes.dtype).sum(axes, keepdims=keepdims)
    if ord == 1:
        return sizes.sum(axes, keepdims=keepdims)
    if ord is None or ord == 2:
        return _native.sqrt((sizes * sizes).sum(axes, keepdims=keepdims))
    return (sizes ** ord).sum(axes, keepdims=keepdims) ** (1 / ord)


def _of_matrices(x, ord, axes, keepdims):
    """axes: of the rows' numbers, and of the columns'."""
    if ord in (None, "fro", "f"):
        return _of_vectors(x, None, axes, keepdims)
    if ord in (2, -2, "nuc"):
        values = svdvals(np.moveaxis(x, axes, (-2, -1)))
        result = values.sum(-1) if ord == "nuc" else _extreme(values, ord > 0, -1, False)
    elif ord in (1, -1, math.inf, -math.inf):
        down, across = axes if abs(ord) == 1 else axes[::-1]
        sums = _magnitudes(x).sum(down, keepdims=True)
        result = _extreme(sums, ord > 0, across, True).squeeze(axes)
    else:
        raise ValueError("Invalid norm order for matrices.")
    return _functions.expand_dims(result, axes) if keepdims else result


def norm(x, ord=None, axis=None, keepdims=False):
    expect_arrays("numpy.linalg.norm", x)
    axis = _native._fixed(axis)
    if axis is None and (ord is None or (x.ndim == 2 and ord in ("f", "fro")) or (x.ndim == 1 and ord == 2)):
        return _of_vectors(x, None, tuple(range(x.ndim)), keepdims)
    axes = tuple(range(x.ndim)) if axis is None else tuple(axis) if np.ndim(axis) else (axis,)
    axes = tuple(axis_of(one, x.ndim) for one in axes)
    if len(axes) == 1:
        return _of_vectors(x, ord, axes, keepdims)
    if len(axes) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    if axes[0] == axes[1]:
        raise ValueError("Duplicate axes given.")
    return _of_matrices(x, ord, axes, keepdims)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    return norm(x, ord, (-2, -1), keepdims)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    expect_arrays("numpy.linalg.vector_norm", x)
    return _of_vectors(x, ord, tuple(axes_of(axis, x.ndim)), keepdims)
