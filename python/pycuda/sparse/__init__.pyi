from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from pycuda.driver import Stream
from pycuda.gpuarray import GPUArray

class CSRMatrix:
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    nnz: int
    data: GPUArray
    indices: GPUArray
    indptr: GPUArray
    def __init__(
        self, matrix: Any, shape: Sequence[int] | None = None, dtype: DTypeLike | None = None
    ) -> None: ...
    def matvec(self, x: GPUArray, out: GPUArray | None = None, stream: Stream | None = None) -> GPUArray: ...
    def __matmul__(self, x: GPUArray) -> GPUArray: ...
    def __rmatmul__(self, x: GPUArray) -> GPUArray: ...
    def __call__(self, x: GPUArray, y: GPUArray | None = None, stream: Stream | None = None) -> GPUArray: ...
    @property
    def T(self) -> CSRMatrix: ...
    def diagonal(self) -> GPUArray: ...
    def get(self) -> NDArray[Any]: ...
