"""pycuda.array_api against array-api-strict, the reference for the array API standard: function by function the same
names, signatures, values and dtypes. What the two are to agree on stands in ROWS, as expressions of arrays that both
have; element-wise functions meet numbers that are drawn, for the kinds of dtypes that the standard defines them for."""

import inspect
import os
import zlib

import array_api_compat
import array_api_strict as strict
import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra.array_api import make_strategies_namespace

import pycuda.driver as cuda
from pycuda import array_api, gpuarray

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check; make test is for between two edits
RELATIVE = {"float32": 4e-6, "float64": 1e-13, "complex64": 8e-6, "complex128": 4e-13}

BOOL, INTEGER = ["bool"], ["int8", "int32", "int64", "uint8", "uint32", "uint64", "int16", "uint16"]
REAL, COMPLEX = ["float32", "float64"], ["complex64", "complex128"]
ALL = BOOL + INTEGER + REAL + COMPLEX
# The functions of each number of operands, by the dtypes that the standard defines them for.
ELEMENTWISE = {
    (1, *BOOL): "logical_not",
    (1, *BOOL, *INTEGER): "bitwise_invert",
    (1, *INTEGER, *REAL): "ceil floor trunc",
    (1, *INTEGER, *REAL, *COMPLEX): "abs isfinite isinf isnan negative positive round sign square",
    (1, *REAL): "signbit",
    (1, *REAL, *COMPLEX): "acos acosh asin asinh atan atanh cos cosh exp expm1 log log10 log1p log2 reciprocal sin sinh "
                          "sqrt tan tanh",
    (1, *COMPLEX): "conj imag real",
    (2, *ALL): "equal not_equal",
    (2, *BOOL): "logical_and logical_or logical_xor",
    (2, *BOOL, *INTEGER): "bitwise_and bitwise_or bitwise_xor",
    (2, *INTEGER): "bitwise_left_shift bitwise_right_shift",
    (2, *INTEGER, *REAL): "floor_divide greater greater_equal less less_equal maximum minimum remainder",
    (2, *INTEGER, *REAL, *COMPLEX): "add multiply pow subtract",
    (2, *REAL): "atan2 copysign hypot logaddexp nextafter",
    (2, *REAL, *COMPLEX): "divide",
}
FUNCTIONS = {name: dtypes for dtypes, names in ELEMENTWISE.items() for name in names.split()}

# Of the reference: its own settings, extensions (test_array_api_extensions.py), and what versions after 2024.12 added.
NOT_THERE = {"ArrayAPIStrictFlags", "Device", "__version__", "get_array_api_strict_flags", "reset_array_api_strict_flags",
             "set_array_api_strict_flags", "fft", "linalg", "broadcast_shapes", "isin"}

_random = np.random.default_rng(3)
VARIABLES = {
    "f": _random.uniform(-3, 3, (3, 4)).astype("f"), "d": _random.uniform(-3, 3, 4),
    "i": _random.integers(-5, 5, (3, 4), dtype="i"), "q": np.array([3, 0, -2, 7]),
    "u": _random.integers(0, 255, (3, 4), dtype="B"), "b": _random.random((3, 4)) < 0.5,
    "c": (_random.uniform(-3, 3, (3, 4)) + 1j * _random.uniform(-3, 3, (3, 4))).astype("F"), "z": np.array(2.5),
    "e": np.zeros((0, 3), "f"), "t": _random.uniform(-3, 3, (2, 3, 4)).astype("f"), "one": np.ones((1, 3, 1), "f"),
    "n": np.array([[1, np.nan, 3], [np.inf, -np.inf, -0.0]], "f"), "k": np.array([2, 0, 1]),
    "r": np.array([2, 0, 3, 1]), "m": np.array([True, False, True]), "half": np.array([-2.5, -0.5, 0.5, 1.5, 2.5]),
}

