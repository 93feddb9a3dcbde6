"""Functions of NumPy that sum, select, pad, interpolate and the like: each row is an expression that gives the same
with NumPy's arrays and with arrays on the device, as in test_numpy_functions.py."""

import os

import numpy as np
import pytest
from test_numpy_functions import VARIABLES, assert_same, on_host, run

from pycuda.gpuarray import to_gpu

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check

pytestmark = pytest.mark.usefixtures("context")

R = np.random.default_rng(7)
MORE = VARIABLES | {
    "d": R.standard_normal(11), "v": np.array([1, 0.5, -2], "f"), "k": np.array([3, 1, 2, 0]),
    "w": R.random(11) + 0.1, "m": R.standard_normal((4, 6)), "p": np.array([2, 0, -3, 1], "d"),
    "x": np.sort(R.random(9)), "y": R.standard_normal(9), "o": np.array([0, 2, 2, 1]),
    "bits": R.random((3, 13)) > 0.5, "bytes": R.integers(0, 256, (3, 5)).astype("B"),
    "h": R.standard_normal((3, 4)).astype("e"), "q": R.integers(-9, 9, (2, 3, 4)).astype("h"),
}

PRODUCTS = """
    np.einsum("ij,kj->ik", a, i), np.einsum("ij->ji", a), np.einsum("ij->", i), np.einsum("ij->j", q[0])
    np.einsum("ii->i", t[0, :, :3]), np.einsum("ii", t[0, :, :3]), np.einsum("ijk,ikl->ijl", t, t.transpose(0, 2, 1))
    np.einsum("ij,ij->ij", a, i), np.einsum("ij,ij", a, a), np.einsum("i,j->ij", a[0], i[0]), np.einsum("i,j->", a[0], i[0])
    np.einsum("...j,j->...", t, a[0]), np.einsum("...ij,...kj", t, a), np.einsum("i...->...", t), np.einsum("...->...", z)
    np.einsum("ij,jk,kl->il", a, i.T, a), np.einsum("ij,jk,kl", a, i.T, a, optimize=True)
    np.einsum("ij,jk,kl,lm->im", a, i.T, a, a.T, optimize="optimal"), np.einsum("a,b,c->abc", a[0], a[1], v)
    np.einsum(a, [0, 1], i, [2, 1], [0, 2]), np.einsum(a, [0, 1]), np.einsum(t, [Ellipsis, 0], [Ellipsis]), np.einsum(a, [1, 0])
    np.einsum("ij,j->i", a, i[0], dtype="d"), np.einsum("ij,jk->ik", u.reshape(2, 2), u.reshape(2, 2)), np.einsum("i,i", b, b)
    np.einsum("ij->i", a, out=np.zeros_like(d[:3])), np.einsum("ij,kj->ik", a, a, order="F").flags.f_contiguous
    np.einsum("ijk,jil->kl", t, t.transpose(1, 0, 2)), np.einsum("ij,jk->ik", e, a[:0].T[:3])
    np.einsum("ij,j->ij", one[0], a[0]), np.einsum("ij,kj->ijk", one[0], np.ones((2, 4), "f")[:, :1])
    np.einsum("i,i->i", c[0], i[0], dtype="d", casting="unsafe"), np.einsum(",->", c[0, 0], z, dtype="d", casting="unsafe")
    np.einsum("ij,jk", a, a)
    np.einsum("ij", z)
    np.einsum("ij->k", a)
    np.einsum("ij->ii", a)
    np.einsum("i,i->i", a[0])
    np.einsum("i1", a)
    np.einsum("i.j", a)
    np.einsum("...i->i", t)
    np.einsum("ij,ij->ij", a, a, dtype="i")
    np.einsum("ij->j", a, out=np.zeros_like(i[0]))
    np.einsum_path("ij,jk,kl->il", a, i.T, a)[0]
    x = np.einsum("ii->i", t[0, :, :3]); x[...] = 7; t
    np.tensordot(t, a.T, 1), np.tensordot(t, t, ([1, 2], [1, 2])), np.tensordot(a, i, 0), np.tensordot(q, q, 3), np.tensordot(a, a, (1, 1))
    np.tensordot(e, e, (0, 0)), np.tensordot(b, b, 1), np.tensordot(z, a, 0), np.tensordot(t, a, ((1, -1), (0, 1)))
    np.tensordot(a, a, 1)
    np.tensordot(a, a, ((0, 1), (0,)))
    np.kron(a, i), np.kron(a[0], i), np.kron(t, a[0]), np.kron(z, a), np.kron(u, b), np.kron(e, a)
    np.cross(a[:, :3], i[:, 1:]), np.cross(t[..., :3], a[:, 1:]), np.cross(a[:, :3].T, i[:, :3].T, axis=0), np.cross(u[:3], u[1:])
    np.cross(t[..., :3], t[..., 1:], axisc=0)
    np.cross(a, a)
    np.vecdot(c, c), np.vecdot(t, a), np.vecdot(t, t, axis=1), np.matvec(t, a[0]), np.vecmat(a[0, :3], t), np.vecmat(c[:, 0], t), np.vecdot(a, a, keepdims=True)
    np.vecdot(a, a.T)
    np.matvec(a[0], a)
    np.vecmat(a, a)
"""

