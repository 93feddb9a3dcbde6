"""The door to NumPy's compiled code (LAPACK, pocketfft): on the host device it computes on the memory of the
arrays themselves, once the null stream has come so far; on a GPU on copies. Results are new arrays on the device,
copied there in stream order."""

import functools

import numpy as np

from pycuda import _native, libraries
from pycuda._native import GPUArray


def view(array):
    """What NumPy computes on: the array's memory, not to be written, or a copy of it."""
    return _native._host_view(array) if _native._is_host_device() else array.get()


def _viewed(value):
    return view(value) if isinstance(value, GPUArray) else value


def to_device(value, allocator):
    """Results on the device, numbers as arrays without axes, in the tuple that they came in."""
    if isinstance(value, tuple):
        parts = [to_device(part, allocator) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return _native.to_gpu(np.asarray(value), allocator)


def expect_arrays(name, *operands):
    """TypeError unless all are GPUArrays."""
    for x in operands:
        if not isinstance(x, GPUArray):
            raise TypeError(f"{name}: expected GPUArrays, got {type(x).__name__}; pycuda.gpuarray.to_gpu() brings an "
                            "array to the device")


def served(function, count):
    """NumPy's function for arrays on the device. count: so many parameters, the first ones, are arrays."""
    name = f"{function.__module__}.{function.__name__}"
    names = function.__wrapped__.__code__.co_varnames[:count]

    @functools.wraps(function)
    def ours(*args, **kwargs):
        operands = [*args[:count], *(kwargs[key] for key in names if key in kwargs)]
        expect_arrays(name, *operands)
        result = function(*map(_viewed, args), **{key: _viewed(value) for key, value in kwargs.items()})
        libraries._note(name)
        return to_device(result, operands[0].allocator if operands else None)

    return ours
