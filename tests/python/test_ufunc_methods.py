"""The methods of NumPy's ufuncs (reduce, accumulate, reduceat, outer and at) and the keywords of calls, held against
NumPy."""

import itertools
import os
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_numpy_functions import VARIABLES, assert_same, on_host, run

from pycuda.gpuarray import to_gpu

pytestmark = pytest.mark.usefixtures("context")

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check; make test is for between two edits
R = np.random.default_rng(3)
MORE = VARIABLES | {
    "d": R.standard_normal(9), "k": np.array([0, 2, 0, 1, 2, 2]), "w": R.random(6) + 0.5,
    "q": R.integers(1, 9, (2, 3, 4)).astype("h"), "h": (R.integers(-8, 9, (3, 4)) / 4).astype("e"),
    "cd": (A := R.standard_normal((2, 4))) + 1j * A[::-1], "o": R.integers(0, 2, (3, 4)) > 0,
}

REDUCED = """
    np.gcd.reduce(-i[:1]), np.hypot.reduce(-a[:1]), np.gcd.reduce(-i, ()), np.logical_xor.reduce(i[:1]), np.gcd.accumulate(-i), np.gcd.reduceat(-i, [0, 1])
    np.subtract.reduce(a), np.subtract.reduce(i, 1), np.divide.reduce(d), np.gcd.reduce(q, 1), np.lcm.reduce(q), np.hypot.reduce(a, 1), np.logaddexp.reduce(a), np.logaddexp2.reduce(a, (0, 1)), np.power.reduce(q[:, :, 0], axis=1)
    np.bitwise_and.reduce(i), np.bitwise_or.reduce(q, (0, 2)), np.bitwise_xor.reduce(u), np.bitwise_xor.reduce(b), np.bitwise_and.reduce(i, axis=None, keepdims=True), np.bitwise_and.reduce(i[:0]), np.bitwise_or.reduce(u, initial=64), np.bitwise_or.reduce(q, where=q > 3), np.bitwise_and.reduce(u, where=u > 3), np.bitwise_or.reduce(q[:, :0], 1)
    np.logical_xor.reduce(o), np.logical_xor.reduce(i, 1), np.logical_and.reduce(a), np.logical_or.reduce(a, 1, keepdims=True), np.floor_divide.reduce(i), np.remainder.reduce(q), np.fmod.reduce(a), np.copysign.reduce(d), np.left_shift.reduce(q[0] % 3)
    np.add.reduce(a, dtype="d"), np.add.reduce(i, dtype="h", axis=1), np.multiply.reduce(q, (0, 1)), np.maximum.reduce(i, dtype="d"), np.minimum.reduce(a, where=a > 2, initial=50), np.fmax.reduce(n, 1), np.add.reduce(a, where=o), np.add.reduce(h), np.subtract.reduce(h), np.subtract.reduce(a, dtype="d"), np.maximum.reduce(a, None), np.add.reduce(z, axis=0), np.subtract.reduce(q, 2, keepdims=True)
    np.subtract.reduce(a, initial=5), np.subtract.reduce(a, where=o, initial=1), np.gcd.reduce(q, where=q > 3), np.subtract.reduce(c), np.multiply.reduce(c, 1), np.heaviside.reduce(a), np.nextafter.reduce(d[:2]), np.subtract.reduce(a.T), np.subtract.reduce(a[:, ::-2], 1), np.subtract.reduce(a, out=np.zeros_like(a[0])), np.hypot.reduce(e), np.gcd.reduce(i[:, :0], 1)
    np.bitwise_or.reduce(a, dtype="h"), np.fmin.reduce(i, 1, "Q"), np.subtract.accumulate(a, 0, "h"), np.bitwise_xor.reduceat(a, [0, 2], dtype="B"), np.copysign.reduce(c, dtype="d"), np.logical_xor.reduce(c, dtype="?")
    np.subtract.reduce(a, dtype="?")
    np.subtract.reduce(a, initial=1j)
    np.gcd.reduce(u, initial=-2)
    np.bitwise_or.reduce(q, initial=10**30)
    np.add.reduce(a, initial=1j)
    np.add.reduce(u, initial=-2)
    np.maximum.reduce(i, initial=1j)
    np.maximum.reduce(u, initial=300)
    np.multiply.reduce(a[:0], initial=1j)
    np.add.reduceat(d, np.array([0, 3], "Q"))
    np.add.reduceat(d, np.array([0.0, 3.0]))
    np.add.reduceat(d, [0.0, 3.0]), np.add.reduceat(d, []), np.add.reduceat(d, np.array([True]))
    np.hypot.reduce(a, dtype="h")
    np.subtract.reduce(a, (0, 1))
    np.subtract.reduce(e)
    np.subtract.reduce(a, where=o)
    np.maximum.reduce(e)
    np.negative.reduce(a)
    np.divmod.reduce(a)
    np.subtract.reduce(o)
    np.add.reduce(a, 5)
    np.gcd.reduce(a)
    np.subtract.accumulate(a), np.subtract.accumulate(i, 1), np.divide.accumulate(d), np.gcd.accumulate(q, 2), np.bitwise_xor.accumulate(u), np.logical_or.accumulate(o), np.logical_and.accumulate(i, 1), np.hypot.accumulate(a), np.add.accumulate(a, 0, "d"), np.multiply.accumulate(q, -1), np.fmin.accumulate(n, 1), np.maximum.accumulate(h), np.power.accumulate(q[:, :, 0]), np.subtract.accumulate(a[::-1].T), np.subtract.accumulate(e), np.subtract.accumulate(h, 1), np.add.accumulate(cd), np.subtract.accumulate(cd, 1), np.logaddexp.accumulate(d), np.subtract.accumulate(u), np.subtract.accumulate(a, out=np.zeros_like(a))
    np.add.accumulate(z)
    np.subtract.accumulate(z)
    np.negative.accumulate(a)
    np.subtract.accumulate(a, 3)
    np.add.reduceat(a, [0, 2, 1]), np.add.reduceat(a, [0, 2, 1], 1), np.add.reduceat(d, [0, 4, 1, 5, 2, 6, 3, 7]), np.maximum.reduceat(i, k % 3), np.multiply.reduceat(q, [1, 0], axis=1), np.subtract.reduceat(d, [0, 3]), np.add.reduceat(u, [0, 2]), np.add.reduceat(a, [1], 1, "d"), np.logical_and.reduceat(a, [0, 1], 1), np.add.reduceat(b, [0, 1]), np.bitwise_or.reduceat(i, [0, 2], 1), np.add.reduceat(h, [0, 2, 3], 1), np.add.reduceat(a.T, [0, 2]), np.add.reduceat(a, [0, 2, 1], out=np.zeros_like(a)), np.add.reduceat(d, k[:0]), np.minimum.reduceat(n, [0, 1], 1), np.add.reduceat(cd, [0, 2], 1)
    np.add.reduceat(a, [0, 3])
    np.add.reduceat(a, [-1])
    np.add.reduceat(a, [[0]])
    np.add.reduceat(z, [0])
    np.negative.reduceat(a, [0])
    np.add.outer(i, u), np.less.outer(a[0], i[0]), np.add.outer(3, i), np.multiply.outer(a, z), np.add.outer(a, i, dtype="d"), np.subtract.outer(a[0], a[0], where=b, out=np.zeros_like(a[:1] + a[0][:, None])), np.divmod.outer(u, 3), np.arctan2.outer(a[0], d)
"""