DIFFERENCES = """
    np.diff(a, 2, 0), np.diff(b), np.diff(u), np.diff(a, prepend=5, append=a[:, :2]), np.diff(a, axis=0, prepend=a[:1]), np.diff(a, 0), np.diff(e)
    np.diff(z)
    np.diff(a, -1)
    np.ediff1d(a), np.ediff1d(i, 3, [1, 2]), np.ediff1d(e), np.ediff1d(a[0, :1])
    np.ediff1d(i, to_end=1.5)
    np.gradient(d), np.gradient(a), np.gradient(i, 2, axis=0), np.gradient(m, 2.0, 0.5), np.gradient(d, w.cumsum()), np.gradient(h)
    np.gradient(d, edge_order=2), np.gradient(m, edge_order=2), np.gradient(d, w.cumsum(), edge_order=2), np.gradient(m, w[:4].cumsum(), w[:6].cumsum(), edge_order=2)
    np.gradient(m, axis=(1, 0)), np.gradient(d, np.arange(11)), np.gradient(d, 2 * np.arange(11), edge_order=2), np.gradient(c), np.gradient(u), np.gradient(m[:, ::-2].T)
    np.gradient(d, edge_order=3)
    np.gradient(d[:1])
    np.gradient(d, w[:3])
    np.gradient(d, m)
    np.gradient(m, 1, 2, 3)
    np.gradient(m, axis=(0, 0))
    np.trapezoid(d), np.trapezoid(a, dx=0.5), np.trapezoid(a, axis=0), np.trapezoid(d, w.cumsum()), np.trapezoid(m, w[:6], axis=1), np.trapezoid(m, m), np.trapezoid(i), np.trapezoid(u), np.trapezoid(c)
    np.unwrap(d * 9), np.unwrap(m * 9, axis=0), np.unwrap(i * 5, period=7), np.unwrap(i * 5, period=8), np.unwrap(a * 5, discont=4)
    np.cumulative_sum(i, axis=1), np.cumulative_sum(d), np.cumulative_prod(a, axis=0, include_initial=True), np.cumulative_sum(u, include_initial=True), np.cumulative_sum(b), np.cumulative_sum(a, axis=-1, dtype="d"), np.cumulative_sum(z)
    np.cumulative_sum(a)
"""

FILTERS = """
    np.convolve(d, v), np.convolve(d, v, "same"), np.convolve(d, v, "valid"), np.convolve(v, d), np.convolve(v, d, "same"), np.convolve(i[0], i[1]), np.convolve(b, b), np.convolve(u, u), np.convolve(c[0], c[1]), np.convolve(z, d), np.convolve(h[0], h[1]), np.convolve(d, d[:4], "same"), np.convolve(d, a[0])
    np.correlate(d, v), np.correlate(d, v, "same"), np.correlate(d, v, "full"), np.correlate(v, d), np.correlate(v, d, "full"), np.correlate(v, d, "same"), np.correlate(d[:4], d, "same"), np.correlate(d, d[:4], "same"), np.correlate(d[:4], d, "full"), np.correlate(d[:4], d), np.correlate(c[0], c[1, :3], "full"), np.correlate(c[0, :3], c[1], "full"), np.correlate(c[0, :3], c[1], "same"), np.correlate(b, b, "full"), np.correlate(u, i[0], "same")
    np.correlate(d[::-2], d[::3], "full"), np.convolve(d[::-2], d[::3]), np.convolve(np.array([1, np.inf, 2, 3]), [1, 0]), np.correlate(d[:6], d[:6], "same"), np.correlate(d, d, 2)
    np.convolve(d, e[:0, 0])
    np.correlate(d[:0], d)
    np.correlate(z, d)
    np.convolve(m, d)
    np.convolve(d, d, "half")
    np.interp(m, x, y), np.interp(m, x, y, left=-5, right=7), np.interp(m, x, y, period=0.3), np.interp(x, x, y), np.interp(0.5, x, y), np.interp(m, x, y + 1j * x), np.interp(i, u[:2], o[:2]), np.interp(a, [1, 2, 5], [3, 1, np.inf]), np.interp(n, x[:1], y[:1]), np.interp(m[:, ::-2], x, y), np.interp(n, x, y), np.interp(e, x, y), np.interp(m, [0, 0, 1], [1, 2, 3]), np.interp(m, x, x + 1j, left=2, right=3j)
    np.interp(m, x, y[:3])
    np.interp(m, x[:0], y[:0])
    np.interp(m, m, m)
    np.interp(m, x, y, period=0)
    np.interp(c, x, y)
"""