ROWS = """
    xp.arange(5), xp.arange(1, 6, 2), xp.arange(5, 0, -2), xp.arange(0.5, 3), xp.arange(4, dtype=xp.float32)
    xp.arange(3, 3), xp.arange(0, -4), xp.arange(2, 9, 3, dtype=xp.uint8)
    xp.asarray(True), xp.asarray(3), xp.asarray(2.5), xp.asarray(1j), xp.asarray([[1, 2], [3, 4.5]])
    xp.asarray([True, False]), xp.asarray([]), xp.asarray([1, 2], dtype=xp.int8), xp.asarray(f, dtype=xp.float64)
    xp.astype(f, xp.int32), xp.astype(u, xp.float32), xp.astype(b, xp.int64), xp.astype(i, xp.bool)
    xp.astype(f, xp.float32, copy=False) is f, xp.astype(f, xp.float32) is f, xp.astype(f, xp.complex128)
    xp.empty((2, 3)).shape, xp.empty(3, dtype=xp.int8).dtype, xp.empty_like(i).shape, xp.empty_like(i).dtype
    xp.eye(3), xp.eye(2, 4, k=1, dtype=xp.int32), xp.eye(3, k=-2), xp.eye(0), xp.eye(2, 3, k=9)
    xp.full(3, 7), xp.full((2, 2), 1.5), xp.full((), True), xp.full(2, 1j), xp.full(2, 3, dtype=xp.float32)
    xp.full_like(f, 2), xp.full_like(i, 7, dtype=xp.float64), xp.ones(2), xp.ones((2, 2), dtype=xp.bool)
    xp.ones_like(i), xp.ones_like(f, dtype=xp.complex64), xp.zeros((2, 0)), xp.zeros_like(u), xp.zeros(3, dtype=xp.uint16)
    xp.linspace(0, 1, 5), xp.linspace(1, -1, 4, endpoint=False), xp.linspace(0, 3, 1), xp.linspace(2, 3, 0)
    xp.linspace(0, 1, 7, dtype=xp.float32), xp.linspace(0, 1j, 3), xp.linspace(1, 2, 2, dtype=xp.complex64)
    xp.meshgrid(k, q), xp.meshgrid(k, q, indexing="ij"), xp.meshgrid(k, q, k), xp.meshgrid(k)
    xp.tril(f), xp.triu(f, k=1), xp.tril(t, k=-1), xp.triu(b)
    xp.from_dlpack(f), xp.from_dlpack(f, copy=True)
    xp.can_cast(xp.int8, xp.int32), xp.can_cast(xp.float64, xp.float32), xp.can_cast(xp.complex64, xp.complex128)
    xp.can_cast(i, xp.int64), xp.can_cast(i, xp.int8), xp.can_cast(xp.uint8, xp.int16), xp.can_cast(xp.uint8, xp.int8)
    [xp.finfo(x).eps for x in (xp.float32, xp.float64, xp.complex64, f)], xp.finfo(xp.float32).max, xp.finfo(d).min
    [(xp.finfo(x).bits, xp.finfo(x).smallest_normal) for x in (xp.float32, xp.float64)], xp.finfo(c).dtype == xp.float32
    [(xp.iinfo(x).bits, xp.iinfo(x).min, xp.iinfo(x).max) for x in (xp.int8, xp.uint64, i)]
    [xp.isdtype(x, "integral") for x in (xp.bool, xp.int8, xp.uint64, xp.float32)], xp.isdtype(xp.int8, xp.int8)
    [xp.isdtype(x, ("bool", "complex floating", xp.float32)) for x in (xp.bool, xp.float32, xp.float64, xp.complex64)]
    [xp.isdtype(xp.uint8, x) for x in ("bool", "signed integer", "unsigned integer", "real floating", "numeric")]
    [xp.result_type(*x) for x in ((xp.int8, xp.uint8), (xp.float32, xp.float64), (f, c), (xp.int64, i), (f, 1), (i, 2))]
    [xp.result_type(xp.float32, 1.0), xp.result_type(xp.float32, 1j), xp.result_type(xp.bool), xp.result_type(xp.uint8, u)]
    xp.clip(f, -1, 1), xp.clip(f, min=0.5), xp.clip(i, max=2), xp.clip(i, -1, xp.asarray([0, 1, 2, 3], dtype=xp.int32))
    xp.clip(n, -1, 1), xp.clip(z, 0, 1), xp.round(half), xp.trunc(half), xp.floor(-half), xp.ceil(n)
    xp.broadcast_arrays(f, xp.asarray(1), q), xp.broadcast_to(q, (2, 4)), xp.broadcast_to(z, (3,)), xp.broadcast_to(e, (2, 0, 3))
    xp.concat([f, f]), xp.concat((i, xp.astype(i, xp.int64)), axis=1), xp.concat([f, t[0, ...]], axis=-1), xp.concat([f, f], axis=None)
    xp.expand_dims(f, axis=0), xp.expand_dims(f, axis=-1), xp.expand_dims(z, axis=0), xp.expand_dims(f, axis=-2)
    xp.flip(t), xp.flip(t, axis=0), xp.flip(t, axis=(1, -1)), xp.flip(z), xp.flip(e)
    xp.moveaxis(t, 0, -1), xp.moveaxis(t, (0, 1), (2, 0)), xp.permute_dims(t, (2, 0, 1)), xp.permute_dims(z, ())
    xp.repeat(f, 2), xp.repeat(f, 2, axis=0), xp.repeat(f, 0, axis=1), xp.repeat(e, 3, axis=1)
    xp.reshape(f, (4, 3)), xp.reshape(f, (-1,)), xp.reshape(f, (2, -1), copy=True), xp.reshape(z, (1, 1)), xp.reshape(f.T, (12,))
    xp.reshape(f, (6, 2), copy=False), xp.reshape(e, (3, 0)), xp.reshape(xp.ones(1), ())
    xp.roll(f, 1), xp.roll(f, -1, axis=0), xp.roll(t, (1, 2), axis=(0, 2)), xp.roll(f, 7, axis=1), xp.roll(z, 1)
    xp.squeeze(one, 0), xp.squeeze(one, (0, -1)), xp.squeeze(one, 2), xp.stack([f, f]), xp.stack((f, f), axis=-1), xp.stack([z, z])
    xp.tile(f, (2, 1)), xp.tile(q, (2, 2)), xp.tile(t, (2,)), xp.tile(z, (3,)), xp.tile(q, ())
    xp.unstack(f), xp.unstack(t, axis=1), xp.unstack(f, axis=-1), xp.unstack(e)
    xp.matmul(f, f.T), f @ d32, d32 @ f.T, xp.matmul(t, xp.permute_dims(t, (0, 2, 1))), xp.matmul(i, i.T), xp.matmul(e, one[0, ...])
    xp.matmul(c, c.T), xp.matmul(t, f.T), xp.matrix_transpose(t), xp.matrix_transpose(f), t.mT
    xp.tensordot(f, t, axes=((0, 1), (1, 2))), xp.tensordot(f, f, axes=2), xp.tensordot(f, t, axes=0), xp.tensordot(t, f.T, axes=1)
    xp.tensordot(i, i, axes=((0,), (0,))), xp.tensordot(t, f, axes=((-1, 1), (1, 0))), xp.tensordot(e, xp.ones((3, 2), dtype=xp.float32), axes=1)
    xp.vecdot(f, t), xp.vecdot(c, c), xp.vecdot(f, f, axis=-2), xp.vecdot(i, i), xp.vecdot(t, one, axis=-2), xp.vecdot(d, d)
    xp.argmax(f), xp.argmax(f, axis=0), xp.argmin(f, axis=-1, keepdims=True), xp.argmin(i), xp.argmax(t, axis=1), xp.argmax(q, keepdims=True)
    xp.nonzero(i), xp.nonzero(b), xp.nonzero(e), xp.count_nonzero(i), xp.count_nonzero(b, axis=0), xp.count_nonzero(f, axis=(0, 1), keepdims=True)
    xp.where(b, f, -f), xp.where(b, f, 0.0), xp.where(b, 1, i), xp.where(f > 0, d, z), xp.where(b, c, f)
    xp.take(q, k), xp.take(f, k, axis=0), xp.take(f, r, axis=-1), xp.take(t, k, axis=1), xp.take(f, k[:0], axis=0)
    xp.take_along_axis(f, xp.argmax(f, axis=1, keepdims=True), axis=1), xp.take_along_axis(f, i * 0 + 1), xp.take_along_axis(q, r)
    xp.sum(f), xp.sum(i), xp.sum(u), xp.sum(f, axis=0), xp.sum(t, axis=(0, -1), keepdims=True), xp.sum(f, dtype=xp.float64)
    xp.sum(u, axis=1), xp.sum(c, axis=1), xp.sum(e), xp.sum(e, axis=0), xp.sum(z), xp.sum(xp.astype(i, xp.int8), axis=0), xp.sum(t, axis=())
    xp.prod(i, axis=0), xp.prod(f), xp.prod(u[0, ...]), xp.prod(e, axis=0), xp.prod(c, axis=(0,)), xp.prod(f, dtype=xp.float64, keepdims=True)
    xp.max(f), xp.max(i, axis=0), xp.max(n, axis=1), xp.max(t, axis=(0, 2)), xp.max(u, keepdims=True), xp.max(z)
    xp.min(f), xp.min(i, axis=0), xp.min(n, axis=0), xp.min(t, axis=(1, 2), keepdims=True), xp.min(u), xp.max(e, axis=1)
    xp.mean(f), xp.mean(f, axis=0), xp.mean(t, axis=(0, 1), keepdims=True), xp.mean(d), xp.mean(c), xp.mean(e, axis=1)
    xp.var(f), xp.var(f, axis=0, correction=1), xp.var(t, axis=(0, 2), keepdims=True), xp.var(d, correction=0.5)
    xp.std(f), xp.std(f, axis=1, correction=1.0), xp.std(d, keepdims=True), xp.std(t, axis=-1)
    xp.cumulative_sum(d), xp.cumulative_sum(f, axis=0), xp.cumulative_sum(f, axis=-1, include_initial=True), xp.cumulative_sum(u, axis=1)
    xp.cumulative_sum(q, include_initial=True), xp.cumulative_sum(i, axis=0, dtype=xp.float64), xp.cumulative_sum(e, axis=0, include_initial=True)
    xp.cumulative_prod(q), xp.cumulative_prod(f, axis=1), xp.cumulative_prod(i, axis=0, include_initial=True), xp.cumulative_prod(d)
    xp.all(b), xp.all(b, axis=0), xp.all(f, axis=(0, 1), keepdims=True), xp.any(b, axis=1), xp.any(i), xp.any(e), xp.all(e, axis=0), xp.any(c)
    xp.diff(q), xp.diff(f, axis=0), xp.diff(f, n=2), xp.diff(q, prepend=k[:1], append=k), xp.diff(u, axis=0), xp.diff(d, n=5), xp.diff(d, n=0)
    xp.sort(f), xp.sort(f, axis=0), xp.sort(u, descending=True), xp.sort(n, axis=1), xp.sort(t, axis=1, stable=False), xp.sort(e)
    xp.argsort(f), xp.argsort(u, axis=0), xp.argsort(i), xp.argsort(i, descending=True), xp.argsort(q, descending=True, stable=True)
    xp.argsort(i // 2, axis=0, descending=True), xp.argsort(e, descending=True), xp.take_along_axis(f, xp.argsort(f), axis=-1)
    xp.searchsorted(xp.sort(d), z), xp.searchsorted(xp.sort(q), k), xp.searchsorted(q, q, sorter=xp.argsort(q)), xp.searchsorted(q[:0], k)
    xp.searchsorted(xp.sort(k), xp.astype(i, xp.int64), side="right"), xp.searchsorted(xp.sort(k), k, side="left")
    xp.unique_all(i), xp.unique_counts(b), xp.unique_inverse(i), xp.unique_values(i), xp.unique_values(e), xp.unique_all(q)
    xp.unique_all(n), xp.unique_counts(n), xp.unique_inverse(z), xp.unique_values(f), xp.unique_inverse(e), xp.unique_counts(u)
    xp.repeat(e, k[:0], axis=0), xp.repeat(k, k), xp.repeat(f, k, axis=0), xp.repeat(t, r, axis=-1)
    xp.e, xp.inf, xp.nan, xp.newaxis, xp.pi, xp.__array_api_version__
    xp.nextafter(n, 0.0), xp.nextafter(xp.zeros(2), xp.asarray([1.0, -1.0])), xp.copysign(n, -1.0), xp.signbit(n)
    f[b], f[xp.asarray(True)], f[1, :2], f[..., 0], f[None, 1, ::-1], t[:, 1:, ...], f[m], f[k, r[:3]]
    f[0, 0] + 1, int(i[0, 1]), float(z), bool(b[0, 0]), complex(c[0, 0]), [1, 2, 3, 4, 5, 6, 7, 8][r[0]], f.T
    f + 1, 2 - f, f / 2.0, i // 2, u & 15, ~b, -f, abs(i), f < 0, 3 != i
    xp.__array_namespace_info__().capabilities()["boolean indexing"], len(xp.__array_namespace_info__().default_dtypes())
"""
ASSIGNMENTS = """
    f[0, 1] = 3; f[1:, :] = d32; f
    f[b] = 7.0; f
    i[...] = 5; i[0, ...] = i[1, ...] * 2; i
    t[:, 0, :] = f[0, :]; t
    f += 1; f *= f; f -= 0.5; f /= 2.0; f
    i //= 2; i %= 3; i **= 2; i <<= 1; i
"""


