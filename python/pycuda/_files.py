"""Arrays as text and in files: array2string, array_repr, array_str, save, savez, savez_compressed and savetxt, under
NumPy's names and with its parameters. They copy arrays to the host, since that is where text and files are."""

import functools

import numpy as np

from pycuda._native import GPUArray


def _on_host(value):
    if isinstance(value, GPUArray):
        return value.get()
    if isinstance(value, (list, tuple)):
        return type(value)(map(_on_host, value))
    return value


def _of_host(function):
    """NumPy's function of copies on the host."""
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*map(_on_host, args), **{name: _on_host(value) for name, value in kwargs.items()})
    wrapper.__module__ = __name__
    return wrapper


array2string, array_repr, array_str = map(_of_host, (np.array2string, np.array_repr, np.array_str))
save, savez, savez_compressed, savetxt = map(_of_host, (np.save, np.savez, np.savez_compressed, np.savetxt))
