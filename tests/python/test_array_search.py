"""Hypothesis searches for operations on views that GPU arrays do otherwise than NumPy.

What is drawn is how arrays lie, overlap and broadcast; test_array_table.py has all operations and all
dtypes, so a few of them are enough here, and few kernels are compiled. `PYCUDA_SEARCH=30000 pytest
tests/python/test_array_search.py` tries that many examples, other ones each time."""

import operator
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pycuda import gpuarray
from pycuda.gpuarray import GPUArray, to_gpu

EXAMPLES = int(os.environ.get("PYCUDA_SEARCH", "0"))
search = settings(
    max_examples=EXAMPLES or 50, derandomize=not EXAMPLES, database=None, deadline=None,
    suppress_health_check=list(HealthCheck))
pytestmark = [pytest.mark.usefixtures("context"), pytest.mark.timeout(1800 + EXAMPLES)]

DTYPES = st.sampled_from("fi?dF")
LENGTHS = st.sampled_from([0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 33])
SHAPES = st.lists(LENGTHS, max_size=4).filter(lambda shape: np.prod(shape) < 3000).map(tuple)
UNARY = st.sampled_from(["negative", "sqrt", "logical_not", "square"])
BINARY = st.sampled_from(["add", "subtract", "multiply", "less", "maximum"])
FAULTS = (TypeError, ValueError, IndexError)


class Pair:
    """An array of NumPy's and one on the device with the same elements, and what both look into."""

    def __init__(self, host, device, roots):
        self.host, self.device, self.roots = host, device, roots

    def seen(self, how):
        return Pair(how(self.host), how(self.device), self.roots)


def numbers(shape, char, seed):
    """Small whole numbers, so that sums are exact in every order."""
    values = np.random.default_rng(seed).integers(-4, 9, shape)
    return np.asarray(values + 1j * values[::-1] if char == "F" and values.ndim else values).astype(char)


def pair_of(host, order="C"):
    host = np.array(host, order=order)
    device = to_gpu(host)
    return Pair(host, device, (host, device))


def spread(array, axis, length):
    """An axis of length one read again and again, with a stride of zero."""
    shape, strides = list(array.shape), list(array.strides)
    shape[axis], strides[axis] = length, 0
    if isinstance(array, GPUArray):
        return GPUArray(tuple(shape), array.dtype, gpudata=array.ptr, base=array,
                        strides=tuple(strides)) if array.size and length else array
    return np.lib.stride_tricks.as_strided(array, shape, strides) if array.size and length else array


@st.composite
def slices(draw, length):
    bound = st.one_of(st.none(), st.integers(-length - 1, length + 1))
    return slice(draw(bound), draw(bound), draw(st.sampled_from([None, 1, 2, 3, -1, -2])))


@st.composite
def indices(draw, shape):
    """Basic indexing: numbers, slices, None and an ellipsis."""
    items = []
    for length in shape:
        if draw(st.booleans()) or not length:
            items.append(draw(slices(length)))
        else:
            items.append(draw(st.one_of(st.just(slice(None)), st.integers(-length, length - 1))))
    if draw(st.booleans()):
        items.insert(draw(st.integers(0, len(items))), None)
    if draw(st.booleans()):
        at = draw(st.integers(0, len(items)))
        del items[at:draw(st.integers(at, len(items)))]
        items.insert(at, Ellipsis)
    return tuple(items)


@st.composite
def views(draw, pair, writable=False):
    """A view of a view of ... that pair."""
    for _ in range(draw(st.integers(0, 3))):
        way = draw(st.sampled_from(["index", "transpose", "spread", "squeeze"]))
        shape = pair.host.shape
        if way == "index":
            index = draw(indices(shape))
            pair = pair.seen(lambda a, index=index: a[(*index, ...)] if Ellipsis not in index else a[index])
        elif way == "transpose":
            axes = draw(st.permutations(range(len(shape))))
            pair = pair.seen(lambda a, axes=tuple(axes): a.transpose(axes))
        elif way == "squeeze":
            pair = pair.seen(lambda a: a.squeeze())
        elif 1 in shape and not writable:
            axis, length = shape.index(1), draw(st.integers(2, 5))
            pair = pair.seen(lambda a, axis=axis, length=length: spread(a, axis, length))
    return pair


