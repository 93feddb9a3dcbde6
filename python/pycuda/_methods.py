"""Methods of numpy.ndarray that are views of an array or compositions of functions. Importing this
completes the type GPUArray, whose other methods are C."""

import functools
import math
import operator

import numpy as np

from pycuda import _html, _indexing, _interop, _native, _reductions
from pycuda._creation import arange, axis_of, on_device
from pycuda._flat import FlatIterator
from pycuda._functions import broadcast_to
from pycuda._native import GPUArray


def item(self, *index):
    """An element as a Python number: the only one (ValueError if there are more), the one of that number in C order, or
    the one at a place along each axis, which may be a tuple. IndexError for a place that is not there."""
    if len(index) == 1:
        index = index[0] if isinstance(index[0], tuple) else index
    if not index:
        return self.get().item()
    if bool in map(type, index):
        raise TypeError("item() takes integers, got a bool")
    index = *map(operator.index, index),
    if len(index) not in (1, self.ndim):
        raise ValueError(f"item() takes one index or one for each of {self.ndim} axes, got {len(index)}")
    return (self.flat[index] if len(index) == 1 else self[index]).get().item()


def tolist(self):
    """Lists of lists of Python numbers."""
    return self.get().tolist()


def take(self, indices, axis=None, out=None, mode="raise"):
    """Elements at places in C order, or along an axis. mode: what becomes of places that are not there, "raise"
    (IndexError), "wrap" or "clip"."""
    return _indexing.take(self, indices, out, axis=axis, mode=mode)


def choose(self, choices, out=None, mode="raise"):
    """numpy.choose(): of each of the arrays `choices` the elements that this one has the number of."""
    return np.choose(self, choices, out, mode)


def compress(self, condition, axis=None, out=None):
    """numpy.compress(): the slices along an axis where a condition is true. Waits for the device."""
    return np.compress(condition, self, axis, out)


def tobytes(self, order="C"):
    """The bytes of the elements, on the host."""
    return self.get().tobytes(order)


def in_format(self, spec):
    return format(self.item() if spec and self.ndim == 0 else str(self), spec)


def contains(self, value):
    found = self == value
    return bool(found.any()) if isinstance(found, GPUArray) else found


def get_async(self, stream=None, ary=None):
    """get() into page-locked memory that returns before the stream has done the copy; into an
    ordinary array the driver may wait. CUDA: cuMemcpyDtoHAsync."""
    return self.get(ary, True, True, stream)


def set_async(self, ary, stream=None):
    """set() that returns before the stream has done the copy. CUDA: cuMemcpyHtoDAsync."""
    self.set(ary, True, stream)


# -- Other shapes ----------------------------------------------------------------------------------


def set_flat(self, value):
    FlatIterator(self)[...] = value


def flatten(self, order="C"):
    """A copy of all elements along one axis."""
    return self.copy(order=order).ravel(order)


