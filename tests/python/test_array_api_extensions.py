"""The extensions linalg and fft of pycuda.array_api against array-api-strict, function by function: rows of expressions,
and shapes, dtypes and lengths that Hypothesis draws."""

import inspect
import math

import array_api_strict as strict
import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from test_array_api import WIDE, check, context, parameters, plain, quiet, rows, run  # noqa: F401  (fixtures)

from pycuda import array_api

# Of versions after 2024.12.
NOT_THERE = {"eig", "eigvals"}

_random = np.random.default_rng(5)


def _numbers(*shape, dtype="d"):
    x = _random.uniform(-2, 2, (2, *shape))
    return (x[0] + 1j * x[1] if dtype in "FD" else x[0]).astype(dtype)


def _definite(*shape, dtype="d"):
    x = _numbers(*shape, dtype=dtype)
    return (x @ x.conj().swapaxes(-1, -2) + 3 * np.eye(shape[-1])).astype(dtype)


VARIABLES = {
    "a": _numbers(4, 4), "f": _definite(4, 4, dtype="f"), "s": _numbers(2, 3, 4, 4), "p": _definite(2, 4, 4),
    "h": _definite(3, 3, dtype="D"), "c": _numbers(3, 3, dtype="F"), "r": _numbers(5, 3), "d": _numbers(4), "m": _numbers(4, 2),
    "i": _random.integers(-5, 5, (3, 3)), "u": _random.integers(0, 9, (4, 3)).astype("B"), "e": np.zeros((0, 3, 3)),
    "w": _numbers(6, dtype="f"), "z": _numbers(4, 6, dtype="D"), "y": _numbers(4, 5, dtype="F"), "t": _numbers(2, 3, 7),
}

