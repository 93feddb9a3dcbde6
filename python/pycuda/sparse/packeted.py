"""PyCUDA's name for products with a matrix whose rows were sorted into packets, which they are not
here: ``permute`` and ``unpermute`` leave a vector as it is."""

from pycuda.sparse import CSRMatrix


class PacketedSpMV(CSRMatrix):
    """CSRMatrix of a SciPy sparse matrix; calling it gives the product with a vector."""

    def __init__(self, mat, is_symmetric, dtype):
        super().__init__(mat, dtype=dtype)
        self.is_symmetric = is_symmetric

    def permute(self, x):
        """x"""
        return x

    def unpermute(self, x):
        """x"""
        return x
