"""Preconditioners for ``pycuda.sparse.cg``: calling one with a residual gives the direction to go."""


class OperatorBase:
    """A linear map of vectors of ``shape[1]`` elements, by default the identity."""

    def __init__(self, dtype, n):
        self.dtype, self.shape = dtype, (n, n)

    def __repr__(self):
        dtype, shape = getattr(self, "dtype", None), getattr(self, "shape", None)
        return f"<{type(self).__module__}.{type(self).__qualname__} of {dtype}, shape {shape}>"

    def __call__(self, operand):
        return operand


class IdentityOperator(OperatorBase):
    """Leaves vectors of n elements as they are."""


class DiagonalPreconditioner(OperatorBase):
    """Multiplies element by element; `diagonal` is a GPUArray, as a rule 1 / matrix.diagonal()."""

    def __init__(self, diagonal):
        super().__init__(diagonal.dtype, diagonal.size)
        self.diagonal = diagonal

    def __call__(self, operand):
        return self.diagonal * operand