LINALG = """
    xp.linalg.cholesky(f), xp.linalg.cholesky(p), xp.linalg.cholesky(h, upper=True), xp.linalg.cholesky(p, upper=True), xp.linalg.cholesky(e)
    xp.linalg.cross(r, r[0, :]), xp.linalg.cross(c, c), xp.linalg.cross(i, i, axis=-2), xp.linalg.cross(u, u)
    xp.linalg.det(a), xp.linalg.det(s), xp.linalg.det(c), xp.linalg.det(f), xp.linalg.det(e)
    xp.linalg.diagonal(a), xp.linalg.diagonal(s, offset=1), xp.linalg.diagonal(r, offset=-2), xp.linalg.diagonal(i, offset=7)
    xp.linalg.eigh(f), xp.linalg.eigh(p), xp.linalg.eigh(h)
    xp.linalg.eigvalsh(f), xp.linalg.eigvalsh(p), xp.linalg.eigvalsh(h)
    xp.linalg.inv(a), xp.linalg.inv(s), xp.linalg.inv(c), xp.linalg.inv(e)
    xp.linalg.matmul(a, m), xp.linalg.matmul(s, d), xp.linalg.matrix_transpose(s)
    [xp.linalg.matrix_norm(s, ord=o, keepdims=k) for o in ("fro", "nuc", 1, -1, 2, -2, inf, -inf) for k in (False, True)]
    xp.linalg.matrix_norm(c), xp.linalg.matrix_norm(f, ord=1), xp.linalg.matrix_norm(e), xp.linalg.matrix_norm(a, ord=None)
    xp.linalg.matrix_power(a, 3), xp.linalg.matrix_power(s, 0), xp.linalg.matrix_power(c, -2), xp.linalg.matrix_power(f, 1)
    xp.linalg.matrix_rank(r), xp.linalg.matrix_rank(s, rtol=0.3), xp.linalg.matrix_rank(p, rtol=xp.asarray([0.1, 0.9])), xp.linalg.matrix_rank(c)
    xp.linalg.matrix_rank(r @ xp.matrix_transpose(r)), xp.linalg.matrix_rank(a * 0)
    xp.linalg.outer(d, w), xp.linalg.outer(u[:, 0], d), xp.linalg.outer(c[0, :], w)
    xp.linalg.pinv(r), xp.linalg.pinv(s), xp.linalg.pinv(c), xp.linalg.pinv(r, rtol=0.5), xp.linalg.pinv(p, rtol=xp.asarray([0.1, 0.9]))
    xp.linalg.qr(r), xp.linalg.qr(s), xp.linalg.qr(r, mode="complete"), xp.linalg.qr(c), xp.linalg.qr(xp.matrix_transpose(r))
    xp.linalg.slogdet(a), xp.linalg.slogdet(s), xp.linalg.slogdet(c), xp.linalg.slogdet(a * 0)
    xp.linalg.solve(a, d), xp.linalg.solve(a, m), xp.linalg.solve(s, d), xp.linalg.solve(s, m), xp.linalg.solve(c, c), xp.linalg.solve(s[0, ...], a)
    xp.linalg.svd(r), xp.linalg.svd(r, full_matrices=False), xp.linalg.svd(s), xp.linalg.svd(c)
    xp.linalg.svdvals(r), xp.linalg.svdvals(s), xp.linalg.svdvals(c)
    xp.linalg.tensordot(s, a, axes=1), xp.linalg.tensordot(a, a), xp.linalg.tensordot(i, i, axes=((0,), (1,)))
    xp.linalg.trace(a), xp.linalg.trace(s, offset=1), xp.linalg.trace(i), xp.linalg.trace(u), xp.linalg.trace(f, dtype=xp.float64), xp.linalg.trace(c)
    xp.linalg.vecdot(a, d), xp.linalg.vecdot(c, c), xp.linalg.vecdot(s, s, axis=-2)
    [xp.linalg.vector_norm(t, ord=o, axis=x) for o in (0, 1, 2, 3, -1, -2.5, inf, -inf) for x in (None, 0, -1, (0, 2), (0, 1, 2))]
    xp.linalg.vector_norm(c), xp.linalg.vector_norm(w, keepdims=True), xp.linalg.vector_norm(t, axis=(1, -1), keepdims=True), xp.linalg.vector_norm(f, axis=1)
"""
FFT = """
    xp.fft.fft(z), xp.fft.fft(y), xp.fft.fft(z, n=4), xp.fft.fft(z, n=9, axis=0), xp.fft.fft(z, norm="ortho"), xp.fft.fft(y, norm="forward")
    xp.fft.ifft(z), xp.fft.ifft(y), xp.fft.ifft(z, n=4), xp.fft.ifft(z, n=9, axis=0), xp.fft.ifft(z, norm="ortho"), xp.fft.ifft(y, norm="forward")
    xp.fft.fftn(z), xp.fft.fftn(y), xp.fft.fftn(z, s=(3, 7), axes=(0, 1)), xp.fft.fftn(z, axes=(1,)), xp.fft.fftn(y, norm="ortho")
    xp.fft.ifftn(z), xp.fft.ifftn(y), xp.fft.ifftn(z, s=(3, 7), axes=(0, 1)), xp.fft.ifftn(z, axes=(0,)), xp.fft.ifftn(y, norm="ortho")
    xp.fft.rfft(a), xp.fft.rfft(f), xp.fft.rfft(t, n=5), xp.fft.rfft(t, axis=0), xp.fft.rfft(w, norm="ortho"), xp.fft.rfft(w, n=7)
    xp.fft.irfft(z), xp.fft.irfft(y), xp.fft.irfft(z, n=5), xp.fft.irfft(z, axis=0), xp.fft.irfft(y, norm="ortho"), xp.fft.irfft(y, n=12)
    xp.fft.rfftn(a), xp.fft.rfftn(f), xp.fft.rfftn(t, s=(2, 4), axes=(1, 2)), xp.fft.rfftn(t, axes=(0, 2)), xp.fft.rfftn(f, norm="forward")
    xp.fft.irfftn(z), xp.fft.irfftn(y), xp.fft.irfftn(z, s=(2, 4), axes=(0, 1)), xp.fft.irfftn(z, axes=(0,)), xp.fft.irfftn(y, norm="forward")
    xp.fft.hfft(z), xp.fft.hfft(y), xp.fft.hfft(z, n=5), xp.fft.hfft(z, axis=0), xp.fft.hfft(y, norm="ortho"), xp.fft.hfft(y, n=12)
    xp.fft.ihfft(a), xp.fft.ihfft(f), xp.fft.ihfft(t, n=5), xp.fft.ihfft(t, axis=0), xp.fft.ihfft(w, norm="ortho"), xp.fft.ihfft(w, n=7)
    xp.fft.fftfreq(8), xp.fft.fftfreq(7, d=0.5), xp.fft.fftfreq(1), xp.fft.fftfreq(4, dtype=xp.float32)
    xp.fft.rfftfreq(8), xp.fft.rfftfreq(7, d=0.5), xp.fft.rfftfreq(1), xp.fft.rfftfreq(4, dtype=xp.float32)
    xp.fft.fftshift(z), xp.fft.fftshift(t, axes=0), xp.fft.fftshift(t, axes=(0, 2)), xp.fft.fftshift(w)
    xp.fft.ifftshift(z), xp.fft.ifftshift(t, axes=0), xp.fft.ifftshift(t, axes=(0, 2)), xp.fft.ifftshift(w)
"""


