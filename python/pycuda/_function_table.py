"""Which function of NumPy is which of ours on GPU arrays; what is not here is not available. It imports the files that have
them, so it is itself imported when the first of them is called."""

import numpy as np

from pycuda import (
    _fft,
    _functions,
    _histograms,
    _indexing,
    _linalg,
    _native,
    _protocols,
    _quantiles,
    _sets,
    _sorting,
)
from pycuda._native import GPUArray

# numpy.f(a, ...) is a.f(...).
_METHODS = (np.sum, np.prod, np.max, np.min, np.mean, np.var, np.std, np.argmax, np.argmin, np.cumsum,
            np.cumprod, np.dot, np.trace, np.diagonal, np.swapaxes, np.squeeze, np.transpose, np.ravel,
            np.repeat, np.round, np.nonzero, np.take)

# NumPy's own code calls nothing but methods of arrays and other functions.
_NUMPYS = (np.moveaxis, np.rollaxis, np.flip, np.hstack, np.vstack, np.dstack, np.split,
           np.array_split, np.hsplit, np.vsplit, np.dsplit, np.flatnonzero, np.ptp, np.iscomplexobj,
           np.isrealobj, np.take_along_axis)

_MODULES = _functions, _sorting, _sets, _histograms, _quantiles
FUNCTIONS = {
    **{function: getattr(GPUArray, function.__name__) for function in _METHODS},
    **{function: function.__wrapped__ for function in _NUMPYS},
    **{function: function.__wrapped__ for name in ("unique_all", "unique_counts", "unique_inverse", "unique_values")
       if (function := getattr(np, name, None))},  # of NumPy 2
    **{getattr(np, name): ours for module in _MODULES for name, ours in vars(module).items()
       if hasattr(np, name) and getattr(ours, "__module__", None) == module.__name__},
    **{theirs: getattr(module, name) for space, module in ((np.linalg, _linalg), (np.fft, _fft))
       for name, theirs in vars(space).items() if hasattr(theirs, "__wrapped__") and hasattr(module, name)},
    **{getattr(np, name): getattr(_native, name)
       for name in ("empty_like", "zeros_like", "ones_like")},
    np.amax: GPUArray.max,
    np.amin: GPUArray.min,
    np.around: GPUArray.round,
    np.any: _protocols.any_of,
    np.all: _protocols.all_of,
    np.put: _indexing.put,
    np.copy: lambda a, order="K", subok=False: a.copy(order=order),
    np.reshape: lambda a, shape, order="C": a.reshape(shape, order=order),
    np.where: lambda condition, *pair: _native.where(condition, *pair) if pair else
    condition.nonzero(),
    np.real: lambda a: a.real,
    np.imag: lambda a: a.imag,
    np.shape: lambda a: a.shape,
    np.ndim: lambda a: a.ndim,
    np.size: lambda a, axis=None: a.size if axis is None else a.shape[axis],
    np.full_like: lambda a, value, dtype=None, order="K":
    _native.empty_like(a, dtype, order).fill(value),
}
