from typing import Any

from numpy.typing import DTypeLike

from pycuda.sparse import CSRMatrix

class CoordinateSpMV(CSRMatrix):
    def __init__(self, mat: Any, dtype: DTypeLike) -> None: ...