@st.composite
def arrays(draw, char=None, shape=None, writable=False):
    base = numbers(draw(SHAPES) if shape is None else shape, char or draw(DTYPES),
                   draw(st.integers(0, 99)))
    pair = pair_of(base, draw(st.sampled_from("CF")))
    return draw(views(pair, writable)) if shape is None else pair


@st.composite
def partners(draw, shape):
    """What broadcasts with that shape, mostly, and lies anyhow."""
    shape = [1 if draw(st.integers(0, 4)) == 0 else n for n in shape]
    shape = shape[draw(st.integers(0, 1)) if shape else 0:]
    if draw(st.integers(0, 5)) == 0:
        shape = [draw(LENGTHS), *shape]
    if np.prod(shape) > 5000:
        shape = shape[-1:]
    axes = draw(st.permutations(range(len(shape))))
    steps = [draw(st.sampled_from([1, 1, 2, -1, -2])) for _ in shape]
    wide = [abs(step) * shape[axis] for step, axis in zip(steps, axes, strict=True)]
    pair = pair_of(numbers(wide, draw(DTYPES), draw(st.integers(0, 99))))
    pair = pair.seen(lambda a: a[(*(slice(None, None, step) for step in steps), ...)])
    return pair.seen(lambda a: a.transpose(tuple(np.argsort(axes))))


def outcome(function, *operands):
    try:
        with np.errstate(all="ignore"):
            return function(*operands)
    except FAULTS as error:
        return error


def check(function, *pairs):
    """The function on NumPy's arrays and on the device's: results, dtypes, faults, and all that the
    arrays look into."""
    wanted = outcome(function, *(pair.host for pair in pairs))
    got = outcome(function, *(pair.device for pair in pairs))
    if isinstance(wanted, Exception) or isinstance(got, Exception):
        # of two faults each may find another first
        assert isinstance(wanted, Exception) and isinstance(got, Exception), (wanted, got)
        return
    parts = zip(wanted, got, strict=True) if isinstance(wanted, tuple) else [(wanted, got)]
    for wanted, got in [*parts, *(pair.roots for pair in pairs)]:
        if wanted is None:
            continue
        wanted = np.asarray(wanted)
        assert isinstance(got, GPUArray)
        assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
        if wanted.dtype.kind in "fc":
            assert np.allclose(got.get(), wanted, 1e-5, 1e-6, equal_nan=True)
        else:
            assert np.array_equal(got.get(), wanted)


@search
@given(st.data())
def test_functions(data):
    x = data.draw(arrays())
    if data.draw(st.booleans()):
        check(getattr(np, data.draw(UNARY)), x)
    else:
        check(getattr(np, data.draw(BINARY)), x, data.draw(partners(x.host.shape)))


def fill(array):
    array.fill(3)


@search
@given(st.data())
def test_results_into_views(data):
    """out=, in place, and assignment, into views that may overlap with what is read."""
    root = pair_of(numbers(data.draw(SHAPES), data.draw(DTYPES), 0), data.draw(st.sampled_from("CF")))
    to = data.draw(views(root, writable=True))
    source = data.draw(views(root)) if data.draw(st.booleans()) else data.draw(partners(to.host.shape))
    way = data.draw(st.sampled_from(["out", "in place", "assign", "assign a part", "fill"]))
    if way == "out":
        ufunc = getattr(np, data.draw(BINARY))
        check(lambda to, a: ufunc(a, a, out=to), to, source)
    elif way == "in place":
        function = data.draw(st.sampled_from([operator.iadd, operator.imul, operator.isub]))
        check(function, to, source)
    elif way == "fill":
        check(fill, to)
    else:
        index = data.draw(indices(to.host.shape)) if way == "assign a part" else ()
        # with the ellipsis one element is an array, too, and no scalar
        index = index if Ellipsis in index else (*index, ...)
        check(lambda to, a: operator.setitem(to, index, a), to, source)


