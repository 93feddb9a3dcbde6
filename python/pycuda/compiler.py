"""CUDA C source to code that the current device runs.

Which compiler does the work follows from the driver: hostcc for the host device, NVRTC (in
this process) for a GPU, nvcc where it is named by path or where NVRTC will not do. Images are
kept in a cache on disk, ``$PYCUDA_CACHE_DIR`` or the user's cache folder.
"""

import functools
import os
import re
from warnings import warn

from pycuda import _native

DEFAULT_NVCC_FLAGS = os.environ.get("PYCUDA_DEFAULT_NVCC_FLAGS", "").split()


# What compilers say, in the words of clang, NVRTC and nvcc, and what users do about it.
_CURES = [
    (r"templates must have C\+\+ linkage|may not have extern .C. linkage",
     'no_extern_c=True compiles templates, with extern "C" in front of other kernels'),
    (r"file not found|could not open source file|cannot open source file",
     "include_dirs=[...] names the folders of headers, as do options that begin with -I"),
    (r"['\"](thrust|cub|cuda/std)/[^'\"]*['\"] file not found|open source file .(thrust|cub|cuda/std)/",
     "Thrust, CUB and libcu++ are in the package nvidia-cuda-cccl: after import nvidia, in the folder "
     + "nvidia.__path__[0] + '/cu13/include/cccl'"),
    (r"[Uu]nrecognized option|[Uu]nknown option|unrecognized argument",
     "options are those of nvcc, each a str of its own: options=['-O3', '-DN=4']"),
]


@functools.cache
def get_nvcc_version(nvcc):
    """What ``nvcc --version`` prints, or ``"nvcc unknown version"`` with a warning."""
    import subprocess  # which few programs need

    try:
        return subprocess.run([nvcc, "--version"], capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.SubprocessError):
        warn("NVCC version could not be determined.", stacklevel=2)
        return "nvcc unknown version"


def _compile_error(message, command, stdout, stderr):
    """The exception for a source that did not compile, a user's or one of the package's own."""
    from pycuda import driver

    cures = [cure for pattern, cure in _CURES if re.search(pattern, stderr + stdout)]
    return driver.CompileError("; ".join([message, *cures]), command, stdout=stdout, stderr=stderr)


def _run(source, nvcc, options, keep, no_extern_c, arch, code, cache_dir, include_dirs, target, check=None):
    from pycuda import _checks, driver

    source = source if isinstance(source, bytes) else str(source)
    if (b"\0" if isinstance(source, bytes) else "\0") in source:
        raise ValueError("source: embedded null character")
    if cache_dir is not None:
        cache_dir = os.fspath(cache_dir or "")
    if getattr(driver, "CUDA_DEBUGGING", False):
        cache_dir, keep = "", True
        options = [*options, "-g", "-G"]
    image, stdout, stderr = _native._compile_source(
        source, options, include_dirs, target, arch, code, os.fspath(nvcc), cache_dir,
        no_extern_c, keep, _checks.for_compiler(check))
    if stdout or stderr:
        warn(f"The CUDA compiler succeeded, but said the following:\n{stdout}{stderr}", stacklevel=4)
    return image


def preprocess_source(source, options, nvcc):
    """The source after the preprocessor, as str. Raises CompileError."""
    return _run(source, nvcc, options, False, True, None, None, "", None, "preprocess").decode()


def compile_plain(source, options, keep, nvcc, cache_dir, target="cubin"):
    """Compile a source as it is, with exactly these options, to bytes. Raises CompileError."""
    return _run(source, nvcc, options, keep, True, None, None, cache_dir, None, target)


def compile(source, nvcc="nvcc", options=None, keep=False, no_extern_c=False, arch=None,
            code=None, cache_dir=None, include_dirs=None, target="cubin", check=None):
    """Compile CUDA C to bytes that :func:`pycuda.driver.module_from_buffer` takes.

    *source*: str, bytes, or an object whose ``str()`` is the source. It is put between
    ``extern "C" {`` and ``}`` unless *no_extern_c*. *nvcc*: ``"nvcc"`` stands for the best
    compiler there is, ``"nvrtc"`` and ``"hostcc"`` for those two, anything else is the path of an
    nvcc. *options*: list of str, as for nvcc, in place of ``DEFAULT_NVCC_FLAGS``. *keep*: print
    and leave the folder with source and image. *arch*, *code*: as nvcc's; by default those of
    the current context's device. *cache_dir*: a folder, or False for no cache. *target*:
    ``"cubin"``, ``"ptx"`` or ``"fatbin"``; on the host device ``"cubin"`` makes a host image. *check*: what the code is
    to check on the host device, ``"memory,race,init,sync"``; by default what :class:`pycuda.debug.check` has turned on.

    Raises :class:`pycuda.driver.CompileError` with the compiler's words, in lines of *source*.
    """
    assert target in ("cubin", "ptx", "fatbin"), f"target {target!r}: must be cubin, ptx or fatbin"
    return _run(source, nvcc, DEFAULT_NVCC_FLAGS if options is None else options, keep,
                no_extern_c, arch, code, cache_dir, include_dirs, target, check)


