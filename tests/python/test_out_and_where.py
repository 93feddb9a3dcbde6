"""Results in an `out` of another dtype, and masks: what is not written keeps all its digits, sums are added in what
holds the `out`, too, and masks that NumPy refuses are refused."""

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.gpuarray import to_gpu

pytestmark = [pytest.mark.usefixtures("context"), pytest.mark.filterwarnings("ignore")]

WIDE = np.array([2**63 - 1, 2**62 + 1, 2**53 + 1])
MASK = np.array([True, False, False])


def add(out, x, mask):
    np.add(x, x, out=out, where=mask, casting="unsafe")


def root(out, x, mask):
    np.sqrt(x, out=out, where=mask, casting="unsafe")


def copy(out, x, mask):
    np.copyto(out, x, casting="unsafe", where=mask)


@pytest.mark.parametrize("function", [add, root, copy])
@pytest.mark.parametrize("kind", ["u8", "f8", "f4", "i4"])
def test_what_a_mask_keeps_keeps_its_digits(function, kind):
    x, want, found = np.array([1, 4, 9], kind), WIDE.copy(), to_gpu(WIDE)
    function(want, x, MASK)
    function(found, to_gpu(x), to_gpu(MASK))
    assert np.array_equal(found.get(), want)


def test_numbers_copied_by_a_mask():
    for value in (5, True, 2.5, np.float32(2.5), [1, 2, 3]):
        want, found = WIDE.copy(), to_gpu(WIDE)
        copy(want, value, MASK)
        copy(found, value, to_gpu(MASK))
        assert np.array_equal(found.get(), want), value


@pytest.mark.parametrize("function", [np.sum, np.prod, np.max, np.any, np.mean, np.var, np.subtract.reduce])
def test_masks_that_are_refused(function):
    x, more = np.ones((1, 3), "f4"), {"initial": 0} if function in (np.max, np.subtract.reduce) else {}
    for mask, error in [(np.ones((2, 3), bool), ValueError), (np.ones((1, 1, 3), bool), ValueError),
                        (np.ones(2, bool), ValueError), (np.array([1, 0, 1]), TypeError), (np.array([[1.0, 0, 1]]), TypeError)]:
        for a, where in ((x, mask), (to_gpu(x), to_gpu(mask))):
            with pytest.raises(error):
                function(a, axis=0, where=where, **more)
    with np.errstate(all="ignore"):
        for mask in ([1, 0, 1], [[True, False, True]], np.True_):  # what is no array becomes one of booleans
            assert np.array_equal(function(to_gpu(x), axis=0, where=mask, **more).get(),
                                  function(x, axis=0, where=mask, **more), equal_nan=True)


@pytest.mark.parametrize("mask", [[True, False, True], [[1], [0]], np.array([True, False, False]), True, 0], ids=repr)
def test_masks_of_operations_that_are_no_arrays_on_the_device(mask):
    x = np.arange(6.0).reshape(2, 3)
    for function, outs in [(np.sqrt, 1), (np.modf, 2)]:
        want = tuple(np.full((2, 3), 7.0) for _ in range(outs))
        out = tuple(map(to_gpu, want))
        function(x, out=want, where=mask)
        function(to_gpu(x), out=out, where=mask)
        assert np.array_equal([one.get() for one in out], want)


@pytest.mark.parametrize("mask", [np.array([1, 0, 1]), np.ones((2, 2, 3), bool), np.ones(2, bool)], ids=["integers", "axes", "length"])
def test_masks_of_operations_that_are_refused(mask):
    x = np.ones((2, 3))
    for a, where in [(x, mask), (to_gpu(x), to_gpu(mask)), (to_gpu(x), mask)]:
        with pytest.raises((TypeError, ValueError)):
            np.add(a, 1, out=a.copy(), where=where)


@pytest.mark.parametrize("function", [np.sum, np.prod, np.mean, np.nansum, np.nanmean, np.cumsum, np.cumprod])
@pytest.mark.parametrize("kinds", [("f4", "f8"), ("f2", "f4"), ("f2", "f8"), ("f4", "c16"), ("F", "D"), ("f8", "f4")])
def test_sums_in_what_holds_out(function, kinds):
    x = np.full((7, 3), 1.1).astype(kinds[0])
    want = np.empty(np.shape(function(x, axis=0)), kinds[1])
    out = to_gpu(want)
    function(x, axis=0, out=want)
    assert function(to_gpu(x), axis=0, out=out) is out
    assert np.allclose(out.get(), want, 8 * np.finfo(kinds[1]).eps, 0)


@pytest.mark.parametrize("function", [np.sum, np.prod, np.max, np.min, np.mean, np.var, np.cumsum, np.cumprod, np.nansum,
                                      np.nanprod, np.nanmax, np.nancumsum, np.fmin.reduce, np.power.reduce,
                                      np.add.accumulate])
@pytest.mark.parametrize("kinds", [("f8", "i8"), ("f4", "u1"), ("i8", "u4"), ("f8", "?"), ("c16", "f8"), ("c8", "i4")])
def test_reductions_convert_to_any_out(function, kinds):
    """Their casting rule is "unsafe". Of powers of two, since a GPU's pow(3.0, 1.0) may be less than 3."""
    x = np.array([[2, 1, 1], [1, 1, 0]], kinds[0])
    want = np.empty(np.shape(function(x, axis=0)), kinds[1])
    out = to_gpu(want)
    function(x, axis=0, out=want)
    assert function(to_gpu(x), axis=0, out=out) is out
    assert np.array_equal(out.get(), want)


@pytest.mark.parametrize("kind", ["i8", "u1", "f4", "?"])
def test_a_first_value_and_an_out(kind):
    want, x = np.empty(3, kind), np.array([[3, 0, 1], [1.5, 0, 0]])
    for function in (np.sum, np.max):
        out = to_gpu(want)
        function(x, axis=0, out=want, initial=2)
        assert np.array_equal(function(to_gpu(x), axis=0, out=out, initial=2).get(), want)
        assert np.array_equal(function(to_gpu(x[:0]), axis=0, out=out, initial=2).get(),
                              function(x[:0], axis=0, out=want, initial=2))


@pytest.mark.parametrize("function", [np.std, np.nanstd, np.ptp])
def test_what_ends_with_another_operation_does_not(function):
    x, out = np.array([[3.0, 1], [1, 1]]), np.empty(2, "i8")
    for a, there in ((x, out), (to_gpu(x), to_gpu(out))):
        with pytest.raises(TypeError):
            function(a, axis=0, out=there)


def test_places_taken_into_a_wider_dtype():
    """As NumPy does from 2.5 on; before, it refused what the array's dtype does not hold."""
    x = np.arange(12, dtype="i4").reshape(3, 4)
    out, rows = to_gpu(np.zeros(2)), to_gpu(np.zeros((2, 4)))
    assert np.take(to_gpu(x), [5, 7], out=out) is out and out.get().tolist() == [5, 7]
    assert np.compress([1, 0, 1], to_gpu(x), 0, out=rows) is rows and np.array_equal(rows.get(), x[::2])


def test_places_taken_into_another_dtype_on_a_stream():
    """Its conversion is enqueued there, too; of views that lie otherwise as well."""
    x, stream = np.arange(20.0), cuda.Stream()
    for out in [to_gpu(np.zeros(3, "i4")), to_gpu(np.zeros((3, 2), "i4"))[::-1, 1]]:
        assert gpuarray.take(to_gpu(x), [3, 1, 7], out, stream) is out
        stream.synchronize()
        assert out.get().tolist() == [3, 1, 7]
