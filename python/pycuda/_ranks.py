"""Single elements of a row by their rank, the place that they would have if it were sorted: elements are counted
in bins, and those of one bin alone are sorted, after they were counted in the same way if they are many."""

import numpy as np

from pycuda import _native
from pycuda._histograms import MOST_BINS, count_between
from pycuda._sorting import sort_rows

_FEWEST = 1 << 18  # elements: sorting fewer takes no longer than to pass over them several times


class Ranks:
    """Stands for sorted rows, one in fact, where single elements are asked for: ranks[..., k]."""

    def __init__(self, rows, first, last):
        self.shape, self.dtype, self._bins = rows.shape, rows.dtype, {}
        self.row, self.first, self.last = rows.ravel("K"), first, last
        self._edges = np.linspace(float(first), float(last), MOST_BINS + 1)
        if self.dtype.kind == "f":
            self._edges = self._edges.astype(self.dtype)
            self._edges[[0, -1]] = first, last
        self._ends = count_between(self.row, self._edges, _native.to_gpu(self._edges)).get().cumsum()

    def __getitem__(self, key):
        _, place = key
        place += self.shape[-1] if place < 0 else 0
        if place in (0, self.shape[-1] - 1):
            return _native.to_gpu(np.asarray(self.last if place else self.first))
        k = int(np.searchsorted(self._ends, place, "right"))
        if k not in self._bins:
            self._bins[k] = self._sorted_bin(k)
        return self._bins[k][..., int(place - (self._ends[k - 1] if k else 0))]

    def _sorted_bin(self, k):
        low, high = self._edges[k:k + 2]
        below = self.row <= high if k == MOST_BINS - 1 else self.row < high
        elements = self.row[(self.row >= low) & below]
        is_narrow = elements.size <= self.shape[-1] // 4
        return (is_narrow and ranks_of(elements)) or sort_rows(elements)[0]


def ranks_of(rows):
    """The Ranks of rows that are one alone, and long; None if it is better to sort them."""
    if rows.size < _FEWEST or rows.size != rows.shape[-1] or rows.dtype.kind not in "iuf":
        return None
    first, last = (end(rows).get()[()] for end in (_native.min, _native.max))
    is_spread = first < last and np.isfinite(float(last) - float(first))  # which no NaN is
    return Ranks(rows, first, last) if is_spread else None
