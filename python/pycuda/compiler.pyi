from collections.abc import Sequence
from typing import Literal, Self

from pycuda.driver import (
    Function,
    Linker,
    Module,
    SurfaceReference,
    TextureReference,
    _HostBuffer,
    _JitOptions,
    _MessageHandler,
    _Path,
    jit_input_type,
)

DEFAULT_NVCC_FLAGS: list[str]

def get_nvcc_version(nvcc: str) -> str: ...
def preprocess_source(source: object, options: Sequence[str], nvcc: _Path) -> str: ...
def compile_plain(
    source: object,
    options: Sequence[str],
    keep: bool,
    nvcc: _Path,
    cache_dir: _Path | Literal[False] | None,
    target: Literal["cubin", "ptx", "fatbin"] = "cubin",
) -> bytes: ...
def compile(
    source: object,
    nvcc: _Path = "nvcc",
    options: Sequence[str] | None = None,
    keep: bool = False,
    no_extern_c: bool = False,
    arch: str | None = None,
    code: str | None = None,
    cache_dir: _Path | Literal[False] | None = None,
    include_dirs: Sequence[str] | None = None,
    target: Literal["cubin", "ptx", "fatbin"] = "cubin",
    check: str | Sequence[str] | None = None,
) -> bytes: ...

class CudaModule:
    module: Module
    def get_function(self, name: str) -> Function: ...
    def get_global(self, name: str) -> tuple[int, int]: ...
    def get_texref(self, name: str) -> TextureReference: ...
    def get_surfref(self, name: str) -> SurfaceReference: ...

class SourceModule(CudaModule):
    def __init__(
        self,
        source: object,
        nvcc: _Path = "nvcc",
        options: Sequence[str] | None = None,
        keep: bool = False,
        no_extern_c: bool = False,
        arch: str | None = None,
        code: str | None = None,
        cache_dir: _Path | Literal[False] | None = None,
        include_dirs: Sequence[str] | None = None,
        check: str | Sequence[str] | None = None,
    ) -> None: ...

class DynamicModule(CudaModule):
    linker: Linker
    def __init__(
        self,
        nvcc: _Path = "nvcc",
        link_options: _JitOptions | None = None,
        keep: bool = False,
        no_extern_c: bool = False,
        arch: str | None = None,
        code: str | None = None,
        cache_dir: _Path | Literal[False] | None = None,
        include_dirs: Sequence[str] | None = None,
        message_handler: _MessageHandler | None = None,
        log_verbose: bool = False,
        cuda_libdir: _Path | None = None,
    ) -> None: ...
    def add_source(
        self, source: object, nvcc_options: Sequence[str] | None = None, name: str = "kernel.ptx"
    ) -> Self: ...
    def add_data(self, data: _HostBuffer, input_type: jit_input_type, name: str = "unknown") -> Self: ...
    def add_file(self, filename: _Path, input_type: jit_input_type) -> Self: ...
    def add_stdlib(self, libname: str) -> Self: ...
    def link(self) -> Self: ...

class DynamicSourceModule(DynamicModule):
    def __init__(
        self,
        source: object,
        nvcc: _Path = "nvcc",
        options: Sequence[str] | None = None,
        keep: bool = False,
        no_extern_c: bool = False,
        arch: str | None = None,
        code: str | None = None,
        cache_dir: _Path | Literal[False] | None = None,
        include_dirs: Sequence[str] | None = None,
        cuda_libdir: _Path | None = None,
    ) -> None: ...
