from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from pycuda.gpuarray import GPUArray

class OperatorBase:
    dtype: np.dtype[Any]
    shape: tuple[int, int]
    def __init__(self, dtype: DTypeLike, n: int) -> None: ...
    def __call__(self, operand: GPUArray) -> GPUArray: ...

class IdentityOperator(OperatorBase): ...

class DiagonalPreconditioner(OperatorBase):
    diagonal: GPUArray
    def __init__(self, diagonal: GPUArray) -> None: ...