AT = """
    np.add.at(d, k, w); d
    np.add.at(d, k, 1); d
    np.add.at(a, (k % 3, k), w.astype("f")); a
    np.add.at(a, k % 3, 5); a
    np.add.at(i, [[0, 0], [1, -1]], u); i
    np.add.at(u, [0, 0, 3], np.array([1, 2, 3], "B")); u
    np.add.at(h, k % 3, np.ones(4, "e")); h
    np.add.at(cd, (0, k), 1 + 2j); cd
    np.add.at(c, (0, k), 1 + 2j); c
    np.add.at(b, [0, 1, 1], [True, False, True]); b
    np.add.at(a[:, ::-2].T, [1, 1, 0], [5, 6, 7]); a
    np.add.at(a, slice(0, 2), 7); a
    np.add.at(a, (slice(None), [0, 0]), 2); a
    np.add.at(a, a > 3, 2); a
    np.add.at(z, (), 2); z
    np.add.at(q, (Ellipsis, 1), 2); q
    np.subtract.at(d, k, w); d
    np.subtract.at(u, [0, 0], np.array([1, 2], "B")); u
    np.multiply.at(d, k, w); d
    np.multiply.at(q, 0, 3); q
    np.divide.at(d, k, w); d
    np.maximum.at(i, k % 3, 2); i
    np.maximum.at(n, ([0, 0, 2], [0, 0, 1]), [7, 9, np.nan]); n
    np.minimum.at(h, k % 3, 0); h
    np.bitwise_or.at(i, [0, 0, 1], 64); i
    np.bitwise_xor.at(q, (k % 2, 0), 5); q
    np.bitwise_and.at(u, [0, 3, 3], np.array([1, 6, 3], "B")); u
    np.logical_and.at(b, [0, 1, 1], [False, True, True]); b
    np.power.at(d, [0, 0], 2); d
    np.floor_divide.at(i, [0, 0], 2); i
    np.remainder.at(i, ([0, 0], [0, 0]), [4, 3]); i
    np.copysign.at(d, [0, 0, 0], [-1, 1, -1]); d
    np.negative.at(d, [0, 0, 1]); d
    np.sqrt.at(a, [0, 0, 1]); a
    np.square.at(i, [0, 0, 1]); i
    np.invert.at(q, (0, [0, 1, 1])); q
    np.left_shift.at(q, (0, 0, [0, 0]), 2); q
    np.gcd.at(q, (0, 0, [0, 0]), 6); q
    np.add.at(i, [0, 0], np.float32(1.5)); i
    np.add.at(a, [0, 1], np.array([[1], [2]])); a
    np.add.at(d, k, np.arange(6)); d
    np.add.at(d, k[:0], 5); d
    np.add.at(d, [99], 5); d
    np.add.at(d, [0, 1], [1, 2, 3]); d
    np.add.at(d, [0])
    np.negative.at(d, [0], 1)
    np.divmod.at(d, [0], 1)
    np.add.at(d, [0.5], 1)
    np.add.at(i, [0], 2.75); i
    np.subtract.at(i, [0, 0], 1); i
    np.subtract.at(d, [0, 0], np.uint8(3)); d
    np.subtract.at(d, [0, 1], True); d
    np.bitwise_or.at(u.astype("L"), [0], 1)
    np.add.at(u.astype("B"), [0, 0], 300)
    np.maximum.at(i, [0, 1], -1); i
    np.add.at(d, k, d[k]); d
"""