def seed(*key):
    return np.random.default_rng(zlib.crc32(repr(key).encode()))


def draw(dtype, shape, name, position):
    """Numbers of that dtype, and of real ones the awkward ones among them."""
    rng = seed(dtype, shape, name, position)
    if dtype == "bool":
        return rng.random(shape) < 0.5
    if dtype in INTEGER:
        low, high = (0, 7) if "shift" in name or name == "pow" else (-9 if dtype[0] == "i" else 0, 100)
        return rng.integers(low, high, shape).astype(dtype)
    values = rng.uniform(-3, 3, shape)
    if dtype in COMPLEX:
        return (values + 1j * rng.uniform(-3, 3, shape)).astype(dtype)
    info = np.finfo(dtype)
    special = np.array([0.0, 1, 0.5, 1.5, 2, 3, np.inf, info.max, info.tiny, info.smallest_subnormal], dtype)
    special = np.concatenate([special, -special, [np.nan]])[:values.size]
    values.flat[:special.size] = special
    return values.astype(dtype)


@pytest.fixture(scope="module")
def context():
    """One for all, so that kernels are loaded once."""
    cuda.init()
    context = cuda.Device(0).make_context()
    yield context
    context.detach()


@pytest.fixture(autouse=True)
def quiet(context):
    """The version that is asked for, and no word about what is infinite."""
    strict.set_array_api_strict_flags(api_version="2024.12")
    with np.errstate(all="ignore"):
        yield


