"""Layouts of arrays: strides in bytes of shapes, as tuples."""

import numpy as np


def _strides(itemsize, lengths):
    strides = []
    for length in lengths:
        strides.append(itemsize)
        itemsize *= max(length, 1)  # an axis of length 0 counts as 1
    return strides


def f_contiguous_strides(itemsize, shape):
    """The strides of an array in F order.

    >>> f_contiguous_strides(4, (2, 3))
    (4, 8)
    """
    return tuple(_strides(itemsize, shape))


def c_contiguous_strides(itemsize, shape):
    """The strides of an array in C order.

    >>> c_contiguous_strides(4, (2, 3))
    (12, 4)
    """
    return tuple(_strides(itemsize, shape[::-1])[::-1])


def equal_strides(strides1, strides2, shape):
    """Whether both lead to the same places; axes of length 0 or 1 have no say."""
    if strides1 == strides2:
        return True
    if len(strides1) != len(strides2) or len(strides2) != len(shape):
        return False
    return all(a == b or length <= 1 for a, b, length in zip(strides1, strides2, shape, strict=True))


def is_f_contiguous_strides(strides, itemsize, shape):
    """Whether an array with these strides lies in F order without gaps."""
    return equal_strides(strides, f_contiguous_strides(itemsize, shape), shape)


def is_c_contiguous_strides(strides, itemsize, shape):
    """Whether an array with these strides lies in C order without gaps."""
    return equal_strides(strides, c_contiguous_strides(itemsize, shape), shape)


class ArrayFlags:
    """f_contiguous, c_contiguous, and forc: either. Of anything with strides, dtype and shape."""

    def __init__(self, ary):
        self.f_contiguous = is_f_contiguous_strides(ary.strides, ary.dtype.itemsize, ary.shape)
        self.c_contiguous = is_c_contiguous_strides(ary.strides, ary.dtype.itemsize, ary.shape)
        self.forc = self.f_contiguous or self.c_contiguous

    def __repr__(self):
        return f"<{type(self).__module__}.{type(self).__qualname__} {vars(self)}>"


def get_common_dtype(obj1, obj2, allow_double):
    """The dtype of a sum of two arrays or scalars, by NumPy's rules; without allow_double, float64
    becomes float32 and complex128 complex64.

    >>> get_common_dtype(np.ones(1, np.float32), np.ones(1, np.int64), False)
    dtype('float32')
    """
    def sample(obj):
        return obj if np.isscalar(obj) else np.zeros(1, obj.dtype)

    result = np.asarray(sample(obj1) + sample(obj2)).dtype
    if not allow_double:
        result = {np.dtype(np.float64): np.dtype(np.float32),
                  np.dtype(np.complex128): np.dtype(np.complex64)}.get(result, result)
    return result


def as_strided(x, shape=None, strides=None):
    """A view of an array with another shape and other strides.

    *x*: a numpy.ndarray, or what NumPy makes one of. Nothing checks that the memory is x's.
    """
    return np.lib.stride_tricks.as_strided(x, shape, strides)
