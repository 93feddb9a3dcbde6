from collections.abc import Iterable, Sequence

from numpy.typing import DTypeLike

from pycuda.compiler import SourceModule
from pycuda.driver import Function, Stream, TextureReference, _KernelArgument
from pycuda.tools import Argument
from pycuda.tools import ScalarArg as ScalarArg
from pycuda.tools import VectorArg as VectorArg
from pycuda.tools import context_dependent_memoize as context_dependent_memoize
from pycuda.tools import dtype_to_ctype as dtype_to_ctype
from pycuda.tools import parse_c_arg as parse_c_arg

class ElementwiseKernel:
    name: str
    arguments: list[ScalarArg | VectorArg]
    def __init__(
        self,
        arguments: str | Iterable[Argument],
        operation: str,
        name: str = "kernel",
        keep: bool = False,
        options: Sequence[str] | None = None,
        preamble: str = "",
        loop_prep: str = "",
        after_loop: str = "",
    ) -> None: ...
    def __call__(
        self,
        *args: _KernelArgument,
        range: slice | None = None,
        slice: slice | None = None,
        stream: Stream | None = None,
    ) -> None: ...

def get_elwise_module(
    arguments: str | Iterable[Argument],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Sequence[str] | None = None,
    *,
    preamble: str = "",
    loop_prep: str = "",
    after_loop: str = "",
) -> SourceModule: ...
def get_elwise_range_module(
    arguments: str | Iterable[Argument],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Sequence[str] | None = None,
    *,
    preamble: str = "",
    loop_prep: str = "",
    after_loop: str = "",
) -> SourceModule: ...
def get_elwise_kernel_and_types(
    arguments: str | Iterable[Argument],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Sequence[str] | None = None,
    use_range: bool = False,
    *,
    preamble: str = "",
    loop_prep: str = "",
    after_loop: str = "",
) -> tuple[SourceModule, Function, list[ScalarArg | VectorArg]]: ...
def get_elwise_kernel(
    arguments: str | Iterable[Argument],
    operation: str,
    name: str = "kernel",
    keep: bool = False,
    options: Sequence[str] | None = None,
    *,
    preamble: str = "",
    loop_prep: str = "",
    after_loop: str = "",
) -> Function: ...
def get_axpbyz_kernel(
    dtype_x: DTypeLike, dtype_y: DTypeLike, dtype_z: DTypeLike, x_is_scalar: bool = False, y_is_scalar: bool = False
) -> Function: ...
def get_axpbz_kernel(dtype_x: DTypeLike, dtype_z: DTypeLike) -> Function: ...
def get_binary_op_kernel(
    dtype_x: DTypeLike,
    dtype_y: DTypeLike,
    dtype_z: DTypeLike,
    operator: str,
    x_is_scalar: bool = False,
    y_is_scalar: bool = False,
) -> Function: ...
def get_copy_kernel(dtype_dest: DTypeLike, dtype_src: DTypeLike) -> Function: ...
def get_fill_kernel(dtype: DTypeLike) -> Function: ...
def get_unary_func_kernel(func_name: str, in_dtype: DTypeLike, out_dtype: DTypeLike | None = None) -> Function: ...
def get_linear_combination_kernel(
    summand_descriptors: Sequence[tuple[bool, DTypeLike, DTypeLike]], dtype_z: DTypeLike
) -> tuple[Function, list[TextureReference]]: ...
def get_put_kernel(dtype: DTypeLike, idx_dtype: DTypeLike, vec_count: int = 1) -> Function: ...
def get_rdivide_elwise_kernel(dtype_x: DTypeLike, dtype_z: DTypeLike) -> Function: ...
def get_binary_func_kernel(func: str, dtype_x: DTypeLike, dtype_y: DTypeLike, dtype_z: DTypeLike) -> Function: ...
def get_binary_func_scalar_kernel(func: str, dtype_x: DTypeLike, dtype_y: DTypeLike, dtype_z: DTypeLike) -> Function: ...
def get_binary_minmax_kernel(
    func: str, dtype_x: DTypeLike, dtype_y: DTypeLike, dtype_z: DTypeLike, use_scalar: bool
) -> Function: ...
def get_scalar_op_kernel(dtype_x: DTypeLike, dtype_a: DTypeLike, dtype_y: DTypeLike, operator: str) -> Function: ...
def get_reverse_kernel(dtype: DTypeLike) -> Function: ...
def get_real_kernel(dtype: DTypeLike, out_dtype: DTypeLike) -> Function: ...
def get_imag_kernel(dtype: DTypeLike, out_dtype: DTypeLike) -> Function: ...
def get_conj_kernel(dtype: DTypeLike, out_dtype: DTypeLike) -> Function: ...
def get_arange_kernel(dtype: DTypeLike) -> Function: ...
def get_pow_kernel(dtype: DTypeLike) -> Function: ...
def get_pow_array_kernel(
    dtype_x: DTypeLike, dtype_y: DTypeLike, dtype_z: DTypeLike, is_base_array: bool, is_exp_array: bool
) -> Function: ...
def get_fmod_kernel() -> Function: ...
def get_modf_kernel() -> Function: ...
def get_frexp_kernel() -> Function: ...
def get_ldexp_kernel() -> Function: ...
def get_if_positive_kernel(crit_dtype: DTypeLike, dtype: DTypeLike) -> Function: ...
def get_where_kernel(crit_dtype: DTypeLike, dtype: DTypeLike) -> Function: ...
def get_logical_not_kernel(dtype_x: DTypeLike, dtype_out: DTypeLike) -> Function: ...
