from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from types import EllipsisType, ModuleType
from typing import (
    Any,
    ClassVar,
    Final,
    Literal,
    Protocol,
    Self,
    SupportsIndex,
    TypeAlias,
    TypeVar,
    overload,
)

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from pycuda import cumath as cumath
from pycuda.driver import (
    Device,
    Graph,
    Stream,
    TextureReference,
    _DevicePointer,
    _Int,
    _Order,
    _Shape,
)

class _Flags(Protocol):
    @property
    def f_contiguous(self) -> bool: ...
    @property
    def c_contiguous(self) -> bool: ...
    @property
    def forc(self) -> bool: ...
    @property
    def fnc(self) -> bool: ...

class _FlatIterator(Protocol):
    @property
    def base(self) -> GPUArray: ...
    @property
    def index(self) -> int: ...
    @property
    def coords(self) -> tuple[int, ...]: ...
    def copy(self) -> GPUArray: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> GPUArray: ...
    def __getitem__(self, key: Any) -> GPUArray: ...
    def __setitem__(self, key: Any, value: GPUArray | ArrayLike) -> None: ...

class _HasDlpack(Protocol):
    def __dlpack__(self) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, Any]: ...

_A = TypeVar("_A", NDArray[Any], GPUArray)
_OrderLike: TypeAlias = Literal["C", "F", "A", "K"]
_Float: TypeAlias = float | np.floating[Any] | np.integer[Any]
_Scalar: TypeAlias = complex | np.number[Any] | np.bool_
_Operand: TypeAlias = GPUArray | _Scalar
_Allocator: TypeAlias = Callable[[int], Any] | None
_Axes: TypeAlias = SupportsIndex | tuple[SupportsIndex, ...] | None
_Item: TypeAlias = SupportsIndex | slice | EllipsisType | None | Sequence[int] | Sequence[bool] | NDArray[Any] | GPUArray
_Index: TypeAlias = _Item | tuple[_Item, ...] | str
_Places: TypeAlias = GPUArray | ArrayLike
_Mask: TypeAlias = GPUArray | ArrayLike | bool
_Mode: TypeAlias = Literal["raise", "wrap", "clip"]
_Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]