SELECTION = """
    np.choose(k, [a[0], i[0], u, 9]), np.choose(k % 2, a[:2]), np.choose(np.array([[5], [-7]]), [a[0], i[0]], mode="wrap"), np.choose(k, [u, b], mode="clip"), np.choose(b, [u, u * 2]), np.choose(k, a[:, :1], mode="clip"), np.choose(k, [u, u, u, u], out=np.zeros_like(u))
    np.choose(k, [a[0], 3, 2.5, True]), np.choose(k % 2, [u, 7]), np.choose(k % 2, [3, h[0]]), np.choose(k % 2, [v[:1], 2j]), np.choose(k % 2, [1, 2]), np.choose(k % 2, [u, [3, 4, 5, 300]])
    np.choose(k % 2, a[:2], out=u), u
    np.choose(k, a[:3])
    np.choose(a[0], a)
    k.choose([u, u + 1, u + 2, u + 3]), a.compress(b, axis=1), a.compress(b)
    np.select([a > 5, a > 2], [a, i], -1), np.select([b, ~b], [u, i[0]]), np.select([a > 5], [a]), np.select([b], [1j], 0.5), np.select([b, b[:1]], [a, u])
    np.select([a], [a])
    np.select([b, b], [u])
    np.piecewise(d, [d < 0, d >= 0], [-1, 1]), np.piecewise(d, [d < 0], [lambda x: -x, lambda x: x * 2]), np.piecewise(i, [i > 0], [lambda x: x / 2, 7]), np.piecewise(u, u > 1, [lambda x: x / 2, 7]), np.piecewise(d, [d < -1, d > 1], [3, lambda x: x, 0.5]), np.piecewise(z, [z > 2], [lambda x: x + 1])
    np.piecewise(d, [d > 0], [1, 2, 3])
    np.compress([True, False, True], a, 0), np.compress([0, 1, 1], a), np.compress(b, a, 1), np.compress([False], a, axis=0)
    np.compress([True] * 9, a, 0)
    np.compress([1, 0, 1], a, 0, out=np.zeros_like(h[:2])), np.take(d, [1, -1], out=np.zeros_like(v[:2])), np.take(d, [[1], [0]], out=np.zeros_like(k[:2, None])), np.take(m, [0, 2], 1, out=np.zeros_like(v, shape=(4, 2)))
    np.take(d, [0], out=np.zeros_like(d[:2]))
    np.take(d, [0, 1], out=np.zeros_like(d, shape=(3, 2)))
    np.extract(a > 4, i), np.extract([1, 0, 1], a), np.extract(b, u)
    np.place(a, a > 5, [10, 20, 30]); a
    np.place(i.T, i.T > 0, 9); i
    np.place(a, a > 100, []); a
    np.place(a, a > 1, [])
    np.place(a, a > 1, d[:2])
    np.putmask(a, a > 1, d[:2])
    np.place(d, d > 0, v[:2]); np.putmask(d, d < 0, a[0]); np.putmask(a, a > 5, d.sum()); d, a
    np.putmask(a, a > 5, [1, 2, 3, 4, 5]); a
    np.putmask(i, i > 0, i * 2); i
    np.putmask(t, t > 3, -1); t
    np.putmask(u, b, -1 * np.ones(4)); u
    np.putmask(a, b, 1)
"""

