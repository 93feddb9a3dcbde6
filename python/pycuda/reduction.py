"""Kernels that reduce arrays to one value."""

import re

import numpy as np

from pycuda import _native, elementwise
from pycuda.elementwise import _arguments, _declaration, _kernel_repr, _parameters, _preamble
from pycuda.tools import VectorArg, dtype_to_ctype

_OPERATOR = re.compile(r"a(\+|\*|&|\||\^|&&|\|\|)b")
_FUNCTION = re.compile(r"(?:std::)?(f?(?:min|max)f?)\(a,b\)")
_CHOICE = re.compile(r"\(?a[<>]=?b\)?\?(a:b|b:a)")


def _commutes(dtype, reduce_expr, preamble):
    """Whether it is sure that operands may be exchanged: an operation of the language on numbers."""
    words = "".join(reduce_expr.split())
    if words[:1] == "(" and words.find(")") == len(words) - 1:
        words = words[1:-1]
    function = _FUNCTION.fullmatch(words)
    if dtype.kind not in "biufc" or (function and function[1] in preamble):
        return False
    return bool(function or _OPERATOR.fullmatch(words) or _CHOICE.fullmatch(words))


class ReductionKernel(_native.GeneratedKernel):
    """A kernel that maps each element by `map_expr` (in terms of `i`, by default ``in[i]``) and
    folds the results by `reduce_expr` (in terms of `a` and `b`), which has to be associative. It
    need not commute: `a` is always of elements before those of `b` (where that makes no difference,
    as in ``a+b`` or ``max(a, b)`` of numbers, another order is taken that is faster).

    dtype_out: of the result and between; neutral: C text of the value that changes nothing.
    arguments: a C argument list, or VectorArg and ScalarArg objects. Elements are grouped in the
    same way in each call with arrays of a size, so that results have the same bits. The other
    parameters are as for ElementwiseKernel.
    """

    def __init__(self, dtype_out, neutral, reduce_expr, map_expr=None, arguments=None,
                 name="reduce_kernel", keep=False, options=None, preamble=""):
        self.name, self.dtype_out = name, np.dtype(dtype_out)
        self.block_size = 256
        ctype = dtype_to_ctype(self.dtype_out)
        self.arguments = _arguments(f"{ctype} *in" if arguments is None else arguments)
        assert any(isinstance(argument, VectorArg) for argument in self.arguments), \
            "ReductionKernel can only be used with functions that have at least one vector " \
            "argument"
        map_expr = "in[i]" if map_expr is None else map_expr
        self._define(
            "reduction", _parameters(self.arguments, map_expr),
            (name, _preamble(preamble, [self.dtype_out, *(a.dtype for a in self.arguments)]),
             _declaration(self.arguments), ctype, str(neutral), map_expr, reduce_expr,
             "commutes" if _commutes(self.dtype_out, reduce_expr, preamble) else ""),
            self.dtype_out, options, keep)

    __call__ = _native.GeneratedKernel._reduction

    def __repr__(self):
        return _kernel_repr(self)


def __getattr__(name):
    return elementwise.__getattr__(name, __name__)
