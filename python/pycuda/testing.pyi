from numpy.typing import ArrayLike

from pycuda.gpuarray import GPUArray

def assert_allclose(
    actual: ArrayLike | GPUArray,
    desired: ArrayLike | GPUArray,
    rtol: float = 1e-7,
    atol: float = 0,
    equal_nan: bool = True,
    err_msg: str = "",
    verbose: bool = True,
) -> None: ...
def assert_array_equal(
    actual: ArrayLike | GPUArray,
    desired: ArrayLike | GPUArray,
    err_msg: str = "",
    verbose: bool = True,
    *,
    strict: bool = False,
) -> None: ...
def assert_array_less(
    x: ArrayLike | GPUArray, y: ArrayLike | GPUArray, err_msg: str = "", verbose: bool = True
) -> None: ...

__all__ = ["assert_allclose", "assert_array_equal", "assert_array_less"]