PLACES = """
    np.ravel_multi_index((k, o), (4, 5)), np.ravel_multi_index((k * 3, o - 2), (4, 5), mode="wrap"), np.ravel_multi_index((k * 3, o - 2), (4, 5), mode=("clip", "wrap")), np.ravel_multi_index((k, o), (4, 5), order="F"), np.ravel_multi_index(i % 3, (3, 3, 3)), np.ravel_multi_index((k,), 9)
    np.ravel_multi_index((k, o + 9), (4, 5))
    np.ravel_multi_index((k, o, o), (4, 5))
    np.ravel_multi_index((d, d), (4, 5))
    np.unravel_index(k * 5, (4, 5)), np.unravel_index(abs(i), (2, 3, 4), order="F"), np.unravel_index(u, 256), np.unravel_index(k[:0], (3, 3))
    np.unravel_index(k * 50, (4, 5))
    np.unravel_index(d, (4, 5))
    np.ix_(k, o), np.ix_(b, k), a[np.ix_([0, 2], k)], np.ix_(k, [1], o), np.ix_(b[:0], k)
    np.ix_(a)
    np.ix_(k[:0], o), np.ix_(bytes[0, :0], k), np.ix_([], k), np.column_stack([z, z]), np.column_stack([z[None], k[:1]])
    np.diag_indices_from(t[0, :, :3]), np.tril_indices_from(a), np.tril_indices_from(a, 1), np.triu_indices_from(a, -1)
    np.diag_indices_from(a)
    np.tril_indices_from(t)
    np.fill_diagonal(a, 7); a
    np.fill_diagonal(t[0].T, [1, 2]); t
    np.fill_diagonal(i.reshape(6, 2), 9, wrap=True); i
    np.fill_diagonal(t[:, :2, :2], 5); t
    np.fill_diagonal(t, 5)
    np.put_along_axis(a, np.argmax(a, 1, keepdims=True), -1, 1); a
    np.put_along_axis(i.T, np.array([[0, 2, 1]]), [[7, 8, 9]], 0); i
    np.put_along_axis(a, k, 5, None); a
    np.put_along_axis(a, k, 5, 0)
    np.put_along_axis(a, a, 5, 0)
    np.take(a, [5, -1, 70], mode="wrap"), np.take(a, [5, -1, 70], mode="clip"), np.take(a, [[1], [-9]], 1, mode="wrap"), a.take([5, 30], mode="clip")
    np.take(a, [0], mode="odd")
    np.put(a, [30, -1], [5, 6], mode="wrap"); a
    np.put(a, [30, -1], 7, mode="clip"); a
"""

EDITING = """
    np.append(a, i), np.append(a, i, 0), np.append(a, [[1, 2, 3, 4]], axis=0), np.append(u, 3)
    np.append(a, u, 0)
    np.delete(a, 1, 0), np.delete(a, [0, -1], 1), np.delete(a, slice(None, None, 2), 1), np.delete(a, [3, 3]), np.delete(a, b, 1), np.delete(u, []), np.delete(a, k[:2], 1), np.delete(a, slice(5, 2))
    np.delete(a, 9, 0)
    np.delete(a, [True], 0)
    np.insert(a, 1, 5, 0), np.insert(a, 1, u, 0), np.insert(a, [1, 3], 9, 1), np.insert(a, [1], [[7], [8], [9]], 1), np.insert(a, 1, [7, 8, 9], 1), np.insert(u, [0, 4, 2], [5, 6, 7]), np.insert(a, slice(0, 2), 4), np.insert(a, -1, 3), np.insert(u, b, 9), np.insert(u, 2, [8, 9]), np.insert(u, [2], [8, 9]), np.insert(u, [], 3)
    np.insert(a, 13, 1)
    np.insert(a, [1, 2], [1, 2, 3], 1)
    np.resize(a, (5, 5)), np.resize(u, 3), np.resize(e, (2, 2)), np.resize(a.T, (2, 3)), np.resize(z, 3)
    np.resize(a, (-1, 2))
    np.block([[a, a], [i, i]]), np.block([u, u]), np.block([[a, u[:3, None]], [5, 6, 7, 8, 9]]) if 0 else 1, np.block([[t], [t]]), np.block(a), np.block([z, z]), np.block([[a[:1]], [i]])
    np.block([[a], i])
    np.block([])
    np.rot90(a), np.rot90(a, 2), np.rot90(t, 3, (1, 2)), np.rot90(t, -1, (0, 2)), np.rot90(a, 4)
    np.rot90(a, 1, (0, 0))
    np.rot90(a[0])
    np.broadcast_arrays(a, u, z), np.broadcast_arrays(a), np.unstack(t, axis=1), np.matrix_transpose(t), np.diagflat(a[0], 1), np.diagflat(a[:2, :2]), np.astype(a, "i"), np.astype(a, "f", copy=False) is a
    np.broadcast_arrays(a, d)
    np.unstack(z)
    np.matrix_transpose(u)
    np.array_equiv(a, a[:1]), np.array_equiv(u, np.vstack([u, u])), np.array_equiv(a, d), np.array_equiv(a, a)
    np.apply_along_axis(lambda r: r.sum(), 0, a), np.apply_along_axis(lambda r: r[::-1], 1, t), np.apply_along_axis(np.outer, 0, a, [1, 2]) if 0 else 2, np.apply_along_axis(np.sort, -1, i)
    np.apply_along_axis(np.sum, 0, e[:, :0])
    np.apply_over_axes(np.sum, t, [0, 2]), np.apply_over_axes(np.max, t, 1)
    np.linspace(a, i, 5), np.linspace(a[0], 9, 4, endpoint=False, axis=-1), np.linspace(u, i[0], 3, dtype="i"), np.linspace(a, a, 1), np.linspace(a, i, 0), np.linspace(a[0], 7, 3, retstep=True), np.linspace(c, 1, 3)
    np.isnan(np.linspace(a, 3, 1, retstep=True)[1]), np.linspace(a[0], 5, 3, False, retstep=True), np.isnan(np.linspace(a, i, 0, retstep=True)[1])
    np.logspace(a[0], 2, 4), np.logspace(v, 2, 3, base=2, axis=1), np.geomspace(a[0] + 1, 100, 4), np.geomspace(v, v * 8, 3, axis=-1)
    np.geomspace(a, 3)
    np.linspace(a, i, -1)
"""

