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


def _elementwise(name, operation, *arguments):
    """arguments: (dtype, name) of vectors and (dtype, name, True) of numbers."""
    return get_elwise_kernel([(ScalarArg if is_scalar else VectorArg)(dtype, each)
                              for dtype, each, *is_scalar in arguments], operation, name)


@context_dependent_memoize
def get_linear_combination_kernel(summand_descriptors, dtype_z):
    """(z[i] = a0*x0[i] + a1*x1[i] + ..., []): arguments a0, x0, a1, x1, ..., z, n; for each summand (False, dtype of the
    number, dtype of the vector). PyCUDA has numbers in device memory in textures, which CUDA 12 took away."""
    arguments = []
    for i, (is_on_device, scalar_dtype, vector_dtype) in enumerate(summand_descriptors):
        if is_on_device:
            raise NotImplementedError("get_linear_combination_kernel: numbers in device memory were textures, which CUDA "
                                      "12 took away; multiply by arrays without axes, or get() the numbers")
        arguments += [(scalar_dtype, f"a{i}", True), (vector_dtype, f"x{i}")]
    sum_of = " + ".join(f"a{i}*x{i}[i]" for i in range(len(summand_descriptors)))
    return _elementwise("linear_combination", f"z[i] = {sum_of}", *arguments, (dtype_z, "z")), []


@context_dependent_memoize
def get_put_kernel(dtype, idx_dtype, vec_count=1):
    """dest0[at[i]] = src0[i], and so on for as many vectors: arguments at, dest0, ..., src0, ..., n."""
    vectors = range(vec_count)
    return _elementwise("put", "; ".join(f"dest{v}[at[i]] = src{v}[i]" for v in vectors), (idx_dtype, "at"),
                        *((dtype, f"{which}{v}") for which in ("dest", "src") for v in vectors))


@context_dependent_memoize
def get_rdivide_elwise_kernel(dtype_x, dtype_z):
    """z[i] = y / x[i]: arguments x, y, z, n."""
    return _elementwise("divide", "z[i] = y / x[i]", (dtype_x, "x"), (dtype_z, "y", True), (dtype_z, "z"))


@context_dependent_memoize
def get_binary_func_kernel(func, dtype_x, dtype_y, dtype_z):
    """z[i] = func(x[i], y[i]): arguments x, y, z, n."""
    return _elementwise(f"{func}_kernel", f"z[i] = {func}(x[i], y[i])", (dtype_x, "x"), (dtype_y, "y"), (dtype_z, "z"))


@context_dependent_memoize
def get_binary_func_scalar_kernel(func, dtype_x, dtype_y, dtype_z):
    """z[i] = func(x[i], y): arguments x, y, z, n."""
    return _elementwise(f"{func}_kernel", f"z[i] = {func}(x[i], y)", (dtype_x, "x"), (dtype_y, "y", True),
                        (dtype_z, "z"))


def get_binary_minmax_kernel(func, dtype_x, dtype_y, dtype_z, use_scalar):
    """One of the two above for "min" or "max", of floats fmin or fmax."""
    if np.dtype(dtype_z).kind == "f":
        func = f"f{func}"
    return (get_binary_func_scalar_kernel if use_scalar else get_binary_func_kernel)(func, dtype_x, dtype_y, dtype_z)


@context_dependent_memoize
def get_scalar_op_kernel(dtype_x, dtype_a, dtype_y, operator):
    """y[i] = x[i] `operator` a: arguments x, a, y, n."""
    return _elementwise("scalarop_kernel", f"y[i] = x[i] {operator} a", (dtype_x, "x"), (dtype_a, "a", True),
                        (dtype_y, "y"))


@context_dependent_memoize
def get_reverse_kernel(dtype):
    """z[i] = y[n-1-i]: arguments y, z, n."""
    return _elementwise("reverse", "z[i] = y[n-1-i]", (dtype, "y"), (dtype, "z"))


