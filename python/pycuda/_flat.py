"""``x.flat``: the elements of an array in C order, whatever its own, under the names of numpy.flatiter."""

import operator

import numpy as np

from pycuda import _indexing, _native
from pycuda._creation import arange, on_device_as


class FlatIterator:
    """The elements of a GPUArray in C order: counted; iterated over, as arrays without axes; compared, as an array of
    one axis; read and written by integers, slices and arrays of integers. Several are read as a copy; what is written is
    converted to the array's dtype, and comes again from its first element where it is too short. IndexError for places
    that are not there.

    base: the array. index: the number of the element that is next."""

    def __init__(self, base):
        self.base, self.index = base, 0

    @property
    def coords(self):
        """The place of that element along each axis."""
        places = []
        rest = self.index
        for length in self.base.shape[:0:-1]:
            rest, place = divmod(rest, max(length, 1))
            places.append(place)
        return tuple([rest, *reversed(places)][:self.base.ndim])

    def copy(self):
        """All elements along one axis."""
        return self.base.flatten()

    def __len__(self):
        return self.base.size

    def __iter__(self):
        return self

    def __next__(self):
        if self.index >= len(self):
            raise StopIteration
        element = self[self.index]
        self.index += 1
        return element

    def __getitem__(self, key):
        key = _only(key)
        if _is_place(key):
            return self._element(key)
        flat = self.base.ravel()
        found = flat[key]
        return found.copy() if _native._overlap(found, self.base) else found

    def __setitem__(self, key, value):
        if isinstance(key, tuple) and not key:
            raise IndexError("Assigning to a flat iterator with a 0-D index is not supported")
        key = _only(key)
        if _is_place(key):
            self._element(key)[...] = value
        else:
            places = arange(len(self), dtype=np.int64)[key]
            _indexing.put(self.base, places, on_device_as(value, self.base.dtype))

    def _element(self, key):
        """A view of one, without axes."""
        place = operator.index(key)
        if not -len(self) <= place < len(self):
            raise IndexError(f"index {place} is out of bounds for size {len(self)}")
        return self.base[tuple(map(int, np.unravel_index(place % len(self), self.base.shape)))]


def _only(key):
    """An index of the one axis."""
    if isinstance(key, tuple) and len(key) < 2:
        key, = key or (...,)
    if isinstance(key, bool) or (getattr(key, "ndim", 1) == 0 and key.dtype == bool):
        raise IndexError(f"flat takes masks of all its elements, not {key!r} alone")
    if key is None or isinstance(key, tuple):
        raise IndexError(f"flat has one axis: expected an integer, a slice or an array of integers, got {key!r}")
    return key


def _is_place(key):
    return hasattr(key, "__index__") and getattr(key, "ndim", 0) == 0


def _comparison(compare):
    def method(self, other):
        return compare(self.copy(), other.copy() if isinstance(other, FlatIterator) else other)
    return method


for name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(FlatIterator, f"__{name}__", _comparison(getattr(operator, name)))
