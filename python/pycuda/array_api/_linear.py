"""Linear algebra of the standard's main namespace. Products are those of `@`: tiles where matrices are large, else a
reduction along the axis; in integers or floating point, whatever the operands promote to."""

from pycuda import _linalg, _reductions
from pycuda.array_api._data_types import array

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]


def matmul(x1, x2, /):
    """The products of the matrices in the last two axes, others broadcast; one axis is a row on the left and a column
    on the right. ValueError for arrays without axes, or lengths that do not fit."""
    return _reductions.matmul(array(x1, "matmul"), array(x2, "matmul"))


def matrix_transpose(x, /):
    """A view with the last two axes interchanged, as x.mT is. ValueError for fewer."""
    return array(x, "matrix_transpose").mT


def tensordot(x1, x2, /, *, axes=2):
    """The sums of products over the last `axes` axes of x1 and the first ones of x2, or over the axes that a pair of
    sequences names, in that order; the other axes of x1 come first. ValueError if lengths do not agree."""
    return _linalg.tensordot(array(x1, "tensordot"), array(x2, "tensordot"), axes=axes)


def vecdot(x1, x2, /, *, axis=-1):
    """The inner products of the vectors along an axis, the complex conjugates of x1 times x2; other axes are broadcast.
    ValueError if the vectors are not as long."""
    return _linalg.vecdot(array(x1, "vecdot"), array(x2, "vecdot"), axis=axis)