NUMBERS = """
    np.i0(a), np.i0(i), np.i0(d), np.sinc(a), np.sinc(d), np.sinc(i), np.sinc(c), np.fix(d), np.fix(i), np.fix(h)
    np.i0(c)
    np.real_if_close(c), np.real_if_close(c.real + 0j), np.real_if_close(a), np.real_if_close(c.real + 1e-6j, tol=1000), np.real_if_close(c.real + 1e-2j, tol=0.5)
    np.isreal(c), np.iscomplex(c), np.isreal(a), np.iscomplex(i), np.isposinf(n), np.isneginf(n), np.isposinf(i)
    np.isposinf(c)
    np.packbits(bits), np.packbits(bits, 1), np.packbits(bits, 0, "little"), np.packbits(i), np.packbits(bits[:, :0], 1), np.packbits(b, bitorder="little"), np.packbits(bits[:, ::-2], -1)
    np.packbits(a)
    np.packbits(b, bitorder="middle")
    np.unpackbits(bytes), np.unpackbits(bytes, 1), np.unpackbits(bytes, 0, bitorder="little"), np.unpackbits(bytes, 1, 13), np.unpackbits(bytes, 1, -3), np.unpackbits(bytes, 1, 50), np.unpackbits(bytes[:, :0], 1), np.unpackbits(u, count=0)
    np.unpackbits(i)
    np.unpackbits(u, count=-99)
    np.common_type(a, c), np.common_type(i), np.min_scalar_type(a), np.shares_memory(a, a[1:]), np.shares_memory(a[:, ::2], a[:, 1::2]), np.may_share_memory(a[0], a[2]), np.shares_memory(a, i), np.shares_memory(a[::-1], a[1:])
    np.nan_to_num(c * np.nan), np.nan_to_num(c / 0, nan=1, posinf=2, neginf=3)
    np.average(a, 0, i[:, 0]), np.average(a, weights=a, returned=True), np.average(t, (0, 2), a[:2]), np.average(i, 1, [1, 2, 3, 4]), np.average(a, returned=True)
    np.average(a, weights=i[0])
"""

POLYNOMIALS = """
    np.polyval(p, a), np.polyval(p, p), np.polyval(i[0], i), np.polyval(c[0], 2 * a), np.polyval(p[:0], a)
    np.polyadd(p, v), np.polysub(v, p), np.polymul(p, v), np.polymul(u, u), np.polyadd(i[0], i[1]), np.polyadd(p, 3), np.polymul(i[0] * 0, v)
    np.polydiv(p, v), np.polyder(p), np.polyder(p, 2), np.polyder(i[0]), np.polyder(p, 0), np.polyint(p), np.polyint(p, 2, [1, 2]), np.polyint(i[0], 1, 5), np.polyder(p, 9)
    np.polymul(k[:0], v), np.polymul(c[0, :0], p), np.polyder(k[:0]), np.polyder(bytes[0, :2], 2), np.polyint(c[0, :0]), np.polyint(u[:0], 2)
    np.polyint(p, -1)
    np.polyder(p, -1)
    np.polyint(p, 3, [1, 2])
    np.roots(p), np.poly(v), np.poly(m[:, :4])
    np.vander(d), np.vander(i[0], 3), np.vander(d, 4, increasing=True), np.vander(d, 0), np.vander(u, 1), np.vander(c[0], 3)
    np.vander(a)
    np.polyfit(d, w, 3), np.polyfit(d, np.stack([w, d * d], 1), 2), np.polyfit(d, w, 2, w=w), np.polyfit(i[0], a[0], 1), np.polyfit(d, w, 2, full=True)[0:4], np.polyfit(d, w, 0)
    np.polyfit(d, w, 1, cov=True), np.polyfit(d, w, 1, cov="unscaled"), np.polyfit(d, np.stack([w, d], 1), 1, cov=True)[1], np.polyfit(d[:2], w[:2], 3, full=True)[2]
    np.polyfit(d, w, -1)
    np.polyfit(d, w[:3], 1)
    np.polyfit(m, m, 1)
"""

