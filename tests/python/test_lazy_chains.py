"""gpuarray.lazy against the same operations without: whatever hypothesis writes of them, and reductions."""

import contextlib
import gc
import os
import warnings

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st

import pycuda.driver as cuda
from pycuda import _native, gpuarray

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check

pytestmark = pytest.mark.usefixtures("context")

DTYPES = ["?", "b", "B", "h", "H", "i", "I", "q", "Q", "e", "f", "d", "F", "D"]
UNARY = [np.negative, np.positive, np.absolute, np.square, np.sqrt, np.sign, np.isfinite, np.logical_not,
         np.invert, np.floor, np.rint, np.reciprocal, np.signbit, np.exp]
BINARY = [np.add, np.subtract, np.multiply, np.true_divide, np.maximum, np.fmin, np.less, np.equal,
          np.greater_equal, np.logical_or, np.bitwise_and, np.left_shift, np.right_shift, np.copysign,
          np.floor_divide]
SCALARS = [0, 1, -1, 3, 200, 0.5, -2.75, True, 1j, float("inf"), np.float32(1.25), np.float64(3.7), np.int8(-5),
           np.uint8(7), np.int64(1 << 40), np.bool_(False), np.float16(0.1), np.uint64(2**64 - 1)]
VIEWS = [lambda x: x[:], lambda x: x[::2], lambda x: x[::-1], lambda x: x.T, lambda x: x[..., 1:],
         lambda x: x.reshape(-1), lambda x: x[:1], lambda x: x[..., :1], lambda x: x[0]]
REDUCTIONS = [gpuarray.sum, gpuarray.max, gpuarray.min, np.mean, np.any, np.all, np.prod, np.var,
              lambda x: gpuarray.sum(x, dtype=np.float64), lambda x: gpuarray.sum(x, axis=0)]
SHAPES = [(4, 6), (4, 6), (4, 6), (6,), (4, 1), ()]


def number(strategy_list):
    return st.integers(0, len(strategy_list) - 1)


place = st.integers(0, 1 << 20)  # of a value, by its remainder
operand = st.one_of(place, place, st.tuples(st.just("scalar"), number(SCALARS)))
instruction = st.one_of(
    st.tuples(st.just("unary"), number(UNARY), place),
    st.tuples(st.just("binary"), number(BINARY), place, operand),
    st.tuples(st.just("binary"), number(BINARY), operand, place),
    st.tuples(st.just("binary"), st.integers(0, 3), place, operand),
    st.tuples(st.just("inplace"), number(BINARY), place, operand),
    st.tuples(st.just("into"), number(BINARY), place, operand, place),
    st.tuples(st.just("view"), number(VIEWS), place),
    st.tuples(st.just("where"), place, operand, operand),
    st.tuples(st.just("assign"), place, operand),
    st.tuples(st.just("drop"), place),
    st.tuples(st.just("chain"), st.integers(1, 70), place, place),
    st.tuples(st.just("look"), place),
    st.tuples(st.just("reduce"), number(REDUCTIONS), place),
    st.tuples(st.just("dot"), place, place))
chains = st.tuples(
    st.lists(st.tuples(number(DTYPES), number(SHAPES)), min_size=1, max_size=3),
    st.lists(instruction, min_size=1, max_size=14))


def leaf(k, dtype, shape):
    """Numbers with limits, zeros, and for floats infinities and NaNs among them."""
    random = np.random.default_rng(k)
    dtype = np.dtype(dtype)
    x = random.uniform(-9, 9, shape)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        values = np.array([limits.max, limits.min, 0, 1, limits.max // 2 + 1], dtype)
        return np.where(random.random(shape) < 0.3, random.choice(values, shape), np.abs(x).astype(dtype))
    if dtype.kind in "fc":
        values = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0])
        return np.where(random.random(shape) < 0.2, random.choice(values, shape), x).astype(dtype)
    return x > 0


def perform(values, step):
    """What the step makes, or None; it may change the list."""
    def value(at):
        return SCALARS[at[1]] if isinstance(at, tuple) else values[at % len(values)]

    match step:
        case "unary", f, x:
            return UNARY[f](value(x))
        case "binary", f, x, y:
            return BINARY[f](value(x), value(y))
        case "inplace", f, x, y:
            BINARY[f](value(x), value(y), value(x))
        case "into", f, x, y, z:
            BINARY[f](value(x), value(y), value(z))
        case "view", f, x:
            return VIEWS[f](value(x))
        case "where", condition, x, y:
            return gpuarray.where(value(condition), value(x), value(y))
        case "assign", x, y:
            value(x)[...] = value(y)
        case "drop", x:
            if len(values) > 1:
                del values[x % len(values)]
        case "chain", count, x, y:
            z, other = value(x), value(y)
            for k in range(count):
                z = [z * 3, z - other, z + k % 5, np.maximum(z, other)][k % 4]
            return z
        case "look", x:
            value(x).get()
        case "reduce", f, x:
            return REDUCTIONS[f](value(x))
        case "dot", x, y:
            return gpuarray.dot(value(x), value(y))


def bits(array):
    """Of all but NaNs, whose sign is anybody's."""
    values = np.ascontiguousarray(array.get())
    parts = values.view(values.real.dtype) if values.ndim else values.reshape(1).view(values.real.dtype)
    return (parts if parts.dtype.kind != "f" else np.where(np.isnan(parts), parts.dtype.type(np.nan), parts)).tobytes()