def plain(x):
    """What a result is on the host."""
    if isinstance(x, gpuarray.GPUArray):
        return x.get()
    if type(x).__module__.startswith("array_api_strict") and not isinstance(x, tuple):
        return np.dtype(str(x).rpartition(".")[2]) if "DType" in type(x).__name__ else np.asarray(x)
    return x


def check(got, wanted, what, by_norm=False):
    """The same types, dtypes, shapes and values; by_norm: errors are bounded relative to an array's largest element, as
    those of transforms and factorizations are, rather than to each."""
    got, wanted = plain(got), plain(wanted)
    if isinstance(wanted, (list, tuple)):
        names = getattr(wanted, "_fields", type(wanted))
        assert getattr(got, "_fields", type(got)) == names and len(got) == len(wanted), what
        for one, other in zip(got, wanted, strict=True):
            check(one, other, what, by_norm)
        return
    if not isinstance(wanted, np.ndarray):
        assert got == wanted or np.isnan(got) and np.isnan(wanted), (what, got, wanted)
        return
    assert isinstance(got, np.ndarray) and (got.dtype, got.shape) == (wanted.dtype, wanted.shape), (what, got, wanted)
    relative = RELATIVE.get(wanted.dtype.name, 0)
    absolute = 1e-6 if wanted.dtype.name in ("float32", "complex64") else 1e-14
    if by_norm and relative:
        absolute = max(absolute, relative * np.max(abs(wanted), initial=0, where=np.isfinite(wanted)))
    np.testing.assert_allclose(got, wanted, relative, absolute, err_msg=what)