STATISTICS = """
    np.cov(m), np.cov(m, rowvar=False), np.cov(d), np.cov(d, w), np.cov(m, m[:2]), np.cov(m, bias=True), np.cov(m, ddof=0), np.cov(i), np.cov(c), np.cov(a, dtype="f"), np.cov(d, fweights=np.arange(11)), np.cov(d, aweights=w), np.cov(m, fweights=[1, 2, 0, 1, 3, 1], aweights=w[:6]), np.cov(m, aweights=w[:6], ddof=0), np.cov(m[:, :1]), np.cov(m[0], rowvar=False)
    np.cov(t)
    np.cov(m, ddof=0.5)
    np.cov(m, dtype="f", aweights=w[:6]), np.cov(c, dtype="F", fweights=[1, 2, 0, 1]), np.cov(m[:0], dtype="f"), np.cov(m[:1], w[:6]), np.cov(m.T, w[None, :6], False)
    np.cov(m, fweights=-w[:6])
    np.cov(m, aweights=-w[:6])
    np.corrcoef(m), np.corrcoef(d, w), np.corrcoef(m, rowvar=False), np.corrcoef(c), np.corrcoef(d), np.corrcoef(i, dtype="d")
"""

PADS = """
    np.pad(a, 1), np.pad(a, (1, 0), constant_values=5), np.pad(t, [(0, 1), (2, 0), (0, 0)], constant_values=[(1, 2), (3, 4), (5, 6)])
    np.pad(e, 2), np.pad(z, 0), np.pad(i, ((0, 2), (1, 1)), constant_values=-1)
    np.pad(u, 1, constant_values=300), np.pad(u, 1, constant_values=-1), np.pad(i, 1, constant_values=2.7), np.pad(i, 1, constant_values=2j), np.pad(a, 1, constant_values=1e300), np.pad(a, 1, constant_values=None), np.pad(b, 1, constant_values=7)
    np.pad(q, 1, constant_values=40000)
    np.pad(i, (0, 1), constant_values=1e300)
    np.pad(i, 1, constant_values=None)
    np.pad(a, 1, constant_values="x")
    np.pad(a, 2, "edge"), np.pad(i, ((1, 2), (0, 3)), "edge"), np.pad(a, 2, "linear_ramp"), np.pad(i, 3, "linear_ramp", end_values=(5, -4)), np.pad(u, 3, "linear_ramp", end_values=9)
    np.pad(a, 2, "maximum"), np.pad(a, 2, "mean"), np.pad(i, 3, "mean", stat_length=2), np.pad(a, 1, "median", stat_length=3), np.pad(t, ((1, 1), (0, 2), (1, 0)), "minimum", stat_length=((1, 2), (1, 1), (2, 3))), np.pad(u, 2, "mean"), np.pad(u, 2, "median")
    np.pad(a, 2, "reflect"), np.pad(a, 9, "reflect"), np.pad(i, 7, "symmetric"), np.pad(a, 2, "reflect", reflect_type="odd"), np.pad(d, 29, "reflect", reflect_type="odd"), np.pad(a, 7, "symmetric", reflect_type="odd"), np.pad(a[:1], 2, "reflect"), np.pad(u[:1], 3, "symmetric"), np.pad(u, (7, 2), "reflect", reflect_type="odd")
    np.pad(a, 3, "wrap"), np.pad(a, ((0, 9), (7, 0)), "wrap"), np.pad(a, 2, "empty").shape, np.pad(b, 2, "edge"), np.pad(c, 1, "reflect"), np.pad(a[:, ::-2].T, 2, "symmetric"), np.pad(h, 2, "linear_ramp"), np.pad(u, {0: (1, 2)}), np.pad(t, {-1: 1})
    np.pad(a, -1)
    np.pad(a, 1.5)
    np.pad(a, 1, "bezier")
    np.pad(a, 1, "edge", end_values=3)
    np.pad(e, 1, "edge")
    np.pad(a, 1, "maximum", stat_length=0)
    np.pad(a, 2, lambda row, width, axis, kw: row.__setitem__(slice(0, width[0]), 7))
"""

