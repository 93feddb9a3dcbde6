"""NumPy's functions, ufuncs' ways to be called and methods of arrays that are compositions here: each row
is an expression that gives the same with NumPy's arrays and with arrays on the device."""

import itertools
import warnings

import numpy as np
import pytest

from pycuda import gpuarray
from pycuda.gpuarray import GPUArray, to_gpu

pytestmark = pytest.mark.usefixtures("context")

A = np.arange(12, dtype="f").reshape(3, 4)
VARIABLES = {
    "a": A, "i": np.arange(-6, 6, dtype="i").reshape(3, 4), "b": np.array([True, False, True, True]),
    "t": np.arange(24, dtype="f").reshape(2, 3, 4), "c": (A + 1j * A[::-1]).astype("F"),
    "e": np.zeros((0, 3), "f"), "z": np.array(3.5, "f"), "u": np.array([1, 2, 255, 7], "B"),
    "n": np.array([[1, np.nan, 3], [np.nan] * 3, [np.inf, -np.inf, 0]], "f"),
    "one": np.ones((1, 3, 1), "f"),
    "s": np.rec.fromarrays([np.arange(5), np.arange(15).reshape(5, 3)],
                           dtype=[("mass", "f4"), ("at", "f4", 3)]).view(np.ndarray),
}

SHAPES = """
    np.tile(a, (2, 1, 3))
    np.tile(z, 3)
    np.tile(t, 2)
    np.tile(a[0], 0)
    np.roll(a, -1, 0)
    np.roll(a, (1, 2), (0, 1))
    np.roll(a, 5)
    np.roll(e, 1)
    np.roll(a, np.argmax(a[0])), np.roll(a, np.argmax(a[0]), 1), np.roll(a, 1, np.argmax(b)), np.roll(a, u[:2], (0, 1))
    np.roll(a, z)
    np.roll(a, 1, u[3])
    np.tile(a, np.argmax(a[0])), np.tile(a, u[:2]), np.tile([1, 2], u[1])
    np.tile(a, z)
    np.expand_dims(a, (0, 2))
    np.expand_dims(a, -1)
    np.broadcast_to(a, (2, 3, 4))
    np.broadcast_to(a, (2, 4))
    np.atleast_1d(z, a)
    np.atleast_2d(a[0])
    np.atleast_3d(a[0])
    np.atleast_3d(a)
    np.hstack([a[0], a[1]])
    np.vstack([a[0], a[1]])
    np.dstack([a, a])
    np.column_stack([a[0], a[1]])
    np.concatenate([a, i], axis=None, dtype="d")
    np.stack([a, i], -1)
    np.split(a, [1, 2])
    np.array_split(a, 5)
    np.hsplit(a, 2)
    np.meshgrid(a[0], i[0])
    np.meshgrid(a[0], i[0], indexing="ij", sparse=True)
    np.moveaxis(t, [0, 1], [-1, 0])
    np.flip(t, (0, 2))
    np.fliplr(a), np.flipud(a)
    np.swapaxes(t, 0, -1)
    np.swapaxes(z, 0, 0)
    np.trim_zeros(z, axis=0)
    np.partition(z, 0, None), np.argpartition(z, 0)
    np.partition(z, 0)
    np.lexsort((z, z), 0)
    np.lexsort((z, z), 1)
    np.lexsort((z, z), None)
    np.take_along_axis(i, np.array([3, 0, 11]), None), np.take_along_axis(i, np.array([[0, 2, 1, 0]]), 0)
    np.take_along_axis(i, np.array([[3]]), None)
    np.take(u, b), np.take(i, b, 1), np.take(i, [True, False], 0)
    np.put(u, b, [5, 6, 5, 5]); u
    np.put(u, b[:2], [5, 6, 7, 8]); u
    t.swapaxes(0, 5)
    t.transpose(2, 0, 1), t.transpose((1, 0, 2)), a[0].transpose(0)
    t.transpose(0, 1)
    one.squeeze(0), one.squeeze((0, 2)), np.squeeze(one, axis=-1)
    one.squeeze(1)
    t.diagonal(1, 1, 2), a.diagonal(-2), a.diagonal(9)
    np.trace(t, 0, 1, 2), a.trace()
    np.diag(a), np.diag(a[0], 1), np.diag(a[0], -2)
    np.diag(a[0, 0])
    t.repeat(2), t.repeat([1, 0, 2], axis=1), np.repeat(z, 3)
    t.flatten(), t.flatten("F")
    t.T.ravel("K"), t.swapaxes(0, 1).ravel("K"), t.T.ravel("F")
    np.reshape(a, (4, 3), "F"), np.reshape(a, -1)
    np.tril(a), np.triu(a, 1), np.tril(t, -1), np.tril(a[0]), np.triu(a[:, 0], 1), np.tril(a[0, :0])
    np.tril(z)
    np.copy(a, "F").strides
    a.astype("i", order="F").strides, a.T.astype("f", order="C", copy=False).strides
    a.astype("f", copy=False) is a
    np.size(a, 0), np.result_type(a, i), np.can_cast(a, "f2"), np.iscomplexobj(c)
"""