def squeeze(self, axis=None):
    """A view without axes of length one: all of them, or those of `axis`, an integer or a tuple."""
    axes = [i for i, n in enumerate(self.shape) if n == 1] if axis is None else \
        _reductions.reduced_axes(axis, self.ndim)
    if any(self.shape[i] != 1 for i in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return self[tuple(0 if i in axes else slice(None) for i in range(self.ndim))]


def swapaxes(self, axis1, axis2):
    """A view with two axes interchanged."""
    axes = list(range(self.ndim))
    one, two = (axis_of(axis, self.ndim) for axis in (axis1, axis2))
    axes[one], axes[two] = two, one
    return self.transpose(axes)


def diagonal(self, offset=0, axis1=0, axis2=1):
    """A view of the diagonals of the matrices that two axes make, along a new last axis."""
    one, two = (axis_of(axis, self.ndim) for axis in (axis1, axis2))
    if one == two:
        raise ValueError("axis1 and axis2 cannot be the same")
    down, right = max(-offset, 0), max(offset, 0)
    length = max(min(self.shape[one] - down, self.shape[two] - right), 0)
    others = [i for i in range(self.ndim) if i not in (one, two)]
    return _native._look(self, (*(self.shape[i] for i in others), length),
                         (*(self.strides[i] for i in others), self.strides[one] + self.strides[two]),
                         down * self.strides[one] + right * self.strides[two])


def reverse(self, stream=None):
    """A copy with the elements in reverse order, as a one-dimensional array."""
    return self.ravel()[::-1].copy(stream)


def _repeated(repeats, length):
    """The places of `length` elements, each as often as `repeats`, an array on the device, says."""
    if repeats.dtype.kind not in "iu":
        raise TypeError(f"repeats: expected integers, got {repeats.dtype}")
    if repeats.shape not in ((), (1,), (length,)):
        raise ValueError(f"repeats: expected a number or {length} of them, got shape {repeats.shape}")
    if not length:
        return arange(0)
    least = int(_native.min(repeats).get())
    if least < 0:
        raise ValueError(f"repeats: {least} is negative")
    ends = _reductions.accumulate("add", broadcast_to(repeats, (length,)), dtype=np.int64)
    return searchsorted(ends, arange(int(ends[-1].get())), "right")


def repeat(self, repeats, axis=None):
    """Each element several times, one after the other: a number of times, or one for each place
    along the axis."""
    array = self.ravel() if axis is None or not self.ndim else self
    axis = 0 if axis is None else axis_of(axis, array.ndim)
    repeats = _native._fixed(repeats)
    if isinstance(repeats, GPUArray):
        return _indexing.take(array, _repeated(repeats, array.shape[axis]), axis=axis)
    if np.ndim(repeats):
        return _indexing.take(array, np.repeat(np.arange(array.shape[axis]), repeats), axis=axis)
    before, after = array.shape[:axis + 1], array.shape[axis + 1:]
    spread = broadcast_to(array.reshape((*before, 1, *after)), (*before, repeats, *after))
    return spread.copy(order="C").reshape((*before[:-1], before[-1] * repeats, *after))


# -- Other values ----------------------------------------------------------------------------------


def part(name):
    def get(self):
        if self.dtype.kind != "c":
            return self if name == "REAL" else _native.zeros_like(self)
        real = np.empty(0, self.dtype).real.dtype
        return _native._operate(name, (self,), (real, self.dtype))

    def put(self, value):
        if self.dtype.kind == "c":
            real = np.empty(0, self.dtype).real.dtype
            _native._look(self, self.shape, self.strides, real.itemsize * (name == "IMAG"),
                          real)[...] = value
        elif name == "REAL":
            self[...] = value
        else:
            raise TypeError("array does not have imaginary part to set")

    return get, put


def kind_of(x):
    """What resolve_dtypes takes for an operand."""
    if type(x) in (int, float, complex):
        return type(x)
    return x.dtype if isinstance(x, GPUArray) else np.asarray(_native._fixed(x)).dtype


@functools.cache
def _kind_of_products(*factors):
    """The dtype of a sum of two products."""
    products = [np.multiply.resolve_dtypes((*pair, None))[2] for pair in (factors[:2], factors[2:])]
    return np.add.resolve_dtypes((*products, None))[2]


def mul_add(self, selffac, other, otherfac, add_timer=None, stream=None, out=None):
    """selffac * self + otherfac * other in one pass. add_timer is ignored."""
    kind = _kind_of_products(kind_of(selffac), self.dtype, kind_of(otherfac), other.dtype)
    return _native._operate("COMBINE", (self, selffac, other, otherfac), (kind,) * 5, out, stream)


_LIMITS = {letter: (np.iinfo(letter).min, np.iinfo(letter).max) for letter in np.typecodes["AllInteger"]}


def clip(self, min=None, max=None, out=None):
    """Elements that are below `min` or above `max` set to those."""
    if limits := _LIMITS.get(self.dtype.char):  # what no element can pass
        min = None if type(min) is int and min <= limits[0] else min
        max = None if type(max) is int and max >= limits[1] else max
    if min is not None and max is not None:
        return _native._clip(self, min, max, out)
    if min is not None:
        return _native.maximum(self, min, out)
    return _reductions.finish(self.copy(), [], True, out) if max is None else _native.minimum(self, max, out)


def round(self, decimals=0, out=None):
    """Elements rounded to so many decimals, halves to the even one. TypeError: bools have no decimals."""
    if self.dtype == bool and decimals:
        raise TypeError(f"round: bools have no decimals, got decimals={decimals}; .astype(float) has them")
    if self.dtype.kind in "iu" and decimals >= 0:
        result = self.copy()
    else:
        scale = 10.0 ** abs(decimals)
        result = self * scale if decimals > 0 else self / scale if decimals else self
        result = _native._ufunc("rint", (result,))
        result = result / scale if decimals > 0 else result * scale if decimals else result
    if self.dtype.kind in "iu":
        result = result.astype(self.dtype)
    return _reductions.finish(result, [], True, out)


# -- Reductions, with parameters in the order that NumPy's methods have ----------------------------


def reduction(function, ufunc, neutral, has_dtype):
    """A function that reduces an array as a method, which takes a mask and a first value, too. That
    value does not decide the dtype, but that of `out` does."""

    def reduce(self, axis, out, keepdims, initial, where, **kwargs):
        if initial is not None and isinstance(out, GPUArray) and kwargs.get("dtype") is None and (
                (has_dtype or neutral is None) and self.dtype.kind in "biu" and out.dtype.kind in "fc"):
            self = self.astype(np.result_type(self.dtype, out.dtype))
        if neutral is None and initial is not None:
            initial = _native.full((), initial, self.dtype)
            if not self.size:
                axes = _reductions.reduced_axes(axis, self.ndim)
                shape = [1 if i in axes else n for i, n in enumerate(self.shape)]
                return _reductions.finish(_native.full(shape, initial, self.dtype), axes, keepdims, out, "unsafe")
        first = initial if neutral is None else neutral
        if where is not True:
            if first is None:
                raise ValueError(f"reduction operation '{ufunc}' does not have an identity, so to "
                                 "use a where mask one has to specify 'initial'")
            self = _native.where(_reductions.mask_of(self, where), self, first)
        if initial is None:
            return function(self, axis=axis, out=out, keepdims=keepdims, **kwargs)
        result = function(self, axis=axis, keepdims=keepdims, **kwargs)
        initial = _native.full((), initial, result.dtype)
        return _reductions.finish(_native._ufunc(ufunc, (result, initial)), [], True, out, "unsafe")

    def method(self, axis=None, out=None, keepdims=False, initial=None, where=True):
        if initial is None and where is True:
            return function(self, axis=axis, out=out, keepdims=keepdims)
        return reduce(self, axis, out, keepdims, initial, where)

    def method_with_dtype(self, axis=None, dtype=None, out=None, keepdims=False, initial=None,
                          where=True):
        if initial is None and where is True:
            return function(self, dtype, axis=axis, out=out, keepdims=keepdims)
        return reduce(self, axis, out, keepdims, initial, where, dtype=dtype)

    method = method_with_dtype if has_dtype else method
    method.__doc__ = function.__doc__
    return method


def accumulation(ufunc):
    def method(self, axis=None, dtype=None, out=None):
        array = self.ravel() if axis is None or not self.ndim else self
        axis = 0 if axis is None else axis_of(axis, array.ndim)
        return _reductions.accumulate(ufunc, array, axis, dtype, out)
    method.__doc__ = f"numpy.{ufunc}.accumulate along an axis, or of all elements in C order."
    return method


def trace(self, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """The sum of the diagonal."""
    return self.diagonal(offset, axis1, axis2).sum(-1, dtype, out)


def expect_fit(out, dtype):
    """TypeError or ValueError for an out of products that is none of that dtype in C order."""
    if not isinstance(out, GPUArray):
        raise TypeError(f"dot: expected a GPUArray as out, got {type(out).__name__}")
    if out.dtype != dtype or not out.flags.c_contiguous:
        raise ValueError(f"dot: expected an out of dtype {dtype} in C order, got dtype {out.dtype}, shape {out.shape} and "
                         f"strides {out.strides}")


def dot(self, other, out=None):
    """What numpy.dot gives: the inner product of vectors, the product of matrices, and otherwise sums
    along the last axis of the one and the last but one of the other for all combinations of their
    other axes. ValueError for an `out` of another dtype than theirs, or not in C order."""
    self, other = (x if hasattr(x, "ndim") else np.asarray(_native._fixed(x)) for x in (self, other))
    if out is not None:
        expect_fit(out, np.result_type(self.dtype, other.dtype))
    if 0 not in (self.ndim, other.ndim):
        self, other = (on_device(x) if isinstance(x, np.ndarray) else x for x in (self, other))
    if self.ndim == other.ndim == 1 and out is None:
        return _native.dot(self, other)
    if 0 in (self.ndim, other.ndim):
        if out is not None and out.shape != self.shape + other.shape:
            raise ValueError(f"output array has shape {out.shape}, the result {self.shape + other.shape}")
        return _native._ufunc("multiply", (self, other), out)
    if self.ndim < 2 or other.ndim < 3:
        return _reductions.matmul(self, other, out)
    length, first = self.shape[-1], (other.ndim - 2, *range(other.ndim - 2), other.ndim - 1)
    rest = other.shape[:-2] + other.shape[-1:]
    if other.shape[-2] != length:
        raise ValueError(f"dot: shapes {self.shape} and {other.shape} do not fit: {length} is not "
                         f"{other.shape[-2]}")
    result = _reductions.matmul(self.reshape(math.prod(self.shape[:-1]), length),
                                other.transpose(first).reshape(length, math.prod(rest)))
    return _reductions.finish(result.reshape(self.shape[:-1] + rest), [], True, out)


def matmul(self, other):
    return _reductions.matmul(self, other) if isinstance(other, GPUArray) else NotImplemented


# -- Order: with files that are imported when they are first needed --------------------------------


def sort(self, axis=-1, kind=None, order=None, *, stable=None, descending=None):
    """Sorts the array itself along an axis; otherwise like numpy.sort, which makes a copy."""
    from pycuda._sorting import sort_in_place

    sort_in_place(self, axis, kind, order, stable=stable, descending=descending)


def argsort(self, axis=-1, kind=None, order=None, *, stable=None, descending=None):
    """Where the elements of numpy.sort() are along the axis, as int64."""
    from pycuda import _sorting

    return _sorting.argsort(self, axis, kind, order, stable=stable, descending=descending)


def partition(self, kth, axis=-1, kind="introselect", order=None, *, descending=None):
    """Partitions the array itself: sort(), in fact. ValueError for a place that is not there."""
    from pycuda._sorting import partition_in_place

    partition_in_place(self, kth, axis, kind, order, descending=descending)


def argpartition(self, kth, axis=-1, kind="introselect", order=None, *, descending=None):
    """Where the elements of numpy.partition() are along the axis: argsort(), in fact."""
    from pycuda import _sorting

    return _sorting.argpartition(self, kth, axis, kind, order, descending=descending)


def searchsorted(self, v, side="left", sorter=None):
    """Before which elements of this sorted array those of `v` belong, as numpy.searchsorted gives them."""
    from pycuda import _sets

    return _sets.searchsorted(self, v, side, sorter)


for function in (item, tolist, tobytes, get_async, set_async, take, choose, compress, flatten, squeeze, swapaxes,
                 diagonal, reverse, repeat, mul_add, clip, round, trace, dot, sort,
                 argsort, partition, argpartition, searchsorted):
    setattr(GPUArray, function.__name__, function)
for function in (_indexing.put, _indexing.nonzero, _reductions.any, _reductions.all,
                 _reductions.argmax, _reductions.argmin, _reductions.mean, _reductions.var, _reductions.std):
    setattr(GPUArray, function.__name__, function)
GPUArray.sum = reduction(_reductions.sum, "add", 0, True)
GPUArray.prod = reduction(_reductions.prod, "multiply", 1, True)
GPUArray.max = reduction(_reductions.max, "maximum", None, False)
GPUArray.min = reduction(_reductions.min, "minimum", None, False)
GPUArray.cumsum, GPUArray.cumprod = accumulation("add"), accumulation("multiply")
GPUArray.real = property(*part("REAL"), doc="Real parts, a new array; of real numbers, itself.")
GPUArray.imag = property(*part("IMAG"), doc="Imaginary parts, a new array.")
GPUArray.flat = property(FlatIterator, set_flat, doc="The elements in C order, to read and write by their number.")
GPUArray.__copy__, GPUArray.conjugate = GPUArray.copy, GPUArray.conj
GPUArray.__deepcopy__ = lambda self, memo: self.copy()
GPUArray.__reduce__ = lambda self: (_native.to_gpu, (self.get(),))
GPUArray.__complex__ = lambda self: complex(self.item())
GPUArray.__format__, GPUArray.__contains__ = in_format, contains
GPUArray.__matmul__ = matmul
GPUArray.__array__ = _interop.array
GPUArray._repr_html_ = _html.of_array
GPUArray.__cuda_array_interface__ = property(_interop.interface)