KEYWORDS = """
    np.mean(a, where=a > 3), np.mean(i, 1, where=b), np.mean(h, 0, where=h > 0), np.mean(t, (0, 2), keepdims=True, where=t > 5), a.mean(where=a > 100), np.mean(c, where=a > 2), np.mean(a, 0, "d", where=b), np.mean(u, where=u > 3)
    np.var(a, where=a > 3), np.std(i, 1, where=b), np.var(t, (0, 2), keepdims=True, where=t > 5, ddof=1), np.std(c, 0, where=a > 2), np.var(a, 1, correction=1), np.std(a, mean=np.mean(a, keepdims=True)), np.var(m, 1, mean=np.mean(m, 1, keepdims=True)), np.var(m, 0, mean=np.mean(m, 0, keepdims=True), where=m > 0), np.std(u, where=u > 100), np.var(a, where=a > 100), np.var(z, mean=z), a.var(where=a > 2), a.std(mean=a.mean(0, keepdims=True), axis=0)
    np.var(a, ddof=1, correction=1)
    np.var(c, dtype="d"), np.std(c, 0, dtype="d"), np.var(c, 1, "d", where=a > 2), np.var(c, 0, "d", mean=c[:1]), np.nanvar(c, 0, "d"), np.var(c, (), "d"), np.var(c, 0, "f", keepdims=True), np.std(d, dtype="i"), np.var(m, 0, "q")
    np.std(a, 0, "q")
    np.mean(a, where=a)
    np.nansum(n, initial=5), np.nansum(n, 1, where=n > 0), np.nansum(i, where=i > 0), np.nanprod(a, 0, initial=2), np.nanprod(n, where=np.isfinite(n)), np.nanmean(n, 0, where=n == n), np.nanmean(i, where=i > 2), np.nanmax(n, initial=9), np.nanmin(n, 1, where=n > 0, initial=50), np.nanvar(n[::2], 1, where=n[::2] < 9), np.nanstd(a, 0, where=a > 2, correction=1), np.nanvar(n[:1], mean=np.nanmean(n[:1], keepdims=True)), np.nanstd(i, 0, correction=1)
    np.nanmax(n, where=n > 0)
    np.nanvar(a, ddof=1, correction=1)
    np.clip(a, 2, 5, dtype="d"), np.clip(i, 0, 3, casting="unsafe", dtype="f"), np.zeros_like(a, shape=(2, 5)), np.ones_like(i, shape=3), np.empty_like(a, shape=(2, 2), dtype="i").shape, np.full_like(a, 7, shape=(1, 2)), np.full_like(i, 3), np.ones_like(a, order="F").flags.f_contiguous, np.zeros_like(a, subok=False), np.full_like(a, u)
    np.reshape(a, (4, 3), copy=True), np.reshape(a, 12, copy=False), np.any(a, where=b), np.all(a > 2, 1, keepdims=True, where=b)
    np.reshape(a.T, 12, copy=False)
    np.clip(a, 1, 2, min=1)
    np.clip(a, 1, None, max=b)
    np.zeros_like(t.T, shape=(4, 5, 6)).strides, np.full_like(t.transpose(2, 0, 1), 1, shape=(4, 5, 6)).strides, np.ones_like(t[:, ::-1].transpose(1, 0, 2), "h", shape=(4, 5, 6)).strides, np.zeros_like(t.T, shape=(4, 5)).strides, np.zeros_like(t.T, order="A", shape=(4, 5)).strides, np.zeros_like(t, order="A", shape=(4, 5)).strides, np.ones_like(a.T, shape=[2, 5])
    np.add(t.transpose(1, 2, 0), True, order="A").strides, np.add(i.T, a.T, order="A").strides, np.sqrt(m[::2, ::-1], order="A").strides, np.divmod(m.T, 2, order="A")[1].strides
"""

