"""Sparse matrices on the device: products with vectors and matrices here, linear systems in ``cg``."""

import functools

import numpy as np

from pycuda import _native, gpuarray, libraries
from pycuda.sparse import _tiles

_DTYPES = "float32", "float64", "complex64", "complex128"


def _triple(matrix):
    """(data, indices, indptr) of a NumPy matrix."""
    dense = np.asarray(matrix)
    if dense.ndim != 2:
        raise TypeError("matrix: expected a SciPy sparse matrix, (data, indices, indptr) or a "
                        f"matrix of NumPy, got {type(matrix).__name__}")
    rows, columns = np.nonzero(dense)
    return dense[rows, columns], columns, np.searchsorted(rows, np.arange(len(dense) + 1))


def _on_device(part):
    return part if isinstance(part, gpuarray.GPUArray) else gpuarray.to_gpu(np.asarray(part))


def _has_whole_rows(x):
    """Whether the rows of a matrix have no gaps and do not overlap, so that kernels take it as it lies."""
    down, across = x.strides if x.ndim == 2 else (0, 0)
    return across == x.itemsize and down % x.itemsize == 0 and down >= x.shape[1] * x.itemsize


def _shape_text(shape):
    return repr(shape).replace("'", "")


class CSRMatrix:
    """A matrix stored by rows: elements indptr[i] to indptr[i + 1] of `data` are in row i, in the
    columns that `indices` names. Elements that come twice are added.

    matrix: a SciPy sparse matrix or array, (data, indices, indptr) of NumPy or GPU arrays, or a
    matrix of NumPy. shape: by default SciPy's or NumPy's; of arrays, as large as they need. dtype:
    float32, float64, complex64 or complex128; by default the data's. TypeError: another dtype.
    ValueError: arrays that do not fit together. Index arrays become int32, or int64 where needed.

    ``matrix @ x``, ``x @ matrix`` and ``matrix(x)`` are products with a vector or a matrix. Kernels of this package compute
    them, always to the same bits; of a matrix with rows of very unlike lengths and one of 128 columns or more cuSPARSE does
    (``cusparseSpMM``), where it is there, and last bits may differ from call to call. ``pycuda.libraries.last()`` says which:
    "pycuda_csr_product" or "cusparseSpMM".
    """

    def __init__(self, matrix, shape=None, dtype=None):
        if hasattr(matrix, "tocsr"):
            matrix = matrix.tocsr()
            shape, matrix = matrix.shape, (matrix.data, matrix.indices, matrix.indptr)
        elif not isinstance(matrix, tuple):
            shape, matrix = np.shape(matrix), _triple(matrix)
        if len(matrix) != 3 or any(np.ndim(part) != 1 for part in matrix):
            raise TypeError("matrix: expected three arrays with one axis, (data, indices, indptr)")
        data, indices, indptr = map(_on_device, matrix)
        self.dtype, self.nnz = np.dtype(data.dtype if dtype is None else dtype), data.size
        if self.dtype.name not in _DTYPES:
            raise TypeError(f"dtype: expected one of {', '.join(_DTYPES)}, got {self.dtype}")
        if indices.dtype.kind not in "iu" or indptr.dtype.kind not in "iu":
            raise TypeError("indices and indptr: expected integers, got "
                            f"{indices.dtype} and {indptr.dtype}")
        starts = indptr.get().astype(np.int64)
        if (not starts.size or starts[0] != 0 or starts[-1] != self.nnz
                or indices.size != self.nnz or (np.diff(starts) < 0).any()):
            raise ValueError(f"indptr: expected numbers that rise from 0 to {self.nnz}, as many as "
                             f"data has elements, and indices has {indices.size}")
        low, high = (int(f().get()) for f in (indices.min, indices.max)) if self.nnz else (0, -1)
        self.shape = (starts.size - 1, high + 1) if shape is None else tuple(map(int, shape))
        if len(self.shape) != 2:
            raise ValueError(f"shape: expected (rows, columns), got {self.shape}")
        if low < 0 or high >= self.shape[1] or starts.size - 1 != self.shape[0]:
            raise ValueError(f"indices from {low} to {high} and {starts.size - 1} rows do not fit a "
                             f"matrix of shape {self.shape}")
        index = np.int32 if max(self.nnz, *self.shape) < 2**31 else np.int64
        self.data, self.indices = data.astype(self.dtype), indices.astype(index)
        self.indptr = indptr.astype(index)
        self._tiles = _tiles.Tiles(starts, index)
        self._is_for_library = _tiles.are_for_library(starts)

    def __repr__(self):
        dtype, shape, nnz = (getattr(self, name, None) for name in ("dtype", "shape", "nnz"))
        return f"<{type(self).__module__}.{type(self).__qualname__} of {dtype}, shape {shape}, {nnz} elements>"

    def matvec(self, x, out=None, stream=None):
        """The product with the vector x, in `out` if that is given.

        x: a GPUArray of shape (columns,), in any order, of a dtype that makes one of the four with the matrix's, which is
        that of the result. out: a GPUArray of that dtype and shape (rows,) without gaps. stream: a Stream in which to work.
        TypeError: x is no GPUArray. ValueError: shapes or dtypes do not fit.
        """
        return self._multiply(x, self.shape[1:], out, stream)

    def matmat(self, x, out=None, stream=None):
        """The product with the matrix x, in `out` if that is given.

        x: a GPUArray of shape (columns, n), in any order, of a dtype as in matvec. out: a GPUArray of shape (rows, n) in C
        order. Raises what matvec raises.
        """
        columns = x.shape[1:] if isinstance(x, gpuarray.GPUArray) and x.ndim == 2 else ("n",)
        return self._multiply(x, (self.shape[1], *columns), out, stream)

    def _multiply(self, x, shape, out, stream):
        if not isinstance(x, gpuarray.GPUArray):
            raise TypeError(f"x: expected a GPUArray, got {type(x).__name__}")
        dtype = np.result_type(self.dtype, x.dtype)
        if x.shape != shape or dtype.name not in _DTYPES:
            raise ValueError(f"x: expected numbers of shape {_shape_text(shape)}, got {x.dtype} of shape {x.shape}")
        result = self.shape[0], *shape[1:]
        if out is None:
            out = _native._empty(result, dtype)
        elif not isinstance(out, gpuarray.GPUArray) or (out.shape, out.dtype) != (
                result, dtype) or not out.flags.c_contiguous:
            raise ValueError(f"out: expected a GPUArray without gaps of {dtype} and shape {result}")
        if x.dtype != dtype:
            x = x.astype(dtype)
        if not x.flags.c_contiguous and not _has_whole_rows(x):
            x = x.copy(order="C")
        if any(_native._overlap(out, part) for part in (x, self.indptr, self.indices, self.data)):
            out[...] = self._multiply(x, shape, None, stream)
        elif out.size:
            libraries._note(self._by_library(x, out, stream) or self._by_kernel(x, out, stream))
        return out

    def _by_library(self, x, out, stream):
        """What of cuSPARSE computed it; None: it did not, for want of it or as the kernels here are as fast."""
        if x.ndim == 1 or x.shape[1] < _tiles.LIBRARY_COLUMNS or not self._is_for_library or (
                not _native._library_multiplies_sparse()):
            return None
        return _native._library_sparse_product(out, x, self.data, self.indices, self.indptr, stream)

    def _by_kernel(self, x, out, stream):
        if out.ndim == 2 and not (out.shape[1] == 1 and x.flags.c_contiguous):
            self._tiles.multiply_matrix(self, x, out, stream)
        else:
            self._tiles.multiply_vector(self, x, out, stream)
        return "pycuda_csr_product"

    def __matmul__(self, x):
        """The product with a vector or a matrix, as matvec or matmat."""
        return self.matmat(x) if getattr(x, "ndim", 1) == 2 else self.matvec(x)

    def __rmatmul__(self, x):
        """The product of a vector or a matrix with this one; of a matrix it is in Fortran order."""
        return self.T.matmat(x.T).T if getattr(x, "ndim", 1) == 2 else self.T.matvec(x)

    def __call__(self, x, y=None, stream=None):
        """The product with the vector or matrix x, added to y if that is given."""
        product = (self.matmat if getattr(x, "ndim", 1) == 2 else self.matvec)(x, stream=stream)
        return product if y is None else y.mul_add(1, product, 1, stream=stream, out=y)

    def _rows(self):
        """The row of each element, on the host."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.indptr.get()))

    @functools.cached_property
    def T(self):
        """The transposed matrix, which is made once, on the host."""
        columns = self.indices.get()
        order = np.argsort(columns, kind="stable")
        starts = np.searchsorted(columns[order], np.arange(self.shape[1] + 1))
        return CSRMatrix((self.data.get()[order], self._rows()[order], starts), self.shape[::-1])

    def diagonal(self):
        """The diagonal, a new array."""
        result, columns = np.zeros(min(self.shape), self.dtype), self.indices.get()
        on = self._rows() == columns
        np.add.at(result, columns[on], self.data.get()[on])
        return gpuarray.to_gpu(result)

    def get(self):
        """A matrix of NumPy."""
        result = np.zeros(self.shape, self.dtype)
        np.add.at(result, (self._rows(), self.indices.get()), self.data.get())
        return result
