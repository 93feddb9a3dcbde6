"""Numbers of Python's and lists that are written to arrays: they have the array's dtype, as in NumPy 2, and those that
it does not hold are refused; a wrong number would be worse."""

import warnings

import numpy as np
import pytest

from pycuda.gpuarray import GPUArray, to_gpu

pytestmark = pytest.mark.usefixtures("context")

X = np.array([3, 1, 0, 2, 5, 1, 0, 4])
CASES = {
    "insert": lambda x, v: np.insert(x, 0, v),
    "insert several": lambda x, v: np.insert(x, [0, 2], v),
    "putmask": lambda x, v: np.putmask(x, x > 1, v) or x,
    "place": lambda x, v: np.place(x, x > 1, [v, 1]) or x,
    "fill_diagonal": lambda x, v: np.fill_diagonal(x.reshape(2, 4)[:, :2], v) or x,
    "copyto": lambda x, v: np.copyto(x, v) or x,
    "copyto by a mask": lambda x, v: np.copyto(x, v, where=x > 1) or x,
    "put": lambda x, v: np.put(x, [1, -1], v) or x,
    "x[1:3] = v": lambda x, v: x.__setitem__(slice(1, 3), v) or x,
}


def outcome(function, x, value):
    """What it gives, or the kind of error."""
    try:
        found = function(x, value)
    except (TypeError, OverflowError) as error:
        return type(error)
    return (found.dtype, (found.get() if isinstance(found, GPUArray) else found).tolist())


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", ["u1", "i1", "u2", "u8", "f4", "?"])
def test_numbers_that_the_dtype_may_not_hold(case, kind):
    for value in (7, 300, -1, 70000, True):
        want = outcome(CASES[case], X.astype(kind), value)
        assert outcome(CASES[case], to_gpu(X.astype(kind)), value) == want, value


def test_lists_of_numbers():
    for kind in ("u1", "i8", "f4"):
        for f in (lambda x: np.putmask(x, x > 1, [1, 2, 3]), lambda x: np.copyto(x, np.ones(8, "u1"))):
            want, found = X.astype(kind), to_gpu(X.astype(kind))
            f(want)
            f(found)
            assert np.array_equal(found.get(), want)


@pytest.mark.parametrize("kind", ["?", "u1", "i1", "u8", "f4", "c8"])
@pytest.mark.parametrize("casting", ["no", "safe", "same_kind", "unsafe"])
def test_numbers_and_casting_rules(kind, casting):
    def copy(x, value):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # imaginary parts that are dropped
            np.copyto(x, value, casting=casting)
        return x

    for value in (1, 300, -1, 1.5, 2j, True):
        assert outcome(copy, to_gpu(X.astype(kind)), value) == outcome(copy, X.astype(kind), value), value


def test_counts_of_unsigned_words():
    x = np.array([1, 5, 1], "u8")
    assert np.bincount(to_gpu(x)).get().tolist() == [0, 2, 0, 0, 0, 1]
    assert np.bincount(to_gpu(x), to_gpu(np.array([1.5, 2, 3]))).get().tolist() == [0, 4.5, 0, 0, 0, 2]
    with pytest.raises(ValueError, match="too large"):
        np.bincount(to_gpu(np.array([2**63], "u8")))