def results(leaves, steps, is_lazy):
    """Of each value that is left: dtype, shape, strides and bits; and each step's error."""
    values = [gpuarray.to_gpu(leaf(k, DTYPES[dtype], SHAPES[shape])) for k, (dtype, shape) in enumerate(leaves)]
    errors = []
    with gpuarray.lazy() if is_lazy else contextlib.nullcontext():
        for step in steps:
            try:
                made = perform(values, step)
            except (TypeError, ValueError, OverflowError, IndexError) as error:
                errors.append((type(error), str(error)))
                continue
            errors.append(None)
            if made is not None:
                values.append(made)
    return errors, [(x.dtype, x.shape, x.strides, bits(x)) for x in values]


@hypothesis.settings(max_examples=500 if WIDE else 25, deadline=None, derandomize=True, database=None,
                     suppress_health_check=[*hypothesis.HealthCheck])
@hypothesis.given(chains)
def test_chains(drawn):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of NumPy's scalars
        eager, fused = (results(*drawn, is_lazy) for is_lazy in (False, True))
    assert eager[0] == fused[0]
    for one, other in zip(eager[1], fused[1], strict=True):
        assert one == other
    gc.collect()


# -- Reductions at the end of a chain ------------------------------------------------------

N = 100_003
WHOLE = [gpuarray.sum, gpuarray.max, gpuarray.min, np.mean, np.any, np.all, np.prod,
         lambda z: z.sum(), lambda z: gpuarray.sum(z, dtype=np.float64)]


def pair(dtype):
    random = np.random.default_rng(1)
    return [gpuarray.to_gpu((random.uniform(-9, 9, N) if dtype[0] != "u" else random.uniform(0, 9, N)).astype(dtype))
            for _ in range(2)]


def written(before):
    return _native._lazy_counts()[1] - before[1]


@pytest.mark.parametrize("dtype", ["bool", "uint16", "int64", "float32"])
@pytest.mark.parametrize("reduce", WHOLE)
def test_reduction_computes_its_chain(reduce, dtype):
    """The same bits, and what nobody holds is not written."""
    x, y = pair(dtype)
    eager = reduce((x + y) * x + 1)
    before = _native._lazy_counts()
    with gpuarray.lazy():
        fused = reduce((x + y) * x + 1)
        assert written(before) == 0
    assert bits(fused) == bits(eager) and fused.dtype == eager.dtype


def test_reductions_of_what_is_kept():
    """The first one computes it for itself, the second one finds it in memory."""
    x, y = pair("float32")
    eager = x * y - 1
    before = _native._lazy_counts()
    with gpuarray.lazy():
        z = x * y - 1
        most = gpuarray.max(z)
        assert written(before) == 0
        least = gpuarray.min(z)
        assert written(before) == 1
        total = gpuarray.sum(z)
    assert written(before) == 1
    assert bits(z) == bits(eager)
    for one, reduce in ((most, gpuarray.max), (least, gpuarray.min), (total, gpuarray.sum)):
        assert bits(one) == bits(reduce(eager))


def part_of_the_chain(x, y):
    part = x + y
    return gpuarray.sum(part * 2), part


def view_of_the_chain(x, y):
    z = x + y
    v = z[:] * 3  # pending, too, and reads the memory of z
    return gpuarray.sum(z), v, z


def changed_operand(x, y):
    z = x + y
    x += 1
    return gpuarray.sum(z), x, z


def changed_afterwards(x, y):
    z = x + y
    total = gpuarray.sum(z)
    x += 1
    y[:] = 0
    return total, z


def changed_itself(x, y):
    z = x + y
    total = gpuarray.sum(z)
    z += 1
    return total, z, gpuarray.sum(z)


def product_with_itself(x, y):
    z = x + y
    return gpuarray.dot(z, z), gpuarray.dot(z, z[:]), gpuarray.dot(x - y, z)


def two_chains(x, y):
    return gpuarray.dot(x + y, x * 3), gpuarray.dot(x - y, y)


def of_a_reduction(x, y):
    return (x - gpuarray.max(x + y)) * gpuarray.sum(y * 2),


def in_a_stream(x, y):
    stream = cuda.Stream()
    total = gpuarray.sum(x + y, stream=stream)
    stream.synchronize()
    return total,


@pytest.mark.parametrize("dtype", ["int32", "float32"])
@pytest.mark.parametrize("case", [part_of_the_chain, view_of_the_chain, changed_operand, changed_afterwards,
                                  changed_itself, product_with_itself, two_chains, of_a_reduction, in_a_stream],
                         ids=lambda case: case.__name__)
def test_reductions_among_others(case, dtype):
    eager = case(*pair(dtype))
    with gpuarray.lazy():
        fused = case(*pair(dtype))
    for one, other in zip(eager, fused, strict=True):
        assert bits(one) == bits(other)


def test_reduction_fails(inject):
    """Its operand is still pending."""
    x, y = pair("float32")
    with gpuarray.lazy():
        z = x + y
        inject("cuLaunchKernel", 2)
        with pytest.raises(cuda.MemoryError):
            gpuarray.sum(z)
        assert _native._lazy_counts()[0] == 1
    assert bits(z) == bits(x + y)
