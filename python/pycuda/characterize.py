"""What the current device and its compiler are like."""

import numpy as np

from pycuda.compiler import SourceModule
from pycuda.driver import Context, Out
from pycuda.tools import context_dependent_memoize


def platform_bits():
    """64 or 32: the bits of a host pointer."""
    return np.dtype(np.intp).itemsize * 8


def has_stack():
    """Whether kernels of the current context's device have a stack."""
    return Context.get_device().compute_capability() >= (2, 0)


def has_double_support():
    """Whether the current context's device computes in double precision."""
    return Context.get_device().compute_capability() >= (1, 3)


@context_dependent_memoize
def sizeof(type_name, preamble=""):
    """sizeof(type_name) on the current context's device, in bytes, found by compiling and running
    a kernel; `preamble` is source that declares the type."""
    module = SourceModule(
        f"""
        {preamble}
        extern "C" __global__ void write_size(size_t *output)
        {{ *output = sizeof({type_name}); }}
        """,
        no_extern_c=True,
    )
    output = np.empty((), np.uintp)
    module.get_function("write_size")(Out(output), block=(1, 1, 1), grid=(1, 1))
    return int(output)
