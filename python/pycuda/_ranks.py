"""Single elements of a row by their rank, the place that they would have if it were sorted: a sample of the row, which is
sorted, says between which two elements it will be, and elements between these alone are sorted."""

import math

import numpy as np

from pycuda import _native
from pycuda._functions import broadcast_to
from pycuda._marks import Between
from pycuda._sorting import sort_rows

_FEWEST, _FEWEST_ON_GPU = 1 << 18, 1 << 26  # bytes for each rank: to sort fewer takes no longer than to pass over them
_SAMPLE, _SHARE = 1 << 18, 64  # elements at most; as a part of the row
_DEVIATIONS = 5  # of a rank, by which a sample may miss it: one of a million does


class Ranks:
    """Stands for sorted rows, one in fact, where single elements are asked for: ranks[..., k], first one at about `share`
    of the row. If there are `nans`, each is NaN."""

    def __init__(self, rows, share):
        self.shape, self.dtype, self.row, self._parts = rows.shape, rows.dtype, rows.ravel("K"), []
        step = self.row.size // min(_SAMPLE, max(self.row.size // _SHARE, 1)) | 1  # odd: rows of a picture have even lengths
        self._sample = sort_rows(self.row[::step].copy())[0]
        self.nans = 0
        self._part(int(share * (self.row.size - 1)))

    def __getitem__(self, key):
        _, place = key
        place += self.shape[-1] if place < 0 else 0
        if self.nans:
            return _native.full((), np.nan, self.dtype)
        known = (part for part in self._parts if part[0] <= place < part[0] + part[1])
        first, _, elements = next(known, None) or self._part(place)
        return elements[..., place - first]

    def _part(self, place):
        """(rank of the first, how many, those elements, sorted) around a place"""
        low, high = self._ends(place)
        marks = Between(self.row, low, high)
        self.nans = marks.nans
        first, count = marks.below, marks.count
        if self.nans or not first <= place < first + count:  # a sample that tells little
            part = 0, self.row.size, self.row[:1] if self.nans else sort_rows(self.row)[0]
        elif marks.is_one:
            part = first, count, broadcast_to(low, (count,))
        else:
            elements = marks.elements(self.row)
            is_narrow = count <= self.row.size // 4
            part = first, count, (is_narrow and ranks_of(elements, (place - first) / count)) or sort_rows(elements)[0]
        self._parts.append(part)
        return part

    def _ends(self, place):
        """Two elements between which the one of that rank is likely to be."""
        size = self._sample.size
        share = place / self.row.size
        margin = _DEVIATIONS * math.sqrt(size * share * (1 - share)) + 2
        first, last = int(size * share - margin), int(size * share + margin) + 1
        return (self._sample[first:first + 1] if first >= 0 else _native.min(self.row).reshape(1),
                self._sample[last:last + 1] if last < size else _native.max(self.row).reshape(1))


def ranks_of(rows, share, count=1, skips_nan=False):
    """The Ranks of rows that are one alone, and long beside how many places will be asked for; None if it is better to
    sort them. skips_nan: or if there is one."""
    fewest = _FEWEST if _native._is_host_device() else _FEWEST_ON_GPU
    if rows.nbytes < count * fewest or rows.size != rows.shape[-1] or rows.dtype.kind not in "iuf":
        return None
    if skips_nan and rows.dtype.kind == "f" and np.isnan(_native.min(rows).get()):
        return None
    return Ranks(rows, share)
