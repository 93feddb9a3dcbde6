"""Triangles, unit matrices and determinants of stacks, which cuSOLVER's factors are made into, beside NumPy's: of every
dtype, in sizes around those of a tile, with and without a library."""

import numpy as np
import pytest

from pycuda import _native
from pycuda.gpuarray import to_gpu

pytestmark = pytest.mark.usefixtures("context")

_random = np.random.default_rng(23)


def _matrices(*shape, dtype):
    x = _random.normal(size=shape)
    return (x + 1j * _random.normal(size=shape) if dtype in "FD" else x).astype(dtype)


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("count, rows, columns", [(1, 1, 1), (2, 33, 70), (3, 70, 33), (1, 64, 64), (2, 31, 97)])
def test_triangles(dtype, count, rows, columns):
    host = _matrices(count, rows, columns, dtype=dtype)
    for is_transposed in (False, True):
        whole = host.swapaxes(1, 2) if is_transposed else host
        for part in (whole, whole[:, :-5, :-1]) if min(rows, columns) > 5 else (whole,):
            for is_upper in (False, True):
                to = to_gpu(np.full(part.shape, 7, dtype))
                _native._triangle(to, to_gpu(host), is_transposed, is_upper)
                assert np.array_equal(to.get(), (np.triu if is_upper else np.tril)(part)), (is_transposed, is_upper)
    for is_upper in (False, True):
        stack = to_gpu(host)
        _native._triangle(stack, stack, False, is_upper)
        assert np.array_equal(stack.get(), (np.triu if is_upper else np.tril)(host))


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("n", [1, 31, 128, 200])
def test_unit_matrices(dtype, n):
    stack = to_gpu(np.full((2, n, n), 7, dtype))
    _native._identities(stack)
    assert np.array_equal(stack.get(), np.stack([np.eye(n, dtype=dtype)] * 2))


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize("n", [1, 2, 100, 128, 129, 300])
def test_determinants(dtype, n):
    """Of L U with rows swapped, where the diagonal of L is 1: the product of that of U, with a sign for each swap. What is
    singular has 0, and the logarithm of 0."""
    lu = _matrices(3, n, n, dtype=dtype)
    pivots = np.array([[_random.integers(k + 1, n + 1) for k in range(n)] for _ in range(3)])
    info = np.array([0, 2, 0], "i")
    places = to_gpu(np.zeros(3, dtype)), to_gpu(np.zeros(3, lu.real.dtype)), to_gpu(np.zeros(3, dtype))
    _native._determinants(to_gpu(lu), to_gpu(pivots), to_gpu(info), *places)
    signs, logarithms, values = (place.get() for place in places)
    wide = np.diagonal(lu, 0, 1, 2).astype("D")
    swaps = (pivots != np.arange(1, n + 1)).sum(1)
    wanted = np.where(info, 0, (wide / abs(wide)).prod(1) * (-1.0) ** swaps)
    with np.errstate(over="ignore"):
        sums = np.where(info, -np.inf, np.log(abs(wide)).sum(1))
        products = (wanted * np.exp(sums)).astype("F" if dtype in "fF" else "D")
    digits = 20 * np.finfo(dtype).eps
    assert np.allclose(signs, wanted, digits, digits) and np.allclose(logarithms, sums, digits, digits * n)
    assert np.allclose(values, products, digits * n, 0, equal_nan=True)


def test_what_does_not_fit_is_refused():
    stack, wide = to_gpu(np.ones((2, 4, 4))), to_gpu(np.ones((2, 4, 5)))
    pivots, info, single = to_gpu(np.ones((2, 4), np.int64)), to_gpu(np.zeros(2, "i")), to_gpu(np.zeros(2))
    wrong = (
        lambda: _native._triangle(wide, stack, False, True), lambda: _native._triangle(stack, wide[:, :3].copy(), False, True),
        lambda: _native._triangle(wide, wide, True, True), lambda: _native._triangle(stack[:1], stack, False, True),
        lambda: _native._triangle(stack, stack.mT, False, True), lambda: _native._triangle(stack.astype("f"), stack, True, True),
        lambda: _native._triangle(stack.astype("i"), stack.astype("i"), False, True), lambda: _native._triangle(stack[0], stack, 0, 1),
        lambda: _native._identities(wide), lambda: _native._identities(stack[0]), lambda: _native._identities(stack.astype("q")),
        lambda: _native._determinants(wide, pivots, info, single, single, single),
        lambda: _native._determinants(stack, pivots[:, :3].copy(), info, single, single, single),
        lambda: _native._determinants(stack, pivots, info[:1], single, single, single),
        lambda: _native._determinants(stack, pivots, info, single.astype("f"), single, single))
    for one in wrong:
        with pytest.raises(ValueError, match=r"fit|square"):
            one()
    with pytest.raises(TypeError):
        _native._identities(3)