def same_zeros(got, wanted):
    """Whether zeros have the sign that they should have."""
    if wanted.dtype.kind != "f":
        return True
    return (np.signbit(got) == np.signbit(wanted))[wanted == 0].all()


def run(xp, row, variables):
    """The value of the last of a row's statements."""
    names = {name: xp.asarray(value) for name, value in variables.items()} | {"xp": xp}
    names["d32"] = xp.astype(names["d"], xp.float32)
    *before, last = row.split("; ")
    for statement in before:
        exec(statement, names)  # noqa: S102
    return eval(f"({last},)", names)


def rows(text):
    return [line.strip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("row", rows(ROWS) + rows(ASSIGNMENTS))
def test_as_the_reference_does(row):
    check(run(array_api, row, VARIABLES), run(strict, row, VARIABLES), row)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_elementwise(name):
    count, *dtypes = FUNCTIONS[name]
    rng = seed(name)
    chosen = dtypes if WIDE else rng.choice(dtypes, 1)
    for dtype in chosen:
        pairs = ((25, 1), (1, 25))  # room for what the standard calls special cases
        for shapes in [pairs, ((3, 4), (4,)), ((), ()), ((0, 2), (2,))][:4 if WIDE else 1]:
            hosts = [draw(str(dtype), shape, name, i) for i, shape in enumerate(shapes[:count])]
            got, wanted = (getattr(xp, name)(*map(xp.asarray, hosts)) for xp in (array_api, strict))
            check(got, wanted, f"{name} of {dtype} {shapes}")
            if name not in ("maximum", "minimum"):  # of 0.0 and -0.0 either
                assert same_zeros(plain(got), plain(wanted)), name
        if count == 2:  # numbers of Python's take part in the array's dtype
            host, number = draw(str(dtype), (5,), name, 0), np.array(3, dtype).item()
            for swap in (False, True) if WIDE else (rng.random() < 0.5,):
                got, wanted = (getattr(xp, name)(*(x, number)[::-1 if swap else 1])
                               for xp in (array_api, strict) for x in [xp.asarray(host)])
                check(got, wanted, f"{name} of {dtype} and a number")


@hypothesis.settings(max_examples=200 if WIDE else 10, deadline=None, derandomize=True, database=None,
                     suppress_health_check=[*hypothesis.HealthCheck])
@hypothesis.given(st.data())
def test_indexing_of_what_hypothesis_draws(data):
    """Hypothesis makes arrays by the standard alone, as data-apis' own tests of it do."""
    xps = make_strategies_namespace(array_api)
    x = data.draw(xps.arrays(data.draw(xps.scalar_dtypes()), xps.array_shapes(max_dims=3, max_side=4)))
    key = data.draw(xps.indices(x.shape, allow_newaxis=True))
    number = data.draw(xps.from_dtype(x.dtype))
    other = x.get()
    check(x[key], np.asarray(other[key]), str(key))
    x[key] = number
    other[key] = number
    check(x, other, str(key))


@pytest.mark.parametrize("mixed", [("int8", "uint8"), ("int32", "int64"), ("float32", "float64"), ("float32", "complex64"),
                                   ("uint8", "uint64"), ("int8", "uint32"), ("float64", "complex64")])
def test_promotion(mixed):
    one, two = (draw(dtype, (4,), "add", i) for i, dtype in enumerate(mixed))
    for first, second in ((one, two), (two, one)):
        got, wanted = (xp.add(xp.asarray(first), xp.asarray(second)) for xp in (array_api, strict))
        check(got, wanted, mixed)
        assert array_api.result_type(*(array_api.asarray(x) for x in (first, second))) == got.dtype


def test_names_and_signatures():
    """All that the reference has but the extensions, with the same parameters, and each function has a row."""
    tested = ROWS + " ".join(f"xp.{name}(" for name in FUNCTIONS)
    for name in {*strict.__all__} - NOT_THERE:
        theirs = getattr(strict, name)
        ours = getattr(array_api, name)
        assert name in array_api.__all__, name
        if not inspect.isfunction(theirs):
            continue
        assert name == "expand_dims" or parameters(ours) == parameters(theirs), name  # there the axis has no default
        assert f"xp.{name}(" in tested and ours.__doc__ and ours.__module__ == "pycuda.array_api", name


def parameters(function):
    """The names, kinds and defaults; what a parameter that has to be said is called is the caller's affair by name alone."""
    return [(p.name if p.kind is not p.POSITIONAL_ONLY else None, p.kind,
             p.default if isinstance(p.default, (int, float, str, bool, type(None))) else None)
            for p in inspect.signature(function).parameters.values()]


MISTAKES = {
    "xp.add(1, 2)": (TypeError, "add: at least one operand must be a GPUArray"),
    "xp.add(x, [1, 2])": (TypeError, "add: expected GPU arrays and numbers, got pycuda.gpuarray.GPUArray and list"),
    "xp.add(x, None)": (TypeError, "add: expected GPU arrays and numbers"),
    "xp.add(x, numpy.ones(3))": (TypeError, "gpuarray.to_gpu() brings an array to the device"),
    "xp.add(x, x1=x)": (TypeError, "positional-only"),
    "xp.sin([1.0])": (TypeError, "sin: expected a GPUArray, got list; array_api.asarray() makes one"),
    "xp.floor(numpy.ones(3))": (TypeError, "floor: expected GPU arrays and numbers, got numpy.ndarray"),
    "xp.bitwise_and(x, x)": (TypeError, "bitwise_and"),
    "xp.sum([1])": (TypeError, "sum: expected a GPUArray"),
    "xp.sum(x, 0)": (TypeError, "positional"),
    "xp.sum(x, axis=1)": (IndexError, "axis 1 is out of bounds"),
    "xp.max(x[:0])": (ValueError, "of no elements"),
    "xp.asarray('abc')": (TypeError, "asarray: expected numbers, nested sequences of them or an array, got str"),
    "xp.asarray([1, 'x'])": (TypeError, "asarray: expected numbers"),
    "xp.asarray(object())": (TypeError, "asarray: expected numbers"),
    "xp.asarray([[1], [2, 3]])": (ValueError, "inhomogeneous"),
    "xp.asarray(300, dtype=xp.uint8)": (OverflowError, "300"),
    "xp.asarray([1], copy=False)": (ValueError, "asarray: copy=False, and list has to be copied to the device"),
    "xp.asarray(x, dtype=xp.int8, copy=False)": (ValueError, "copy=False, and float64 has to be converted to int8"),
    "xp.asarray(1, device='cpu')": (TypeError, "device: expected a pycuda.driver.Device, as x.device is, or None"),
    "xp.zeros(3, device=0)": (TypeError, "device: expected a pycuda.driver.Device"),
    "xp.zeros(-1)": (ValueError, "negative dimensions"),
    "xp.zeros(3, dtype='nothing')": (TypeError, "nothing"),
    "xp.eye(2.5)": (TypeError, "n_rows: expected an integer, got float"),
    "xp.full(3, 'x')": (TypeError, "full: expected a number, got 'x'"),
    "xp.full(3, None)": (TypeError, "full: expected a number, got None"),
    "xp.linspace('a', 1, 3)": (TypeError, "linspace: expected a number, got 'a'"),
    "xp.from_dlpack(3)": (TypeError, "from_dlpack: expected an array with __dlpack__, got int"),
    "xp.permute_dims(x, 0)": (TypeError, "permute_dims: expected a tuple of axes, got int"),
    "xp.linspace(0, 1, -2)": (ValueError, "num: -2 is negative"),
    "xp.arange(0, 1, 0)": (ZeroDivisionError, "step is 0"),
    "xp.meshgrid(x, x[None])": (ValueError, "meshgrid: expected arrays of one axis"),
    "xp.meshgrid(x, indexing='no')": (ValueError, "indexing is 'xy' or 'ij'"),
    "xp.tril(x)": (ValueError, "tril: expected at least two axes, got shape (3,)"),
    "xp.finfo(xp.int8)": (TypeError, "iinfo is for integers"),
    "xp.iinfo('int8')": (TypeError, "iinfo: expected a dtype or a GPUArray, got 'int8'"),
    "xp.isdtype(xp.int8, 'number')": (ValueError, "kind 'number' is none of"),
    "xp.isdtype(3, 'bool')": (TypeError, "isdtype: expected a dtype"),
    "xp.result_type(1, 2)": (ValueError, "at least one argument must be a dtype"),
    "xp.result_type('f4')": (TypeError, "result_type: expected a dtype or a GPUArray"),
    "xp.concat(x)": (TypeError, "concat: expected a tuple or list of GPUArrays, got GPUArray"),
    "xp.concat([x, 1])": (TypeError, "concat: expected a GPUArray, got int"),
    "xp.stack([])": (ValueError, "at least one array"),
    "xp.squeeze(x, 0)": (ValueError, "size not equal to one"),
    "xp.squeeze(x, None)": (TypeError, "squeeze: the axis must be said"),
    "xp.expand_dims(x, axis=5)": (IndexError, "axis 5 is out of bounds"),
    "xp.reshape(xp.ones((2, 3)).T, (6,), copy=False)": (ValueError, "copy=False, and an array of shape (3, 2)"),
    "xp.reshape(x, (2, 2))": (ValueError, "total size of new array must be unchanged"),
    "xp.broadcast_to(x, (2,))": (ValueError, "shape mismatch"),
    "xp.permute_dims(x, (0, 0))": (ValueError, "axes"),
    "xp.unstack(x[0])": (IndexError, "axis 0 is out of bounds"),
    "xp.matmul(x, x[0])": (ValueError, "matmul: an operand has no axes"),
    "xp.matmul(x, xp.ones(4))": (ValueError, "matmul: shapes (3,) and (4,) do not fit"),
    "xp.tensordot(x, x)": (ValueError, "tensordot: 2 axes of arrays with 1 and 1"),
    "xp.tensordot(x, x, axes=((0,), (0, 1)))": (IndexError, "axis 1 is out of bounds"),
    "xp.vecdot(x, xp.ones(4))": (ValueError, "vecdot: shapes (3,) and (4,) do not fit: 3 is not 4"),
    "xp.take(x, [0])": (TypeError, "take: expected a GPUArray, got list"),
    "xp.take(x, x)": (TypeError, "take: expected indices of an integer dtype, got float64"),
    "xp.take(x, xp.asarray([3]))": (IndexError, "index 3 is out of bounds for axis 0 with size 3"),
    "xp.take(x[None], xp.asarray([0]))": (ValueError, "take: the axis must be said for an array of 2 axes"),
    "xp.searchsorted(x, x, side='middle')": (ValueError, "searchsorted: side is 'left' or 'right', got 'middle'"),
    "xp.searchsorted(x[None], x)": (ValueError, "must be an array of one axis, got shape (1, 3)"),
    "xp.searchsorted(x, 2.0)": (TypeError, "searchsorted: expected a GPUArray, got float"),
    "xp.unique_values([1])": (TypeError, "unique_values: expected a GPUArray, got list"),
    "xp.repeat(x, xp.asarray([1, -1, 0]))": (ValueError, "repeats: -1 is negative"),
    "xp.repeat(x, xp.asarray([1, 2]))": (ValueError, "repeats: expected a number or 3 of them, got shape (2,)"),
    "xp.repeat(x, x)": (TypeError, "repeats: expected integers, got float64"),
    "xp.cumulative_sum(x[None])": (ValueError, "the axis must be said for an array of 2 axes"),
    "xp.cumulative_prod(x[0])": (ValueError, "0 axes"),
    "xp.diff(x, n=-1)": (ValueError, "diff: n must not be negative, got -1"),
    "xp.nonzero(x[0])": (ValueError, "nonzero of an array without axes"),
    "xp.nextafter(x.astype('e'), 0)": (NotImplementedError, "numbers of 16 bits"),
    "x.__array_namespace__(api_version='2020.01')": (ValueError, "2024.12 is, and those before it"),
    "x.mT": (ValueError, "mT: expected at least two axes, got shape (3,)"),
    "x.to_device('cpu')": (TypeError, "device: expected a pycuda.driver.Device, as x.device is, got 'cpu'"),
    "range(3)[x[0]]": (TypeError, "only arrays of integers without axes can be an index of Python's"),
    "range(3)[xp.asarray([1])]": (TypeError, "1 axes of dtype int64"),
    "x.__dlpack__(dl_device=(99, 0))": (BufferError, "can be exported there or to the CPU, (1, 0), not to (99, 0)"),
    "x.__dlpack__(dl_device=1)": (TypeError, "dl_device: expected a pair of integers"),
    "xp.__array_namespace_info__().dtypes(kind='no')": (ValueError, "kind 'no' is none of"),
    "xp.__array_namespace_info__().dtypes(device=0)": (TypeError, "device: expected a pycuda.driver.Device"),
}


@pytest.mark.parametrize("expression", MISTAKES)
def test_mistakes(expression):
    kind, text = MISTAKES[expression]
    names = {"xp": array_api, "numpy": np, "x": array_api.asarray([1.0, 2.0, 3.0])}
    with pytest.raises(kind) as caught:
        eval(expression, names)
    assert text in str(caught.value)


def test_arrays_of_what_there_is():
    """What the standard leaves open, or the reference does in another way: no copies where none are needed."""
    xp, x = array_api, gpuarray.arange(3, dtype=np.float32)
    assert xp.asarray(x) is x and xp.asarray(x, copy=False) is x and xp.asarray(x, copy=True) is not x
    assert xp.asarray(x, dtype=xp.float32, device=x.device) is x and xp.astype(x, xp.float32, copy=False) is x
    assert xp.asarray(np.arange(3, dtype="H")).dtype == xp.uint16
    assert xp.asarray([x, x + 1]).get().tolist() == [[0, 1, 2], [1, 2, 3]]
    assert xp.asarray([x[0], 2.5], dtype=xp.float64).get().tolist() == [0, 2.5]
    assert xp.expand_dims(x).shape == xp.expand_dims(x, 0).shape == (1, 3)
    assert int(xp.sum(xp.asarray([True, True]))) == 2 and xp.where(x > 1, x, 0).dtype == xp.float32
    assert xp.full(2, x[1]).get().tolist() == [1, 1] and xp.reshape(x, (3, 1)).base is x
    assert [str(one) for one in xp.unstack(x)] == ["0.0", "1.0", "2.0"] and xp.unstack(x)[0].base is x


def test_dtypes_are_numpys():
    assert array_api.float32 == np.float32 and {array_api.bool: 1}[gpuarray.zeros(1, bool).dtype] == 1
    info = array_api.__array_namespace_info__()
    assert info.dtypes(kind="signed integer") == {f"int{n}": np.dtype(f"int{n}") for n in (8, 16, 32, 64)}
    assert [*info.dtypes(kind=("bool", "complex floating"))] == ["bool", "complex64", "complex128"]
    assert [*info.dtypes()] == ALL_NAMES and info.default_dtypes()["indexing"] == array_api.int64
    assert type(array_api.finfo(array_api.float32).eps) is float and type(array_api.iinfo(np.int8).max) is int


ALL_NAMES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
             "complex64", "complex128"]