def _of_complex(function):
    @context_dependent_memoize
    def get_kernel(dtype, out_dtype):
        return _elementwise(function, f"z[i] = pycuda::{function}(y[i])", (dtype, "y"), (out_dtype, "z"))

    get_kernel.__doc__ = f"z[i] = {function}(y[i]) of complex numbers: arguments y, z, n."
    return get_kernel


get_real_kernel, get_imag_kernel, get_conj_kernel = map(_of_complex, ("real", "imag", "conj"))


@context_dependent_memoize
def get_arange_kernel(dtype):
    """z[i] = start + i*step: arguments z, start, step, n."""
    dtype_c = dtype_to_ctype(dtype)
    return _elementwise("arange", f"z[i] = start + ({dtype_c}) i * step", (dtype, "z"), (dtype, "start", True),
                        (dtype, "step", True))


@context_dependent_memoize
def get_pow_kernel(dtype):
    """z[i] = pow(y[i], value), as PyCUDA had it once: arguments value, y, z, n."""
    return _elementwise("pow_method", "z[i] = pow(y[i], value)", (dtype, "value", True), (dtype, "y"), (dtype, "z"))


@context_dependent_memoize
def get_pow_array_kernel(dtype_x, dtype_y, dtype_z, is_base_array, is_exp_array):
    """z[i] = pow(x[i], y[i]), where x, y or both may be numbers: arguments x, y, z, n."""
    x, y = ("x[i]" if is_base_array else "x"), ("y[i]" if is_exp_array else "y")
    return _elementwise("pow_method", f"z[i] = pow({x}, {y})", *[(dtype_x, "x") if is_base_array else (dtype_x, "x", True)],
                        *[(dtype_y, "y") if is_exp_array else (dtype_y, "y", True)], (dtype_z, "z"))


@context_dependent_memoize
def get_fmod_kernel():
    """z[i] = fmod(arg[i], mod[i]) of float32: arguments arg, mod, z, n."""
    return get_elwise_kernel("float *arg, float *mod, float *z", "z[i] = fmod(arg[i], mod[i])", "fmod_kernel")


@context_dependent_memoize
def get_modf_kernel():
    """fracpart[i] = modf(x[i], &intpart[i]) of float32: arguments x, intpart, fracpart, n."""
    return get_elwise_kernel("float *x, float *intpart, float *fracpart", "fracpart[i] = modf(x[i], &intpart[i])",
                             "modf_kernel")


@context_dependent_memoize
def get_frexp_kernel():
    """Parts of float32, the exponents as such, too: arguments x, significand, exponent, n."""
    return get_elwise_kernel("float *x, float *significand, float *exponent",
                             "int power; significand[i] = frexp(x[i], &power); exponent[i] = power", "frexp_kernel")


@context_dependent_memoize
def get_ldexp_kernel():
    """z[i] = ldexp(sig[i], int(expt[i])) of float32: arguments sig, expt, z, n."""
    return get_elwise_kernel("float *sig, float *expt, float *z", "z[i] = ldexp(sig[i], int(expt[i]))", "ldexp_kernel")


@context_dependent_memoize
def get_if_positive_kernel(crit_dtype, dtype):
    """result[i] = crit[i] > 0 ? then_[i] : else_[i]: arguments crit, then_, else_, result, n."""
    return _elementwise("if_positive", "result[i] = crit[i] > 0 ? then_[i] : else_[i]", (crit_dtype, "crit"),
                        *((dtype, name) for name in ("then_", "else_", "result")))


@context_dependent_memoize
def get_where_kernel(crit_dtype, dtype):
    """The same with crit[i] != 0."""
    return _elementwise("if_positive", "result[i] = crit[i] != 0 ? then_[i] : else_[i]", (crit_dtype, "crit"),
                        *((dtype, name) for name in ("then_", "else_", "result")))


@context_dependent_memoize
def get_logical_not_kernel(dtype_x, dtype_out):
    """out[i] = x[i] == 0: arguments x, out, n."""
    return _elementwise("logical_not_kernel", "out[i] = x[i] == 0", (dtype_x, "x"), (dtype_out, "out"))


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
