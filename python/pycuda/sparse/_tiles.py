"""How a sparse matrix is cut into tiles, each of which is a block's, and the kernels that take them.

The kernels are in include/pycuda/sparse.cuh and sparse_dense.cuh.
"""

import numpy as np

from pycuda import _native, gpuarray
from pycuda.compiler import SourceModule
from pycuda.tools import context_dependent_memoize, dtype_to_ctype

# cuSPARSE is the faster one for products with a matrix of so many columns where the longest row has so many elements, and
# so many times as many as the mean one. Measured on an H200.
LIBRARY_COLUMNS, LIBRARY_LONGEST, LIBRARY_UNLIKE = 128, 512, 16
_MOST_BLOCKS = 65535  # along the second axis of a grid
_MATRIX = "const {i} *tile_rows, const {i} *tile_elements, const {i} *starts, const {i} *columns, const {a} *data, "
_DENSE = _MATRIX + "size_t n, const {y} *x, size_t down, {y} *y, {y} *partial"
_KERNELS = {
    "csr_product": (_MATRIX + "const {y} *x, {y} *y, {y} *partial", "{m}, x, y, partial"),
    "csr_product_matrix": (_DENSE, "{m}, n, x, down, y, partial"),
    "csr_product_uneven": (_DENSE, "{m}, n, x, down, y, partial"),
    "csr_add_cuts": ("const {i} *cuts, const {i} *tile_rows, size_t n, const {y} *partial, {y} *y",
                     "cuts, tile_rows, n, partial, y"),
}


@context_dependent_memoize
def _kernel(name, dtype, result, index):
    a, y, i = map(dtype_to_ctype, (dtype, result, index))
    m = f"pycuda::csr_matrix<{a}, {i}>{{tile_rows, tile_elements, starts, columns, data}}"
    parameters, given = (text.format(a=a, y=y, i=i, m=m) for text in _KERNELS[name])
    return SourceModule(f"""
        #include <pycuda-complex.hpp>
        #include <pycuda/sparse_dense.cuh>
        extern "C" __global__ void {name}({parameters})
        {{
            pycuda::{name}({given});
        }}""", no_extern_c=True).get_function(name)


def cut(starts, tile, longest, piece):
    """(rows, elements, cuts) for rows that begin at elements starts[:-1]: tile k begins at element elements[k],
    in row rows[k], and ends where the next one begins; cuts are the tiles (first, behind the last) of each row of several.

    A tile has rows that begin among `tile` elements, where each row counts as one more, for empty ones; but a row of more
    than `longest` elements has tiles of its own, of `piece` elements.
    """
    lengths = np.diff(starts)
    is_long, place = lengths > longest, (starts[:-1] + np.arange(lengths.size)) // tile
    begins = np.ones(lengths.size, bool)
    begins[1:] = (place[1:] != place[:-1]) | is_long[1:] | is_long[:-1]
    rows = np.flatnonzero(begins)
    pieces = np.where(is_long[rows], -(-lengths[rows] // piece), 1)
    ends = pieces.cumsum()
    number = np.arange(pieces.sum()) - np.repeat(ends - pieces, pieces)
    elements = np.repeat(starts[rows], pieces) + number * piece
    cuts = np.stack([ends - pieces, ends], 1)[pieces > 1]
    return np.append(np.repeat(rows, pieces), lengths.size), np.append(elements, starts[-1]), cuts


def are_for_library(starts):
    """Whether rows that begin at those elements are for cuSPARSE, if the other matrix is as wide."""
    longest = np.diff(starts).max(initial=0)
    return longest > LIBRARY_LONGEST and longest * (starts.size - 1) > LIBRARY_UNLIKE * starts[-1]


class Tiles:
    """The tiles of a matrix whose rows begin at those elements, a NumPy array, on the device of the current context; `uneven`
    are those for products with matrices, if rows are so long that they need other ones than vectors."""

    def __init__(self, starts, index, geometry=None):
        self._threads, lengths, *uneven = geometry or _native._csr_geometry()
        parts = cut(starts, *lengths)
        self._rows, self._elements, self._cuts = (gpuarray.to_gpu(part.astype(index)) for part in parts)
        self._count, self._by_matrix = self._rows.size - 1, "csr_product_matrix" if uneven else "csr_product_uneven"
        has_long = uneven and uneven[0][0] and np.diff(starts).max(initial=0) > lengths[1]
        self.uneven = Tiles(starts, index, (self._threads, uneven[0])) if has_long else None

    def multiply_vector(self, matrix, x, out, stream):
        """out = matrix @ x, all without gaps and of the dtype of out, which is not empty."""
        partial = self._partial(1, out)
        self._kernel("csr_product", matrix, out)(*self._parts(matrix), x, out, partial, stream=stream,
                                                 block=(self._threads, 1, 1), grid=(self._count, 1))
        self._add(matrix, partial, out, 1, stream)

    def multiply_matrix(self, matrix, x, out, stream):
        """The same for a matrix x, which has no gaps in each row."""
        if self.uneven:
            self.uneven.multiply_matrix(matrix, x, out, stream)
            return
        columns, partial = out.shape[1], self._partial(out.shape[1], out)
        wide = min(32, 1 << (columns - 1).bit_length()) if self._threads > 32 else 32
        place, down = (x, columns) if x.flags.c_contiguous else (x.gpudata, x.strides[0] // x.itemsize)
        self._kernel(self._by_matrix, matrix, out)(
            *self._parts(matrix), np.uint64(columns), place, np.uint64(down), out, partial, stream=stream,
            block=(wide, self._threads // wide, 1), grid=(self._count, min(-(-columns // wide), _MOST_BLOCKS)))
        self._add(matrix, partial, out, columns, stream)

    def _kernel(self, name, matrix, out):
        return _kernel(name, matrix.dtype, out.dtype, matrix.indices.dtype)

    def _parts(self, matrix):
        return self._rows, self._elements, matrix.indptr, matrix.indices, matrix.data

    def _partial(self, columns, out):
        """Memory for sums of tiles, where rows were cut; else anything."""
        return _native._empty(self._count * columns, out.dtype) if self._cuts.size else out

    def _add(self, matrix, partial, out, columns, stream):
        """The sums of rows that were cut."""
        if self._cuts.size:
            self._kernel("csr_add_cuts", matrix, out)(
                self._cuts, self._rows, np.uint64(columns), partial, out, stream=stream,
                block=(32, 1, 1), grid=(len(self._cuts), min(columns, _MOST_BLOCKS)))