def test_other_libraries_find_it():
    x = gpuarray.arange(6).reshape(2, 3)
    assert array_api_compat.array_namespace(x, x.astype("f")) is array_api is x.__array_namespace__()
    assert x.__array_namespace__(api_version="2023.12") is array_api and array_api_compat.is_array_api_obj(x)
    assert array_api_compat.device(x) == x.device == cuda.Device(0) and array_api_compat.size(x) == 6
    assert array_api_compat.to_device(x, x.device) is x


@pytest.mark.host
def test_dlpack_by_the_standard():
    x = gpuarray.arange(3, dtype=np.float32)
    shared, copied = np.from_dlpack(x), np.from_dlpack(x, copy=True)
    x += 1
    cuda.Context.synchronize()
    assert shared.tolist() == [1, 2, 3] and copied.tolist() == [0, 1, 2]
    assert np.from_dlpack(x, device="cpu", copy=False).tolist() == [1, 2, 3]
    host = np.arange(3.0)
    assert array_api.from_dlpack(host, copy=False).ptr == host.ctypes.data != array_api.from_dlpack(host, copy=True).ptr
    host.flags.writeable = False
    with pytest.raises(BufferError, match="copy=False, and this memory has to be copied to the device: it has no"):
        array_api.from_dlpack(host, copy=False)
    assert array_api.from_dlpack(x, copy=False).ptr == x.ptr != array_api.from_dlpack(x, copy=True).ptr