VALUES = """
    a.clip(2, 5), np.clip(i, None, 2), np.clip(a, i, 5), np.clip(a, a_min=3, a_max=4), a.clip()
    np.clip(a, 2, 5, out=np.zeros_like(a)), np.clip(u, -1, 300), np.clip(u, -1, 300, np.zeros_like(u))
    np.clip(u, 300, 400)
    np.round(a / 7, 2), np.round(i * 11, -1), np.round(i, 1), a.round()
    np.cumsum(t), np.cumsum(t, 1), np.cumsum(i), np.cumsum(u), np.cumsum(b), np.cumsum(z)
    np.cumsum(e), np.cumsum(e, 0), a.T.cumsum(), a[:, ::-2].cumsum(0), np.cumsum(c, 0)
    np.cumprod(i, 1), np.cumprod(a[0] + 1), a.cumsum(0, "d")
    np.nan_to_num(n), np.nan_to_num(n, nan=5, posinf=6, neginf=7), np.nan_to_num(i)
    np.nan_to_num(n, copy=False); n
    np.angle(c), np.angle(c, deg=True)
    np.copyto(a, i); a
    np.copyto(i, a); i
    np.copyto(a, 3, where=a > 2); a
    np.isclose(a, a + 1e-9), np.isclose(u, u[::-1], atol=10), np.isclose(n, n, equal_nan=True)
    np.allclose(n, n), np.allclose(n, n, equal_nan=True), np.allclose(a, 3)
    np.array_equal(n, n), np.array_equal(a, a), np.array_equal(a, t)
    np.nonzero(t > 5), np.nonzero(i.T), np.nonzero(e), np.where(i > 0)
    np.where(b, [1, 2, 3, 4], a), np.where(a > 3, a, (1.5,)), np.where([True, False, True, True], u, 0), np.where([0, 2], [[3], [4]], z)
    np.where(b, [1, 2, 3], a)
    np.where(b, a)
    np.argwhere(i > 0), np.flatnonzero(i), np.count_nonzero(i, axis=0)
    np.outer(a, i), np.inner(t, a), np.inner(a, 2), np.vdot(c, c)
    np.dot(a, i.T), np.dot(a, 2), a.dot(a.T), a[0].dot(a[1])
    np.average(a, weights=a), np.average(i, 0)
    np.linalg.norm(a), np.linalg.norm(c, axis=1), np.linalg.norm(i, axis=0, keepdims=True)
    np.nansum(n), np.nansum(n, axis=0), np.nanmean(n, axis=1), np.nanmean(i)
    np.nanprod(n, 0), np.nancumsum(n, 1), np.nancumprod(i, 0), np.nanvar(n[:, 2]), np.nanstd(a, 1, ddof=1), np.nanvar(i, 0)
    np.nanvar(np.where(a > 3, a, np.nan), 1, keepdims=True), np.nanstd(c), np.nanstd(a, 0, "d"), np.nanvar(a[0], ddof=9)
    np.nanargmax(n[::2], 1), np.nanargmin(n[2]), np.nanargmax(i, 0), np.nanargmin(a)
    np.nanargmax(n, 1)
    np.nanargmax(np.where(c.real > 5, np.complex64(np.nan), c), 0), np.nanargmin(c * 1j, 1)
    np.nanargmax(c * np.nan)
    np.nanargmin(c * np.nan, 1)
    np.round(b), b.round(0)
    np.round(b, 1)
    np.round(b, -1)
    np.nanmax(n, axis=1), np.nanmin(n), np.nanmax(i, 0)
    np.ptp(a, axis=0), np.take_along_axis(a, np.argmax(a, 1, keepdims=True), 1)
    np.take(a, [0, 1], 0), a.take([0, -1], 1)
"""

