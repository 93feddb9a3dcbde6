from collections.abc import Iterable, Sequence

from numpy.typing import DTypeLike

from pycuda.compiler import SourceModule
from pycuda.driver import Function, Stream, _KernelArgument
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