ORDERED = """
    np.unique(o.reshape(2, 2), axis=0), np.unique(np.stack([o, o, k]), axis=0, return_index=True, return_inverse=True, return_counts=True), np.unique(i % 2, axis=1), np.unique(t % 3, axis=2, return_counts=True), np.unique(bits, axis=-1, return_inverse=True), np.unique(t[:, :1] * 0, axis=0), np.unique(c, axis=0), np.unique(e[:, :2], axis=0), np.unique(bytes % 2, axis=0), np.unique(-a, axis=0)
    np.unique(a, axis=5)
    np.trim_zeros(np.pad(a + 1, 2)), np.trim_zeros(np.pad(a + 1, 2), "f", axis=1), np.trim_zeros(np.pad(t, 1), "b"), np.trim_zeros(a * 0), np.trim_zeros(np.pad(a + 1, 1), axis=(0, 1)), np.trim_zeros(k * 0), np.trim_zeros(k)
    np.histogram(d, "auto"), np.histogram(m, "fd"), np.histogram(d, "doane"), np.histogram(m, "scott"), np.histogram(d, "stone"), np.histogram(m, "rice"), np.histogram(m, "sturges"), np.histogram(m, "sqrt"), np.histogram(i, "auto"), np.histogram(i, "fd"), np.histogram(m, "auto", (-1, 1)), np.histogram_bin_edges(d, "auto"), np.histogram(a * 0, "auto"), np.histogram(d[:2], "doane"), np.histogram(d[:0], "auto"), np.histogram(u, "rice")
    np.histogram(d, "odd")
    np.histogram(d, "auto", weights=d)
    np.histogram(m, 4, weights=m * 1j), np.histogram(d, [0, 0.5, 1], weights=w + 2j)
    np.histogram2d(v, v, 3), np.histogram2d(v, d[:3], 3), np.histogram2d(h[0], h[1], 2)
    np.histogram2d(d, w), np.histogram2d(d, w, 3), np.histogram2d(d, w, [3, 4]), np.histogram2d(d, w, [[-1, 0, 1], 2]), np.histogram2d(d, w, w[:0].tolist() + [-1, 0, 0.5, 1]), np.histogram2d(d, w, 3, density=True), np.histogram2d(d, w, 3, [[-1, 1], [0, 1]], weights=w), np.histogram2d(d[:0], w[:0], 2)
    np.histogram2d(d, w[:3])
    np.histogramdd(m, 2), np.histogramdd(m[:, :2], (2, [-1, 0, 1])), np.histogramdd([d, w, d], (2, 3, 4)), np.histogramdd(m[:, :3], 2, density=True), np.histogramdd(m[:, :2], 3, [None, (-1, 1)], weights=m[:, 2]), np.histogramdd(d, 3)
    np.histogramdd(m, [2, 3])
    np.histogramdd(m, 0)
    np.histogramdd(m[:, :2], [[1, 0], 2])
    np.quantile(d, 0.3, weights=w, method="inverted_cdf"), np.quantile(m, [0, 0.2, 1], axis=1, weights=w[:6], method="inverted_cdf"), np.percentile(i, 40, weights=abs(i), method="inverted_cdf"), np.quantile(m, 0.5, axis=0, weights=m * m, method="inverted_cdf", keepdims=True), np.nanquantile(n[::2], 0.4, axis=1, weights=a[::2, 1:], method="inverted_cdf"), np.quantile(n, 0.5, weights=abs(a[:, :3]) + 1, method="inverted_cdf"), np.nanpercentile(n[0], [10, 90], weights=u[:3], method="inverted_cdf")
    np.quantile(d, 0.3, weights=w)
    np.quantile(d, 0.3, weights=-w, method="inverted_cdf")
"""

RECORDS = """
    s[[0, 2, 2]], s[s["mass"] > 1], s[[[1], [-1]]], np.take(s, [1, 3]), s[k], s[::-2][[0, 1]]
    s[[0, 2]] = s[3:]; s
    s[s["mass"] > 2] = s[0]; s
    s[[1, 2]] = (7.0, [1, 2, 3]); s
    s[9, 9]
    s[[9]]
    np.put(s, [0, 1], s[3:]); s
"""

CASES = [line.strip() for text in (PRODUCTS, DIFFERENCES, FILTERS, SELECTION, PLACES, EDITING, NUMBERS, POLYNOMIALS,
                                   STATISTICS, PADS, KEYWORDS, ORDERED, RECORDS)
         for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("text", CASES[::1 if WIDE else 2])
def test_expression(text):
    wanted = run(text, {name: array.copy() for name, array in MORE.items()})
    got = run(text, {name: to_gpu(array) for name, array in MORE.items()})
    assert_same(on_host(got), wanted)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_row_of_variables():
    """Of one observation each: NumPy looks at them in that way from version 2.2 on."""
    for function in (np.cov, np.corrcoef):
        got, wanted = on_host(function(to_gpu(MORE["m"][:1]), rowvar=False)), function(MORE["m"][:1].T)
        assert_same(got, wanted)
