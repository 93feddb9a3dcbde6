from collections.abc import Callable, Generator, Sequence
from typing import Any, Final, NamedTuple, TextIO, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import DTypeLike

from pycuda.driver import Context, Device, DeviceAllocation, HostPointer, PooledDeviceAllocation
from pycuda.driver import DeviceMemoryPool as DeviceMemoryPool
from pycuda.driver import PageLockedAllocator as PageLockedAllocator
from pycuda.driver import PageLockedMemoryPool as PageLockedMemoryPool
from pycuda.driver import bitlog2 as bitlog2
from pycuda.gpuarray import GPUArray

_F = TypeVar("_F", bound=Callable[..., Any])
_S = TypeVar("_S")
_V = TypeVar("_V")

# -- The default context, and caches a context ---------------------------------------------------------------------

context_dependent_memoized_functions: list[Callable[..., Any]]

def get_default_device(default: int = 0) -> Device: ...
def make_default_context(ctx_maker: Callable[[Device], Context] | None = None) -> Context: ...
def context_dependent_memoize(func: _F) -> _F: ...
def clear_context_caches() -> None: ...
def init_cuda_context_fixture() -> Generator[Context]: ...
def mark_cuda_test(inner_f: _F) -> _F: ...

def __dir__() -> list[str]: ...

class LiveMemory(NamedTuple):
    bytes: int
    object: GPUArray | DeviceAllocation | HostPointer
    where: str | None

def live_memory() -> list[LiveMemory]: ...

class MemoryUsage(NamedTuple):
    device: int
    device_peak: int
    host: int
    host_peak: int

def memory_usage() -> MemoryUsage: ...
def reset_peak_memory() -> None: ...

class DebugMemoryPool(DeviceMemoryPool):
    blocks: WeakKeyDictionary[PooledDeviceAllocation, str]
    interactive: bool
    logfile: TextIO
    def __init__(self, interactive: bool = True, logfile: TextIO | None = None) -> None: ...
    def describe(self, stack: tuple[str, ...], size: int) -> str: ...

# -- Devices and occupancy -----------------------------------------------------------------------------------------

class DeviceData:
    max_threads: int
    warp_size: int
    warps_per_mp: int
    thread_blocks_per_mp: int
    registers: int
    shared_memory: int
    smem_alloc_granularity: int
    smem_granularity: int
    register_allocation_unit: str
    def __init__(self, dev: Device | None = None) -> None: ...
    def align(self, bytes: int, word_size: int = 4) -> int: ...
    def align_dtype(self, elements: int, dtype_size: int) -> int: ...
    def align_words(self, word_size: int) -> int: ...
    def align_bytes(self, word_size: int = 4) -> int: ...
    def coalesce(self, thread_count: int) -> int: ...
    @staticmethod
    def make_valid_tex_channel_count(size: int) -> int: ...

class OccupancyRecord:
    tb_per_mp: int
    limited_by: str
    warps_per_mp: int
    occupancy: float
    tb_per_mp_limits: list[tuple[int, str]]
    def __init__(self, devdata: DeviceData, threads: int, shared_mem: int = 0, registers: int = 0) -> None: ...

# -- C names of dtypes ---------------------------------------------------------------------------------------------

class TypeNameNotKnown(RuntimeError): ...

class DTypeRegistry:
    name_to_dtype: dict[str, np.dtype[Any]]
    dtype_to_name: dict[np.dtype[Any], str]
    def __init__(self) -> None: ...
    def get_or_register_dtype(self, names: str | Sequence[str], dtype: DTypeLike | None = None) -> np.dtype[Any]: ...
    def dtype_to_ctype(self, dtype: DTypeLike) -> str: ...

TYPE_REGISTRY: Final[DTypeRegistry]
NAME_TO_DTYPE: Final[dict[str, np.dtype[Any]]]
DTYPE_TO_NAME: Final[dict[np.dtype[Any], str]]

def get_or_register_dtype(names: str | Sequence[str], dtype: DTypeLike | None = None) -> np.dtype[Any]: ...
def base_dtype_to_ctype(dtype: DTypeLike) -> str: ...
def register_dtype(dtype: DTypeLike, c_names: str | Sequence[str], alias_ok: bool = False) -> None: ...
def dtype_to_ctype(dtype: DTypeLike, with_fp_tex_hack: bool = False) -> str: ...

# -- Arguments of generated kernels --------------------------------------------------------------------------------

class Argument:
    dtype: np.dtype[Any]
    name: str
    def __init__(self, dtype: DTypeLike, name: str) -> None: ...

class VectorArg(Argument):
    struct_char: str
    def declarator(self) -> str: ...

class ScalarArg(Argument):
    @property
    def struct_char(self) -> str: ...
    def declarator(self) -> str: ...

def parse_c_arg_backend(
    c_arg: str,
    scalar_arg_factory: Callable[[np.dtype[Any], str], _S],
    vec_arg_factory: Callable[[np.dtype[Any], str], _V],
    name_to_dtype: Callable[[str], np.dtype[Any]] | None = None,
) -> _S | _V: ...
def parse_c_arg(c_arg: str) -> ScalarArg | VectorArg: ...
def get_arg_type(c_arg: str) -> str: ...
