from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from pycuda.gpuarray import GPUArray

class _Operator(Protocol):
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    def __matmul__(self, x: GPUArray, /) -> GPUArray: ...

class ConvergenceError(RuntimeError): ...

def solve(
    a: _Operator,
    b: GPUArray,
    x: GPUArray | None = None,
    precon: Callable[[GPUArray], GPUArray] | None = None,
    tol: float = 1e-7,
    max_iterations: int | None = None,
    callback: Callable[[int, float], object] | None = None,
) -> tuple[GPUArray, int]: ...
def solve_pkt_with_cg(
    pkt_spmv: _Operator,
    b: GPUArray,
    precon: Callable[[GPUArray], GPUArray] | None = None,
    x: GPUArray | None = None,
    tol: float = 1e-7,
    max_iterations: int | None = None,
    debug: bool = False,
    pagelocked_allocator: Any = None,
) -> tuple[GPUArray, int, int]: ...