REDUCTIONS = """
    np.sum(a, 0), np.sum(a, (0, 1)), np.sum(a, None, "d"), np.prod(a, 1), np.sum(z, axis=0)
    np.max(a, -1, None, True), np.min(a, 0), np.amax(a, 1), np.any(a, 0), np.all(a, 1, None, True)
    np.var(a, 0), np.std(a, 0, "d"), np.argmax(a, 0), np.argmax(z, 0)
    np.sum(a, where=a > 3), np.sum(a, 0, where=a > 3, initial=5), np.prod(a, 1, where=a > 0)
    np.max(a, initial=5, axis=0), np.max(a, where=a < 5, initial=-1)
    np.max(a, where=a < 5)
    np.any(a > 5, 0, where=b), np.all(a > 5, axis=1, where=b)
    np.add.reduce(a), np.minimum.reduce(a, axis=None), np.maximum.reduce(a, initial=50)
"""

UFUNCS = """
    np.add(a, 1, where=a > 3, out=a); a
    np.add(a, i, out=a, where=b); a
    np.divide(a, i, where=i != 0, out=np.zeros_like(a))
    np.add(a, i, dtype="f"), np.add(i, i, dtype="f2"), np.add(i, 1, dtype="i1")
    np.add(i, i, dtype="?")
    np.add(i, 1.5, out=i, casting="unsafe"); i
    np.add(a, i, casting="no")
    np.equal(a, a, dtype=bool), np.multiply(u, 2, dtype="u2")
    q = np.zeros_like(i); np.divmod(i, 2, out=(q, None)); q
    q, r = np.zeros_like(i), np.zeros_like(i); np.divmod(i, 2, out=(q, r)); q, r
    np.modf(n, out=(None, n)); n
    np.frexp(a, np.zeros_like(a), np.zeros_like(i))
    np.equal(u, -1), np.less(u, 256), np.greater(-1, u), np.not_equal(u, 2**70, out=np.zeros_like(b))
    np.radians(a), np.degrees(a)
    np.matmul(a, i.T, out=np.zeros_like(a[:, :3]))
    np.matmul(a[:1], i[0, :, None], out=np.zeros_like(a[:2, :1], "d"))
    np.matmul(a, i[0], out=np.zeros_like(t[:, 0, :3], "d")), np.matmul(a[0], i[0], out=np.zeros_like(a, "d"))
    np.maximum.accumulate(i[:, ::-1], 1), np.minimum.accumulate(n), np.add.accumulate(u)
    np.add.outer(i, u), np.less.outer(a[0], i[0]), np.add.outer(3, i)
    np.power(i, -2)
    i ** np.int64(-1)
    b ** -1
    u ** 2, i ** 0, i ** np.int8(2)
    b ** 2, b ** 2.0, b ** 1, b ** np.int64(2)
"""

FLAT = """
    list(a.T.flat), list(z.flat), list(e.flat), len(a.flat), len(e.flat), sum(i.flat)
    f = a.flat; next(f), f.index, f.coords, f.base is a, list(f)[-1], f.index, f.coords
    z.flat.coords, e.flat.coords, t.flat.coords
    a.flat[3], a.T.flat[-5], z.flat[0], t.flat[np.int8(-1)], a.flat[(3,)]
    a.flat[12]
    e.flat[0]
    a.flat[1, 2]
    a.flat[None]
    a.flat["x"]
    a.flat[np.True_]
    a.flat[np.False_] = 3; a
    a.flat[()] = 3; a
    a.item(True)
    a.flat[np.array([True, False] * 6)], a.flat[np.array([False] * 12)]
    a.flat[np.array([True, False])]
    a.flat[np.array([True, False] * 6)] = [7, 8]; a
    a.flat[1:9:3], a.T.flat[::-2], a.flat[[1, -1, 1]], i.T.flat[[[0], [5]]], a.flat[...], z.flat[:], e.flat[:], a.T.flat[()]
    a.flat[[1, 12]]
    x = a.flat[2:5]; x[...] = 7; a
    a.flat[3] = 7; a.T.flat[-2] = 8; a
    a.flat[3] = [1, 2]; a
    a.flat[12] = 1; a
    a.T.flat[1:9:2] = 5; a.flat[[0, -1]] = [6, 7]; a
    a.T.flat[1:] = [1, 2, 3]; a.flat[:2] = i; a
    a.flat[:] = a.T.copy(); a
    a.flat = []; a.flat[9:3] = 4; a
    a.flat[1:3] = 1j; a
    u.flat[:] = 300; u
    i.T.flat = [1.9, -2.9, 3]; i
    z.flat = 7; e.flat = 7; z
    a.T.flat == i.ravel(), a.flat < 5, u.flat != u.flat
    a.item(3), a.T.item(-2), a.item(1, 2), a.item((1, 2)), a.item((3,)), z.item(), z.item(0), z.item(()), t.item(1, 2, 3)
    a.item()
    a.item(12)
    a.item(1, 4)
    a.item(1, 2, 3)
    a.item(1.5)
    e.item(0)
"""

