"""Fusion: inside of ``with gpuarray.lazy():`` chains of element-wise operations become one kernel
(src/array/lazy.c)."""

from pycuda import _native


class lazy:
    """with gpuarray.lazy(): z = a * x + b * y - c computes z in one kernel, when z is needed.

    Inside, for this thread, element-wise operations on arrays of one shape and order wait; other
    operations do not, and what they take is written first. Results are the same, bit for bit, but for
    the sign of a NaN. At the end everything is written. May be nested. Fused are operators and
    comparisons, where, maximum and minimum and their kin, sqrt and rounding, of booleans, integers,
    float32 and float64; and sum, prod, mean, max, min, any and all of all elements (dot, of integers)
    compute what they read, if that is still pending: no array is written in between. A second one
    of the same array writes it first.

    Whatever reaches memory, by whatever name, finds it as it would without: a launch writes what
    waits first, and operations on memory that others see (NumPy's views, DLPack, other libraries,
    managed memory, memory that somebody else allocated) do not wait.
    """

    __slots__ = ()
    __enter__ = staticmethod(_native._lazy_enter)
    __exit__ = staticmethod(_native._lazy_exit)
