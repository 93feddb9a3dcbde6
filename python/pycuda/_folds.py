"""The methods of NumPy's ufuncs for any ufunc of two operands: reduce, accumulate, reduceat and at. What has no kernel
of its own in src/kernels is folded here, each result by one thread, in the order of the elements, so that
operations need be neither associative nor commutative."""

import functools
import math

import numpy as np

from pycuda import _indexing, _native
from pycuda._creation import arange, on_device, stack
from pycuda._native import GPUArray
from pycuda._reductions import axes_of, finish, mask_of, reduced_axes, scanned
from pycuda._sorting import sort_rows

_PLACE = np.dtype(np.int64)
_REORDERABLE = ("maximum", "minimum", "fmax", "fmin", "lcm")  # besides those that have an identity
_FEW, _LONG = 64, 4096  # stretches that are reduced one after the other, by many threads each
_IN_PARALLEL = ("add", "multiply", "maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or", "bitwise_and",
                "bitwise_or", "bitwise_xor")
# Rows of operations.def that change elements of a table, in any order of threads.
_ATOMIC = {"add": "AT_ADD", "multiply": "AT_MULTIPLY", "maximum": "AT_MAXIMUM", "minimum": "AT_MINIMUM",
           "bitwise_and": "AT_AND", "bitwise_or": "AT_OR", "bitwise_xor": "AT_XOR"}


def _ctype(dtype):
    from pycuda.tools import dtype_to_ctype

    return dtype_to_ctype(dtype).replace("long", "long long")  # as operations have it


def _computed(dtype):
    """The type of C in which operations compute: numbers of 16 bits in float."""
    return "float" if dtype.itemsize == 2 and dtype.kind not in "iu" else _ctype(dtype)


def _operation(name, types):
    """C++: a function `fold` of the operands of an operation."""
    z, *inputs = (_computed(one) for one in (types[-1], *types[:-1]))
    declared = ", ".join(f"{one} {letter}" for one, letter in zip(inputs, "ab", strict=False))
    return f"auto fold = []({declared}) {{ {z} z; {_native._code(name)}; return z; }};"


@functools.cache
def _folding(name, types, is_running, has_mask, has_first):
    """The kernel of folds of stretches. x is of shape (outer, n, inner); of stretch s of `count` the elements begins[s]
    to ends[s] are taken, at least one unless there is a mask or a first value."""
    from pycuda.elementwise import ElementwiseKernel
    from pycuda.tools import ScalarArg, VectorArg

    value, taken = _computed(types[0]), _computed(types[1])
    store = f"z[%s] = pycuda::convert<{_ctype(types[0])}>(sum)"
    store_running = f"if (pycuda_k >= from) {store % 'at + pycuda_k * inner'};" if is_running else ""
    test = "if (mask[at + pycuda_k * inner])" if has_mask else ""
    first = "sum = first;" if has_first else f"""sum = pycuda::convert<{value}>(x[at + from * inner]);
        {store % "at + from * inner" if is_running else ""}; from++;"""
    code = f"""
        {_operation(name, types)}
        long long column = i % inner, rest = i / inner;
        long long s = rest % count, at = rest / count * length * inner + column;
        long long from = begins[s], to = ends[s];
        {value} sum;
        {first}
        for (long long pycuda_k = from; pycuda_k < to; pycuda_k++)
            {test} {{
                sum = fold(sum, pycuda::convert<{taken}>(x[at + pycuda_k * inner]));
                {store_running}
            }}
        {'' if is_running else store % 'i'}"""
    arguments = [VectorArg(types[0], "z"), VectorArg(types[1], "x"), VectorArg(_PLACE, "begins"),
                 VectorArg(_PLACE, "ends"), *(ScalarArg(_PLACE, one) for one in ("count", "length", "inner"))]
    if has_mask:
        arguments.append(VectorArg(bool, "mask"))
    if has_first:
        arguments.append(ScalarArg(types[0], "first"))
    return ElementwiseKernel(arguments, code, "pycuda_fold", options=["-fmad=false"])


