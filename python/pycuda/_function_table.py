"""Which function of NumPy is which of ours on GPU arrays; what is not here is not available. It imports the files that have
them, so it is itself imported when the first of them is called."""

import importlib

import numpy as np

from pycuda import (
    _functions,
    _histograms,
    _indexing,
    _protocols,
    _quantiles,
    _sets,
    _sorting,
)
from pycuda._native import GPUArray

# numpy.f(a, ...) is a.f(...).
_METHODS = (np.sum, np.prod, np.max, np.min, np.mean, np.var, np.std, np.argmax, np.argmin, np.cumsum,
            np.cumprod, np.trace, np.diagonal, np.swapaxes, np.squeeze, np.transpose, np.ravel,
            np.repeat, np.round, np.nonzero, np.take)

# NumPy's own code calls nothing but methods of arrays and other functions.
_NUMPYS = (np.moveaxis, np.rollaxis, np.flip, np.hstack, np.vstack, np.dstack, np.split,
           np.array_split, np.hsplit, np.vsplit, np.dsplit, np.flatnonzero, np.ptp, np.iscomplexobj,
           np.isrealobj)

_MODULES = _functions, _sorting, _sets, _histograms, _quantiles
# What few programs need is imported when it is first called: a module, and NumPy's functions that are there.
_LATER = {
    "_covariances": "corrcoef cov",
    "_differences": "cumulative_prod cumulative_sum diff ediff1d gradient trapezoid trapz unwrap",
    "_editing": "append array_equiv astype block broadcast_arrays delete diagflat insert matrix_transpose resize rot90 "
                "unstack",
    "_files": "array2string array_repr array_str save savetxt savez savez_compressed",
    "_filters": "convolve correlate interp",
    "_numbers": "common_type fix i0 iscomplex isneginf isposinf isreal may_share_memory min_scalar_type packbits "
                "real_if_close shares_memory sinc unpackbits",
    "_padding": "pad",
    "_places": "diag_indices_from fill_diagonal ix_ put_along_axis ravel_multi_index tril_indices_from "
               "triu_indices_from unravel_index",
    "_polynomials": "poly polyadd polyder polydiv polyfit polyint polymul polysub polyval roots vander",
    "_products": "cross einsum einsum_path kron tensordot",
    "_selection": "choose compress extract piecewise place putmask select",
    "_sequences": "geomspace linspace logspace",
    "_slices": "apply_along_axis apply_over_axes",
}
_LATER = {getattr(np, name): module for module, names in _LATER.items() for name in names.split()
          if hasattr(np, name)}
_LATER |= {function: module for space, module in ((np.linalg, "_linalg"), (np.fft, "_fft"))
           for function in vars(space).values() if hasattr(function, "__wrapped__")}
FUNCTIONS = {
    **{function: getattr(GPUArray, function.__name__) for function in _METHODS},
    **{function: function.__wrapped__ for function in _NUMPYS},
    **{function: function.__wrapped__ for name in ("unique_all", "unique_counts", "unique_inverse", "unique_values")
       if (function := getattr(np, name, None))},  # of NumPy 2
    **{getattr(np, name): ours for module in _MODULES for name, ours in vars(module).items()
       if hasattr(np, name) and getattr(ours, "__module__", None) == module.__name__},
    np.amax: GPUArray.max,
    np.amin: GPUArray.min,
    np.around: GPUArray.round,
    np.dot: lambda a, b, out=None: GPUArray.dot(a, b, out),
    np.any: _protocols.any_of,
    np.all: _protocols.all_of,
    np.put: lambda a, ind, v, mode="raise": _indexing.put(a, ind, v, mode=mode),
    np.copy: lambda a, order="K", subok=False: a.copy(order=order),
    np.real: lambda a: a.real,
    np.imag: lambda a: a.imag,
    np.shape: lambda a: a.shape,
    np.ndim: lambda a: a.ndim,
    np.size: lambda a, axis=None: a.size if axis is None else a.shape[axis],
}


def imported(function):
    """A function of a module that has not been needed before; None: there is none."""
    module = _LATER.get(function)
    if module is None:
        return None
    ours = getattr(importlib.import_module(f"pycuda.{module}"), function.__name__, None)
    return ours if ours is None else FUNCTIONS.setdefault(function, ours)
