"""Element-wise functions of the standard: a row each, the name of the ufunc of NumPy's that does it, and what it
gives. Kernels, dtypes and broadcasting are those of operators on arrays."""

import numpy as np

from pycuda import _native
from pycuda._protocols import _call
from pycuda.array_api._data_types import array

_ONE = {
    "abs": ("absolute", "Absolute values; of complex numbers, real ones."),
    "acos": ("arccos", "Inverse cosines, in radians from 0 to pi; NaN outside of [-1, 1]."),
    "acosh": ("arccosh", "Inverse hyperbolic cosines; NaN below 1."),
    "asin": ("arcsin", "Inverse sines, in radians from -pi/2 to pi/2; NaN outside of [-1, 1]."),
    "asinh": ("arcsinh", "Inverse hyperbolic sines."),
    "atan": ("arctan", "Inverse tangents, in radians from -pi/2 to pi/2."),
    "atanh": ("arctanh", "Inverse hyperbolic tangents; NaN outside of [-1, 1]."),
    "bitwise_invert": ("invert", "All bits of integers inverted; of booleans, not."),
    "conj": ("conjugate", "Complex conjugates."),
    "cos": ("cos", "Cosines of angles in radians."),
    "cosh": ("cosh", "Hyperbolic cosines."),
    "exp": ("exp", "e to the power of each element."),
    "expm1": ("expm1", "exp(x) - 1, with all digits near 0."),
    "isfinite": ("isfinite", "Whether elements are neither infinite nor NaN, as bool."),
    "isinf": ("isinf", "Whether elements are infinite, as bool."),
    "isnan": ("isnan", "Whether elements are NaN, as bool."),
    "log": ("log", "Natural logarithms; NaN of negative real numbers."),
    "log10": ("log10", "Logarithms to base 10."),
    "log1p": ("log1p", "log(1 + x), with all digits near 0."),
    "log2": ("log2", "Logarithms to base 2."),
    "logical_not": ("logical_not", "Whether elements are zero, as bool."),
    "negative": ("negative", "Elements with the other sign."),
    "positive": ("positive", "A copy."),
    "reciprocal": ("reciprocal", "1 / x of floating-point numbers."),
    "sign": ("sign", "-1, 0 or 1; of complex numbers x / abs(x); NaN of NaN."),
    "signbit": ("signbit", "Whether the sign bit of real floating-point numbers is set, as bool."),
    "sin": ("sin", "Sines of angles in radians."),
    "sinh": ("sinh", "Hyperbolic sines."),
    "sqrt": ("sqrt", "Square roots; NaN of negative real numbers."),
    "square": ("square", "Elements times themselves."),
    "tan": ("tan", "Tangents of angles in radians."),
    "tanh": ("tanh", "Hyperbolic tangents."),
}
_WHOLE = {
    "ceil": ("ceil", "The least whole numbers that are not less."),
    "floor": ("floor", "The greatest whole numbers that are not greater."),
    "round": ("rint", "The nearest whole numbers, halves to the even one; of complex numbers, of both parts."),
    "trunc": ("trunc", "The nearest whole numbers towards zero."),
}
_TWO = {
    "add": ("add", "x1 + x2"),
    "atan2": ("arctan2", "The angles of points (x2, x1) in the plane, in radians from -pi to pi."),
    "bitwise_and": ("bitwise_and", "x1 & x2 of integers or booleans."),
    "bitwise_left_shift": ("left_shift", "x1 << x2 of integers; 0 where x2 is the number of bits or more."),
    "bitwise_or": ("bitwise_or", "x1 | x2 of integers or booleans."),
    "bitwise_right_shift": ("right_shift", "x1 >> x2 of integers, which keeps the sign."),
    "bitwise_xor": ("bitwise_xor", "x1 ^ x2 of integers or booleans."),
    "copysign": ("copysign", "The magnitude of x1 with the sign of x2."),
    "divide": ("divide", "x1 / x2, of integers in float64."),
    "equal": ("equal", "x1 == x2, as bool."),
    "floor_divide": ("floor_divide", "x1 / x2 rounded towards minus infinity; of integers by zero, 0."),
    "greater": ("greater", "x1 > x2, as bool."),
    "greater_equal": ("greater_equal", "x1 >= x2, as bool."),
    "hypot": ("hypot", "sqrt(x1**2 + x2**2) without overflow on the way."),
    "less": ("less", "x1 < x2, as bool."),
    "less_equal": ("less_equal", "x1 <= x2, as bool."),
    "logaddexp": ("logaddexp", "log(exp(x1) + exp(x2)) without overflow on the way."),
    "logical_and": ("logical_and", "Whether both are nonzero, as bool."),
    "logical_or": ("logical_or", "Whether one of the two is nonzero, as bool."),
    "logical_xor": ("logical_xor", "Whether just one of the two is nonzero, as bool."),
    "maximum": ("maximum", "The greater of the two; NaN if one is."),
    "minimum": ("minimum", "The lesser of the two; NaN if one is."),
    "multiply": ("multiply", "x1 * x2"),
    "nextafter": ("nextafter", "The next floating-point numbers after x1 in the direction of x2."),
    "not_equal": ("not_equal", "x1 != x2, as bool."),
    "pow": ("power", "x1 to the power of x2; of integers to negative exponents 0, 1 or -1."),
    "remainder": ("remainder", "What floor_divide() leaves, with the sign of x2."),
    "subtract": ("subtract", "x1 - x2"),
}


def _of_one(name, ufunc, text):
    def function(x, /):
        return _call(ufunc, (array(x, name),))
    return _named(function, name, ufunc, text)


def _of_one_rounded(name, ufunc, text):
    def function(x, /):
        return array(x, name).copy() if x.dtype.kind in "biu" else _call(ufunc, (x,))
    return _named(function, name, ufunc, text)


def _of_two(name, ufunc, text):
    def function(x1, x2, /):
        return _call(ufunc, (x1, x2))
    return _named(function, name, ufunc, f"{text}\n\nx1 and x2 are broadcast; one of them may be a number of Python's.")


def _named(function, name, ufunc, text):
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{text}\n\nDtypes are those of numpy.{ufunc.__name__}. TypeError for what is no array, and for " \
        "dtypes that it is not defined for."
    return function


_MADE = {name: make(name, getattr(np, ufunc), text)
         for rows, make in ((_ONE, _of_one), (_WHOLE, _of_one_rounded), (_TWO, _of_two))
         for name, (ufunc, text) in rows.items()}
globals().update(_MADE)


def real(x, /):
    """The real parts of complex numbers, a new array; real numbers as they are."""
    return array(x, "real").real


def imag(x, /):
    """The imaginary parts of complex numbers, a new array; zeros of real numbers."""
    return array(x, "imag").imag


def clip(x, /, min=None, max=None):
    """Elements of x that are below `min` or above `max`, numbers or arrays to be broadcast, set to those, in the dtype
    of x. NaN where one of the three is."""
    result = array(x, "clip").clip(_native._fixed(min), _native._fixed(max))
    return result.astype(x.dtype, copy=False)


FUNCTIONS = (*_MADE, "clip", "imag", "real")