@pytest.mark.host
def test_devices(run_python):
    """Arrays are made on the device of the current context, and to_device() copies from another there."""
    done = run_python("""
import numpy as np, pycuda.driver as cuda
from pycuda import array_api as xp, gpuarray
cuda.init()
first, second = cuda.Device(0).make_context(), cuda.Device(1).make_context()
there = xp.reshape(xp.arange(6), (2, 3))
assert there.device == cuda.Device(1) == xp.__array_namespace_info__().default_device()
assert xp.__array_namespace_info__().devices() == [cuda.Device(0), cuda.Device(1)]
try:
    there.to_device(cuda.Device(0))
except ValueError as problem:
    print(problem)
try:
    xp.zeros(3, device=cuda.Device(0))
except ValueError as problem:
    print(problem)
first.push()
for x in (there, there.T[::-1], there[:, :0], gpuarray.GPUArray(0, "f")):
    here = xp.asarray(x, device=cuda.Device(0))
    assert here.device == cuda.Device(0) == x.to_device(cuda.Device(0)).device
    with second:
        wanted = x.get()
    assert (here.get() == wanted).all() and here.shape == x.shape
""", HOSTCUDA_DEVICES="2")
    assert done.returncode == 0, done.stderr
    assert "to_device: <pycuda.driver.Device 0" in done.stdout and "is not that of the current context" in done.stdout
