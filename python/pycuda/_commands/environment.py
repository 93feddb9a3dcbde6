"""The environment variables that the package and the host device look at: `info` and the documentation read this list.

A test compares it with what the sources ask for.
"""

import difflib
import os

# name: (values, meaning)
VARIABLES = {
    "PYCUDA_DRIVER": ("`auto`, `cuda`, `host` or a path", ("the driver: a GPU's if one is usable and else the host device "
                      "(default), NVIDIA's, the host device, or a library with the driver's functions")),
    "CUDA_DEVICE": ("number", "the device of `pycuda.autoinit`; without it `~/.cuda_device`, else the first that works"),
    "HOSTCUDA_THREADS": ("1 to 1024", "threads of a host device; default: the cores that the process may use"),
    "HOSTCUDA_DEVICES": ("number", "how many host devices there are; default 1"),
    "HOSTCUDA_MEMORY": ("bytes; K, M and G count", ("memory of a host device; default: half of the machine's or "
                        "container's, divided among the devices")),
    "CUDA_MODULE_LOADING": ("LAZY or EAGER", "EAGER: all code is compiled at once for the host device"),
    "HOSTCUDA_CACHE": ("bytes; K, M and G count", ("kernels of the host device that write more store past the caches; default: the "
                       "last cache of a processor")),
    "HOSTCUDA_CHECK": ("`memory,race,init,sync,order:SEED`", ("what the host device checks while kernels run: any of these; "
                       "`all` is the first four")),
    "HOSTCUDA_CHECK_REPORT": ("path", "write what was found to this file, as JSON, when the program ends"),
    "HOSTCUDA_COVERAGE": ("path", ("count how often each line of kernels runs, and write it to this file, in lcov's format, when the "
                          "program ends; `%p` in it is the number of the process")),
    "PYCUDA_CACHE_DIR": ("folder", ("where compiled kernels are kept; default `$XDG_CACHE_HOME/pycuda/compiler-cache-v3` "
                         "or `~/.cache/pycuda/compiler-cache-v3`")),
    "PYCUDA_CACHE_SIZE": ("bytes", "the most that this folder holds; default 256 MiB"),
    "PYCUDA_DISABLE_CACHE": ("anything", "compile each kernel anew and keep none"),
    "XDG_CACHE_HOME": ("folder", "the user's cache folder"),
    "PYCUDA_DEFAULT_NVCC_FLAGS": ("options", "`pycuda.compiler.DEFAULT_NVCC_FLAGS`: options of compilations that give none"),
    "NVCC_PREPEND_FLAGS": ("options", "put before all other options, for nvcc and NVRTC"),
    "NVCC_APPEND_FLAGS": ("options", "put behind all other options, for nvcc and NVRTC"),
    "PYCUDA_NVRTC": ("path", "the NVRTC library to use"),
    "PYCUDA_LIBRARIES": ("folder", "where cuBLAS, cuFFT, cuSOLVER and cuSPARSE are looked for, and nowhere else; what is not there is not used"),
    "CUDA_ROOT": ("folder", ("a CUDA toolkit, to look for NVRTC, nvcc and libraries; the first that is there counts of this and "
                  "the next two")),
    "CUDA_HOME": ("folder", "the same"),
    "CUDA_PATH": ("folder", "the same"),
    "PYCUDA_HOSTCC": ("path", "the compiler of the host device, in place of the installed one"),
    "PYCUDA_TRACE": ("`1` or a path", "write each driver call with arguments, result and time, to stderr or to a file"),
    "HOSTCC_INCLUDE": ("folder", "the device library of `hostcc`"),
    "HOSTCC_DUMP": ("names of stages", "write LLVM IR after these stages of `hostcc` to stderr"),
    "HOSTCC_TIME": ("anything", "write how long each stage of `hostcc` takes to stderr"),
    "HOSTCC_VERIFY": ("anything", "check LLVM IR after each of LLVM's passes in `hostcc`"),
    "TMPDIR": ("folder", "where compilers work; default `/tmp`"),
}
PREFIXES = ("PYCUDA_", "HOSTCUDA_", "HOSTCC_")  # of our own: another name that begins so is a slip
NVIDIAS = ("CUDA_", "NVCC_")  # which its driver and compilers read
TESTS = {"PYCUDA_TESTS_WIDE"}


def show():
    """Name -> value of those that are set, with a word on names that are nearly right."""
    found = {}
    for name, value in sorted(os.environ.items()):
        if name in VARIABLES or name.startswith(NVIDIAS):
            found[name] = value
        elif name.startswith(PREFIXES) and name not in TESTS:
            near = difflib.get_close_matches(name, VARIABLES, 1, 0)
            found[name] = f"{value} (nothing reads this; {near[0]}?)"
    return found
