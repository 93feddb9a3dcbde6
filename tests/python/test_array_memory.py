"""Where arrays lie in memory: transfers of any view, operands that overlap what is written, sizes that no
memory has, and how long views keep theirs. Random programs of the same kind: tests/fuzz/arrays.py."""

import itertools
import math
import os
import pickle
import warnings

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native, gpuarray
from pycuda.gpuarray import GPUArray, to_gpu
from pycuda.sparse import CSRMatrix

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check
pytestmark = pytest.mark.usefixtures("context")

# -- Transfers of views ----------------------------------------------------------------------------

BASE = np.arange(24).reshape(2, 3, 4)
INDICES = [(), np.s_[:, None], np.s_[:, :, None, :1], np.s_[:1], np.s_[:, :1, None], np.s_[::-1, None],
           np.s_[None, :, 1::2, None], np.s_[:, :, 2:1]]


def views(array):
    """Of three axes in any order, with new ones and with parts of them."""
    for axes, index in itertools.product(itertools.permutations(range(3)), INDICES):
        yield array.transpose(axes)[index]
    yield np.broadcast_to(array[:, None, :1], (2, 5, 3, 4))


def test_transfers_of_views():
    for want, view in zip(views(BASE), views(to_gpu(BASE)), strict=True):
        assert view.shape == want.shape
        assert np.array_equal(view.get(), want) and str(view) == str(want)
        assert view.tolist() == want.tolist() and view.tobytes() == want.tobytes()
        assert np.array_equal(pickle.loads(pickle.dumps(view)).get(), want)
        assert np.array_equal((view + 0).get(), want) and np.array_equal(view.copy().get(), want)
        assert np.array_equal(view.ravel("K").get(), want.ravel("K"))
        filled = np.zeros_like(want)
        assert view.get(filled) is filled and np.array_equal(filled, want)
        assert np.array_equal(to_gpu(want).get(), want) and np.array_equal(to_gpu(view).get(), want)


def test_setting_views():
    for start in (BASE, np.asfortranarray(BASE)):
        hosts = [start.copy(order="K") for _ in views(start)]
        for k, host in enumerate(hosts):
            array = to_gpu(host)
            want, view = (next(itertools.islice(views(x), k, None)) for x in (host, array))
            if 0 in want.strides and want.size > 24:  # elements that are one
                continue
            for values in (np.arange(want.size).reshape(want.shape) - 50,
                           np.asfortranarray(np.arange(want.size).reshape(want.shape) + 50)):
                want[...] = values
                view.set(values)
                assert np.array_equal(array.get(), host)
                view[...] = 7
                view.set(to_gpu(values))
                assert np.array_equal(array.get(), host)
                view[...] = 7
                view[...] = values
                assert np.array_equal(array.get(), host)


@pytest.mark.parametrize("kind, index", [("i4", np.s_[:, :, :1]), ("i4", np.s_[:0]), ("i2", np.s_[:, :2]),
                                         ("c16", np.s_[1:]), ("i4", np.s_[:, :, None])])
def test_view_changes_the_axis_that_numpy_changes(kind, index):
    for axes in ((0, 1, 2), (1, 2, 0), (2, 1, 0)):
        want, array = (x.transpose(axes)[index] for x in (BASE, to_gpu(BASE)))
        try:
            want = want.view(kind)
        except ValueError:
            continue
        assert np.array_equal(array.view(kind).get(), want)


def test_view_refuses():
    for array, kind in ((to_gpu(BASE)[:, :, ::-1], "i4"), (to_gpu(BASE)[:, :, ::2], "i4"),
                        (to_gpu(BASE), "V48"), (to_gpu(BASE)[0, 0, 0], "i4")):
        with pytest.raises(ValueError, match="new type not compatible"):
            array.view(kind)
    with pytest.raises(TypeError, match="Python objects"):
        to_gpu(BASE).view("O")


def test_transfers_on_the_device():
    x = to_gpu(BASE.astype("f4"))
    y = to_gpu(np.zeros_like(x, dtype=np.int8))
    assert (y.dtype, y.shape, y.get().any()) == (np.int8, x.shape, False)
    y = gpuarray.to_gpu_async(x.transpose(2, 0, 1), stream=cuda.Stream())
    assert np.array_equal(y.get(), x.get().transpose(2, 0, 1)) and y.strides == (4, 48, 16)
    out = gpuarray.zeros((4, 2, 3), "f4")
    assert y.get(out) is out and np.array_equal(out.get(), y.get())
    out.set_async(to_gpu(y.get() + 1))
    out.get_async(ary=y)
    assert np.array_equal(y.get(), x.get().transpose(2, 0, 1) + 1)
    with pytest.warns(UserWarning, match="another shape"):
        x.set(y)
    assert np.array_equal(x.get().ravel(), y.get().ravel())
    x[1:].set(x[:1])
    assert np.array_equal(x[1].get(), x[0].get())
    for wrong, text in ((x[0], "same size"), (x.astype("f8"), "same dtype")):
        with pytest.raises(ValueError, match=text):
            y.set(wrong)


