"""Kernels that reduce arrays to one value."""

import re

import numpy as np

from pycuda import _native, elementwise
from pycuda.elementwise import _arguments, _declaration, _kernel_repr, _parameters, _preamble
from pycuda.tools import ScalarArg, VectorArg, dtype_to_ctype

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


_STAGE = """#include <pycuda-complex.hpp>
{preamble}
typedef {ctype} out_type;
extern "C" __global__ void {name}({declaration})
{{
#define PYCUDA_REDUCE(a, b) ({reduced})
    __shared__ __align__(16) char pycuda_bytes[{size} * sizeof(out_type)];
    out_type *pycuda_part = (out_type *)pycuda_bytes, pycuda_sum = {neutral};
    size_t i = (size_t)blockIdx.x * {size} * seq_count + threadIdx.x;
    for (unsigned pycuda_turn = 0; pycuda_turn < seq_count && i < n; pycuda_turn++, i += {size}) {{
        out_type pycuda_next = {read};
        pycuda_sum = PYCUDA_REDUCE(pycuda_sum, pycuda_next);
    }}
    pycuda_part[threadIdx.x] = pycuda_sum;
    for (unsigned pycuda_half = {size} / 2; pycuda_half; pycuda_half /= 2) {{
        __syncthreads();
        if (threadIdx.x < pycuda_half)
            pycuda_part[threadIdx.x] =
                PYCUDA_REDUCE(pycuda_part[threadIdx.x], pycuda_part[threadIdx.x + pycuda_half]);
    }}
    if (threadIdx.x == 0)
        pycuda_out[blockIdx.x] = pycuda_part[0];
#undef PYCUDA_REDUCE
}}
"""


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
        preamble = _preamble(preamble, [self.dtype_out, *(a.dtype for a in self.arguments)])
        self._code = {"neutral": neutral, "reduced": reduce_expr, "mapped": map_expr, "preamble": preamble,
                      "options": options, "keep": keep}
        self._define(
            "reduction", _parameters(self.arguments, map_expr),
            (name, preamble, _declaration(self.arguments), ctype, str(neutral), map_expr, reduce_expr,
             "commutes" if _commutes(self.dtype_out, reduce_expr, preamble) else ""),
            self.dtype_out, options, keep)

    __call__ = _native.GeneratedKernel._reduction

    def __repr__(self):
        return _kernel_repr(self)

    def _stage(self, name, read, arguments):
        """What launches one stage of this reduction, for programs that launch PyCUDA's two by themselves."""
        from pycuda.compiler import SourceModule  # which kernels made to measure do without

        arguments = [VectorArg(self.dtype_out, "pycuda_out"), *arguments, ScalarArg(np.uint32, "seq_count"),
                     ScalarArg(np.uintp, "n")]
        code = self._code
        if name in code:
            return code[name]
        module = SourceModule(_STAGE.format(
            name=f"{self.name}_{name}", read=read, declaration=_declaration(arguments), size=self.block_size,
            ctype=dtype_to_ctype(self.dtype_out), **code), keep=code["keep"], options=code["options"],
            no_extern_c=True)
        function = module.get_function(f"{self.name}_{name}")
        function.prepare("".join(argument.struct_char for argument in arguments))
        code[name] = function.prepared_async_call
        return code[name]

    @property
    def stage1_func(self):
        """Launches f(grid, block, stream, out, *arguments, seq_count, n): each block of `block_size` threads reduces
        seq_count * block_size elements into one of `out`. Compiled when it is asked for; a call of the kernel does
        without. The order of operands is not kept."""
        return self._stage("stage1", self._code["mapped"], self.arguments)

    @property
    def stage2_func(self):
        """Launches f(grid, block, stream, out, partial, *arguments, seq_count, n), as stage1_func, of what that left in
        `partial`."""
        return self._stage("stage2", "pycuda_partial[i]",
                           [VectorArg(self.dtype_out, "pycuda_partial"), *self.arguments])

    @property
    def stage1_arg_types(self):
        """The kernel's arguments, a list of VectorArg and ScalarArg."""
        return self.arguments

    stage2_arg_types = stage1_arg_types


def __getattr__(name):
    return elementwise.__getattr__(name, __name__)