class CudaModule:
    """A loaded module; ``module`` is the :class:`pycuda.driver.Module`."""

    def __repr__(self):
        module = getattr(self, "module", None)
        return f"<{type(self).__module__}.{type(self).__qualname__} {module or 'not linked'}>"

    def get_function(self, name):
        """The kernel of that name. Raises LogicError if there is none."""
        return self.module.get_function(name)

    def get_global(self, name):
        """Device address and size in bytes of a global or constant variable."""
        return self.module.get_global(name)

    def get_texref(self, name):
        """The texture reference of that name, where the driver still has them."""
        return self.module.get_texref(name)

    def get_surfref(self, name):
        """The surface reference of that name, where the driver still has them."""
        return self.module.get_surfref(name)


class SourceModule(CudaModule):
    """CUDA C source, compiled and loaded into the current context; see :func:`compile`."""

    def __init__(self, source, nvcc="nvcc", options=None, keep=False, no_extern_c=False,
                 arch=None, code=None, cache_dir=None, include_dirs=None, check=None):
        from pycuda.driver import module_from_buffer

        self.module = module_from_buffer(compile(
            source, nvcc, options, keep, no_extern_c, arch, code, cache_dir, include_dirs, check=check))


class DynamicModule(CudaModule):
    """A module linked from several sources, objects and libraries.

    Functions and variables of one source are seen by all, where ``extern`` declares them. The
    ``add_`` methods and :meth:`link` return the module, so that calls can be chained. *cuda_libdir*:
    where the toolkit's libraries are, if not in their usual place. *message_handler*,
    *link_options* and *log_verbose* are those of :class:`pycuda.driver.Linker`, the rest those of
    :func:`compile`.
    """

    def __init__(self, nvcc="nvcc", link_options=None, keep=False, no_extern_c=False, arch=None,
                 code=None, cache_dir=None, include_dirs=None, message_handler=None,
                 log_verbose=False, cuda_libdir=None):
        from pycuda.driver import Linker

        self.nvcc, self.keep, self.no_extern_c = nvcc, keep, no_extern_c
        self.arch, self.code = arch, code
        self.cache_dir, self.include_dirs, self.cuda_libdir = cache_dir, include_dirs, cuda_libdir
        self.linker = Linker(message_handler, link_options, log_verbose)
        self.module = None

    def add_source(self, source, nvcc_options=None, name="kernel.ptx"):
        """Compile a source and add it. Raises CompileError."""
        from pycuda.driver import jit_input_type

        options = list(DEFAULT_NVCC_FLAGS if nvcc_options is None else nvcc_options)
        if not {"-rdc=true", "--relocatable-device-code=true", "-dc"} & set(options):
            options.append("-rdc=true")
        data = compile(source, self.nvcc, options, self.keep, self.no_extern_c, self.arch, self.code,
                       self.cache_dir, self.include_dirs,
                       "cubin" if _native._is_host_device() else "ptx")
        return self.add_data(data, jit_input_type.PTX, name)

    def add_data(self, data, input_type, name="unknown"):
        """Add an image in memory; jit_input_type says of which kind (ignored on the host device)."""
        self.linker.add_data(data, input_type, name)
        return self

    def add_file(self, filename, input_type):
        """Add an image on disk."""
        self.linker.add_file(filename, input_type)
        return self

    def add_stdlib(self, libname):
        """Add a library of the CUDA toolkit, such as "cudadevrt"; the host device has no use for it.

        Raises OSError if it is not found.
        """
        from pycuda.driver import jit_input_type

        if _native._is_host_device():
            return self
        return self.add_file(_find_library(f"lib{libname}.a", self.cuda_libdir),
                             jit_input_type.LIBRARY)

    def link(self):
        """Link and load all that was added into the current context."""
        self.module, self.linker = self.linker.link_module(), None
        return self


def _find_library(name, folder):
    if folder is not None:
        folders = [folder]
    else:
        roots = [os.environ.get(name) for name in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH")]
        roots = [root for root in [*roots, "/usr/local/cuda"] if root]
        folders = [os.path.join(root, lib) for root in roots
                   for lib in ("lib64", "lib", "targets/x86_64-linux/lib")]
        folders += os.environ.get("LD_LIBRARY_PATH", "").split(":")
    for path in (os.path.join(folder, name) for folder in folders if folder):
        if os.path.isfile(path):
            return path
    raise OSError(f'CUDA SDK library file "{name}" not found; looked in {", ".join(folders)}')


class DynamicSourceModule(DynamicModule):
    """CUDA C source whose kernels may launch kernels, linked with the device runtime and loaded.

    The host device has no such launches: there, it is as good as :class:`SourceModule`.
    """

    def __init__(self, source, nvcc="nvcc", options=None, keep=False, no_extern_c=False, arch=None,
                 code=None, cache_dir=None, include_dirs=None, cuda_libdir=None):
        super().__init__(nvcc, None, keep, no_extern_c, arch, code, cache_dir, include_dirs,
                         cuda_libdir=cuda_libdir)
        self.add_source(source, options).add_stdlib("cudadevrt").link()