PARTS = """
    c.real = 1; c
    c.imag += a; c
    c[::2].T.imag = 7; c
    a.imag = 5; a
    complex(c[0, 1]), complex(z)
    f"{z:.2f} {z:>8} {z} {a[0]}"
    3 in a, 100 in a, "x" in a
    list(z)
    z.tolist(), a.tolist(), a.T.tobytes()
    a[(0, 1),], a[(0, 1), (1, 2)]
    s["mass"], s["at"], s[::-2]["at"][:, 1], s[:0]["at"], s["at"].sum(0)
    s["mass"] *= 2; s["at"][:, 0] = 9; s
    s["at"] = 1; s
    s["nothing"]
    a["x"]
    s["mass", 0]
"""

OUT_AND_DTYPES = """
    np.var(i, dtype='i')
    np.var(i, axis=0, dtype='b')
    np.std(i, dtype='q')
    np.var(a, dtype='q', ddof=0.5)
    np.var(i, dtype='?')
    np.var(a, dtype='D'), np.std(a, 0, 'F'), np.var(c, dtype='F'), np.std(i, 1, 'D', keepdims=True), np.nanvar(n[2:], 0, 'D')
    np.var(a, 0, 'F', where=b), np.nanstd(i, dtype='F'), a.var(0, 'D', mean=a.mean(0, keepdims=True)), np.var(e, 0, 'D')
    o = c[0].copy(); np.var(a, 0, 'F', out=o); o
    np.mean(np.repeat(i, 30, 0), axis=0, dtype='b')
    np.mean(i, dtype='i', where=i > 2)
    o = z.astype('d'); np.mean(i[0], dtype='i', out=o); o
    o = z.astype('d'); np.mean(a[0] / 3, out=o); o
    o = z.astype('d'); np.var(i[0], dtype='i', out=o); o
    o = z.astype('d'); np.std(i[0], dtype='i', out=o); o
    o = z.astype('F'); np.std(i[0], dtype='i', out=o); o
    o = a.astype('d'); np.cumprod(u.astype('q') * 2**40 + u, out=o[0]); o[0]
    o = z.astype('d'); np.prod(u.astype('q') * 2**40 + u, out=o); o
    o = z.astype('d'); np.sum(u.astype('q') * 2**62, out=o); o
    o = z.astype('d'); np.sum(i, initial=2.5, out=o); o
    o = z.astype('f'); np.max(b, initial=2.5, out=o); o
    o = z.astype('d'); np.min(i[:0], initial=2.5, out=o); o
    o = i[0].astype('i2'); np.argmax(a, 0, o), o
    o = u.copy(); np.argmin(i, 0, out=o), o
    o = b.copy(); np.argmax(a, 0, o), o
    np.argmax(a, 0, a[0])
    np.argmax(a, 0, u.astype('u8'))
    np.nanargmin(a, 0, a[0])
    o = u.copy(); np.median(a, 0, o), o
    o = u.copy(); np.nanmedian(a, 0, o), o
    o = a[:, :3].astype('d').copy(); np.dot(a, i.T, out=o), np.dot(a, i[0], out=o[0]), np.dot(a, 2, out=a.astype('d')), o
    np.dot(a, i.T, out=a[:, :3].astype('d').copy().T)
    np.dot(a, i.T, out=a[:, :3].copy())
    np.dot(a, a.T, out=a[:, :3].astype('d').copy())
    np.dot(a, 2, out=a)
    np.dot(z, 2.5, out=a[:1, 0].astype('d'))
    np.dot(a, np.float32(2), out=np.zeros_like(t))
    np.dot(a[0], a[0], out=z.astype('d'))
    np.nanmean(n, dtype='i')
    np.nanvar(n, dtype='i')
    o = i[0, 0]; np.nanstd(a, dtype='d', out=o)
    np.nanstd(i, dtype='i')
    np.nextafter(i.astype('h'), 0)
    np.nextafter(i.astype('h'), i)
    np.dot(a, [1, 2, 3, 4])
    np.dot([1, 2, 3], a)
    np.dot(a[0], [1, 2, 3, 4])
    np.dot(a, [[1, 2], [3, 4], [5, 6], [7, 8]])
    o = a.copy(); np.copyto(o, [1, 2, 3, 4]); o
    o = a.copy(); np.copyto(o, ((1,), (2,), (3,))); o
    np.copyto(a, 3j)
    np.copyto(a, [1, 2, 3, 4], where=[True, False, True, True]); np.copyto(i, 7, where=[[1], [0], [2]]); a, i
    np.copyto(a, 1, where=u)
    np.copyto(a, 1, where=[True, False])
    np.copyto(i, 1.5)
    np.copyto(i, [1.5])
    np.copyto(i.astype('b'), 300)
    np.quantile(a, 2**100)
    np.quantile(a, [2**100])
    np.linalg.tensorsolve(a[:1, 1:2] + 2, a[:1, :1] + 3)
    np.linalg.tensorsolve(a[:, :3], a[:, :3])
"""