# -- Vectors of unknown phase -----------------------------------------------------------------------


def _is_vectors(wanted):
    return getattr(wanted, "_fields", None) in (("eigenvalues", "eigenvectors"), ("U", "S", "Vh"))


def _check_vectors(got, wanted, what):
    """Columns of length one at right angles, each like the other one but for a factor of magnitude one; those that
    belong to no singular value are not compared."""
    count = min(got.shape[-1], wanted.shape[-1])
    tolerance = 1e-5 if got.dtype.name in ("float32", "complex64") else 1e-12
    angles = got.conj().swapaxes(-1, -2) @ got
    np.testing.assert_allclose(angles, np.broadcast_to(np.eye(got.shape[-1]), angles.shape), 0, tolerance, err_msg=what)
    alike = abs((got[..., :count].conj() * wanted[..., :count]).sum(-2))
    np.testing.assert_allclose(alike, np.ones_like(alike), tolerance, err_msg=what)


def _product(left, values, right):
    count = values.shape[-1]
    return left[..., :count] * values[..., None, :] @ right[..., :count, :]


def assert_same(got, wanted, what):
    """check(), but for the phases of eigenvectors and singular vectors, which are each library's own."""
    if not _is_vectors(wanted):
        if isinstance(wanted, tuple) and any(map(_is_vectors, wanted)):
            for one, other in zip(got, wanted, strict=True):
                assert_same(one, other, what)
        else:
            check(got, wanted, what, by_norm=True)
        return
    assert type(got).__name__ == type(wanted).__name__ and got._fields == wanted._fields, what
    mine, theirs = ([plain(x) for x in one] for one in (got, wanted))
    for one, other in zip(mine, theirs, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape), what
    if len(mine) == 2:
        check(mine[0], theirs[0], what, by_norm=True)
        _check_vectors(mine[1], theirs[1], what)
        return
    count = theirs[1].shape[-1]
    check(mine[1], theirs[1], what, by_norm=True)
    _check_vectors(mine[0], theirs[0][..., :count], what)
    _check_vectors(*(vh.conj().swapaxes(-1, -2) for vh in (mine[2], theirs[2][..., :count, :])), what)
    check(_product(*mine), _product(*theirs), what, by_norm=True)


@pytest.mark.parametrize("row", rows(LINALG) + rows(FFT))
def test_as_the_reference_does(row):
    row = row.replace("inf", "xp.inf")
    assert_same(run(array_api, row, VARIABLES), run(strict, row, VARIABLES), row)


