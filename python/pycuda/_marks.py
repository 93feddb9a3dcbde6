"""Which elements of an array are not zero, or between two others: a bit of each on the device, and how many there are, on the host. With that
the elements of another array at the same places, or the places themselves, are written one after the other."""

import numpy as np

from pycuda import _native

_PLACE = np.dtype(np.int64)
_TILE = 8192


class Marks:
    """Of the elements of a GPUArray of numbers, in C order. Waits for the device: `count` says how many are not zero."""

    __slots__ = ("bits", "count", "sums")

    def __init__(self, array):
        array = array.ravel()
        tiles = -(-array.size // _TILE)
        self.bits, self.sums, self.count = _native._empty(tiles * _TILE // 32, np.uint32), _native._empty(tiles, _PLACE), 0
        if tiles:
            total = _native._empty((), _PLACE)
            _native._mark(array, self.bits, self.sums, total)
            self.count = int(total.get())

    def elements(self, array):
        """Those elements of another GPUArray of numbers, of as many."""
        result = _native._empty(self.count, array.dtype)
        _native._marked_elements(self.bits, self.sums, array.ravel(), result)
        return result

    def places(self, shape):
        """For each axis of an array of that shape their places along it, as int64."""
        results = tuple(_native._empty(self.count, _PLACE) for _ in shape)
        _native._marked_places(self.bits, self.sums, shape, results)
        return results


class Between(Marks):
    """Of the elements of a GPUArray of real numbers those from `low` to `high`, arrays of one element. Besides, how many
    are `below` and how many `nans`; `is_one`: low and high are equal."""

    __slots__ = ("below", "is_one", "nans")

    def __init__(self, array, low, high):
        array = array.ravel()
        tiles = -(-array.size // _TILE)
        counts = _native.zeros(tiles + 3, _PLACE)  # with the totals behind, so that one copy brings all
        self.bits, self.sums = _native._empty(tiles * _TILE // 32, np.uint32), counts[:tiles]
        _native._mark_between(array, low, high, self.bits, self.sums, counts[tiles:])
        self.count, self.below, self.nans, self.is_one = counts[tiles - 1:].get().tolist()
