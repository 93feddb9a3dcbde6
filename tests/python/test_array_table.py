"""Every element-wise operation of GPU arrays held against NumPy, result dtypes included.

An operation is a row of ROWS. It meets arrays of each dtype, of shapes from none to many axes, that
lie in every way NumPy knows. Kernels are shared by operation, dtypes and class of layout: so pairs of
dtypes are sampled, and a layout other than the usual ones is tried with one dtype of a row.
"""

import functools
import operator
import os
import warnings
import zlib

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import gpuarray

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check; make test is for between two edits
BOOL, SIGNED, UNSIGNED = "?", "bhil", "BHIL"
REAL, COMPLEX = "fd", "FD"
ALL = BOOL + SIGNED + UNSIGNED + "e" + REAL + COMPLEX
SHAPES = [(), (0,), (1,), (31,), (1000,), (3, 0, 2), (1, 5), (3, 5, 7), (2, 3, 1, 4)]
RELATIVE = {"e": 2e-3, "f": 4e-6, "d": 1e-13, "F": 8e-6, "D": 2e-13}

# How the operands of a ufunc are drawn; what is not named here takes any numbers.
DOMAIN = {
    "exp": "small", "exp2": "small", "expm1": "small", "tan": "small", "sinh": "small",
    "cosh": "small", "tanh": "small", "arcsin": "unit", "arccos": "unit", "arctanh": "unit",
    "power": "power", "float_power": "power", "left_shift": "shift", "right_shift": "shift",
    "ldexp": "shift",
}
UNARY = ["negative", "positive", "absolute", "invert", "logical_not", "conjugate", "square", "sign", "fabs", "floor", "ceil", "trunc", "rint", "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "isnan", "isinf", "isfinite", "frexp", "modf", "reciprocal", "signbit", "deg2rad", "rad2deg"]
BINARY = ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "divmod", "power", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or", "logical_xor", "maximum", "minimum", "fmax", "fmin", "fmod", "arctan2", "hypot", "copysign", "ldexp", "heaviside", "logaddexp", "float_power"]
OPERATORS = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor", "lshift", "rshift", "eq", "ne", "lt", "le", "gt", "ge"]
FACTOR = {"arctanh": 4}  # by how much looser than RELATIVE
LAYOUTS = ["C", "F", "stepped", "negative", "transposed", "broadcast", "padded"]


def seed(*key):
    return zlib.crc32(repr(key).encode())


def draw(shape, char, domain, key):
    """Numbers of that dtype, the awkward ones among them."""
    rng, dtype = np.random.default_rng(seed(shape, char, domain, key)), np.dtype(char)
    if char == "?":
        return rng.random(shape) < 0.5
    if char in SIGNED + UNSIGNED:
        info = np.iinfo(dtype)
        if domain == "power":
            return rng.integers(0, 8, shape).astype(dtype)
        if domain == "shift":
            return rng.integers(0, 8 * dtype.itemsize + 2, shape).astype(dtype)
        low = -9 if char in SIGNED else 0
        special = np.array([0, 1, info.min, info.max, info.max - 1], dtype)
        return mixed(rng, rng.integers(low, 100, shape).astype(dtype), special)
    scale = {"any": 50, "small": 5, "unit": 1, "power": 4, "shift": 20}[domain]
    values = rng.uniform(-scale, scale, shape)
    if char in COMPLEX:
        return (values + 1j * rng.uniform(-scale, scale, shape)).astype(dtype)
    special = np.array([0, -0.0, 1, -1, 0.5, np.inf, -np.inf, np.nan], dtype)
    return mixed(rng, values.astype(dtype), special)


def mixed(rng, values, special):
    return np.where(rng.random(values.shape) < 0.2, rng.choice(special, values.shape), values)


def lay(host, layout):
    """The same values as (NumPy's array, GPU array) that lie in that way; None where they cannot."""
    if layout in "CF":
        return host, gpuarray.to_gpu(np.asarray(host, order=layout))
    if host.ndim == 0 or (layout == "transposed" and host.ndim < 2):
        return None
    if layout == "transposed":
        base = gpuarray.to_gpu(np.ascontiguousarray(np.swapaxes(host, 0, -1)))
        axes = (host.ndim - 1, *range(1, host.ndim - 1), 0)
        return host, base.transpose(axes)
    if layout == "broadcast":
        row = host[:1]
        view = gpuarray.GPUArray(host.shape, host.dtype, gpudata=(base := gpuarray.to_gpu(
            np.ascontiguousarray(row))).gpudata, base=base,
            strides=(0, *np.ascontiguousarray(row).strides[1:])) if host.size else None
        return None if view is None else (np.broadcast_to(row, host.shape), view)
    last = host.shape[-1]
    if layout == "padded":
        wide = np.zeros((*host.shape[:-1], last + 3), host.dtype)
        cut = np.s_[..., 1:last + 1]
    else:
        wide = np.zeros((*host.shape[:-1], 2 * last), host.dtype)
        cut = np.s_[..., ::2] if layout == "stepped" else np.s_[..., ::-2]
    wide[cut] = host
    return host, gpuarray.to_gpu(wide)[cut]


class Table:
    """Counts the cases, and collects what does not agree."""

    def __init__(self):
        self.cases, self.wrong = 0, []

    def compare(self, function, device, host, what, factor=1):
        """function of GPU arrays beside the same of NumPy's."""
        self.cases += 1
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            wanted, got = outcome(function, host), outcome(function, device)
        if isinstance(wanted, Exception) or isinstance(got, Exception):
            if not isinstance(got, builtin_class(wanted)):
                self.wrong.append((what, f"{got!r:.200}, expected {wanted!r:.80}"))
            return
        pairs = zip(wanted, got, strict=True) if isinstance(wanted, tuple) else [(wanted, got)]
        for wanted, got in pairs:
            difference = difference_of(np.asarray(wanted), got, factor)
            if difference:
                self.wrong.append((what, difference))

    def check(self):
        lines = [f"{what}: {text}" for what, text in self.wrong[:20]]
        assert not lines, f"{len(self.wrong)} of {self.cases} cases:\n" + "\n".join(lines)


def builtin_class(error):
    """TypeError of NumPy's kinds of it."""
    return next(c for c in type(error).__mro__ if c.__module__ == "builtins")


def outcome(function, operands):
    try:
        return function(*operands)
    except (TypeError, ValueError, OverflowError, IndexError, NotImplementedError,
            cuda.Error) as error:
        return error


def difference_of(wanted, got, factor):
    if not isinstance(got, gpuarray.GPUArray):
        return f"got {type(got).__name__}"
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        return f"got {got.dtype} {got.shape}, expected {wanted.dtype} {wanted.shape}"
    got, char = got.get(), wanted.dtype.char
    if char not in RELATIVE:
        equal = got == wanted
    else:
        with np.errstate(all="ignore"):
            # a rounding apart, or a rounding of the result's own scale near its zeros
            equal = np.isclose(got, wanted, rtol=factor * RELATIVE[char],
                               atol=factor * RELATIVE[char] / 8, equal_nan=True)
    if np.all(equal):
        return None
    at = np.unravel_index(np.argmin(equal), wanted.shape)
    return f"{np.sum(~equal)} differ, at {at}: got {got[at]!r}, expected {wanted[at]!r}"


@pytest.fixture
def table(context):
    table = Table()
    yield table
    print(f"{table.cases} cases")
    table.check()


def sample(name, choices, few, many):
    """Some of the choices, always the same for a name."""
    rng = np.random.default_rng(seed(name))
    return [choices[i] for i in rng.permutation(len(choices))[:many if WIDE else few]]


def operands(name, dtypes, shape):
    """Two arrays to apply the ufunc of that name to: bases and exponents, and the like."""
    domain = DOMAIN.get(name, "any")
    first = "any" if domain == "shift" else domain
    return draw(shape, dtypes[0], first, (name, 0)), draw(shape, dtypes[1], domain, (name, 1))


def has_loop(name, dtypes):
    """Whether NumPy's ufunc takes these, without asking it to."""
    try:
        getattr(np, name).resolve_dtypes((*map(np.dtype, dtypes), *[None] * getattr(np, name).nout))
    except TypeError:
        return False
    return True


@pytest.mark.parametrize("name", UNARY)
def test_unary(table, name):
    function = getattr(np, name)
    for char in "f" + "".join(sample(name, ALL.replace("f", ""), 3, 9)):
        for shape in SHAPES:
            host = draw(shape, char, DOMAIN.get(name, "any"), name)
            for layout in LAYOUTS if char == "f" else "CF":
                if pair := lay(host, layout):
                    table.compare(function, pair[1:], pair[:1], (name, char, shape, layout),
                                  FACTOR.get(name, 1))


@pytest.mark.parametrize("name", BINARY)
def test_binary(table, name):
    pairs = [(a, b) for a in ALL for b in ALL if a != b]
    for dtypes in [(c, c) for c in sample(name, ALL, 4, 9)] + sample(name, pairs, 1, 3):
        for shape in SHAPES:
            x, y = operands(name, dtypes, shape)
            for layout in "CF":
                one, two = lay(x, layout), lay(y, layout)
                table.compare(getattr(np, name), (one[1], two[1]), (one[0], two[0]),
                              (name, dtypes, shape, layout))


@pytest.mark.parametrize("name", BINARY)
def test_layouts(table, name):
    """Each operation on operands that lie in different ways."""
    char = next(c for c in "fi" if has_loop(name, (c, c)))
    layouts = [(a, b) for a in LAYOUTS for b in LAYOUTS]
    for pair in layouts if name == "add" else sample(name, layouts, 3, 8):
        for shape in SHAPES:
            one, two = map(lay, operands(name, (char, char), shape), pair)
            if name == "power" and pair[1] == "broadcast":
                continue  # NumPy takes other ways for an exponent that is a scalar in disguise
            if one and two:
                table.compare(getattr(np, name), (one[1], two[1]), (one[0], two[0]),
                              (name, char, shape, pair))


@pytest.mark.parametrize("char", ALL)
def test_layouts_of_dtypes(table, char):
    """Addition and copies of each dtype in all layouts."""
    layouts = [(a, b) for a in LAYOUTS for b in LAYOUTS]
    pairs = layouts if char == "f" else sample(char, layouts, 15, len(layouts))
    for shape in SHAPES:
        x, y = operands("add", (char, char), shape)
        for a in LAYOUTS:
            one = lay(x, a)
            if one:
                table.compare(lambda x: x.copy(), one[1:], one[:1], ("copy", char, shape, a))
            for b in LAYOUTS:
                two = lay(y, b)
                if one and two and (a, b) in pairs:
                    table.compare(operator.add, (one[1], two[1]), (one[0], two[0]),
                                  ("add", char, shape, a, b))


BROADCASTS = [((), (4,)), ((1,), (4,)), ((3, 1), (4,)), ((3, 1), (1, 4)), ((2, 3, 4), (3, 1)),
              ((2, 3, 4), (4,)), ((2, 1, 4), (3, 4)), ((1, 1, 1), (2, 5)), ((0,), (1,)),
              ((3, 1), (0,)), ((2, 3), (3, 2)), ((4,), (3,)), ((5, 1, 3, 1), (2, 1, 7)),
              ((300, 1), (1, 300)), ((90, 3), (3,)), ((2, 80, 5), (80, 1)), ((2,) * 7, (2,)), ((2, 1) * 4, (1, 2) * 4)]


@pytest.mark.parametrize("name", ["add"] + ["maximum", "power", "less"] * WIDE)
def test_broadcasting(table, name):
    for first, second in BROADCASTS:
        for a, b in [("f", "f"), ("i", "d"), ("F", "b")]:
            x, y = operands(name, (a, b), first)[0], operands(name, (a, b), second)[1]
            for layouts in ["CC", "CF", "FC", ("stepped", "C"), ("C", "negative")]:
                one, two = map(lay, (x, y), layouts)
                if one and two:
                    table.compare(getattr(np, name), (one[1], two[1]), (one[0], two[0]),
                                  (name, a, b, first, second, layouts))
                    table.compare(getattr(np, name), (two[1], one[1]), (two[0], one[0]),
                                  (name, b, a, second, first, layouts))


SCALARS = [2, 0, 3.5, True, 2j, 7 ** 40, -1, 255, np.int8(3), np.uint64(5), np.float32(1.5),
           np.float64(0.5), np.complex64(1 + 1j), np.bool_(False), np.array(4.0)]


@pytest.mark.parametrize("name", OPERATORS)
def test_scalars(table, name):
    """Operators with numbers on either side: Python's are weak."""
    function = getattr(operator, name)
    for char in sample(name, ALL, 2, 4):
        for scalar in sample((name, char), SCALARS, 3, 3):
            if char == BOOL and isinstance(scalar, int) and scalar > 255:
                continue  # bools and integers beyond 64 bits: NumPy's comparisons give up
            for shape in [(), (31,), (0,), (3, 5, 7)]:
                x = draw(shape, char, "power" if name == "pow" else "any", (name, 0))
                x = np.asarray(x)
                what = (name, char, shape, repr(scalar))
                if name != "pow" or abs(scalar) < 100:
                    table.compare(lambda x, scalar=scalar: function(x, scalar), [gpuarray.to_gpu(x)], [x], what)
                if name != "pow":
                    table.compare(lambda x, scalar=scalar: function(scalar, x), [gpuarray.to_gpu(x)], [x], what)


@pytest.mark.parametrize("name", OPERATORS[:12])
def test_in_place(table, name):
    function = getattr(operator, "i" + name.strip("_"))
    ufunc = {"sub": "subtract", "mul": "multiply", "pow": "power"}.get(name, "add")

    def run(x, y):
        kept = x
        x = function(x, y)
        assert x is kept
        return x

    for a, b in [(c, c) for c in sample(name, ALL, 4, len(ALL))] + sample(
            name, [(a, b) for a in ALL for b in ALL], 2, 8):
        for shape in [(), (31,), (3, 5, 7), (0,)]:
            x, y = map(np.asarray, operands(ufunc, (a, b), shape))
            if name.endswith("shift"):
                y = np.asarray(draw(shape, b, "shift", name))
            table.compare(run, (gpuarray.to_gpu(x), gpuarray.to_gpu(y)), (x.copy(), y),
                          (name, a, b, shape))


def test_astype(table):
    for a in ALL:
        for b in sample(a, ALL, 3, 7):
            for shape in SHAPES:
                # what numbers become that the other dtype cannot hold is nowhere defined
                host = np.asarray(np.abs(draw(shape, a, "shift", (a, b))))
                host = np.where(host < 100, host, 1).astype(a)
                for layout in "CF":
                    one = lay(host, layout)
                    table.compare(lambda x, b=b: x.astype(b), one[1:], one[:1], (a, b, shape, layout))


@pytest.mark.parametrize("name", ["add", "multiply", "less", "sqrt", "exp", "negative"])
def test_large(table, name):
    function = getattr(np, name)
    for char in "fdi":
        x, y = operands(name, (char, char), (1 << 20,))
        for cut in [np.s_[:], np.s_[::2], np.s_[1:-1], np.s_[::-1]]:
            host = (x[cut], y[cut])[:function.nin]
            device = [gpuarray.to_gpu(part)[cut] for part in (x, y)[:function.nin]]
            table.compare(function, device, host, (name, char, cut))


REDUCTIONS = ["sum", "prod", "max", "min", "any", "all", "mean", "var", "std", "argmax", "argmin"]
REDUCED_SHAPES = [(), (1,), (31,), (1000,), (3, 5, 7), (2, 3000), (3000, 2), (513, 40), (130, 2100), (0,), (3, 0, 2)]


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(table, name):
    """Along each axis, along pairs and along all, with and without keeping them."""
    arguments = name.startswith("arg")
    for char in "f" + "".join(sample(name, ALL.replace("f", ""), 2, 4)):
        for shape in REDUCED_SHAPES:
            x = np.asarray(draw(shape, char, "power", (name, shape)))
            if name == "prod":
                x = np.where(x > x.dtype.type(0), x.dtype.type(1), x.dtype.type(0)) + x[:1] * 0 \
                    if x.ndim else x
            pairs = [] if arguments or len(shape) < 2 else [(0, len(shape) - 1), (-1, 0)]
            for axis in [None, *range(-len(shape), len(shape)), *pairs]:
                for keepdims in (False, True):
                    for layout in ["C", "F", "negative"] if char == "f" or WIDE else ["C", "F"]:
                        if pair := lay(x, layout):
                            reduce = functools.partial(getattr(np, name), axis=axis,
                                                       keepdims=keepdims)
                            table.compare(reduce, pair[1:], pair[:1],
                                          (name, char, shape, axis, keepdims, layout), 500)


def test_reductions_into_out(table):
    x = draw((4, 5, 6), "f", "unit", 0)
    for name in REDUCTIONS:
        wanted = getattr(np, name)(x, axis=1)
        out = gpuarray.empty(wanted.shape, wanted.dtype)
        assert getattr(np, name)(gpuarray.to_gpu(x), axis=1, out=out) is out
        table.compare(lambda a: a, (out,), (wanted,), name, 100)


@pytest.mark.parametrize("char", ["f", "d", "i", "F", "e", "?"])
def test_matmul(table, char):
    shapes = [((3, 4), (4, 5)), ((4,), (4, 5)), ((3, 4), (4,)), ((4,), (4,)), ((2, 3, 4), (4, 5)),
              ((2, 1, 3, 4), (6, 4, 5)), ((3, 0), (0, 2)),
              ((70, 130), (130, 66)), *[((200, 300), (300, 100))] * (char == "f" or WIDE),
              ((16, 16), (16, 16)), ((65, 33), (33, 130)), ((2, 1, 70, 64), (3, 64, 70)),
              ((3, 4), (3, 4)), ((), (3,))]
    for first, second in shapes:
        a = np.asarray(draw(first, char, "unit" if char in "fdeF" else "power", (0, first)))
        b = np.asarray(draw(second, char, "unit" if char in "fdeF" else "power", (1, second)))
        a, b = (np.nan_to_num(x, posinf=1, neginf=-1) for x in (a, b))
        for layouts in ["CC", "FC", ("C", "transposed")]:
            one, two = lay(a, layouts[0]), lay(b, layouts[1])
            if one and two:
                table.compare(operator.matmul, (one[1], two[1]), (one[0], two[0]),
                              (char, first, second, layouts), 30)


PLACES, COLUMN = np.array([1, -1, 3, 3]), np.array([[0], [2]])
INDICES = [
    PLACES, [0, 2], [], (PLACES, slice(None), PLACES), (slice(None), PLACES), (None, PLACES),
    (slice(None), PLACES, PLACES), (PLACES, COLUMN), (COLUMN, Ellipsis, PLACES), (PLACES, None, 2),
    (slice(1, None, 2), PLACES, slice(None, None, -1)), (slice(None), PLACES, 3),
    (2, slice(None), PLACES), (Ellipsis, [1, 2]), True, False, np.array([True] * 3 + [False] * 3),
    (np.array([False, True] * 3), slice(2)), "mask", (0, "mask"), (slice(None), "mask"), [7], [-7],
    [1.5], (PLACES, [1, 2]), (0, 0, 0, [1]), [True, False], (slice(5, 3), PLACES),
    (slice(None), PLACES, Ellipsis, 1), (PLACES, Ellipsis, COLUMN),
]


def indices_for(index, host):
    """The index with its masks made, for NumPy and for the GPU."""
    items = index if isinstance(index, tuple) else (index,)
    mask = (host if len(items) == 1 else host[0]) > 0.5
    host_items = tuple(mask if isinstance(item, str) else item for item in items)
    device_items = tuple(gpuarray.to_gpu(item) if isinstance(item, np.ndarray) else item
                         for item in host_items)
    return host_items, device_items


@pytest.mark.parametrize(("char", "place"), [
    (char, place) for char in "bQ" + "hilqBHIL" * WIDE
    for place in [0, 1, 127, 128, 200, 255, 299, 300, 2**63 - 1, -1, -2, -128, -300, -301, -2**63]
    if np.iinfo(char).min <= place <= np.iinfo(char).max])
def test_rows_at_places_of_any_integers(context, char, place):
    """Where the greatest of a dtype is less than the length, or would be beyond it as an integer without a sign."""
    host = np.arange(600).reshape(300, 2)
    places = np.array([[3, place], [5, 3]], char)
    rows, index = gpuarray.to_gpu(host), gpuarray.to_gpu(places)
    if not -300 <= place < 300:
        with pytest.raises(IndexError, match=f"index {place} is out of bounds for axis 0 with size 300"):
            rows[index]
        with pytest.raises(IndexError, match=f"index {place} is out of bounds for axis 0 with size 300"):
            rows[index] = 7
        assert (rows.get() == host).all()
        return
    assert (rows[index].get() == host[places]).all()
    rows[index] = -1
    host[places] = -1
    assert (rows.get() == host).all()


@pytest.mark.parametrize("char", "bfD")
@pytest.mark.parametrize("shape", [(130, 3), (3, 90, 11), (64, 1, 12), (70, 2, 5)])
def test_many_short_rows(context, char, shape):
    """Which the host device takes column by column."""
    h, rng = draw(shape, char, "unit", 1), np.random.default_rng(shape)
    rows, columns = rng.integers(0, shape[0], 80), rng.integers(0, shape[-1], 7)
    places, beside = gpuarray.to_gpu(rows), gpuarray.to_gpu(columns)
    for x in (h, h[::-1], h[..., ::-1], h[::2], np.asfortranarray(h), h.swapaxes(0, -1)):
        a = gpuarray.to_gpu(x)
        for got, wanted in [(a + a[..., :1], x + x[..., :1]), (a[1:] - a[:-1], x[1:] - x[:-1]), (a[..., 1:].copy(), x[..., 1:]),
                            (a[..., beside % a.shape[-1]], x[..., columns % x.shape[-1]]),
                            (a[places % a.shape[0]], x[rows % x.shape[0]]),
                            (a.copy(order="C"), x), (a.copy(order="F"), x), (a.astype("D"), x.astype("D"))]:
            assert np.array_equal(got.get(), wanted, equal_nan=char != "b")
        b = a.copy()
        y = x.copy()
        b[..., 1:], y[..., 1:] = a[..., :-1], x[..., :-1]
        b[np.unique(rows % x.shape[0])], y[np.unique(rows % x.shape[0])] = 7, 7
        assert np.array_equal(b.get(), y, equal_nan=char != "b")


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("char", "?bhefdD")
def test_rows_of_any_length(context, char):
    """Which end with a vector, within one or far behind, of two axes and more; elements beside them stay as they are."""
    for length in (12, 15, 16, 17, 31, 32, 33, 47, 48, 63, 100, 112, 127, 128, 129, 144, 256, 257, 300, 513):
        for shape in ((9, length + 2), (2, 3, length + 2)):
            x = draw(shape, char, "unit", 1)
            a, inner = gpuarray.to_gpu(x), np.s_[..., 1:-1]
            row, column = np.s_[:1, ..., 2:], np.s_[..., :1]
            for p, q in [(inner, np.s_[..., 2:]), (inner, row), (inner, column), (row, inner), (np.s_[::-1, ..., 1:-1], inner),
                         (np.s_[..., ::-1], np.s_[...]), (np.s_[..., :-2:2], np.s_[..., 2::2])]:
                assert np.array_equal((a[p] + a[q]).get(), x[p] + x[q], equal_nan=char in "efdD"), (shape, p, q)
            b, y = gpuarray.zeros(shape, char), np.zeros(shape, char)
            b[inner], y[inner] = a[..., 2:], x[..., 2:]
            b[1:, ..., 1:-1] += a[:1, ..., :1]
            y[1:, ..., 1:-1] += x[:1, ..., :1]
            assert np.array_equal(b.get(), y, equal_nan=char in "efdD"), shape


@pytest.mark.parametrize("statement", [
    "x[i] = x[:4]", "x[i] = x[4:8][::-1]", "x[:, i] = x[:, 2:6]", "x.T[i] = x.T[2:6]", "x[i[:, None], i] = x[2:6, 2:6]",
    "x[::-1][i] = x[:4]", "x[x[3] % 8] = 7", "x[x[:, 3] % 8, 1:] = x[0, 1:]", "x[1:][:, x[0] % 8] = 5", "x[2:][i[:2], i[:2]] = x[0, :2]",
    "y['b'][i] = 3", "y['b'][:, i] = y['b'][:, 1:5]", "z[0][i] = z[1][:4]", "x[m] = x[:2]", "x[:, m] = x[:, 1:3]",
    "z[:, n] = z[:, 0, :1]", "z[::2, n[::-1]] = z[1::2, n]", "w[:, i] = w[:, :4]"])
def test_elements_put_from_the_array_itself(context, statement):
    """As if all of what is read had been copied first; rows that lie in any way."""
    def run(to):
        i, m, n = (to(a) for a in (np.array([5, 0, 3, -2]), np.arange(8) % 3 == 2, np.arange(64).reshape(8, 8) % 5 == 1))
        i = i.astype("h")
        x = to(np.arange(64).reshape(8, 8))
        y = to(np.arange(128.0).view(np.dtype([("a", "d"), ("b", "d")])).reshape(8, 8))
        z = to(np.arange(256, dtype="f").reshape(4, 8, 8))
        w = to(np.arange(64, dtype="f").reshape(8, 8))[:, ::2].T[::-1].repeat(2, 0)
        exec(statement, {"x": x, "y": y, "z": z, "w": w, "i": i, "m": m, "n": n})  # noqa: S102
        return [a.get() if isinstance(a, gpuarray.GPUArray) else a for a in (x, y, z, w)]

    for got, wanted in zip(run(gpuarray.to_gpu), run(np.copy), strict=True):
        assert np.array_equal(got, wanted)


@pytest.mark.parametrize("char", ["f", "b", "D"])
@pytest.mark.parametrize("number", range(len(INDICES)))
def test_indexing_by_arrays(table, number, char):
    x = draw((6, 7, 8), "d", "unit", number).astype(char)
    host_index, device_index = indices_for(INDICES[number], np.abs(x))

    def take(a):
        return a[host_index]

    def take_by_device(a):
        return a[device_index if isinstance(a, gpuarray.GPUArray) else host_index]

    def put(value):
        def run(a):
            a = a.copy()
            a[host_index] = value
            return a
        return run

    for layout in ["C", "F", "stepped"]:
        one = lay(x, layout)
        what = (INDICES[number], char, layout)
        table.compare(take, one[1:], one[:1], ("take", *what))
        table.compare(take_by_device, one[1:], one[:1], ("take by device", *what))
        table.compare(put(7), one[1:], one[:1], ("put", *what))
        if number > 11:
            continue  # NumPy finds another fault first
        table.compare(put(np.ones((3, 3, 3, 3, 3))), one[1:], one[:1], ("put too much", *what))