def _types(ufunc, dtype, kind):
    """(dtype of results, dtype of elements) of folds; TypeError where NumPy has none."""
    asked = {} if dtype is None else {"signature": (np.dtype(dtype), None, None)}
    found = ufunc.resolve_dtypes((None, kind, None), reduction=True, casting="unsafe", **asked)
    if found[0] != found[2]:
        raise TypeError(f"ufunc '{ufunc.__name__}' has no reduction of elements of dtype {kind}")
    return found[2], found[1]


def _expect_binary(ufunc, method):
    if ufunc.nin != 2:
        raise ValueError(f"{method} only supported for binary functions")
    if ufunc.nout != 1:
        raise ValueError(f"{method} only supported for functions returning a single value")


def _dense(x, dtype):
    x = x.astype(dtype, copy=False)
    return x if x.flags.c_contiguous else x.copy(order="C")


def _fold(ufunc, rows, types, starts, stops, mask=None, first=None):
    """Folds stretches of an array of shape (outer, n, inner): (outer, stretches, inner)."""
    outer, n, inner = rows.shape
    result = _native._empty((outer, len(starts), inner), types[0])
    if result.size:
        kernel = _folding(ufunc.__name__, (types[0], types[1], types[0]), False, mask is not None, first is not None)
        extra = [*([] if mask is None else [mask]), *([] if first is None else [first])]
        kernel(result, _dense(rows, types[1]), _native.to_gpu(starts), _native.to_gpu(stops), len(starts), n, inner,
               *extra)
    return result


def _element(value, dtype):
    """A value as a number of that dtype, by the rules and with the errors of NumPy's assignment to an element."""
    cell = np.empty((), dtype)
    cell[()] = value.get() if isinstance(value, GPUArray) else value
    return cell[()]


def _shaped(x, axis):
    return x.reshape(math.prod(x.shape[:axis]), x.shape[axis], math.prod(x.shape[axis + 1:]))


