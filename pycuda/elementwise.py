"""Kernels that compute element by element."""

import re

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
            "e", _parameters(self.arguments, code),
            (name, preamble, _declaration(self.arguments), operation, loop_prep, after_loop),
            None, options, keep)

    __call__ = _native.GeneratedKernel._elementwise


def __getattr__(name):
    if name.startswith("get_"):
        raise NotImplementedError(f"pycuda.elementwise.{name} is not available: PyCUDA's own kernels are part of "
                                  "pycuda.gpuarray here")
    raise AttributeError(f"module 'pycuda.elementwise' has no attribute {name!r}")
