from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike

from pycuda.driver import Stream
from pycuda.gpuarray import GPUArray, _Allocator

class _ScanKernel:
    is_exclusive: bool
    dtype: np.dtype[Any]
    scan_expr: str
    def __init__(
        self,
        dtype: DTypeLike,
        scan_expr: str,
        neutral: str | float | None = None,
        name_prefix: str = "scan",
        options: Sequence[str] | None = None,
        preamble: str = "",
        devices: Any = None,
    ) -> None: ...
    def __call__(
        self,
        input_ary: GPUArray,
        output_ary: GPUArray | Literal["new"] | None = None,
        allocator: _Allocator = None,
        stream: Stream | None = None,
    ) -> GPUArray: ...

class InclusiveScanKernel(_ScanKernel): ...

class ExclusiveScanKernel(_ScanKernel):
    is_exclusive: bool
