"""PyCUDA's name for products with a matrix that is given by coordinates."""

from pycuda.sparse import CSRMatrix


class CoordinateSpMV(CSRMatrix):
    """CSRMatrix of a SciPy sparse matrix; calling it gives the product with a vector."""

    def __init__(self, mat, dtype):
        super().__init__(mat, dtype=dtype)
