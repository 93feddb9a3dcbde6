"""Kernels that reduce arrays to one value."""

import numpy as np

from pycuda import _native, elementwise
from pycuda.elementwise import _arguments, _declaration, _parameters, _preamble
from pycuda.tools import VectorArg, dtype_to_ctype


class ReductionKernel(_native.GeneratedKernel):
    """A kernel that maps each element by `map_expr` (in terms of `i`, by default ``in[i]``) and
    folds the results by `reduce_expr` (in terms of `a` and `b`), which has to be associative.

    dtype_out: of the result and between; neutral: C text of the value that changes nothing.
    arguments: a C argument list, or VectorArg and ScalarArg objects. The order of folding is the
    same in each call with arrays of a size. The other parameters are as for ElementwiseKernel.
    """

    def __init__(self, dtype_out, neutral, reduce_expr, map_expr=None, arguments=None,
                 name="reduce_kernel", keep=False, options=None, preamble=""):
        self.dtype_out = np.dtype(dtype_out)
        self.block_size = 256
        ctype = dtype_to_ctype(self.dtype_out)
        self.arguments = _arguments(f"{ctype} *in" if arguments is None else arguments)
        assert any(isinstance(argument, VectorArg) for argument in self.arguments), \
            "ReductionKernel can only be used with functions that have at least one vector " \
            "argument"
        map_expr = "in[i]" if map_expr is None else map_expr
        self._define(
            "r", _parameters(self.arguments, map_expr),
            (name, _preamble(preamble, [self.dtype_out, *(a.dtype for a in self.arguments)]),
             _declaration(self.arguments), ctype, str(neutral), map_expr, reduce_expr),
            self.dtype_out, options, keep)

    __call__ = _native.GeneratedKernel._reduction


def __getattr__(name):
    return elementwise.__getattr__(name, __name__)
