"""Elements that are not zero: masks, nonzero and places that are checked while elements are taken, against NumPy."""

import numpy as np
import pytest

from pycuda import gpuarray
from pycuda._marks import Between
from pycuda.gpuarray import to_gpu

pytestmark = pytest.mark.usefixtures("context")


def draw(n, char):
    """A third of it zeros, of either sign and kind."""
    values = np.random.default_rng(n).integers(0, 3, n)
    x = (values * np.where(np.arange(n) % 2, 1, -1)).astype(char)
    if char in "efd":
        x[::7], x[::11] = np.nan, -0.0
    if char in "FD":
        x.imag[::3] = 1
    return x


@pytest.mark.parametrize("char", "?bBhHiIqQefdFD")
def test_masks_and_nonzero(char):
    """Around the sizes of words and tiles."""
    for n in (0, 1, 31, 32, 33, 8191, 8192, 8193, 40000):
        h, mask = draw(n, char), draw(n, "b") > 0
        x, m = to_gpu(h), to_gpu(mask)
        assert np.array_equal(x[m].get(), h[mask], equal_nan=char in "efdFD"), n
        places, = x.nonzero()
        assert places.dtype == np.int64
        assert np.array_equal(places.get(), h.nonzero()[0]), n
        if n > 31:  # not aligned, with gaps
            assert np.array_equal(x[3:][m[3:]].get(), h[3:][mask[3:]], equal_nan=char in "efdFD"), n
            assert np.array_equal(x[1:].nonzero()[0].get(), h[1:].nonzero()[0]), n
            assert np.array_equal(x[::-2][m[::-2]].get(), h[::-2][mask[::-2]], equal_nan=char in "efdFD"), n


def test_all_and_none():
    x = gpuarray.arange(20000, dtype=np.float32)
    for mask in (x >= 0, x < 0):
        assert np.array_equal(x[mask].get(), x.get()[mask.get()])
        assert np.array_equal(mask.nonzero()[0].get(), mask.get().nonzero()[0])


@pytest.mark.parametrize("shape", [(7, 11), (1, 9000), (9000, 1), (5, 6, 7, 8), (3, 0, 2), (2,) * 12])
def test_axes(shape):
    h = draw(int(np.prod(shape)), "b").reshape(shape)
    for host, device in ((h, to_gpu(h)), (h.T, to_gpu(h).T), (h[::-1], to_gpu(h)[::-1])):
        for wanted, given in zip(host.nonzero(), device.nonzero(), strict=True):
            assert np.array_equal(given.get(), wanted)
        assert np.array_equal(device[device > 0].get(), host[host > 0])


@pytest.mark.parametrize("char", "bBhHiIqQ")
def test_places_of_any_integers(char):
    """As they are, counted from the end below zero; what is not there is refused, and says so."""
    h = np.random.default_rng(1).random(90)
    x = to_gpu(h)
    at = np.random.default_rng(2).integers(-90 if char in "bhiq" else 0, 90, 500).astype(char)
    for taken in (x[to_gpu(at)], gpuarray.take(x, to_gpu(at)), x[to_gpu(at.reshape(5, 100))].ravel()):
        assert np.array_equal(taken.get(), h[at])
    same = at[:50] % 90
    h[same], x[to_gpu(same)] = 5, 5
    assert np.array_equal(x.get(), h)
    for wrong in (90, -91, np.iinfo(char).max, np.iinfo(char).min):
        if wrong not in range(-90, 90) and np.iinfo(char).min <= wrong:
            bad = at.copy()
            bad[77] = wrong
            before = x.get()
            for use in (lambda: x[to_gpu(bad)], lambda: gpuarray.take(x, to_gpu(bad)),  # noqa: B023
                        lambda: gpuarray.take(x, to_gpu(bad), out=gpuarray.zeros(500, float)),  # noqa: B023
                        lambda: x.__setitem__(to_gpu(bad), 1)):  # noqa: B023
                with pytest.raises(IndexError, match=f"index {wrong} is out of bounds for axis 0 with size 90"):
                    use()
            assert np.array_equal(x.get(), before)


def test_places_of_nothing():
    empty = to_gpu(np.empty(0))
    assert empty[to_gpu(np.empty(0, np.int32))].size == 0
    with pytest.raises(IndexError, match="index 0 is out of bounds for axis 0 with size 0"):
        empty[to_gpu(np.zeros(1, np.int32))]


def test_running_sums_leave_what_they_read():
    h = np.arange(1, 5000, dtype=np.int64)
    x = to_gpu(h)
    assert np.array_equal(x.cumsum(0).get(), h.cumsum())
    assert np.array_equal(x.get(), h)
    x.cumsum(0, out=x)
    assert np.array_equal(x.get(), h.cumsum())


@pytest.mark.parametrize("char", "bBhHiIqQefd")
def test_between(char):
    """What lies between two elements, and how many are below or NaN: around the sizes of words and tiles."""
    for n in (1, 31, 33, 8191, 8192, 8193, 40000):
        h = draw(n, char)
        if char in "efd":
            h[3::13] = np.inf
        for low, high in [(0, 1), (1, 1), (-1, 2), (2, 0), (0, 0)]:
            low, high = (np.array([one]).astype(char) for one in (low, high))
            for part in (np.s_[:], np.s_[1:], np.s_[::-2]):
                x = h[part]
                marks = Between(to_gpu(h)[part], to_gpu(low), to_gpu(high)) if x.size else None
                if marks:
                    wanted = x[(x >= low) & (x <= high)]
                    assert np.array_equal(marks.elements(to_gpu(h)[part]).get(), wanted), (n, low, high)
                    assert (marks.count, marks.below) == (wanted.size, (x < low).sum())
                    assert (marks.nans, marks.is_one) == (np.isnan(x.astype("d")).sum(), low == high)