def reduce(ufunc, a, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """ufunc.reduce(): of all elements along the axes what the operation makes of the first and the second, of that and
    the third, and so on. ValueError for several axes where their order would matter."""
    _expect_binary(ufunc, "reduce")
    a = on_device(a)
    axes = reduced_axes(axis, a.ndim)
    if ufunc.identity is None and ufunc.__name__ not in _REORDERABLE and len(axes) > 1:
        raise ValueError(f"reduction operation '{ufunc.__name__}' is not reorderable, so at most one axis may be "
                         "specified")
    types = _types(ufunc, dtype, a.dtype)
    others = [i for i in range(a.ndim) if i not in axes]
    length = math.prod(a.shape[i] for i in axes)
    has_mask = where is not True
    first = initial
    if first is None:
        first = ufunc.identity  # which makes |x| of one x in gcd and hypot
        if first is None and (has_mask or not length):
            raise ValueError(f"zero-size array to reduction operation {ufunc.__name__} which has no identity"
                             if not has_mask else f"reduction operation '{ufunc.__name__}' does not have an identity, "
                             "so to use a where mask one has to specify 'initial'")
    rows, mask = a.transpose([*others, *axes]), None
    if has_mask:
        mask = np.broadcast_to(mask_of(a, where), a.shape).transpose([*others, *axes]).copy(order="C")
    rows = _dense(rows, types[1]).reshape(math.prod(a.shape[i] for i in others), length, 1)
    if first is not None:
        first = np.asarray(first).astype(types[0])[()] if initial is None else _element(initial, types[0])
    result = _fold(ufunc, rows, types, np.zeros(1, np.int64), np.full(1, length), mask, first)
    return finish(result.reshape([1 if i in axes else n for i, n in enumerate(a.shape)]), axes, keepdims, out, "unsafe")


def accumulate(ufunc, a, axis=0, dtype=None, out=None):
    """ufunc.accumulate(): what reduce() gives of the first elements along an axis, of each number of them."""
    _expect_binary(ufunc, "accumulate")
    a = on_device(a)
    if a.ndim == 0:
        raise TypeError("cannot accumulate on a scalar")
    axis, = axes_of(axis, a.ndim)
    types = _types(ufunc, dtype, a.dtype)
    if ufunc.__name__ in (*_IN_PARALLEL, "logical_xor"):
        return finish(scanned(ufunc.__name__, a, axis, types[0], out), [], True, out, "unsafe")
    rows = _shaped(_dense(a, types[1]), axis)
    outer, n, inner = rows.shape
    result = _native._empty(rows.shape, types[0])
    if result.size:
        kernel = _folding(ufunc.__name__, (types[0], types[1], types[0]), True, False, False)
        ends = _native.to_gpu(np.array([0, n]))
        kernel(result, rows, ends[:1], ends[1:], 1, n, inner, range=slice(outer * inner))
    return finish(result.reshape(a.shape), [], True, out, "unsafe")


def reduceat(ufunc, array, indices, axis=0, dtype=None, out=None):
    """ufunc.reduceat(): of the elements along an axis from each index up to the next one, or the end, what reduce()
    gives; the element itself where the next index is not greater. IndexError for one that is not there."""
    _expect_binary(ufunc, "reduceat")
    array = on_device(array)
    if array.ndim == 0:
        raise TypeError("cannot reduceat on a scalar")
    axis, = axes_of(axis, array.ndim)
    given = np.asarray(indices.get() if isinstance(indices, GPUArray) else _native._fixed(indices))
    if given.ndim != 1:
        raise ValueError("reduceat: indices have to be of one axis")
    if isinstance(indices, (GPUArray, np.ndarray)) and not np.can_cast(given.dtype, _PLACE, "safe"):
        raise TypeError(f"Cannot cast array data from {given.dtype!r} to {_PLACE!r} according to the rule 'safe'")
    n, starts = array.shape[axis], given.astype(_PLACE)
    wrong = (starts < 0) | (starts >= n)
    if wrong.any():
        raise IndexError(f"index {starts[wrong][0]} out-of-bounds in {ufunc.__name__}.reduceat [0, {n})")
    stops = np.append(starts[1:], n)[:len(starts)]
    stops = np.where(stops <= starts, starts + 1, stops)
    types = _types(ufunc, dtype, array.dtype)
    if 0 < len(starts) <= _FEW and int((stops - starts).min()) >= _LONG and ufunc.__name__ in _IN_PARALLEL:
        part = (slice(None),) * axis
        parts = [ufunc.reduce(array[(*part, slice(int(one), int(end)))], axis, dtype)
                 for one, end in zip(starts, stops, strict=True)]
        return finish(stack(parts, axis), [], True, out, "unsafe")
    result = _fold(ufunc, _shaped(_dense(array, types[1]), axis), types, starts, stops)
    return finish(result.reshape((*array.shape[:axis], len(starts), *array.shape[axis + 1:])), [], True, out, "unsafe")


# -- At places -------------------------------------------------------------------------------------


@functools.cache
def _changing(name, types, kind):
    """The kernel that changes elements of a table: thread i does all of the sorted places that are equal to number i,
    if that is the first of them."""
    from pycuda.elementwise import ElementwiseKernel
    from pycuda.tools import ScalarArg, VectorArg

    is_unary = len(types) == 2
    value, stored = _computed(types[0]), _ctype(kind)
    operand = "" if is_unary else f", pycuda::convert<{_computed(types[1])}>(b[is_one ? 0 : order[k]])"
    code = f"""
        {_operation(name, types)}
        long long place = places[i];
        if (i == 0 || places[i - 1] != place) {{
            {stored} held = t[place];
            for (long long k = i; k < count && places[k] == place; k++)
                held = pycuda::convert<{stored}>(fold(pycuda::convert<{value}>(held){operand}));
            t[place] = held;
        }}"""
    arguments = [VectorArg(_PLACE, "places"), VectorArg(_PLACE, "order"), VectorArg(kind, "t"),
                 ScalarArg(_PLACE, "count"), ScalarArg(_PLACE, "is_one")]
    if not is_unary:
        arguments.insert(3, VectorArg(types[1], "b"))
    return ElementwiseKernel(arguments, code, "pycuda_at", options=["-fmad=false"])


def _add_complex(flat, places, values):
    """Sums of complex numbers for which no atomic operation has room, part by part."""
    real = flat.real.dtype
    parts = _dense(np.broadcast_to(values.astype(flat.dtype), places.shape), flat.dtype).view(real)
    both = places.reshape((-1, 1)) * 2 + _native.to_gpu(np.arange(2))
    _native._operate("AT_ADD", (both.ravel(), parts.ravel(), flat.view(real), 0), (_PLACE, real, real, _PLACE))


def at(ufunc, a, indices, b=None):
    """ufunc.at(): changes the elements of `a` at the places that an index names to what the operation makes of them
    and `b`, as often as they are named. Sums and products of floating-point numbers are rounded in no certain
    order. Waits for the device."""
    if not isinstance(a, GPUArray):
        raise TypeError("first operand must be array")
    if ufunc.nout != 1:
        raise ValueError("Only single output ufuncs supported at this time")
    if (b is None) != (ufunc.nin == 1):
        raise ValueError("second operand needed for ufunc" if b is None else
                         "second operand provided when ufunc is unary")
    values = None if b is None else on_device(b)  # here a number of Python's has a dtype of its own
    types = ufunc.resolve_dtypes((a.dtype, *(() if b is None else (values.dtype,)), None))
    if isinstance(b, (int, float, complex)) and _computes_the_same(ufunc.__name__, np.asarray(b), a.dtype):
        types = (a.dtype,) * 3
    view, places = _located(a, indices)
    flat = view.ravel()
    if b is not None and np.broadcast_shapes(values.shape, places.shape) != places.shape:
        raise ValueError(f"array is not broadcastable to correct shape: {values.shape} to {places.shape}")
    if not places.size:
        return
    _change(ufunc, flat, places, values, types)
    if not view.flags.c_contiguous:
        view[...] = flat.reshape(view.shape)


def _computes_the_same(name, number, dtype):
    """Whether an operation with this number in the array's own dtype gives what it gives in a wider one, rounded."""
    kinds = "biufc"
    if dtype.kind not in kinds[1:] or name not in (*_ATOMIC, "subtract") or number.dtype.kind not in kinds:
        return False
    with np.errstate(all="ignore"):
        return kinds.index(number.dtype.kind) <= kinds.index(dtype.kind) and bool(number.astype(dtype) == number)


def _located(a, indices):
    """(a view, the places of its elements in C order that the index names)"""
    names_places = any(_indexing._as_index(one) is not None for one in
                       (indices if isinstance(indices, tuple) else (indices,)))
    if names_places:
        return _indexing._locate(a, indices)
    view = a[indices]
    return view, arange(view.size, dtype=_PLACE).reshape(view.shape)


def _change(ufunc, flat, places, values, types):
    name, kind = ufunc.__name__, flat.dtype
    if name == "subtract" and all(one == kind for one in types) and kind != bool:
        name, values = "add", -values.astype(kind)
    if name in _ATOMIC and all(one == kind for one in types):
        if kind.itemsize <= 8 and int(flat.gpudata) % kind.itemsize == 0:
            _native._operate(_ATOMIC[name], (places, values, flat, 0), (_PLACE, kind, kind, _PLACE))
            return
        if name == "add":
            _add_complex(flat, places, values)
            return
    shape, places = places.shape, places.ravel()
    places, order = sort_rows(places, None, True)
    is_one = values is None or values.size == 1
    operands = () if values is None else (_dense(values if is_one else np.broadcast_to(values, shape),
                                                 types[1]).ravel(),)
    _changing(ufunc.__name__, tuple(types), kind)(places, order, flat, *operands, places.size, int(is_one))