@pytest.mark.parametrize("name", ["linalg", "fft"])
def test_names_and_signatures(name):
    ours, theirs = getattr(array_api, name), getattr(strict, name)
    assert name in array_api.__all__
    for function in {*theirs.__all__} - NOT_THERE:
        mine = getattr(ours, function)
        assert parameters(mine) == parameters(getattr(theirs, function)), function
        assert function in ours.__all__ and mine.__doc__ and f"xp.{name}.{function}(" in LINALG + FFT, function
        assert mine.__module__ in (f"pycuda.array_api.{name}", "pycuda.array_api") and inspect.isfunction(mine)
    assert not {*ours.__all__} - {*theirs.__all__} - {"LinAlgError"}


MISTAKES = {
    "xp.linalg.inv(a * 0)": (np.linalg.LinAlgError, "Singular"),
    "xp.linalg.inv(r)": (np.linalg.LinAlgError, "square"),
    "xp.linalg.inv([[1]])": (TypeError, "inv: expected a GPUArray, got list"),
    "xp.linalg.cholesky(-p)": (np.linalg.LinAlgError, "not positive definite"),
    "xp.linalg.cross(i, i, axis=0)": (ValueError, "cross: the axis is counted from the last, so negative, got 0"),
    "xp.linalg.cross(a, a)": (ValueError, "cross: expected vectors of 3 elements, got 4 and 4"),
    "xp.linalg.matrix_norm(d)": (ValueError, "matrix_norm: expected at least two axes, got shape (4,)"),
    "xp.linalg.matrix_norm(a, ord=3)": (ValueError, "Invalid norm order for matrices"),
    "xp.linalg.matrix_rank(d)": (array_api.linalg.LinAlgError, "1-dimensional array given"),
    "xp.linalg.pinv(d)": (array_api.linalg.LinAlgError, "1-dimensional array given"),
    "xp.linalg.matrix_power(a, 0.5)": (TypeError, "exponent must be an integer"),
    "xp.linalg.outer(a, d)": (ValueError, "expected arrays of one axis, got 2 and 1"),
    "xp.linalg.qr(a, mode='raw')": (ValueError, "qr: mode is 'reduced' or 'complete', got 'raw'"),
    "xp.linalg.vector_norm(d, axis=1)": (IndexError, "axis 1 is out of bounds"),
    "xp.linalg.solve(a, 3)": (TypeError, "solve: expected a GPUArray, got int"),
    "xp.fft.fft(z, n=0)": (ValueError, "Invalid number of FFT data points (0)"),
    "xp.fft.fft(z, axis=2)": (IndexError, "axis 2 is out of bounds"),
    "xp.fft.fft(z, norm='no')": (ValueError, "no"),
    "xp.fft.fft(3)": (TypeError, "fft: expected a GPUArray, got int"),
    "xp.fft.rfft(z)": (TypeError, "rfft"),
    "xp.fft.fftfreq(4, dtype=xp.int32)": (TypeError, "fftfreq: expected a real floating-point dtype, got int32"),
    "xp.fft.fftfreq(4, device=0)": (TypeError, "device: expected a pycuda.driver.Device"),
    "xp.fft.fftfreq(2.5)": (ValueError, "n should be an integer"),
}


@pytest.mark.parametrize("expression", MISTAKES)
def test_mistakes(expression):
    kind, text = MISTAKES[expression]
    with pytest.raises(kind) as caught:
        eval(expression, {"xp": array_api} | {name: array_api.asarray(value) for name, value in VARIABLES.items()})
    assert text in str(caught.value)


# -- What Hypothesis draws -------------------------------------------------------------------------

many = hypothesis.settings(max_examples=400 if WIDE else 60, deadline=None, derandomize=True, database=None,
                           suppress_health_check=[*hypothesis.HealthCheck])


