from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from types import TracebackType
from typing import Literal, Self, TypeAlias

from pycuda.driver import LogicError

__all__ = [
    "CheckError",
    "CoveredFile",
    "CoveredLine",
    "Report",
    "check",
    "clear_reports",
    "coverage",
    "main",
    "reports",
]

_Three: TypeAlias = tuple[int, int, int]
_Access: TypeAlias = Literal["read", "write", "atomic", "free"]

@dataclass(frozen=True)
class Report:
    kind: Literal["memory", "race", "init", "sync", "order"]
    fault: str
    severity: Literal["error", "warning"]
    count: int
    kernel: str
    file: str | None
    line: int
    block: _Three
    thread: _Three
    access: _Access | None
    other_file: str | None
    other_line: int | None
    other_block: _Three | None
    other_thread: _Three | None
    other_access: _Access | None
    bytes: int
    address: int
    space: Literal["global", "shared", "local", "constant", "heap"] | None
    state: Literal["live", "freed"] | None
    variable: str | None
    base: int
    offset: int
    size: int
    launch: int
    grid: _Three
    block_shape: _Three
    allocated_at: str | None
    freed_at: str | None
    dtype: str | None
    shape: tuple[int, ...] | None
    message: str
    text: str

class CheckError(LogicError):
    reports: Sequence[Report]

class check:
    def __init__(self, *kinds: str) -> None: ...
    def stop(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...

@dataclass(frozen=True)
class CoveredLine:
    count: int
    vectors: int
    busy: float | None

@dataclass(frozen=True)
class CoveredFile:
    name: str
    path: str | None
    text: str | None
    lines: dict[int, CoveredLine]
    functions: dict[str, tuple[int, int]]
    accesses: dict[int, dict[str, int]]
    samples: dict[int, int]
    @property
    def ran(self) -> int: ...

class coverage:
    def __init__(self, profile: bool = False) -> None: ...
    def stop(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...
    def files(self) -> list[CoveredFile]: ...
    @property
    def percent(self) -> float: ...
    def text(self) -> str: ...
    def write(self, path: str | PathLike[str]) -> None: ...

def reports() -> list[Report]: ...
def clear_reports() -> None: ...
def main(argv: Sequence[str] | None = None) -> None: ...
