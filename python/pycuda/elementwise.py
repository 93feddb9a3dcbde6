"""Kernels that compute element by element."""

import re

import numpy as np

from pycuda import _native
from pycuda.tools import (  # noqa: F401
    ScalarArg,
    VectorArg,
    context_dependent_memoize,
    dtype_to_ctype,
    parse_c_arg,
)


def _arguments(arguments):
    """A list of VectorArg and ScalarArg from a C argument list, or from such a list."""
    if isinstance(arguments, str):
        return [parse_c_arg(word) for word in arguments.split(",") if word.strip()]
    return list(arguments)


def _parameters(arguments, code):
    """What the compiled side wants to know of arguments. A vector that `code` uses at [i] alone
    must have as many elements as the others of that sort."""
    rows = []
    for argument in arguments:
        is_vector = isinstance(argument, VectorArg)
        name = re.escape(argument.name)
        is_exact = is_vector and not re.search(rf"\b{name}\b(?!\s*\[\s*i\s*\])", code)
        rows.append((argument.name, argument.dtype, is_vector, is_exact))
    return rows


def _declaration(arguments):
    return ", ".join(argument.declarator() for argument in arguments)


def _kernel_repr(kernel):
    """What kernels say of themselves, be they defined or not yet."""
    arguments = getattr(kernel, "arguments", ())
    return f"<{type(kernel).__module__}.{type(kernel).__qualname__} " \
           f"'{getattr(kernel, 'name', '')}' ({_declaration(arguments)})>"


def _preamble(preamble, dtypes):
    """With what declares half, which is no type of the language."""
    if np.float16 not in dtypes:
        return preamble
    return f'#include <cuda_fp16.h>\n#line 1 "preamble"\n{preamble}'


class ElementwiseKernel(_native.GeneratedKernel):
    """A kernel that runs `operation`, C code, once for each `i` from 0 to `n`, the size of the
    first array argument.

    arguments: a C argument list ("float a, float *x"), or VectorArg and ScalarArg objects.
    preamble: code before the kernel; loop_prep, after_loop: code that each thread runs before and
    after its elements. options: for the compiler; keep: leave its files. Also there for the
    operation: tid, total_threads, cta_start, and pycuda::complex.
    """

    def __init__(self, arguments, operation, name="kernel", keep=False, options=None,
                 preamble="", loop_prep="", after_loop=""):
        self.name = name
        self.arguments = _arguments(arguments)
        assert any(isinstance(argument, VectorArg) for argument in self.arguments), \
            "ElementwiseKernel can only be used with functions that have at least one vector " \
            "argument"
        code = f"{operation}\n{loop_prep}\n{after_loop}"
        self._define(
            "elementwise", _parameters(self.arguments, code),
            (name, _preamble(preamble, [argument.dtype for argument in self.arguments]),
             _declaration(self.arguments), operation, loop_prep, after_loop),
            None, options, keep)

    __call__ = _native.GeneratedKernel._elementwise

    def __repr__(self):
        return _kernel_repr(self)


# -- Kernels to launch by oneself ------------------------------------------------------------------

_SOURCE = """#include <pycuda-complex.hpp>
{preamble}
extern "C" __global__ void {name}({declaration})
{{
    unsigned tid = threadIdx.x, total_threads = gridDim.x * blockDim.x;
    unsigned cta_start = blockDim.x * blockIdx.x;
    {loop_prep};
    {loop} {{
        {operation};
    }}
    {after_loop};
}}
"""
_LOOP = "for (size_t i = cta_start + tid; i < n; i += total_threads)"
_RANGE_LOOP = """for (long i = start + (long)(cta_start + tid) * step; step < 0 ? i > stop : i < stop;
         i += (long)total_threads * step)"""


def _module(arguments, loop, operation, name, keep, options, preamble="", loop_prep="",
            after_loop=""):
    from pycuda.compiler import SourceModule  # which kernels made to measure do without

    arguments = _arguments(arguments)
    preamble = _preamble(preamble, [argument.dtype for argument in arguments])
    return SourceModule(_SOURCE.format(
        name=name, declaration=_declaration(arguments), loop=loop, operation=operation,
        preamble=preamble, loop_prep=loop_prep, after_loop=after_loop),
        keep=keep, options=options, no_extern_c=True)


def get_elwise_module(arguments, operation, name="kernel", keep=False, options=None, **code):
    """A SourceModule with a kernel like that of ElementwiseKernel; the arguments name `n`."""
    return _module(arguments, _LOOP, operation, name, keep, options, **code)


def get_elwise_range_module(arguments, operation, name="kernel", keep=False, options=None, **code):
    """A SourceModule with a kernel over a range; the arguments name `start`, `stop` and `step`."""
    return _module(arguments, _RANGE_LOOP, operation, name, keep, options, **code)


def get_elwise_kernel_and_types(arguments, operation, name="kernel", keep=False, options=None,
                                use_range=False, **code):
    """(module, prepared function, arguments), to which `n`, or `start`, `stop` and `step` are added."""
    arguments = _arguments(arguments)
    arguments += [ScalarArg(np.intp, each) for each in ("start", "stop", "step")] if use_range \
        else [ScalarArg(np.uintp, "n")]
    make = get_elwise_range_module if use_range else get_elwise_module
    module = make(arguments, operation, name, keep, options, **code)
    function = module.get_function(name)
    function.prepare("".join(argument.struct_char for argument in arguments))
    return module, function, arguments


def get_elwise_kernel(arguments, operation, name="kernel", keep=False, options=None, **code):
    """The function of get_elwise_kernel_and_types(), for prepared_async_call(grid, block, stream,
    ...)."""
    return get_elwise_kernel_and_types(arguments, operation, name, keep, options, **code)[1]


# PyCUDA's own kernels that programs ask for; in a file of their own, made when asked.
_READY = {
    "pycuda.elementwise": ("get_arange_kernel", "get_axpbyz_kernel", "get_axpbz_kernel", "get_binary_func_kernel",
                           "get_binary_func_scalar_kernel", "get_binary_minmax_kernel", "get_binary_op_kernel",
                           "get_conj_kernel", "get_copy_kernel", "get_fill_kernel", "get_fmod_kernel", "get_frexp_kernel",
                           "get_if_positive_kernel", "get_imag_kernel", "get_ldexp_kernel",
                           "get_linear_combination_kernel", "get_logical_not_kernel", "get_modf_kernel",
                           "get_pow_array_kernel", "get_pow_kernel", "get_put_kernel", "get_rdivide_elwise_kernel",
                           "get_real_kernel", "get_reverse_kernel", "get_scalar_op_kernel", "get_unary_func_kernel",
                           "get_where_kernel"),
    "pycuda.reduction": ("get_dot_kernel", "get_minmax_kernel", "get_sum_kernel"),
}


def __getattr__(name, module=__name__):
    if name in _READY[module]:
        from pycuda import _ready_kernels

        return getattr(_ready_kernels, name)
    if name.startswith("get_"):
        raise AttributeError(f"module {module!r} has no attribute {name!r}: PyCUDA's own kernels are part of "
                             "pycuda.gpuarray here")
    raise AttributeError(f"module {module!r} has no attribute {name!r}")
