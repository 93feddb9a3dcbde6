"""The CUDA driver API: devices, contexts, memory, streams, modules and kernels."""

from pycuda._native import *  # noqa: F403
