"""Kernels that scan arrays: running sums, maxima and the like."""

import numpy as np

from pycuda import _native
from pycuda.elementwise import _preamble
from pycuda.tools import dtype_to_ctype


class _ScanKernel(_native.GeneratedKernel):
    is_exclusive = False

    def __init__(self, dtype, scan_expr, neutral=None, name_prefix="scan", options=None,
                 preamble="", devices=None):
        if self.is_exclusive and neutral is None:
            raise ValueError("neutral element is required for exclusive scan")
        self.dtype, self.scan_expr = np.dtype(dtype), scan_expr
        self._define(
            "scan", [],
            (name_prefix, _preamble(preamble, [self.dtype]), "", dtype_to_ctype(self.dtype),
             "0" if neutral is None else str(neutral), scan_expr,
             "exclusive" if self.is_exclusive else ""),
            self.dtype, options, False)

    __call__ = _native.GeneratedKernel._scan

    def __repr__(self):
        what = f"'{self.scan_expr}' of {self.dtype}" if hasattr(self, "scan_expr") else "not defined"
        return f"<{type(self).__module__}.{type(self).__qualname__} {what}>"


class InclusiveScanKernel(_ScanKernel):
    """Element i of the result is the elements 0 to i of the input, folded by `scan_expr` (in terms
    of `a` and `b`), which has to be associative. Call it with (input_ary, output_ary=None,
    allocator=None, stream=None): works in place, unless an output or "new" is given."""


class ExclusiveScanKernel(_ScanKernel):
    """Element i of the result is `neutral` and the elements before i of the input, folded by
    `scan_expr`. Called like InclusiveScanKernel."""

    is_exclusive = True