CASES = [line.strip() for text in (SHAPES, VALUES, REDUCTIONS, UFUNCS, FLAT, PARTS, OUT_AND_DTYPES)
         for line in text.splitlines() if line.strip()]


def run(text, variables):
    """The value of the last of some statements, or the fault that one of them finds."""
    *statements, last = text.split("; ")
    space = {"np": np} | variables
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec("\n".join(statements), space)  # noqa: S102
            return eval(last, space)
    except (TypeError, ValueError, IndexError, OverflowError) as error:
        return error


def on_host(value):
    if isinstance(value, (tuple, list)):
        return [on_host(item) for item in value]
    return value.get() if isinstance(value, GPUArray) else value


def assert_same(got, wanted):
    if isinstance(wanted, Exception):
        assert isinstance(got, next(c for c in type(wanted).__mro__ if c.__module__ == "builtins"))
    elif isinstance(wanted, (tuple, list)):
        assert len(got) == len(wanted)
        for one, other in zip(got, wanted, strict=True):
            assert_same(one, other)
    elif isinstance(wanted, (np.ndarray, np.generic)):
        assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
        if wanted.dtype.kind in "fc":
            assert np.allclose(got, wanted, 1e-5, 1e-6, equal_nan=True)
        else:
            assert np.array_equal(got, wanted)
    else:
        assert got == wanted


@pytest.mark.parametrize("text", CASES)
def test_expression(text):
    wanted = run(text, {name: array.copy() for name, array in VARIABLES.items()})
    got = run(text, {name: to_gpu(array) for name, array in VARIABLES.items()})
    assert_same(on_host(got), wanted)


AXES = [0, -1, 1, (), (0,), (0, 0), None]
ALONG = """sum prod max min any all count_nonzero ptp argmax argmin cumsum cumprod nansum mean var std median average nanmean
    nanvar nanmedian sort argsort squeeze nancumsum cumulative_sum flip concatenate
    cumulative_prod nanstd nanmax nanargmin"""


@pytest.mark.parametrize("name", [*ALONG.split(), "quantile .5", "nanquantile .5", "take 0", "repeat 2",
                                  "argpartition 0",
                                  "compress [True]", "add.reduce", "gcd.reduce"])
def test_which_axes_there_are(name):
    """Of arrays without axes, too, where some functions let axis 0 pass and others do not."""
    name, *extra = name.split(" ", 1)
    extra = "".join(f"{one}, " for one in extra)
    for axis, shape, char in itertools.product(AXES, [(), (3,), (1, 2)], "if"[:1 + (name != "gcd.reduce")]):
        variables = {"x": np.ones(shape, char)}
        text = f"np.{name}({'' if name != 'compress' else extra}x, {extra if name != 'compress' else ''}{axis})"
        wanted, got = run(text, variables), run(text, {"x": to_gpu(variables["x"])})
        assert_same(on_host(got), wanted)


