from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from pycuda.driver import Stream, _KernelArgument
from pycuda.gpuarray import GPUArray, _Allocator
from pycuda.tools import Argument, ScalarArg, VectorArg

class ReductionKernel:
    name: str
    dtype_out: np.dtype[Any]
    block_size: int
    arguments: list[ScalarArg | VectorArg]
    def __init__(
        self,
        dtype_out: DTypeLike,
        neutral: str | float,
        reduce_expr: str,
        map_expr: str | None = None,
        arguments: str | Iterable[Argument] | None = None,
        name: str = "reduce_kernel",
        keep: bool = False,
        options: Sequence[str] | None = None,
        preamble: str = "",
    ) -> None: ...
    def __call__(
        self,
        *args: _KernelArgument,
        stream: Stream | None = None,
        out: GPUArray | None = None,
        allocator: _Allocator = None,
    ) -> GPUArray: ...
    @property
    def stage1_func(self) -> Callable[..., None]: ...
    @property
    def stage2_func(self) -> Callable[..., None]: ...
    @property
    def stage1_arg_types(self) -> list[ScalarArg | VectorArg]: ...
    @property
    def stage2_arg_types(self) -> list[ScalarArg | VectorArg]: ...

def get_dot_kernel(dtype_out: DTypeLike | None, dtype_a: DTypeLike, dtype_b: DTypeLike) -> ReductionKernel: ...
def get_minmax_kernel(what: str, dtype: DTypeLike) -> ReductionKernel: ...
def get_sum_kernel(dtype_out: DTypeLike | None, dtype_in: DTypeLike) -> ReductionKernel: ...