@search
@given(st.data())
def test_reductions(data):
    x = data.draw(arrays(data.draw(st.sampled_from("fi?"))))
    name = data.draw(st.sampled_from(["sum", "prod", "max", "min", "any", "all", "mean", "argmax",
                                      "argmin", "var"]))
    ndim, axis = x.host.ndim, None
    if ndim and data.draw(st.booleans()):
        axis = data.draw(st.integers(-ndim - 1, ndim))
        if not name.startswith("arg") and data.draw(st.booleans()):
            axis = tuple(data.draw(st.lists(st.integers(-ndim, ndim - 1), max_size=3)))
    keepdims = data.draw(st.booleans())
    check(lambda a: getattr(np, name)(a, axis=axis, keepdims=keepdims), x)


@search
@given(st.data())
def test_shapes(data):
    x = data.draw(arrays(data.draw(st.sampled_from("fi"))))
    way = data.draw(st.sampled_from(["reshape", "ravel", "copy", "astype", "get"]))
    order = data.draw(st.sampled_from("CF"))
    if way == "reshape":
        shape = list(data.draw(st.permutations(x.host.shape)))
        if shape and data.draw(st.booleans()):
            shape[data.draw(st.integers(0, len(shape) - 1))] = -1
        if len(shape) > 1 and data.draw(st.booleans()):
            shape = [shape[0] * shape[1], *shape[2:]] if -1 not in shape[:2] else shape
        check(lambda a: a.reshape(tuple(shape), order=order), x)
    elif way == "ravel":
        check(lambda a: a.ravel(), x)
    elif way == "copy":
        check(lambda a: a.copy(order=order), x)
    elif way == "astype":
        check(lambda a: a.astype("d"), x)
    else:
        assert np.array_equal(x.device.get(), x.host)


@search
@given(st.data())
def test_indexing_by_arrays(data):
    x = data.draw(arrays(data.draw(st.sampled_from("fi")), writable=True))
    items, axis, end = [], 0, data.draw(st.integers(0, x.host.ndim))
    while axis < end:
        length, kind = x.host.shape[axis], data.draw(st.sampled_from(["slice", "places", "places", "mask"]))
        axes = min(data.draw(st.integers(1, 2)), end - axis) if kind == "mask" else 1
        if kind == "slice":
            items.append(data.draw(slices(length)))
        elif kind == "mask":
            several = x.host.shape[axis:axis + axes]
            items.append(np.arange(np.prod(several, dtype=int)).reshape(several) % 3 == data.draw(st.integers(0, 3)))
        elif length:
            shape = data.draw(st.sampled_from([(), (3,), (2, 1), (1, 3)]))
            places = st.integers(-length, length - 1 + (data.draw(st.integers(0, 9)) == 0))
            items.append(np.reshape([data.draw(places) for _ in range(np.prod(shape, dtype=int))], shape).astype(int))
        axis += axes
    index = tuple(items) or ...
    if data.draw(st.integers(0, 4)) == 0:
        check(lambda a: a[a > 2], x)
        check(lambda a: operator.setitem(a, a > 2, 1), x)
    check(lambda a: a[index], x)
    check(lambda a: operator.setitem(a, index, 7), x)
    try:
        places = np.arange(x.host.size).reshape(x.host.shape)[index]
    except IndexError:
        return
    if places.ndim and 0 < places.size == len(np.unique(places)):  # else one of the values stays
        check(lambda a, value: operator.setitem(a, index, value), x, data.draw(partners(places.shape)).seen(lambda a: a.real))


@search
@given(st.data())
def test_joining(data):
    x = data.draw(arrays(data.draw(st.sampled_from("fi"))))
    others = [x, x] if data.draw(st.booleans()) else [x, data.draw(partners(x.host.shape))]
    axis = data.draw(st.integers(-x.host.ndim - 1, x.host.ndim))
    name = data.draw(st.sampled_from(["concatenate", "stack"]))
    check(lambda *arrays: getattr(np, name)(arrays, axis=axis), *others)
    check(lambda a, b: (gpuarray if isinstance(a, GPUArray) else np).where(a > 1, a, b), *others)


@search
@given(st.data())
def test_products(data):
    x = data.draw(arrays("f"))
    shape = x.host.shape
    other = [*shape[:-2], *shape[-2:][::-1]] if data.draw(st.booleans()) else shape
    y = data.draw(arrays("f", tuple(other)))
    check(operator.matmul, x, y)