def _drawn(draw, shape, kinds):
    dtype = draw(st.sampled_from(kinds))
    x = np.random.default_rng(draw(st.integers(0, 1 << 32))).uniform(-3, 3, (2, *shape))
    return (x[0] + 1j * x[1] if dtype in "FD" else x[0]).astype(dtype)


def assert_equal(name, function, operands, more):
    got, wanted = (getattr(getattr(xp, name), function)(*map(xp.asarray, operands), **more) for xp in (array_api, strict))
    assert_same(got, wanted, f"{name}.{function} of {[(x.shape, x.dtype) for x in operands]}, {more}")


@many
@hypothesis.given(st.data())
def test_linalg_of_what_hypothesis_draws(data):
    function = data.draw(st.sampled_from(sorted({*array_api.linalg.__all__} - {"LinAlgError"})))
    batch = tuple(data.draw(st.lists(st.integers(1, 3), max_size=2)))
    rows_, columns = (data.draw(st.integers(1, 5)) for _ in "ab")
    kinds = "fdFD"
    if function in ("cholesky", "eigh", "eigvalsh"):
        a = _drawn(data.draw, (*batch, rows_, rows_), kinds)
        operands = [(a @ a.conj().swapaxes(-1, -2) + 9 * np.diag(range(1, rows_ + 1))).astype(a.dtype)]
    elif function in ("det", "inv", "matrix_power", "slogdet", "solve"):
        operands = [_drawn(data.draw, (*batch, rows_, rows_), kinds) + 6 * np.eye(rows_, dtype="f")]
        if function == "solve":
            operands.append(_drawn(data.draw, (*batch, rows_, columns), kinds))
    elif function == "cross":
        operands = [_drawn(data.draw, (*batch, 3), kinds), _drawn(data.draw, (3,), kinds)]
    elif function == "outer":
        operands = [_drawn(data.draw, (rows_,), kinds), _drawn(data.draw, (columns,), kinds)]
    elif function in ("matmul", "tensordot", "vecdot"):
        length = data.draw(st.integers(0, 40))
        shapes = {"vecdot": ((*batch, length), (length,))}.get(function, ((rows_, length), (length, columns)))
        operands = [_drawn(data.draw, shape, kinds) for shape in shapes]
    else:
        operands = [_drawn(data.draw, (*batch, rows_, columns), kinds)]
    more = {"tensordot": {"axes": 1}, "cholesky": {"upper": data.draw(st.booleans())},
            "matrix_norm": {"ord": data.draw(st.sampled_from(["fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf]))},
            "vector_norm": {"axis": data.draw(st.sampled_from([None, -1, (-1, -2)])), "ord": data.draw(st.sampled_from([1, 2, 3, math.inf]))}}
    if function == "matrix_power":
        got, wanted = (xp.linalg.matrix_power(xp.asarray(operands[0] / 8), 3) for xp in (array_api, strict))
        assert_same(got, wanted, "matrix_power")
    else:
        assert_equal("linalg", function, operands, more.get(function, {}))


@many
@hypothesis.given(st.data())
def test_fft_of_what_hypothesis_draws(data):
    function = data.draw(st.sampled_from(["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "ifftn", "rfftn", "irfftn"]))
    shape = data.draw(st.lists(st.integers(2, 9), min_size=1, max_size=3))
    x = _drawn(data.draw, shape, "fd" if function in ("rfft", "ihfft", "rfftn") else "FD")
    more = {"norm": data.draw(st.sampled_from(["backward", "ortho", "forward"]))}
    if function[-1] == "n":
        more["axes"] = tuple(data.draw(st.lists(st.integers(0, len(shape) - 1), min_size=1, unique=True)))
        more["s"] = data.draw(st.none() | st.tuples(*[st.integers(1, 9)] * len(more["axes"])))
    else:
        more |= {"n": data.draw(st.none() | st.integers(1, 12)), "axis": data.draw(st.integers(-len(shape), len(shape) - 1))}
    assert_equal("fft", function, [x], more)