CALLS = """
    np.add(a, i, order="F").flags.f_contiguous, np.add(a.T, 1, order="C").flags.c_contiguous, np.add(a, 1, subok=False), np.sin(a, order="K"), np.divmod(i, 2, order="F")[1].flags.f_contiguous
    np.add(a, i, signature="dd->d"), np.add(i, i, sig="ff->f"), np.add(i, 1, signature=(None, None, "d")), np.sqrt(a, signature="d->d")
    np.logical_and(a, i, dtype=bool), np.logical_or(c, 2.5, dtype="?"), np.logical_xor(d, 1, dtype="?", casting="safe")
    np.logical_and(a, i, dtype="i")
    np.add(i, i, signature="d", casting="unsafe")
    np.add(a, 1, order="Q")
    np.add(a, a, signature="ii->i")
    np.add(a, 1, nonsense=2)
    np.gcd(q, 6), np.lcm(i, u.astype("h")), np.gcd(u, u[::-1]), np.logaddexp2(a, i), np.bitwise_count(i), np.spacing(a), np.bitwise_count(u), np.lcm(q, q[::-1]), np.gcd(i, 0), np.lcm(i, 0)
    np.gcd(a, a)
    np.lcm(b, b)
    np.bitwise_count(a)
"""

CASES = [line.strip() for text in (REDUCED, AT, CALLS) for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("text", CASES)
def test_expression(text):
    wanted = run(text, {name: array.copy() for name, array in MORE.items()})
    got = run(text, {name: to_gpu(array) for name, array in MORE.items()})
    assert_same(on_host(got), wanted)


UFUNCS = ["add", "subtract", "maximum", "bitwise_xor", "gcd"]
UFUNCS += ["multiply", "minimum", "logical_or", "fmin", "floor_divide", "power"] * WIDE
DTYPES = "?bHilQfd" if WIDE else "?Bif"


@st.composite
def arrays(draw, most=4):
    shape = draw(st.lists(st.integers(0, most), min_size=1, max_size=3))
    char = draw(st.sampled_from(DTYPES))
    values = draw(st.lists(st.integers(0, 5), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
    array = np.array(values).astype(char).reshape(shape)
    return draw(st.sampled_from([lambda x: x, lambda x: x.T, lambda x: x[::-1], lambda x: x[..., ::2]]))(array)


def same(function, *arrays):
    """Compares what a function gives of arrays of the host with what it gives of arrays of the device."""
    outcomes = []
    for values in (arrays, [to_gpu(x) for x in arrays]):
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                outcomes.append(on_host(function(*values)))
        except (TypeError, ValueError, IndexError) as error:
            outcomes.append(error)
    assert_same(*outcomes[::-1])


@settings(max_examples=60 if WIDE else 25, deadline=None, derandomize=True, database=None)
@given(arrays(), st.sampled_from(UFUNCS), st.data())
def test_generated_reductions(array, name, data):
    ufunc, axis = getattr(np, name), data.draw(st.integers(-array.ndim, array.ndim))
    same(lambda x: ufunc.reduce(x, axis), array)
    same(lambda x: ufunc.accumulate(x, axis), array)
    places = data.draw(st.lists(st.integers(-1, 4), max_size=5))
    same(lambda x: ufunc.reduceat(x, places, axis), array)


@settings(max_examples=60 if WIDE else 25, deadline=None, derandomize=True, database=None)
@given(arrays(), st.sampled_from(UFUNCS), st.data())
def test_generated_changes_at_places(array, name, data):
    places = data.draw(st.lists(st.integers(-len(array) - 1, len(array)), min_size=1, max_size=6))
    value = data.draw(st.integers(name == "floor_divide", 3))  # of uint64 it is NaN by 0, which no integer is

    def change(x):
        x = x.copy()
        getattr(np, name).at(x, places, value)
        return x

    same(change, array)


def test_many_changes_of_few_elements():
    """Of one element by many threads: none is lost."""
    places = R.integers(0, 3, 100003)
    for char, name in itertools.product("bHilQefd" if WIDE else "bilf", ["add", "maximum", "bitwise_xor"]):
        if char in "efd" and name == "bitwise_xor":
            continue
        table, values = np.zeros(3, char), R.integers(0, 9, places.size).astype(char)
        same(lambda t, p, v, name=name: (t := t.copy(), getattr(np, name).at(t, p, v))[0], table, places, values)
    for table in [np.zeros(3, "F"), np.zeros(3, "D")]:
        same(lambda t, p, v: (t := t.copy(), np.add.at(t, p, v))[0], table, places, (values + 1j).astype(table.dtype))


def test_few_long_stretches():
    """Each is reduced by many threads."""
    a = R.integers(0, 9, (2, 20000)).astype("i")
    for name in ["add", "maximum", "bitwise_xor", "subtract"]:
        for places in [[0, 9000], [5000, 0, 12000]]:
            same(lambda x, name=name, places=places: getattr(np, name).reduceat(x, places, 1), a)
            same(lambda x, name=name, places=places: getattr(np, name).reduceat(x.T, places), a)
    same(lambda x: np.add.reduceat(x, [0, 9000], 1, "d"), a)