# -- Operands that overlap what is written ---------------------------------------------------------

N = 30_000


def reversed_by_index(x, to, c):
    x[to(np.arange(N)[::-1].copy())] = c(x)


def parts_by_mask(x, to, c):
    x[x % 2 == 0] = c(x[:N // 2])


def rows(x, to, c):
    m = x.reshape(100, 300)
    m[to(np.arange(100)[::-1].copy())] = c(m)


def columns(x, to, c):
    m = x.reshape(100, 300)
    m[:, to(np.arange(300)[::-1].copy())] = c(m)


def put(x, to, c):
    (gpuarray if isinstance(x, GPUArray) else np).put(x, to(np.arange(N)[::-1].copy()), c(x))


def take_out(x, to, c):
    np.take(c(x), to(np.arange(N)[::-1].copy()), out=x)


def places_in_the_array(x, to, c):
    x[c(x[:100][::-1])] = c(x[5:105])


def flat(x, to, c):
    x = x[:120].reshape(10, 12)
    x.T.flat[:] = c(x)


def shifted(x, to, c):
    x[1:] += c(x[:-1])
    np.multiply(c(x[:-7]), 3, out=x[7:])
    np.add(c(x[::-1]), 1, out=x)


def other_sizes_of_elements(x, to, c):
    x.view("i4")[::2] += 1
    np.add(c(x[:N // 2]), 1, out=x.view("i4")[:N // 2], casting="unsafe")
    x.view("i4")[...] = c(x.view("i4")[::-1])


def windows(x, to, c):
    x = x[:100]
    w = np.lib.stride_tricks.as_strided(x, (98, 3), (8, 8)) if isinstance(x, np.ndarray) else \
        GPUArray((98, 3), x.dtype, gpudata=x.ptr, base=x, strides=(8, 8))
    np.add(c(w), 1, out=w)


def joined(x, to, c):
    np.concatenate([c(x[N // 2:]), c(x[:N // 2])], out=x)


def test_results_lie_as_numpy_lays_them():
    """In the order of all operands; where they disagree, in C order as far as one of them has it."""
    for one, two in itertools.product(itertools.permutations(range(3)), repeat=2):
        a, b = (np.arange(24).reshape([BASE.shape[k] for k in axes]).transpose(np.argsort(axes)) for axes in (one, two))
        for f in [np.add, np.power, lambda a, b: a[:, :1] - b, lambda a, b: a[..., ::-1] < b[::-1],
                  lambda a, b: np.where(a > 3, b, a)]:
            assert f(to_gpu(a), to_gpu(b)).strides == f(a, b).strides, (one, two)


@pytest.mark.parametrize("case", [
    reversed_by_index, parts_by_mask, rows, columns, put, take_out, places_in_the_array, flat, shifted,
    other_sizes_of_elements, windows, joined], ids=lambda case: case.__name__)
def test_overlap_is_as_if_copied_first(case):
    """Where NumPy does not copy, as in assignment to a mask, it is promised here all the same."""
    want, x = np.arange(N), gpuarray.arange(N)
    case(want, np.asarray, np.copy)
    case(x, to_gpu, lambda operand: operand)
    assert np.array_equal(x.get(), want)


def test_several_at_once():
    x, y = gpuarray.arange(9), gpuarray.arange(9) * 10
    gpuarray.multi_take([x, y], np.arange(9)[::-1].copy(), out=[y, x])
    assert np.array_equal(y.get(), np.arange(9)[::-1])
    assert np.array_equal(x.get(), np.arange(9)[::-1] * 10)
    gpuarray.multi_put([x, y], np.arange(9)[::-1].copy(), out=[y, x])
    assert np.array_equal(y.get(), np.arange(9) * 10) and np.array_equal(x.get(), np.arange(9))


def test_products_with_a_sparse_matrix():
    matrix = CSRMatrix(np.eye(500)[::-1])
    x = gpuarray.arange(500, dtype=np.float64)
    assert matrix.matvec(x[:], out=x[:]).size == 500
    assert np.array_equal(x.get(), np.arange(500)[::-1])
    matrix.matvec(x, out=matrix.data)
    assert np.array_equal(matrix.data.get(), np.arange(500))


@pytest.mark.parametrize("char", "fi")
def test_products_into_memory_that_is_there(char, monkeypatch):
    """Whether `out` is as a product would be, has another layout or dtype, or lies where an operand does."""
    h = np.random.default_rng(0).integers(-9, 9, (4, 40, 40)).astype(char)
    x, room = to_gpu(h), gpuarray.zeros((4, 40, 40), char)

    def check(out, *operands):
        wanted = np.matmul(*(a.get() for a in operands))
        assert np.matmul(*operands, out=out) is out and np.array_equal(out.get(), wanted)
        x.set(h)

    check(room[0].T, x[0], x[1])
    check(room[0, :, ::-1], x[0], x[1])
    check(gpuarray.zeros((40, 40), "d"), x[0], x[1])
    check(x[0], x[0], x[1])
    check(x[1], x[0], x[1])
    check(x[2].T, x[2], x[3])
    check(x[1:3].reshape(3200)[100:1700].reshape(40, 40), x[1], x[3])
    check(x[:2], x[1:3], x[0])
    with gpuarray.lazy():
        before = room[0] + 1
        was = room[0].get()
        check(room[0], x[0] + x[1], x[2])
    assert np.array_equal(before.get(), was + 1)
    with pytest.raises(ValueError, match="shape"):
        np.matmul(x[0], x[1], out=room[0, :39])
    with monkeypatch.context() as patch:  # of new memory there is no need
        patch.setattr(_native, "_empty", None)
        check(room[0], x[0], x[1])
        check(room, x, x[1])
        check(room[1], x[0].T, x[1])


def test_places_and_values_as_numpy_takes_them():
    def both(change, kind="i8"):
        want, x = np.arange(6, dtype=kind), gpuarray.arange(6, dtype=kind)
        change(want, np.put)
        change(x, gpuarray.put)
        assert np.array_equal(x.get(), want)

    both(lambda x, put: x.__setitem__([1, 4], [[7, 8]]))
    both(lambda x, put: put(x, [0, 3, 5], [7, 8]))
    both(lambda x, put: put(x, [[0], [3]], [[7, 8, 9]]))
    both(lambda x, put: put(x, [0, 3], []))
    both(lambda x, put: put(x, [], [1, 2]))
    both(lambda x, put: x.__setitem__(x > 2, np.float64(2.5)))
    with pytest.raises(IndexError):
        gpuarray.zeros((3, 4))[:0, [99]]
    assert np.argwhere(gpuarray.ones(())).shape == (1, 0)
    with pytest.raises(ValueError, match="atleast_1d"):
        gpuarray.ones(()).nonzero()
    out = gpuarray.zeros((2, 1))
    np.matmul(gpuarray.ones(3), gpuarray.ones(3), out=out)
    np.add(gpuarray.ones(()), 1, out=out[1:], where=np.bool_(True), casting="safe")
    assert out.get().tolist() == [[3], [2]]
    with pytest.raises(ValueError, match="broadcast"):  # `where` broadcasts, too
        np.add(gpuarray.ones(()), 1, out=gpuarray.ones(()), where=gpuarray.ones(1, bool))
    assert np.inner(gpuarray.zeros((2, 0)), gpuarray.zeros(0)).get().tolist() == [0, 0]


@pytest.mark.parametrize("kind, value, error", [
    ("u1", 300, OverflowError), ("u1", -1, OverflowError), ("i4", 2**40, OverflowError),
    ("f4", 1j, TypeError), ("i4", math.nan, ValueError), ("i4", 1e20, OverflowError),
    ("u1", [1, 300], OverflowError), ("f4", "a", ValueError)])
@pytest.mark.parametrize("index", [[0, 1], np.array([True, True]), slice(None), to_gpu])
def test_numbers_that_do_not_fit(kind, value, error, index):
    x = gpuarray.zeros(2, kind)
    with pytest.raises(error):
        x[to_gpu(np.array([True, True])) if index is to_gpu else index] = value
    with pytest.raises(error):
        gpuarray.put(x, [0, 1], value)
    assert not x.get().any()


# -- Sizes -----------------------------------------------------------------------------------------

HUGE = 1 << 62


@pytest.mark.parametrize("make, error", [
    (lambda x: x.reshape(HUGE + 1, 4), "must be unchanged"),
    (lambda x: x.reshape(-1, HUGE, 4), "must be unchanged"),
    (lambda x: x[:0].reshape(1 << 32, 1 << 32), "must be unchanged"),
    (lambda x: x[:0].reshape(0, HUGE, 4), "too big"),
    (lambda x: x[:0].reshape(0, -1), "must be unchanged"),
    (lambda x: np.broadcast_to(x, (HUGE, 4)), "too big|large"),
    (lambda x: np.tile(x, HUGE), "too big|large"),
    (lambda x: x.repeat(HUGE), "too big|large"),
    (lambda x: np.add.outer(*[np.broadcast_to(x[:1], (1 << 40,))] * 2), "too big|large"),
    (lambda x: np.matmul(*(np.broadcast_to(x[0], s) for s in ((1 << 40, 1), (1, 1 << 40)))),
     "too big|large"),
    (lambda x: gpuarray.empty((1 << 31, 1 << 31, 4), "f4"), "too big"),
    (lambda x: gpuarray.zeros((0, HUGE, HUGE)), "too big"),
    (lambda x: gpuarray.full((HUGE, HUGE), 1, "b"), "too big"),
    (lambda x: gpuarray.arange(HUGE), "too big"),
    (lambda x: gpuarray.arange(0, 1e300, 1e-300), "too many"),
    (lambda x: gpuarray.arange(0, math.inf), "too many"),
    (lambda x: gpuarray.arange(0, math.nan), "NaN"),
    (lambda x: GPUArray(5, "f4", strides=(HUGE,)), r"less than 2\*\*63"),
    (lambda x: GPUArray((3, 3), "f4", strides=(HUGE, HUGE)), r"less than 2\*\*63"),
    (lambda x: GPUArray(5, "f4", gpudata=x.gpudata, strides=(HUGE,)), r"less than 2\*\*63"),
    (lambda x: GPUArray(5, "f4", strides=(-4,)), "beyond the memory"),
    (lambda x: GPUArray(5, "f4", strides=(5,)), "beyond the memory"),
])
def test_sizes_that_no_memory_has(make, error):
    with pytest.raises(ValueError, match=error):
        make(gpuarray.zeros(4, np.float32))


# -- How long views last ---------------------------------------------------------------------------


@pytest.mark.parametrize("step", [
    lambda x: x[:], lambda x: x.T, lambda x: x.reshape(2, 2).reshape(4), lambda x: x.view("u8"),
    lambda x: np.broadcast_to(x, 4), lambda x: x[None].diagonal(0, 1, 0)[:, 0] if x.ndim > 1 else x[...],
    lambda x: GPUArray(4, "i8", gpudata=x.ptr, base=x), lambda x: GPUArray(4, "i8", gpudata=x, base=x)])
def test_chains_of_views(step):
    """Each looks into the array itself; those that a program chains end without a recursion."""
    start = x = gpuarray.arange(4)
    for _ in range(20_000):
        x = step(x)
    assert np.array_equal(x.get(), np.arange(4))
    if x.gpudata is not start.gpudata and type(x.base) is GPUArray and x.base.base is None:
        assert x.base is start
    del start
    assert np.array_equal(x.get(), np.arange(4))
    del x


def test_views_keep_the_memory():
    """Not only the array, which may be given other memory."""
    x = gpuarray.arange(1000)
    views = [x[2:], x.T, x.reshape(10, 100), np.from_dlpack(x) if x.__dlpack_device__()[0] == 1 else x[:]]
    before = [view.copy() for view in views]
    x.gpudata = cuda.mem_alloc(8000)
    x.fill(-1)
    others = [gpuarray.zeros(1000, "i8") for _ in range(4)]
    for view, want in zip(views, before, strict=True):
        assert np.array_equal(view if isinstance(view, np.ndarray) else view.get(),
                              want if isinstance(want, np.ndarray) else want.get())
    assert (x == -1).get().all() and len(others) == 4


# -- Attributes that say how memory is read --------------------------------------------------------


@pytest.mark.parametrize("want", [np.arange(20.0).reshape(10, 2), np.ones((2, 3), "i1"), np.arange(6.0).reshape(2, 3).T])
def test_other_memory_and_what_lies_in_it(want):
    x = to_gpu(np.arange(5, dtype=np.float32))
    x.gpudata.free()
    x.gpudata = cuda.mem_alloc(want.nbytes)
    x.shape, x.size, x.strides, x.dtype = want.shape, want.size, want.strides, want.dtype
    x.set(want)
    assert (x.size, x.mem_size, x.ndim, x.nbytes) == (want.size, want.size, want.ndim, want.nbytes)
    assert np.array_equal(x.get(), want) and np.array_equal((x + x).get(), want + want)


def test_shape_and_dtype_of_the_same_elements():
    x = to_gpu(np.arange(24, dtype=np.int32))
    view = x[4:]
    x.shape = 2, 3, -1
    assert x.strides == (48, 16, 4) and np.array_equal(x.get(), np.arange(24).reshape(2, 3, 4))
    x.dtype = np.float32
    assert np.array_equal(x.get().view(np.int32).ravel(), np.arange(24)) and view.shape == (20,)
    turned = to_gpu(np.asfortranarray(np.ones((2, 3))))
    turned.shape = 6, 1
    assert turned.flags.f_contiguous
    pending = gpuarray.arange(6)
    with gpuarray.lazy():
        late = pending + 1
        pending.shape = 2, 3
    assert late.get().tolist() == [1, 2, 3, 4, 5, 6]


def test_few_axes_and_many():
    """Some have room in the instance: one array gets more, fewer, and more again."""
    host = np.arange(64, dtype=np.int32)
    x = to_gpu(host)
    for axes in (4, 6, 2, 5, 1, 6):
        want = host.reshape(64 >> axes - 1, *(2,) * (axes - 1))
        x.shape = want.shape
        with pytest.raises(ValueError):
            x.strides = (2**62,) * axes
        assert (x.shape, x.strides) == (want.shape, want.strides)
        for ours, theirs in ((x, want), (x.T, want.T), (x[..., None, None], want[..., None, None]), (x[0], want[0]),
                             (x.view(np.int16), want.view(np.int16)), (x + 1, want + 1), (x.sum(axis=0), want.sum(axis=0)),
                             (gpuarray.empty_like(x).fill(3), np.full_like(want, 3)), (x.copy(), want)):
            assert ours.shape == theirs.shape and np.array_equal(ours.get(), theirs)
    most = gpuarray.GPUArray((1,) * 31 + (3,), np.int32)
    most.fill(7)
    most.shape = 3
    assert most.get().tolist() == [7] * 3 and np.sum(most).get() == 21


def test_layouts_that_cannot_be():
    x = to_gpu(np.arange(24, dtype=np.int32).reshape(4, 6))
    gaps = x[:, ::2]
    with pytest.raises(AttributeError, match=r"elements have gaps .* reshape\(\) copies them"):
        gaps.shape = 12
    for name, value, error in (("shape", (5, -1), ValueError), ("shape", (2**40, 2**40), ValueError),
                               ("strides", (4,), ValueError), ("strides", (2**62, 4), ValueError),
                               ("dtype", object, TypeError), ("dtype", "no", TypeError), ("size", "no", TypeError)):
        with pytest.raises(error):
            setattr(x, name, value)
        with pytest.raises(AttributeError):
            delattr(x, name)
    assert (x.shape, x.strides, x.dtype, x.size) == ((4, 6), (24, 4), np.int32, 24)
    assert np.array_equal(gaps.get(), x.get()[:, ::2])


def test_another_shape_while_strides_are_read():
    class Reshapes:
        def __index__(self):
            x.shape = (2, 3)
            return 4

    x = gpuarray.zeros(6, "f4")
    with pytest.raises(ValueError, match="number of axes"):
        x.strides = (Reshapes(),)
    assert (x.shape, x.strides) == ((2, 3), (12, 4))


def test_no_memory():
    x = to_gpu(np.arange(4.0))
    view = x[1:]
    x.gpudata = None
    assert x.gpudata is None and view.tolist() == [1, 2, 3]
    with pytest.raises(cuda.LogicError, match="was freed"):
        x + 1
    x.gpudata = cuda.to_device(np.ones(4))
    assert (x + 1).tolist() == [2] * 4


# -- Products and joins as NumPy's -----------------------------------------------------------------


def test_dot_of_any_axes():
    shapes = [(), (4,), (3, 4), (2, 3, 4), (4, 5), (2, 4, 5), (3, 2, 4, 1), (0, 4), (4, 0), (1, 4, 0)]
    for a, b in itertools.product(shapes, shapes):
        a, b = (np.random.default_rng(1).integers(-9, 9, s) for s in (a, b))
        if a.ndim == b.ndim == 0:
            continue
        try:
            want = np.dot(a, b)
        except ValueError:
            with pytest.raises(ValueError):
                np.dot(to_gpu(a), to_gpu(b))
            continue
        found = np.dot(to_gpu(a), to_gpu(b))
        assert found.shape == want.shape and np.array_equal(found.get(), want)
        out = gpuarray.empty(want.shape, want.dtype)
        assert to_gpu(a).dot(to_gpu(b), out) is out and np.array_equal(out.get(), want)


def test_joining_converts_by_the_rule():
    x = to_gpu(np.array([1.9, -1.9]))
    for join in (np.concatenate, np.stack, np.hstack, np.vstack):
        with pytest.raises(TypeError, match="'same_kind'"):
            join([x, x], dtype="i4")
        assert join([x, x], dtype="i4", casting="unsafe").dtype == np.int32
        with pytest.raises(TypeError, match="'safe'"):
            join([x, x], dtype="f4", casting="safe")
    out = gpuarray.empty(4, "i4")
    with pytest.raises(TypeError, match="'same_kind'"):
        np.concatenate([x, x], out=out)
    np.concatenate([x, x], out=out, casting="unsafe")
    assert out.get().tolist() == [1, -1, 1, -1]


def test_norms_of_matrices():
    x = np.arange(12.0).reshape(3, 4)
    for kwargs in ({"axis": (0, 1)}, {}, {"axis": (1,), "ord": 2}, {"axis": 0, "ord": 2, "keepdims": True},
                   {"axis": (0, 1), "ord": 2}, {"ord": 2}, {"ord": 1}):
        assert np.allclose(np.linalg.norm(to_gpu(x), **kwargs).get(), np.linalg.norm(x, **kwargs))
    with pytest.raises(ValueError, match="Improper number of dimensions"):
        np.linalg.norm(to_gpu(x)[None], axis=(0, 1, 2))


@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
@pytest.mark.parametrize("kind", ["?", "i4", "f8", "c8"] + ["u1", "i8", "f4"] * WIDE)
def test_casting(casting, kind):
    host, array = (make(3, kind) for make in (np.ones, gpuarray.ones))
    for f, operand, dtype in itertools.product(
            (np.add, np.multiply, np.true_divide, np.less), (1, 2.5, 2j, True, np.float32(2), np.int64(3)),
            (None, "f4", "i4")):
        kwargs = {"casting": casting} | ({} if dtype is None or f is np.less else {"dtype": dtype})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                want = f(host, operand, **kwargs)
            except TypeError:
                with pytest.raises(TypeError):
                    f(array, operand, **kwargs)
                continue
            try:
                found = f(array, operand, **kwargs)
            except TypeError:  # NumPy has no rule for numbers of Python's there
                assert casting == "equiv" and type(operand) in (int, float, complex)
                continue
        assert found.dtype == want.dtype and np.array_equal(found.get(), want)


@pytest.mark.parametrize("value", [np.zeros((1, 1)), np.zeros((1, 4)), np.zeros((4, 1))])
def test_masks_of_all_axes_take_flat_values(value):
    """As NumPy: TypeError, even where it could be broadcast."""
    for make in (np.asarray, gpuarray.to_gpu):
        x = make(np.ones((2, 2)))
        for mask in ([[True, True], [True, True]], (np.ones((2, 2), bool),), make(np.ones((2, 2), bool))):
            with pytest.raises(TypeError):
                x[mask] = make(value)
        x[np.ones(2, bool)] = make(np.full((1, 2), 3.0))
        x[1, np.array([True, False])] = make(np.full((1, 1), 4.0))
        assert x.tolist() == [[3, 3], [4, 3]]


def test_dtypes_with_a_shape():
    """The shape becomes axes where an array is made; elsewhere such a dtype is refused."""
    for shape, dtype in [(4, "(2,)i4"), ((), "(2,)f4"), ((3, 4), "(2,3)f8"), ((2, 3), ("(2,)i2", (3,)))]:
        for order in "CF":
            wanted = np.zeros(shape, dtype, order)
            for made in (gpuarray.zeros(shape, dtype, order=order), gpuarray.ones(shape, dtype, order=order),
                         gpuarray.empty(shape, dtype, order=order), gpuarray.GPUArray(shape, dtype, order=order)):
                assert (made.shape, made.strides, made.dtype) == (wanted.shape, wanted.strides, wanted.dtype)
                assert made.get().shape == wanted.shape
            like, wanted = np.zeros(shape, "f4", order), np.empty_like(np.zeros(shape, "f4", order), dtype)
            for made in (gpuarray.zeros_like(gpuarray.to_gpu(like), dtype),
                         np.full_like(gpuarray.to_gpu(like), 0, dtype)):
                assert (made.shape, made.strides, made.dtype) == (wanted.shape, wanted.strides, wanted.dtype)
                assert not made.get().any()
    assert np.array_equal(gpuarray.full(4, [1, 2], "(2,)i4").get(), np.full(4, [1, 2], "(2,)i4"))
    x = gpuarray.GPUArray((4,), "(2,)i4", strides=(8,))
    assert (x.shape, x.strides) == ((4, 2), (8, 4))
    assert gpuarray.GPUArray((2,), "(2,)i4", gpudata=x.gpudata, strides=(16,)).strides == (16, 4)
    for refused in (lambda: x.view("(2,)i2"), lambda: x.astype("(2,)i4")):
        with pytest.raises((TypeError, ValueError), match=r"shape of its own|cannot convert|total itemsize"):
            refused()
    with pytest.raises(ValueError, match="axes are too many"):
        gpuarray.zeros((1,) * 31, "(1,1)i4")
    with pytest.raises(ValueError, match="too big"):
        gpuarray.empty(2**40, "(1048576,)i8")
    with pytest.raises(TypeError, match="Python objects"):
        gpuarray.empty(2, "(2,)O")


@pytest.mark.parametrize("kind", ["i2", "f4", "f8", "c8", "c16", [("a", "u1"), ("b", "f4")],
                                  np.dtype([("a", "u1"), ("b", "f8")], align=True)])
@pytest.mark.parametrize("row", [0, 1, 2, 4, 8])
@pytest.mark.parametrize("offset", [0, 1, 2, 3, 4, 8])
def test_elements_are_aligned(kind, row, offset):
    """Views of bytes and arrays over given memory are, or are refused; where NumPy's are aligned, ours are there."""
    dtype = np.dtype(kind)
    host = np.arange(4 * (dtype.itemsize * 2 + row) + offset, dtype=np.uint8)
    device = gpuarray.to_gpu(host)

    def part(array):
        return array[offset:].reshape(4, -1)[:, :2 * dtype.itemsize]

    right = part(host).view(dtype)
    if not right.flags.aligned:
        with pytest.raises(ValueError, match="aligned"):
            part(device).view(dtype)
        with pytest.raises(ValueError, match="aligned"):
            gpuarray.GPUArray(right.shape, dtype, gpudata=int(device.gpudata) + offset, strides=right.strides)
        assert np.array_equal(part(device).copy().view(dtype).get(), right)
    else:
        other = gpuarray.GPUArray(right.shape, dtype, base=device, gpudata=int(device.gpudata) + offset,
                                  strides=right.strides)
        for found in (part(device).view(dtype), other):
            assert np.array_equal(found.get(), right)
            assert np.array_equal(found[::-1, ::-1].get(), right[::-1, ::-1])


ON_COMPLEX = """
    a.copy(); a[::-1].copy(); a.reshape(4, -1).T.copy(); a[::-3]
    a + a; 2 * a; a * a[::-1]; a.real + 1; a.conj(); a.astype("D"); abs(a); a == a[1]
    a.sum(); a[:4].prod(); a.reshape(4, -1).sum(0); a.reshape(4, -1).sum(1); a.mean(); np.nansum(a)
    np.sort(a); np.argsort(a); np.unique(a); np.searchsorted(np.sort(a), a); np.isin(a, a[:3])
    np.cumsum(a); np.take(a, i); a[i]; a[a != a[0]]; np.where(a == a[0], a, a[1]); np.roll(a, 1); np.concatenate([a, a])
    a.reshape(4, -1) @ a.reshape(-1, 4); np.dot(a, a); np.vdot(a, a); np.einsum("i,i", a, a)
    np.fft.fft(a); np.fft.fft2(a.reshape(8, -1)); np.linalg.inv(a[:16].reshape(4, 4)); np.linalg.solve(a[:16].reshape(4, 4), a[:4])
    np.pad(a, 2); np.kron(a[:3], a[:3]); np.diff(a); np.repeat(a, 2); np.insert(a, 1, a[0]); np.delete(a, 1)
"""
CHANGES = """
    a[i] = a[5:8].copy(); a.fill(3); a[3:9] = a[20:26].copy(); a += 1; a[a == a[2]] = 7; a.sort()
    np.add.at(a, i, a[5:8].copy()); np.multiply.at(a, i, a[5:8].copy()); np.subtract.at(a, i, 1)
"""


ON_PARTS = [("c8", 4), ("c16", 8)][:2 if WIDE else 1]  # dtypes, and bytes before the first number


def statements(text):
    return [one.strip() for line in text.splitlines() for one in line.split(";") if one.strip()]


@pytest.mark.parametrize("kind, offset", ON_PARTS)
@pytest.mark.parametrize("code", statements(ON_COMPLEX) + statements(CHANGES))
def test_complex_numbers_that_are_aligned_like_their_parts(kind, offset, code):
    """As NumPy has them; a kernel that took one as a word would end the context."""
    rng = np.random.default_rng(0)
    values = (rng.random(64) + 1j * rng.random(64)).astype(kind)
    memory = np.zeros(values.nbytes + 16, np.uint8)
    memory[offset:offset + values.nbytes] = values.view(np.uint8)
    outcomes = []
    for whole, i in ((memory, np.array([3, 1, 2])), (gpuarray.to_gpu(memory), gpuarray.to_gpu(np.array([3, 1, 2])))):
        names = {"np": np, "a": whole[offset:offset + values.nbytes].view(kind), "i": i}
        is_change = code in statements(CHANGES)
        if is_change:
            exec(code, names)  # noqa: S102
        outcomes.append(names["a"] if is_change else eval(code, names))
    wanted, got = outcomes
    got = got.get() if isinstance(got, gpuarray.GPUArray) else got
    assert got.dtype == wanted.dtype
    np.testing.assert_allclose(got, wanted, 2e-4)


CHECKED = """
import numpy as np
import pycuda.autoinit, pycuda.driver as cuda
from pycuda import gpuarray
host = np.random.default_rng(0).random((64, 2))
i = gpuarray.to_gpu(np.array([3, 1, 2]))
for kind, offset in KINDS:
    values = (host @ [1, 1j]).astype(kind)
    for code in STATEMENTS:
        a = gpuarray.to_gpu(np.zeros(values.nbytes + 16, np.uint8))[offset:offset + values.nbytes].view(kind)
        a.set(values)
        exec(code)
        cuda.Context.synchronize()
print("right")
"""


@pytest.mark.host
def test_words_are_at_multiples_of_their_size(run_python):
    """The same under the check of memory: the host device forgives what a GPU does not."""
    both = statements(ON_COMPLEX) + statements(CHANGES)
    done = run_python(CHECKED.replace("STATEMENTS", repr(both)).replace("KINDS", repr(ON_PARTS)), HOSTCUDA_CHECK="memory")
    assert (done.stdout, done.returncode) == ("right\n", 0), done.stderr


@pytest.mark.parametrize("kind", ["V8", "S8", "V4", "V16", "S6", [("a", "u1"), ("b", "u2")]])
def test_elements_of_bytes_anywhere(kind):
    """Their places are as good as any; a word may be no wider than each address allows."""
    dtype = np.dtype(kind)
    memory = np.random.default_rng(0).integers(65, 90, 40 * dtype.itemsize + 8, np.uint8)
    places = np.array([3, 1, 17])
    for offset in range(8):
        host = memory[offset:offset + 40 * dtype.itemsize].view(dtype)
        x = gpuarray.to_gpu(memory.copy())[offset:offset + 40 * dtype.itemsize].view(dtype)
        assert x[gpuarray.to_gpu(places)].get().tobytes() == host[places].tobytes()
        assert x[::-2].copy().get().tobytes() == host[::-2].tobytes()
        x[gpuarray.to_gpu(places)] = x[20:23].copy()
        wanted = host.copy()
        wanted[places] = host[20:23]
        assert x.get().tobytes() == wanted.tobytes()


def test_padding_of_structs():
    """Fields are what counts; NumPy leaves open what lies between them."""
    host = np.zeros(20, np.dtype([("a", "i2"), ("b", "f8")], align=True))
    host["a"], host["b"] = np.arange(20), np.arange(20) / 3
    x = gpuarray.to_gpu(host)
    for cut in (np.s_[:], np.s_[::2], np.s_[::-3]):
        copy = x[cut].copy()
        copy[:3] = x[3:6]
        wanted = host[cut].copy()
        wanted[:3] = host[3:6]
        assert np.frombuffer(copy.tobytes(), host.dtype).tolist() == wanted.tolist()
    assert x.tobytes() == host.tobytes()


@pytest.mark.parametrize("sizes", [(4, 4 + 65536), (24, 24 + 65536), (17, 18, 20), (100, 1000, 4096)])
def test_elements_of_many_bytes(sizes):
    """Those of 64 KiB more are no others; a hundred bytes took twenty seconds to compile."""
    for size in sizes:
        host = np.random.default_rng(size).integers(0, 256, 5 * size, np.uint8).view(np.dtype((np.void, size)))
        x = gpuarray.to_gpu(host)
        assert x[::2].copy().get().tobytes() == host[::2].tobytes()
        y = gpuarray.empty(5, host.dtype)
        y[::-1] = x
        assert y.get().tobytes() == host[::-1].tobytes()
