"""Linear algebra of the standard's main namespace. Products are those of `@`: tiles where matrices are large, else a
reduction along the axis; in integers or floating point, whatever the operands promote to."""

import math
import operator

from pycuda import _native, _reductions
from pycuda._creation import axis_of
from pycuda._functions import broadcast_to
from pycuda.array_api._data_types import array

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]


def matmul(x1, x2, /):
    """The products of the matrices in the last two axes, others broadcast; one axis is a row on the left and a column
    on the right. ValueError for arrays without axes, or lengths that do not fit."""
    return _reductions.matmul(array(x1, "matmul"), array(x2, "matmul"))


def matrix_transpose(x, /):
    """A view with the last two axes interchanged, as x.mT is. ValueError for fewer."""
    return array(x, "matrix_transpose").mT


def _axes(x1, x2, axes):
    """The axes to sum over, of each of the two."""
    if not hasattr(axes, "__len__"):
        count = operator.index(axes)
        if not 0 <= count <= min(x1.ndim, x2.ndim):
            raise ValueError(f"tensordot: {count} axes of arrays with {x1.ndim} and {x2.ndim}")
        return [*range(x1.ndim - count, x1.ndim)], [*range(count)]
    if len(axes) != 2:
        raise ValueError(f"tensordot: axes is a number or a pair of sequences, got {axes!r:.60}")
    pair = [[axis_of(axis, x.ndim) for axis in (own if hasattr(own, "__len__") else (own,))]
            for own, x in zip(axes, (x1, x2), strict=True)]
    if len(pair[0]) != len(pair[1]) or any(len({*own}) < len(own) for own in pair):
        raise ValueError(f"tensordot: {axes[0]} and {axes[1]} are not as many axes, each once")
    return pair


def tensordot(x1, x2, /, *, axes=2):
    """The sums of products over the last `axes` axes of x1 and the first ones of x2, or over the axes that a pair of
    sequences names, in that order; the other axes of x1 come first. ValueError if lengths do not agree."""
    array(x1, "tensordot"), array(x2, "tensordot")
    summed1, summed2 = _axes(x1, x2, axes)
    lengths = [x1.shape[axis] for axis in summed1]
    if lengths != [x2.shape[axis] for axis in summed2]:
        raise ValueError(f"tensordot: shapes {x1.shape} and {x2.shape} do not agree along axes {summed1} and {summed2}")
    rest1 = [axis for axis in range(x1.ndim) if axis not in summed1]
    rest2 = [axis for axis in range(x2.ndim) if axis not in summed2]
    rows, columns = [x1.shape[axis] for axis in rest1], [x2.shape[axis] for axis in rest2]
    product = _reductions.matmul(
        x1.transpose((*rest1, *summed1)).reshape((math.prod(rows), math.prod(lengths))),
        x2.transpose((*summed2, *rest2)).reshape((math.prod(lengths), math.prod(columns))))
    return product.reshape((*rows, *columns))


def vecdot(x1, x2, /, *, axis=-1):
    """The inner products of the vectors along an axis, the complex conjugates of x1 times x2; other axes are broadcast.
    ValueError if the vectors are not as long."""
    ndim = min(array(x1, "vecdot").ndim, array(x2, "vecdot").ndim)
    axis = axis_of(axis, ndim) - ndim
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError(f"vecdot: {x1.shape[axis]} elements along axis {axis} and {x2.shape[axis]}")
    ndim = max(x1.ndim, x2.ndim)
    left, right = (broadcast_to(x, (*[1] * (ndim - x.ndim), *x.shape)).swapaxes(axis, -1) for x in (x1, x2))
    left = _native._ufunc("conjugate", (left,)) if x1.dtype.kind == "c" else left
    result = _reductions.matmul(left[..., None, :], right[..., :, None])[..., 0]
    return result.swapaxes(axis, -1).squeeze(axis)