REFUSED = """
    np.broadcast_to(a, (4,))                | ValueError: cannot broadcast an array of shape (3, 4) to (4,)
    np.average(a, weights=a * 0)            | ZeroDivisionError: Weights sum to zero, can't be normalized
    np.sum(a, 0, out=z)                     | ValueError: output array has shape (), the result (4,)
    np.round(a, out=i)                      | TypeError: cannot write a result of dtype float32 to int32
    gpuarray.argmax(a, (0, 1))              | TypeError: argmin and argmax take one axis
    np.add(a, a, out=z)                     | ValueError: non-broadcastable output operand with shape ()
    np.add(a, a, out=i, casting='no')       | TypeError: Cannot cast output from float32 to int32
    gpuarray.to_gpu(np.ones(2)).take([2])   | IndexError: index 2 is out of bounds for axis 0 with size 2
    gpuarray.multi_put([a[0]], gpuarray.to_gpu(np.zeros(4, 'i'))) | ValueError: multi_put: dest_shape or out
    np.nextafter(b, b)                      | NotImplementedError: numpy.nextafter of numbers of 16 bits is not available
    np.nextafter(i.astype('b'), 0)          | NotImplementedError: numpy.nextafter of numbers of 16 bits is not available
    np.multiply.accumulate(a, 0, out=z)     | ValueError: output array has shape (), the result (3, 4)
"""


@pytest.mark.parametrize("row", REFUSED.strip().splitlines())
def test_refused(row):
    text, wanted = map(str.strip, row.split(" | "))
    names = {name: to_gpu(array) for name, array in VARIABLES.items()}
    with pytest.raises(Exception) as caught:
        eval(text, {"np": np, "gpuarray": gpuarray, **names})
    assert f"{caught.type.__name__}: {caught.value}".startswith(wanted)


def test_real_and_imaginary_parts_are_copies():
    """Kernels of one's own want them without gaps."""
    x = to_gpu(VARIABLES["c"])
    x.real[...] = 0
    x.imag.fill(0)
    assert x.real.flags.c_contiguous and np.array_equal(x.get(), VARIABLES["c"])


def test_fields_must_be_aligned():
    parts = [("a", "b"), ("b", "d")]
    x = to_gpu(np.ones(3, np.dtype(parts, align=True)))
    x["b"] += 1
    assert x.get()["b"].tolist() == [2] * 3 and x["a"].sum().get() == 3
    with pytest.raises(ValueError, match="field b is not aligned"):
        to_gpu(np.ones(3, parts))["b"]


def test_views_are_written():
    x = to_gpu(np.zeros((3, 3)))
    x.diagonal()[...] = [1, 2, 3]
    np.broadcast_to(x[0], (4, 3))[...] = 5
    assert x.get().tolist() == [[5, 5, 5], [0, 2, 0], [0, 0, 3]]


def test_several_fields_are_no_index():
    x = to_gpu(VARIABLES["s"])
    for call in [lambda: x[["mass"]], lambda: x.__setitem__(["mass"], 0)]:
        with pytest.raises(IndexError, match="one at a time"):
            call()


def test_results_of_many_elements_accumulate():
    x = gpuarray.arange(100003, dtype=np.int32)
    assert np.array_equal(x.cumsum().get(), np.arange(100003).cumsum())
    assert np.array_equal(np.maximum.accumulate(-x).get(), np.zeros(100003, "i"))


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i8", "f2", "f4", "c16"])
def test_a_first_value_does_not_decide_the_dtype(dtype):
    a = np.array([[1, 0, 3], [2, 0, 1]], dtype)
    x = gpuarray.to_gpu(a)
    for f in [lambda a: np.max(a, initial=2.5), lambda a: np.min(a, axis=0, keepdims=True, initial=0.5),
              lambda a: np.sum(a, initial=2.5), lambda a: a.prod(axis=1, initial=np.float64(3)),
              lambda a: np.min(a[:0], initial=7), lambda a: np.max(a[:0], axis=0, keepdims=True, initial=4),
              lambda a: np.max(a[:0], where=a[:0] > 2, initial=4), lambda a: np.max(a[:0], axis=1, initial=4),
              lambda a: np.max(a, where=a > 2, initial=1.5), np.angle]:
        expected, result = f(a), f(x)
        assert (result.dtype, result.shape) == (expected.dtype, expected.shape)
        assert np.array_equal(result.get(), expected)
