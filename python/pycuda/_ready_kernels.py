"""Kernels of PyCUDA's own that programs take from `pycuda.elementwise` and `pycuda.reduction`. Arrays here have faster
ones, made to measure; these are for prepared_async_call(grid, block, stream, ...) or to call, as PyCUDA's are."""

import numpy as np

from pycuda.elementwise import ScalarArg, VectorArg, context_dependent_memoize, get_elwise_kernel
from pycuda.reduction import ReductionKernel
from pycuda.tools import dtype_to_ctype


def _factor(dtype, name, is_scalar=False):
    """`name` is a factor, and what it multiplies, unless that is a number, a vector."""
    vector = {"a": "x", "b": "y"}[name]
    return [ScalarArg(dtype, name), (ScalarArg if is_scalar else VectorArg)(dtype, vector)]


@context_dependent_memoize
def get_copy_kernel(dtype_dest, dtype_src):
    """dest[i] = src[i], each converted to the dtype of dest: arguments dest, src, n."""
    return get_elwise_kernel([VectorArg(dtype_dest, "dest"), VectorArg(dtype_src, "src")], "dest[i] = src[i]", "copy")


@context_dependent_memoize
def get_fill_kernel(dtype):
    """z[i] = a: arguments a, z, n."""
    return get_elwise_kernel([ScalarArg(dtype, "a"), VectorArg(dtype, "z")], "z[i] = a", "fill")


@context_dependent_memoize
def get_axpbyz_kernel(dtype_x, dtype_y, dtype_z, x_is_scalar=False, y_is_scalar=False):
    """z[i] = a*x[i] + b*y[i]: arguments a, x, b, y, z, n."""
    of_z = dtype_to_ctype(dtype_z)
    x, y = ("x" if x_is_scalar else "x[i]"), ("y" if y_is_scalar else "y[i]")
    return get_elwise_kernel(
        [*_factor(dtype_x, "a", x_is_scalar), *_factor(dtype_y, "b", y_is_scalar), VectorArg(dtype_z, "z")],
        f"z[i] = ({of_z}) a * ({of_z}) {x} + ({of_z}) b * ({of_z}) {y}", "axpbyz")


@context_dependent_memoize
def get_axpbz_kernel(dtype_x, dtype_z):
    """z[i] = a*x[i] + b: arguments a, x, b, z, n; the numbers are of the dtype of z."""
    of_z = dtype_to_ctype(dtype_z)
    return get_elwise_kernel(
        [ScalarArg(dtype_z, "a"), VectorArg(dtype_x, "x"), ScalarArg(dtype_z, "b"), VectorArg(dtype_z, "z")],
        f"z[i] = a * ({of_z}) x[i] + b", "axpb")


@context_dependent_memoize
def get_binary_op_kernel(dtype_x, dtype_y, dtype_z, operator, x_is_scalar=False, y_is_scalar=False):
    """z[i] = x[i] `operator` y[i]: arguments x, y, z, n."""
    arguments = [(ScalarArg if x_is_scalar else VectorArg)(dtype_x, "x"),
                 (ScalarArg if y_is_scalar else VectorArg)(dtype_y, "y"), VectorArg(dtype_z, "z")]
    x, y = ("x" if x_is_scalar else "x[i]"), ("y" if y_is_scalar else "y[i]")
    return get_elwise_kernel(arguments, f"z[i] = {x} {operator} {y}", "multiply")


@context_dependent_memoize
def get_unary_func_kernel(func_name, in_dtype, out_dtype=None):
    """z[i] = func_name(y[i]): arguments y, z, n."""
    out_dtype = in_dtype if out_dtype is None else out_dtype
    return get_elwise_kernel([VectorArg(in_dtype, "y"), VectorArg(out_dtype, "z")], f"z[i] = {func_name}(y[i])",
                             f"{func_name}_kernel")


@context_dependent_memoize
def get_sum_kernel(dtype_out, dtype_in):
    """A ReductionKernel, called with one array; dtype_out None: that of the array."""
    dtype_out = dtype_in if dtype_out is None else dtype_out
    return ReductionKernel(dtype_out, "0", "a+b", arguments=[VectorArg(dtype_in, "in")])


@context_dependent_memoize
def get_dot_kernel(dtype_out, dtype_a, dtype_b):
    """A ReductionKernel, called with two arrays, which are not conjugated; dtype_out None: what NumPy makes of both."""
    dtype_out = np.promote_types(dtype_a, dtype_b) if dtype_out is None else dtype_out
    of_out = dtype_to_ctype(dtype_out)
    return ReductionKernel(dtype_out, "0", "a+b", f"({of_out}) a[i] * ({of_out}) b[i]",
                           [VectorArg(dtype_a, "a"), VectorArg(dtype_b, "b")])


@context_dependent_memoize
def get_minmax_kernel(what, dtype):
    """A ReductionKernel, called with one array of real numbers; what: "min" or "max"."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        neutral = "INFINITY" if what == "min" else "-INFINITY"
        reduced = f"f{what}(a,b)"
    else:
        most = np.iinfo(dtype)
        neutral = f"({dtype_to_ctype(dtype)}) {most.max if what == 'min' else most.min + 1}"
        neutral += ("ull" if dtype.kind == "u" else "ll") + ("" if what == "min" or dtype.kind == "u" else "-1")
        reduced = f"{what}(a,b)"
    return ReductionKernel(dtype, neutral, reduced, arguments=[VectorArg(dtype, "in")])