class GPUArray:
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]
    size: int
    mem_size: int
    ndim: int
    nbytes: int
    device: Device
    mT: Self
    base: Final[Any]
    allocator: Callable[[int], Any]
    gpudata: Any
    itemsize: int
    @property
    def ptr(self) -> int: ...
    @property
    def flags(self) -> _Flags: ...
    @property
    def _grid(self) -> tuple[int, ...]: ...
    @property
    def _block(self) -> tuple[int, ...]: ...
    @property
    def T(self) -> Self: ...
    @property
    def flat(self) -> _FlatIterator: ...
    @flat.setter
    def flat(self, value: GPUArray | ArrayLike) -> None: ...
    @property
    def real(self) -> Self: ...
    @real.setter
    def real(self, value: _Operand) -> None: ...
    @property
    def imag(self) -> Self: ...
    @imag.setter
    def imag(self, value: _Operand) -> None: ...
    def __init__(
        self,
        shape: _Shape,
        dtype: DTypeLike,
        allocator: _Allocator = None,
        base: Any = None,
        gpudata: _DevicePointer | None = None,
        strides: Sequence[int] | None = None,
        order: _Order = "C",
    ) -> None: ...

    # Transfer
    @overload
    def get(
        self, ary: None = None, pagelocked: bool = False, async_: bool = False, stream: Stream | None = None
    ) -> NDArray[Any]: ...
    @overload
    def get(
        self, ary: _A, pagelocked: bool = False, async_: bool = False, stream: Stream | None = None
    ) -> _A: ...
    def get_async(self, stream: Stream | None = None, ary: NDArray[Any] | None = None) -> NDArray[Any]: ...
    def set(self, ary: NDArray[Any] | GPUArray, async_: bool = False, stream: Stream | None = None) -> None: ...
    def set_async(self, ary: NDArray[Any] | GPUArray, stream: Stream | None = None) -> None: ...
    def copy(self, stream: Stream | None = None, order: _OrderLike = "K") -> Self: ...
    def astype(
        self, dtype: DTypeLike, stream: Stream | None = None, order: _OrderLike = "K", copy: bool = True
    ) -> Self: ...
    def to_device(self, device: Device, /, *, stream: Stream | None = None) -> Self: ...
    def fill(self, value: Any, stream: Stream | None = None) -> Self: ...
    def item(self, *index: SupportsIndex | tuple[SupportsIndex, ...]) -> Any: ...
    def tolist(self) -> Any: ...
    def tobytes(self, order: _OrderLike = "C") -> bytes: ...

    # Views and other shapes
    def reshape(self, *shape: SupportsIndex | Sequence[SupportsIndex], order: _OrderLike = "C") -> Self: ...
    def ravel(self, order: _OrderLike = "C") -> Self: ...
    def flatten(self, order: _OrderLike = "C") -> Self: ...
    def view(self, dtype: DTypeLike | None = None) -> Self: ...
    def squeeze(self, axis: _Axes = None) -> Self: ...
    def transpose(self, axes: SupportsIndex | Sequence[SupportsIndex] | None = None, *more: SupportsIndex) -> Self: ...
    def swapaxes(self, axis1: SupportsIndex, axis2: SupportsIndex) -> Self: ...
    def diagonal(self, offset: _Int = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1) -> Self: ...
    def reverse(self, stream: Stream | None = None) -> Self: ...
    def repeat(self, repeats: ArrayLike, axis: SupportsIndex | None = None) -> Self: ...
    def take(
        self, indices: _Places, axis: SupportsIndex | None = None, out: GPUArray | None = None, mode: _Mode = "raise"
    ) -> GPUArray: ...
    def choose(
        self, choices: Sequence[GPUArray | ArrayLike] | GPUArray, out: GPUArray | None = None, mode: _Mode = "raise"
    ) -> GPUArray: ...
    def compress(self, condition: _Places, axis: SupportsIndex | None = None, out: GPUArray | None = None) -> GPUArray: ...
    def put(
        a, indices: _Places, values: GPUArray | ArrayLike, stream: Stream | None = None, *, mode: _Mode = "raise"
    ) -> None: ...
    def nonzero(a) -> tuple[GPUArray, ...]: ...

    # Other values
    def conj(self, out: GPUArray | None = None) -> Self: ...
    def conjugate(self, out: GPUArray | None = None) -> Self: ...
    def mul_add(
        self,
        selffac: _Scalar,
        other: GPUArray,
        otherfac: _Scalar,
        add_timer: Any = None,
        stream: Stream | None = None,
        out: GPUArray | None = None,
    ) -> GPUArray: ...
    def clip(self, min: _Operand | None = None, max: _Operand | None = None, out: GPUArray | None = None) -> GPUArray: ...
    def round(self, decimals: _Int = 0, out: GPUArray | None = None) -> GPUArray: ...

    # Reductions and products; some are functions, too, whose first parameter is `a`
    def sum(
        self,
        axis: _Axes = None,
        dtype: DTypeLike | None = None,
        out: GPUArray | None = None,
        keepdims: bool = False,
        initial: _Scalar | None = None,
        where: GPUArray | Literal[True] = True,
    ) -> GPUArray: ...
    def prod(
        self,
        axis: _Axes = None,
        dtype: DTypeLike | None = None,
        out: GPUArray | None = None,
        keepdims: bool = False,
        initial: _Scalar | None = None,
        where: GPUArray | Literal[True] = True,
    ) -> GPUArray: ...
    def max(
        self,
        axis: _Axes = None,
        out: GPUArray | None = None,
        keepdims: bool = False,
        initial: _Scalar | None = None,
        where: GPUArray | Literal[True] = True,
    ) -> GPUArray: ...
    def min(
        self,
        axis: _Axes = None,
        out: GPUArray | None = None,
        keepdims: bool = False,
        initial: _Scalar | None = None,
        where: GPUArray | Literal[True] = True,
    ) -> GPUArray: ...
    def any(
        a,
        stream: Stream | None = None,
        allocator: _Allocator = None,
        *,
        axis: _Axes = None,
        out: GPUArray | None = None,
        keepdims: bool = False,
    ) -> GPUArray: ...
    def all(
        a,
        stream: Stream | None = None,
        allocator: _Allocator = None,
        *,
        axis: _Axes = None,
        out: GPUArray | None = None,
        keepdims: bool = False,
    ) -> GPUArray: ...
    def mean(
        a,
        axis: _Axes = None,
        dtype: DTypeLike | None = None,
        out: GPUArray | None = None,
        keepdims: bool = False,
        *,
        where: _Mask = True,
    ) -> GPUArray: ...
    def var(
        a,
        axis: _Axes = None,
        dtype: DTypeLike | None = None,
        out: GPUArray | None = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: _Mask = True,
        mean: GPUArray | ArrayLike | None = None,
        correction: float | None = None,
    ) -> GPUArray: ...
    def std(
        a,
        axis: _Axes = None,
        dtype: DTypeLike | None = None,
        out: GPUArray | None = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        where: _Mask = True,
        mean: GPUArray | ArrayLike | None = None,
        correction: float | None = None,
    ) -> GPUArray: ...
    def argmax(
        a, axis: SupportsIndex | None = None, out: GPUArray | None = None, *, keepdims: bool = False
    ) -> GPUArray: ...
    def argmin(
        a, axis: SupportsIndex | None = None, out: GPUArray | None = None, *, keepdims: bool = False
    ) -> GPUArray: ...
    def sort(
        self,
        axis: SupportsIndex = -1,
        kind: str | None = None,
        order: None = None,
        *,
        stable: bool | None = None,
        descending: bool | None = None,
    ) -> None: ...
    def argsort(
        self,
        axis: SupportsIndex | None = -1,
        kind: str | None = None,
        order: None = None,
        *,
        stable: bool | None = None,
        descending: bool | None = None,
    ) -> GPUArray: ...
    def partition(
        self,
        kth: SupportsIndex | Sequence[SupportsIndex],
        axis: SupportsIndex = -1,
        kind: str = "introselect",
        order: None = None,
        *,
        descending: bool | None = None,
    ) -> None: ...
    def argpartition(
        self,
        kth: SupportsIndex | Sequence[SupportsIndex],
        axis: SupportsIndex | None = -1,
        kind: str = "introselect",
        order: None = None,
        *,
        descending: bool | None = None,
    ) -> GPUArray: ...
    def searchsorted(self, v: GPUArray | ArrayLike, side: str = "left", sorter: GPUArray | None = None) -> GPUArray: ...
    def cumsum(
        self, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: GPUArray | None = None
    ) -> GPUArray: ...
    def cumprod(
        self, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: GPUArray | None = None
    ) -> GPUArray: ...
    def trace(
        self,
        offset: _Int = 0,
        axis1: SupportsIndex = 0,
        axis2: SupportsIndex = 1,
        dtype: DTypeLike | None = None,
        out: GPUArray | None = None,
    ) -> GPUArray: ...
    def dot(self, other: GPUArray, out: GPUArray | None = None) -> GPUArray: ...

    # Textures
    def bind_to_texref(self, texref: TextureReference, allow_offset: bool = False) -> float: ...
    def bind_to_texref_ext(
        self,
        texref: TextureReference,
        channels: _Int = 1,
        allow_double_hack: bool = False,
        allow_complex_hack: bool = False,
        allow_offset: bool = False,
    ) -> float: ...

    # Operators
    def __add__(self, value: _Operand, /) -> Self: ...
    def __radd__(self, value: _Scalar, /) -> Self: ...
    def __iadd__(self, value: _Operand, /) -> Self: ...
    def __sub__(self, value: _Operand, /) -> Self: ...
    def __rsub__(self, value: _Scalar, /) -> Self: ...
    def __isub__(self, value: _Operand, /) -> Self: ...
    def __mul__(self, value: _Operand, /) -> Self: ...
    def __rmul__(self, value: _Scalar, /) -> Self: ...
    def __imul__(self, value: _Operand, /) -> Self: ...
    def __truediv__(self, value: _Operand, /) -> Self: ...
    def __rtruediv__(self, value: _Scalar, /) -> Self: ...
    def __itruediv__(self, value: _Operand, /) -> Self: ...
    def __floordiv__(self, value: _Operand, /) -> Self: ...
    def __rfloordiv__(self, value: _Scalar, /) -> Self: ...
    def __ifloordiv__(self, value: _Operand, /) -> Self: ...
    def __mod__(self, value: _Operand, /) -> Self: ...
    def __rmod__(self, value: _Scalar, /) -> Self: ...
    def __imod__(self, value: _Operand, /) -> Self: ...
    def __pow__(self, value: _Operand, mod: None = None, /) -> Self: ...
    def __rpow__(self, value: _Scalar, mod: None = None, /) -> Self: ...
    def __ipow__(self, value: _Operand, /) -> Self: ...  # type: ignore[misc]  # it has no modulus
    def __and__(self, value: _Operand, /) -> Self: ...
    def __rand__(self, value: _Scalar, /) -> Self: ...
    def __iand__(self, value: _Operand, /) -> Self: ...
    def __or__(self, value: _Operand, /) -> Self: ...
    def __ror__(self, value: _Scalar, /) -> Self: ...
    def __ior__(self, value: _Operand, /) -> Self: ...
    def __xor__(self, value: _Operand, /) -> Self: ...
    def __rxor__(self, value: _Scalar, /) -> Self: ...
    def __ixor__(self, value: _Operand, /) -> Self: ...
    def __lshift__(self, value: _Operand, /) -> Self: ...
    def __rlshift__(self, value: _Scalar, /) -> Self: ...
    def __ilshift__(self, value: _Operand, /) -> Self: ...
    def __rshift__(self, value: _Operand, /) -> Self: ...
    def __rrshift__(self, value: _Scalar, /) -> Self: ...
    def __irshift__(self, value: _Operand, /) -> Self: ...
    def __divmod__(self, value: _Operand, /) -> tuple[Self, Self]: ...
    def __rdivmod__(self, value: _Scalar, /) -> tuple[Self, Self]: ...
    def __matmul__(self, other: GPUArray) -> GPUArray: ...
    def __neg__(self) -> Self: ...
    def __pos__(self) -> Self: ...
    def __abs__(self) -> Self: ...
    def __invert__(self) -> Self: ...
    @overload
    def __eq__(self, value: _Operand, /) -> GPUArray: ...  # type: ignore[overload-overlap]
    @overload
    def __eq__(self, value: object, /) -> bool: ...
    @overload
    def __ne__(self, value: _Operand, /) -> GPUArray: ...  # type: ignore[overload-overlap]
    @overload
    def __ne__(self, value: object, /) -> bool: ...
    def __lt__(self, value: _Operand, /) -> GPUArray: ...
    def __le__(self, value: _Operand, /) -> GPUArray: ...
    def __gt__(self, value: _Operand, /) -> GPUArray: ...
    def __ge__(self, value: _Operand, /) -> GPUArray: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __bool__(self) -> bool: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> complex: ...
    def __index__(self) -> int: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Self]: ...
    def __contains__(self, value: object) -> bool: ...
    def __getitem__(self, key: _Index, /) -> Self: ...
    def __setitem__(self, key: _Index, value: GPUArray | ArrayLike, /) -> None: ...
    def __copy__(self, stream: Stream | None = None, order: _OrderLike = "K") -> Self: ...
    def __deepcopy__(self, memo: Any) -> Self: ...
    def __format__(self, spec: str) -> str: ...

    # Other libraries
    __array_priority__: ClassVar[int]
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any: ...
    def __array_function__(
        self,
        function: Callable[..., Any],
        types: Iterable[type[Any]],
        args: Iterable[Any],
        kwargs: dict[str, Any],
    ) -> Any: ...
    def __dlpack__(
        self,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __array_namespace__(self, /, *, api_version: str | None = None) -> ModuleType: ...

empty = GPUArray

# -- Making arrays -------------------------------------------------------------------------------------------------

def to_gpu(ary: ArrayLike | GPUArray, allocator: _Allocator = None) -> GPUArray: ...
def to_gpu_async(ary: ArrayLike | GPUArray, allocator: _Allocator = None, stream: Stream | None = None) -> GPUArray: ...
def zeros(shape: _Shape, dtype: DTypeLike | None = None, allocator: _Allocator = None, order: _Order = "C") -> GPUArray: ...
def ones(shape: _Shape, dtype: DTypeLike | None = None, allocator: _Allocator = None, order: _Order = "C") -> GPUArray: ...
def full(
    shape: _Shape, fill_value: Any, dtype: DTypeLike | None = None, allocator: _Allocator = None, order: _Order = "C"
) -> GPUArray: ...
def empty_like(other_ary: GPUArray, dtype: DTypeLike | None = None, order: _OrderLike = "K") -> GPUArray: ...
def zeros_like(other_ary: GPUArray, dtype: DTypeLike | None = None, order: _OrderLike = "K") -> GPUArray: ...
def ones_like(other_ary: GPUArray, dtype: DTypeLike | None = None, order: _OrderLike = "K") -> GPUArray: ...
@overload
def arange(stop: _Scalar, /, *, dtype: DTypeLike | None = None, stream: Stream | None = None) -> GPUArray: ...
@overload
def arange(
    start_or_stop: _Scalar,
    stop_or_dtype: _Scalar | type[Any] | np.dtype[Any],
    /,
    *,
    dtype: DTypeLike | None = None,
    stream: Stream | None = None,
) -> GPUArray: ...
@overload
def arange(
    start: _Scalar,
    stop: _Scalar,
    step_or_dtype: _Scalar | type[Any] | np.dtype[Any],
    positional_dtype: type[Any] | np.dtype[Any] = ...,
    /,
    *,
    dtype: DTypeLike | None = None,
    stream: Stream | None = None,
) -> GPUArray: ...
def concatenate(
    arrays: Iterable[GPUArray],
    axis: SupportsIndex | None = 0,
    allocator: _Allocator = None,
    *,
    dtype: DTypeLike | None = None,
    casting: _Casting = "same_kind",
) -> GPUArray: ...
def stack(
    arrays: Iterable[GPUArray],
    axis: SupportsIndex = 0,
    allocator: _Allocator = None,
    *,
    dtype: DTypeLike | None = None,
    casting: _Casting = "same_kind",
) -> GPUArray: ...
def from_dlpack(x: _HasDlpack, *, copy: bool | None = None) -> GPUArray: ...
def open_to_host(is_open: bool = True) -> None: ...
def splay(n: _Int, dev: Device | None = None) -> tuple[tuple[int, int], tuple[int, int, int]]: ...

def capture() -> AbstractContextManager[Graph]: ...

class lazy:
    @staticmethod
    def __enter__() -> None: ...
    @staticmethod
    def __exit__(type: object = None, value: object = None, traceback: object = None) -> None: ...  # noqa: PYI036

# -- Functions of arrays -------------------------------------------------------------------------------------------

def reshape(a: GPUArray, *shape: SupportsIndex | Sequence[SupportsIndex], order: _OrderLike = "C") -> GPUArray: ...
def transpose(a: GPUArray, axes: Sequence[SupportsIndex] | None = None) -> GPUArray: ...
def take(
    a: GPUArray,
    indices: _Places,
    out: GPUArray | None = None,
    stream: Stream | None = None,
    *,
    axis: SupportsIndex | None = None,
    mode: _Mode = "raise",
) -> GPUArray: ...
def put(
    a: GPUArray, indices: _Places, values: GPUArray | ArrayLike, stream: Stream | None = None, *, mode: _Mode = "raise"
) -> None: ...
def multi_take(
    arrays: Sequence[GPUArray],
    indices: _Places,
    out: Sequence[GPUArray] | None = None,
    stream: Stream | None = None,
) -> list[GPUArray]: ...
def multi_take_put(
    arrays: Sequence[GPUArray],
    dest_indices: _Places,
    src_indices: _Places,
    dest_shape: _Shape | None = None,
    out: Sequence[GPUArray] | None = None,
    stream: Stream | None = None,
    src_offsets: Sequence[int] | None = None,
) -> list[GPUArray]: ...
def multi_put(
    arrays: Sequence[GPUArray],
    dest_indices: _Places,
    dest_shape: _Shape | None = None,
    out: Sequence[GPUArray] | None = None,
    stream: Stream | None = None,
) -> list[GPUArray]: ...
def where(
    criterion: _Operand, then_: _Operand, else_: _Operand, out: GPUArray | None = None, stream: Stream | None = None
) -> GPUArray: ...
def if_positive(
    criterion: _Operand, then_: _Operand, else_: _Operand, out: GPUArray | None = None, stream: Stream | None = None
) -> GPUArray: ...
def maximum(a: _Operand, b: _Operand, out: GPUArray | None = None, stream: Stream | None = None) -> GPUArray: ...
def minimum(a: _Operand, b: _Operand, out: GPUArray | None = None, stream: Stream | None = None) -> GPUArray: ...
def logical_and(
    x1: _Operand,
    x2: _Operand,
    out: GPUArray | None = None,
    allocator: _Allocator = None,
    stream: Stream | None = None,
) -> GPUArray: ...
def logical_or(
    x1: _Operand,
    x2: _Operand,
    out: GPUArray | None = None,
    allocator: _Allocator = None,
    stream: Stream | None = None,
) -> GPUArray: ...
def logical_xor(
    x1: _Operand,
    x2: _Operand,
    out: GPUArray | None = None,
    allocator: _Allocator = None,
    stream: Stream | None = None,
) -> GPUArray: ...
def logical_not(
    x: GPUArray, out: GPUArray | None = None, allocator: _Allocator = None, stream: Stream | None = None
) -> GPUArray: ...
def sum(
    a: GPUArray,
    dtype: DTypeLike | None = None,
    stream: Stream | None = None,
    allocator: _Allocator = None,
    *,
    axis: _Axes = None,
    out: GPUArray | None = None,
    keepdims: bool = False,
) -> GPUArray: ...
def prod(
    a: GPUArray,
    dtype: DTypeLike | None = None,
    stream: Stream | None = None,
    *,
    axis: _Axes = None,
    out: GPUArray | None = None,
    keepdims: bool = False,
) -> GPUArray: ...
def max(
    a: GPUArray,
    stream: Stream | None = None,
    allocator: _Allocator = None,
    *,
    axis: _Axes = None,
    out: GPUArray | None = None,
    keepdims: bool = False,
) -> GPUArray: ...
def min(
    a: GPUArray,
    stream: Stream | None = None,
    allocator: _Allocator = None,
    *,
    axis: _Axes = None,
    out: GPUArray | None = None,
    keepdims: bool = False,
) -> GPUArray: ...
def any(
    a: GPUArray,
    stream: Stream | None = None,
    allocator: _Allocator = None,
    *,
    axis: _Axes = None,
    out: GPUArray | None = None,
    keepdims: bool = False,
) -> GPUArray: ...
def all(
    a: GPUArray,
    stream: Stream | None = None,
    allocator: _Allocator = None,
    *,
    axis: _Axes = None,
    out: GPUArray | None = None,
    keepdims: bool = False,
) -> GPUArray: ...
def mean(
    a: GPUArray,
    axis: _Axes = None,
    dtype: DTypeLike | None = None,
    out: GPUArray | None = None,
    keepdims: bool = False,
    *,
    where: _Mask = True,
) -> GPUArray: ...
def var(
    a: GPUArray,
    axis: _Axes = None,
    dtype: DTypeLike | None = None,
    out: GPUArray | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: _Mask = True,
    mean: GPUArray | ArrayLike | None = None,
    correction: float | None = None,
) -> GPUArray: ...
def std(
    a: GPUArray,
    axis: _Axes = None,
    dtype: DTypeLike | None = None,
    out: GPUArray | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: _Mask = True,
    mean: GPUArray | ArrayLike | None = None,
    correction: float | None = None,
) -> GPUArray: ...
def argmax(
    a: GPUArray, axis: SupportsIndex | None = None, out: GPUArray | None = None, *, keepdims: bool = False
) -> GPUArray: ...
def argmin(
    a: GPUArray, axis: SupportsIndex | None = None, out: GPUArray | None = None, *, keepdims: bool = False
) -> GPUArray: ...
def matmul(a: GPUArray, b: GPUArray, out: GPUArray | None = None) -> GPUArray: ...
def dot(
    a: GPUArray,
    b: GPUArray,
    dtype: DTypeLike | None = None,
    stream: Stream | None = None,
    allocator: _Allocator = None,
) -> GPUArray: ...
def subset_dot(
    subset: GPUArray,
    a: GPUArray,
    b: GPUArray,
    dtype: DTypeLike | None = None,
    stream: Stream | None = None,
    allocator: _Allocator = None,
) -> GPUArray: ...
def subset_sum(
    subset: GPUArray,
    a: GPUArray,
    dtype: DTypeLike | None = None,
    stream: Stream | None = None,
    allocator: _Allocator = None,
) -> GPUArray: ...
def subset_max(
    subset: GPUArray, a: GPUArray, stream: Stream | None = None, allocator: _Allocator = None
) -> GPUArray: ...
def subset_min(
    subset: GPUArray, a: GPUArray, stream: Stream | None = None, allocator: _Allocator = None
) -> GPUArray: ...

# -- CUDA's vector types -------------------------------------------------------------------------------------------

class vec:
    char1: Final[np.dtype[np.void]]
    char2: Final[np.dtype[np.void]]
    char3: Final[np.dtype[np.void]]
    char4: Final[np.dtype[np.void]]
    uchar1: Final[np.dtype[np.void]]
    uchar2: Final[np.dtype[np.void]]
    uchar3: Final[np.dtype[np.void]]
    uchar4: Final[np.dtype[np.void]]
    short1: Final[np.dtype[np.void]]
    short2: Final[np.dtype[np.void]]
    short3: Final[np.dtype[np.void]]
    short4: Final[np.dtype[np.void]]
    ushort1: Final[np.dtype[np.void]]
    ushort2: Final[np.dtype[np.void]]
    ushort3: Final[np.dtype[np.void]]
    ushort4: Final[np.dtype[np.void]]
    int1: Final[np.dtype[np.void]]
    int2: Final[np.dtype[np.void]]
    int3: Final[np.dtype[np.void]]
    int4: Final[np.dtype[np.void]]
    uint1: Final[np.dtype[np.void]]
    uint2: Final[np.dtype[np.void]]
    uint3: Final[np.dtype[np.void]]
    uint4: Final[np.dtype[np.void]]
    long1: Final[np.dtype[np.void]]
    long2: Final[np.dtype[np.void]]
    long3: Final[np.dtype[np.void]]
    long4: Final[np.dtype[np.void]]
    ulong1: Final[np.dtype[np.void]]
    ulong2: Final[np.dtype[np.void]]
    ulong3: Final[np.dtype[np.void]]
    ulong4: Final[np.dtype[np.void]]
    longlong1: Final[np.dtype[np.void]]
    longlong2: Final[np.dtype[np.void]]
    longlong3: Final[np.dtype[np.void]]
    longlong4: Final[np.dtype[np.void]]
    ulonglong1: Final[np.dtype[np.void]]
    ulonglong2: Final[np.dtype[np.void]]
    ulonglong3: Final[np.dtype[np.void]]
    ulonglong4: Final[np.dtype[np.void]]
    float1: Final[np.dtype[np.void]]
    float2: Final[np.dtype[np.void]]
    float3: Final[np.dtype[np.void]]
    float4: Final[np.dtype[np.void]]
    double1: Final[np.dtype[np.void]]
    double2: Final[np.dtype[np.void]]
    double3: Final[np.dtype[np.void]]
    double4: Final[np.dtype[np.void]]
    @staticmethod
    def make_char1(x: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_char2(x: _Int, y: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_char3(x: _Int, y: _Int, z: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_char4(x: _Int, y: _Int, z: _Int, w: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_uchar1(x: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_uchar2(x: _Int, y: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_uchar3(x: _Int, y: _Int, z: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_uchar4(x: _Int, y: _Int, z: _Int, w: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_short1(x: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_short2(x: _Int, y: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_short3(x: _Int, y: _Int, z: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_short4(x: _Int, y: _Int, z: _Int, w: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_ushort1(x: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_ushort2(x: _Int, y: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_ushort3(x: _Int, y: _Int, z: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_ushort4(x: _Int, y: _Int, z: _Int, w: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_int1(x: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_int2(x: _Int, y: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_int3(x: _Int, y: _Int, z: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_int4(x: _Int, y: _Int, z: _Int, w: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_uint1(x: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_uint2(x: _Int, y: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_uint3(x: _Int, y: _Int, z: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_uint4(x: _Int, y: _Int, z: _Int, w: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_long1(x: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_long2(x: _Int, y: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_long3(x: _Int, y: _Int, z: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_long4(x: _Int, y: _Int, z: _Int, w: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_ulong1(x: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_ulong2(x: _Int, y: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_ulong3(x: _Int, y: _Int, z: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_ulong4(x: _Int, y: _Int, z: _Int, w: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_longlong1(x: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_longlong2(x: _Int, y: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_longlong3(x: _Int, y: _Int, z: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_longlong4(x: _Int, y: _Int, z: _Int, w: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_ulonglong1(x: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_ulonglong2(x: _Int, y: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_ulonglong3(x: _Int, y: _Int, z: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_ulonglong4(x: _Int, y: _Int, z: _Int, w: _Int) -> NDArray[np.void]: ...
    @staticmethod
    def make_float1(x: _Float) -> NDArray[np.void]: ...
    @staticmethod
    def make_float2(x: _Float, y: _Float) -> NDArray[np.void]: ...
    @staticmethod
    def make_float3(x: _Float, y: _Float, z: _Float) -> NDArray[np.void]: ...
    @staticmethod
    def make_float4(x: _Float, y: _Float, z: _Float, w: _Float) -> NDArray[np.void]: ...
    @staticmethod
    def make_double1(x: _Float) -> NDArray[np.void]: ...
    @staticmethod
    def make_double2(x: _Float, y: _Float) -> NDArray[np.void]: ...
    @staticmethod
    def make_double3(x: _Float, y: _Float, z: _Float) -> NDArray[np.void]: ...
    @staticmethod
    def make_double4(x: _Float, y: _Float, z: _Float, w: _Float) -> NDArray[np.void]: ...
