from typing import Any

from numpy.typing import DTypeLike

from pycuda.gpuarray import GPUArray
from pycuda.sparse import CSRMatrix

class PacketedSpMV(CSRMatrix):
    is_symmetric: bool
    def __init__(self, mat: Any, is_symmetric: bool, dtype: DTypeLike) -> None: ...
    def permute(self, x: GPUArray) -> GPUArray: ...
    def unpermute(self, x: GPUArray) -> GPUArray: ...
