"""pycuda.gpuarray beyond arithmetic (test_array_table.py has that): names and signatures, attributes,
transfers, shapes and views, interchange with other libraries, and what bad input says."""

import collections.abc
import copy
import gc
import inspect
import operator
import os
import pickle
import threading

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import _native, gpuarray  # noqa: F401 - _native: in FAULTS
from pycuda.gpuarray import GPUArray, to_gpu

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check

pytestmark = pytest.mark.usefixtures("context")

SIGNATURES = """
    GPUArray(shape, dtype, allocator=, base=, gpudata=, strides=, order=)
    splay(n, dev=)  to_gpu(ary, allocator=)  to_gpu_async(ary, allocator=, stream=)
    zeros(shape, dtype=, allocator=, order=)  ones(shape, dtype=, allocator=, order=)
    empty_like(other_ary, dtype=, order=)  zeros_like(other_ary, dtype=, order=)
    ones_like(other_ary, dtype=, order=)  arange(dtype=, stream=)
    take(a, indices, out=, stream=)  multi_take(arrays, indices, out=, stream=)
    multi_take_put(arrays, dest_indices, src_indices, dest_shape=, out=, stream=, src_offsets=)
    multi_put(arrays, dest_indices, dest_shape=, out=, stream=)
    concatenate(arrays, axis=, allocator=)  stack(arrays, axis=, allocator=)
    transpose(a, axes=)  if_positive(criterion, then_, else_, out=, stream=)
    where(criterion, then_, else_, out=, stream=)  minimum(a, b, out=, stream=)
    maximum(a, b, out=, stream=)  sum(a, dtype=, stream=, allocator=)
    any(a, stream=, allocator=)  all(a, stream=, allocator=)  min(a, stream=)  max(a, stream=)
    subset_sum(subset, a, dtype=, stream=, allocator=)  dot(a, b, dtype=)
    subset_dot(subset, a, b, dtype=)  subset_min(subset, a, stream=)  subset_max(subset, a, stream=)
    logical_and(x1, x2, out=, allocator=)  logical_or(x1, x2, out=, allocator=)
    logical_not(x, out=, allocator=)
    GPUArray.set(ary, async_=, stream=)  GPUArray.set_async(ary, stream=)
    GPUArray.get(ary=, pagelocked=, async_=, stream=)  GPUArray.get_async(stream=, ary=)
    GPUArray.copy()  GPUArray.mul_add(selffac, other, otherfac, add_timer=, stream=, out=)
    GPUArray.fill(value, stream=)  GPUArray.astype(dtype, stream=)
    GPUArray.any(stream=, allocator=)  GPUArray.all(stream=, allocator=)
    GPUArray.reshape(order=)  GPUArray.ravel()  GPUArray.view(dtype=)  GPUArray.squeeze()
    GPUArray.transpose(axes=)  GPUArray.reverse(stream=)  GPUArray.conj(out=)
    GPUArray.conjugate(out=)  GPUArray.bind_to_texref(texref, allow_offset=)
    GPUArray.bind_to_texref_ext(texref, channels=, allow_double_hack=, allow_complex_hack=,
    allow_offset=)
"""


@pytest.mark.parametrize("text", [f"{part})" for part in SIGNATURES.replace("\n", " ").split(")")
                                  if part.strip()])
def test_signature(text):
    name, words = text.strip().rstrip(")").split("(")
    found = gpuarray
    for part in name.split("."):
        found = getattr(found, part)
    assert found.__doc__
    taken = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    actual = [p for p in inspect.signature(found).parameters.values()
              if p.kind not in taken and p.name not in ("self", "a" if "." in name else "")]
    for i, word in enumerate(words.split(",") if words.strip() else []):
        assert actual[i].name == word.strip().rstrip("=")
        assert not word.endswith("=") or actual[i].default is not inspect.Parameter.empty


def numbers(*shape, dtype="f"):
    return np.arange(int(np.prod(shape)), dtype=dtype).reshape(shape)


# -- Attributes --------------------------------------------------------------------------------


def test_attributes():
    x = gpuarray.empty((3, 5), np.int16, order="F")
    assert (x.shape, x.dtype, x.strides, x.size, x.mem_size, x.nbytes, x.itemsize, x.ndim) == \
        ((3, 5), np.dtype("h"), (2, 6), 15, 15, 30, 2, 2)
    assert x.flags.f_contiguous and not x.flags.c_contiguous and x.flags.forc
    assert np.isfortran(x) and not np.isfortran(x[:, :1]) and len(x.flags) == 3
    assert x.base is None and x.allocator is cuda.mem_alloc and x.ptr == int(x.gpudata)
    assert x.__array_priority__ == 100 and x._grid == (1, 1) and x._block == (32, 1, 1)
    assert gpuarray.empty is GPUArray


def test_views_and_their_owners():
    x = to_gpu(numbers(4, 6))
    for view in (x[1:], x.reshape(24), x.ravel(), x.view("i"), x.squeeze()):
        assert view.base is x and isinstance(view.gpudata, int) and type(view) is GPUArray
    assert x.T.gpudata is x.gpudata and x.T.strides == (4, 24)
    row = x[1:][0]
    del x
    gc.collect()
    assert row.get().tolist() == [6, 7, 8, 9, 10, 11]


def test_subclass_results_are_of_the_subclass():
    class Mine(GPUArray):
        pass

    x = Mine((3,), "f").fill(2)
    assert type(x + 1) is Mine and type(x[1:]) is GPUArray and (x + 1).get().tolist() == [3] * 3
    unmade = Mine.__new__(Mine)
    assert (unmade.size, unmade.gpudata) == (0, None) and (unmade + 1).shape == (0,)


class Labelled(GPUArray):
    """As frameworks on PyCUDA have it: a constructor and attributes of its own."""

    def __init__(self, label, shape, dtype, order="C"):
        GPUArray.__init__(self, shape, dtype, order=order)
        self.label, self.nbytes = label, "as the framework counts"

    def _new_like_me(self, dtype=None):
        return Labelled(self.label, self.shape, dtype)


def test_subclass_with_a_constructor_of_its_own():
    x = Labelled("x", (2, 3), "f")
    x[:] = numbers(2, 3)
    y = x + 1.5
    assert (type(y), y.label, y.nbytes) == (Labelled, "x", "as the framework counts")
    np.testing.assert_array_equal(y.get(), x.get() + 1.5)
    assert type(x.sum()) is type(x[:, None] + x) is GPUArray
    x = Labelled("f", (2, 3), "f", order="F")
    x[:] = numbers(2, 3)  # its results lie in another order
    np.testing.assert_array_equal((x + to_gpu(x.get() * 2)).get(), 3 * numbers(2, 3))
    Labelled._new_like_me = lambda self, dtype: gpuarray.zeros(2, dtype)
    with pytest.raises(TypeError, match="Labelled must make a GPUArray of that shape and dtype"):
        x + 1


def test_memory_and_allocator_may_be_replaced():
    x, y = to_gpu(numbers(4)), to_gpu(numbers(4) + 5)
    x.gpudata, y.gpudata = y.gpudata, x.gpudata
    assert (x - y).get().tolist() == [5] * 4
    block = cuda.to_device(numbers(4) * 2)
    x.gpudata = int(block)
    assert x.ptr == int(block) and x.get().tolist() == (numbers(4) * 2).tolist()
    for wrong in ("text", 1.5):
        with pytest.raises(TypeError):
            x.gpudata = wrong
    with pytest.raises(TypeError):
        del x.gpudata
    calls = []
    x.allocator = lambda size: calls.append(size) or cuda.mem_alloc(size)
    assert (x + 1).get().shape == (4,) and calls == [16]
    x.allocator = cuda.mem_alloc
    assert x.allocator is cuda.mem_alloc and (x + 1).shape == (4,) and calls == [16]


def test_no_array_is_its_own_memory():
    """Whoever asked whether that memory is alive would ask for ever."""
    x, y, z = (to_gpu(numbers(4) + k) for k in range(3))
    y.gpudata, z.gpudata = x, y
    for own in (x, y, z):
        with pytest.raises(ValueError, match="cannot be its memory"):
            x.gpudata = own
    assert x.get().tolist() == z.get().tolist() == numbers(4).tolist()
    x.gpudata = x[:2]  # a view needs the memory, not the array
    assert x.get().tolist() == numbers(4).tolist()


def test_iteration_without_being_an_iterable():
    x = to_gpu(numbers(3, 2))
    assert [row.get().tolist() for row in x] == numbers(3, 2).tolist()
    assert not isinstance(x, collections.abc.Iterable)
    with pytest.raises(TypeError, match="iteration over a 0-d array"):
        list(x[0, 0])


def test_new_axes_have_no_stride():
    x, host = to_gpu(numbers(2, 3)), numbers(2, 3)
    for index in ((slice(None), None), (None, 1), (..., None)):
        assert (x[index].shape, x[index].strides) == (host[index].shape, host[index].strides)
        np.testing.assert_array_equal((x[index] * 2).get(), host[index] * 2)


def test_copies_by_a_private_name():
    x, host = to_gpu(numbers(2, 3)), np.zeros((2, 2), "f")
    gpuarray._memcpy_discontig(host, x[:, ::2])
    gpuarray._memcpy_discontig(x[:, :2], host)
    assert x.get().tolist() == [[0, 2, 2], [3, 5, 5]]


def test_allocator_of_results():
    asked = []

    def allocate(size):
        asked.append(size)
        return cuda.mem_alloc(size)

    x = to_gpu(numbers(10), allocate)
    y = x + 1
    assert asked == [40, 40] and x.allocator is allocate and y.allocator is allocate
    assert to_gpu(numbers(3), allocator=None).allocator is cuda.mem_alloc
    for function, size in [(gpuarray.concatenate, 80), (gpuarray.stack, 80)]:
        assert function((x, y)).allocator is allocate and asked.pop() == size
        plain = to_gpu(numbers(10))
        assert type(function((plain, plain)).gpudata) is type((plain + 1).gpudata) is not cuda.DeviceAllocation


def test_roll_along_no_axis_is_a_copy():
    x = to_gpu(numbers(10))
    y = np.roll(x, (), ())
    y += 1
    assert np.array_equal(x.get(), numbers(10))


def test_shapes_that_are_accepted():
    for shape in (3, np.int32(3), (3,), [3], np.array([3]), np.array(3)):
        assert gpuarray.zeros(shape, "f").shape == (3,)
    assert gpuarray.zeros((), "f").get() == 0 and gpuarray.empty((0, 3), "f").gpudata is None


def test_empty_arrays_everywhere():
    x = gpuarray.zeros((0, 3), "f")
    assert (x + x).shape == (0, 3) and x.get().shape == (0, 3) and x.copy().shape == (0, 3)
    assert gpuarray.sum(x).get() == 0 and x[:, 1:].shape == (0, 2) and x.T.shape == (3, 0)
    x.fill(1)
    x[...] = 5
    assert x.reshape(3, 0).size == 0 and gpuarray.concatenate([x, x]).shape == (0, 3)


# -- Transfers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("host", [
    numbers(3, 4), numbers(3, 4).T, np.asfortranarray(numbers(3, 4)), numbers(6, 8)[::2, ::-3],
    numbers(3, 4)[::-1], np.broadcast_to(numbers(4), (3, 4)), np.array(5.0), numbers(0, 3),
    numbers(12)[1:].view("b")[1:5].view("f"), numbers(2, 3, 4).swapaxes(0, 1),
    np.zeros(3, "U4"), np.zeros(3, ">i4") + 1, np.zeros(4, [("a", "b"), ("b", "d")]),
], ids=repr)
def test_round_trip(host):
    x = to_gpu(host)
    assert np.array_equal(x.get(), host) and x.dtype == host.dtype
    into = np.empty_like(host)
    assert x.get(into) is into and np.array_equal(into, host)
    x.set(host)
    x.set(np.ascontiguousarray(host).reshape(host.shape))
    assert np.array_equal(x.get(), host) and np.array_equal(x.copy().get(), host)
    assert np.array_equal(x.get(pagelocked=True), host)


def test_set_and_get_of_views():
    base = gpuarray.zeros((6, 8), "f")
    for cut in (np.s_[::2], np.s_[:, ::-2], np.s_[1:3, 2:5], np.s_[::-1, ::3]):
        shape = base[cut].shape
        base[cut].set(numbers(*shape))
        assert np.array_equal(base[cut].get(), numbers(*shape))
        into = np.zeros((*shape[:-1], 2 * shape[-1]), "f")[..., ::2]
        assert np.array_equal(base[cut].get(into), numbers(*shape))


def test_c_order_into_f_order():
    x = gpuarray.zeros((3, 4), "f", order="F")
    x.set(numbers(3, 4))
    assert np.array_equal(x.get(), numbers(3, 4)) and x.get().flags.f_contiguous


def test_streams():
    stream, host = cuda.Stream(), cuda.pagelocked_zeros(1000, "f")
    host[:] = numbers(1000)
    x = gpuarray.to_gpu_async(host, stream=stream)
    y = x.copy(stream=stream).astype("d", stream=stream)
    y.fill(3, stream=stream)
    result = y.get_async(stream)
    stream.synchronize()
    assert result.tolist() == [3] * 1000 and x.get(stream=stream).tolist() == host.tolist()
    x.set_async(host + 1, stream)
    x.set(host + 2, async_=True, stream=stream)
    stream.synchronize()
    assert x.get()[5] == 7 and gpuarray.arange(3, stream=stream).dtype == np.int64


def test_other_shape_is_taken_with_a_warning():
    x = to_gpu(numbers(2, 3))
    with pytest.warns(UserWarning, match="another shape"):
        x.set(numbers(6) + 1)
    with pytest.warns(DeprecationWarning, match="another shape"):
        assert x.get(np.zeros(6, "f")).tolist() == [1, 2, 3, 4, 5, 6]


# -- Copies, pickles, neighbours -----------------------------------------------------------------


def test_copies():
    x = to_gpu(numbers(4, 6))
    for made in (x[:, ::2].copy(), copy.copy(x[:, ::2]), copy.deepcopy(x[:, ::2]),
                 pickle.loads(pickle.dumps(x[:, ::2]))):
        assert np.array_equal(made.get(), numbers(4, 6)[:, ::2])
        assert made.base is None and made.flags.forc and made.nbytes == 48


def test_numpy_functions():
    x, host = to_gpu(numbers(3, 4)), numbers(3, 4)
    assert np.array_equal(np.add(x, 1, out=gpuarray.empty((3, 4), "f")).get(), host + 1)
    assert np.array_equal(np.add.reduce(x).get(), host.sum(0))
    for function in (np.sum, np.mean, np.transpose, np.ravel, np.copy, np.zeros_like, np.argmax):
        assert np.array_equal(function(x).get(), function(host))
    assert np.shape(x) == (3, 4) and np.array_equal(np.concatenate([x, x]).get(), np.tile(host, (2, 1)))
    assert np.array_equal(np.where(x > 3, x, 0).get(), np.where(host > 3, host, 0))
    assert np.array_equal(np.full_like(x, 3).get(), np.full_like(host, 3))
    assert (np.float32(2) * x).dtype == np.float32 and isinstance(np.float32(2) * x, GPUArray)


def test_negative_numbers_wrap_in_unsigned_dtypes():
    for dtype in "efdF":
        host = np.array([-1.5, -3, 0, 5, 200] * 5, dtype)
        for unsigned in "BHILQ":
            assert to_gpu(host).astype(unsigned).get().tolist() == \
                host.real.astype("q").astype(unsigned).tolist()


@pytest.mark.parametrize("dtype", [">f4", ">i8", "S1", "V4", "i4,f4", "m8[s]"])
def test_what_is_no_number_is_not_chosen(dtype):
    """Neither by it nor from it."""
    x, y = gpuarray.to_gpu(np.zeros(3, dtype)), gpuarray.to_gpu(np.ones(3, "f"))
    for function in [np.where, gpuarray.if_positive]:
        for operands in [(x, y, y), (y, x, x), (y, x, y), (x, y, 2)]:
            with pytest.raises(TypeError):
                function(*operands)
    for call in [lambda: np.add(y, y, out=y, where=x), lambda: np.sum(y, where=x), lambda: np.copyto(y, 2, where=x)]:
        with pytest.raises(TypeError):
            call()
    assert y.get().tolist() == [1, 1, 1]


# -- Functions -----------------------------------------------------------------------------------


def test_making():
    assert gpuarray.arange(5).dtype == np.int64 and gpuarray.arange(1, 2, 0.25).get()[-1] == 1.75
    assert gpuarray.arange(10, 0, -3, dtype="f").get().tolist() == [10, 7, 4, 1]
    assert gpuarray.arange(5, 0).size == 0 and gpuarray.arange(0, 3, np.float32).dtype == "f"
    assert gpuarray.full((2, 2), 1.5).get().tolist() == [[1.5] * 2] * 2
    x = gpuarray.empty((2, 3, 4), "f", order="F")
    for order, strides in [("K", x.strides), ("A", x.strides), ("F", x.strides), ("C", (48, 16, 4))]:
        assert gpuarray.zeros_like(x, order=order).strides == strides
    assert gpuarray.ones_like(x, dtype="i").get().sum() == 24
    assert gpuarray.zeros(3).dtype == np.float64


@pytest.mark.parametrize("dtype", ["S3", "U3", "V4", "i4,S4", "m8[s]", "g", ">i4", "?"])
def test_zeros_and_ones_of_what_is_no_number(dtype):
    shaped = {"shape": (2, 2)}
    for made in [lambda m: m.zeros(3, dtype), lambda m: np.zeros_like(m.empty(3, dtype)),
                 lambda m: np.zeros_like(m.empty(3, dtype), **shaped)]:
        assert made(gpuarray).get().tolist() == made(np).tolist()
    for made in [lambda m: m.ones(3, dtype), lambda m: np.ones_like(m.empty(3, dtype), **shaped)][:2 * (dtype[0] != "V")]:
        assert made(gpuarray).get().tolist() == made(np).tolist()


def test_joining():
    a, b = numbers(2, 3), numbers(2, 3, dtype="d") + 10
    for axis in (0, 1, -1):
        assert np.array_equal(gpuarray.concatenate([to_gpu(a), to_gpu(b)], axis).get(),
                              np.concatenate([a, b], axis))
        assert np.array_equal(gpuarray.stack([to_gpu(a), to_gpu(b)], axis).get(), np.stack([a, b], axis))
    assert gpuarray.stack([to_gpu(np.array(1)), to_gpu(np.array(2))]).get().tolist() == [1, 2]


def test_take_and_put():
    x = to_gpu(numbers(4, 5))
    assert gpuarray.take(x, [0, -1, 7]).get().tolist() == [0, 19, 7]
    assert np.array_equal(gpuarray.take(x, [2, 0], axis=1).get(), np.take(numbers(4, 5), [2, 0], 1))
    gpuarray.put(x.T, to_gpu(np.array([1])), 99)
    assert x.get()[1, 0] == 99
    parts = gpuarray.multi_take([x, x + 1], to_gpu(np.array([2, 3])))
    assert [p.get().tolist() for p in parts] == [[2, 3], [3, 4]]
    made = gpuarray.multi_put(parts, to_gpu(np.array([1, 0])), dest_shape=(3,))
    assert [m.get().tolist() for m in made] == [[3, 2, 0], [4, 3, 0]]
    made = gpuarray.multi_take_put([x], to_gpu(np.array([1])), to_gpu(np.array([2])), (2,),
                                   src_offsets=[4])
    assert made[0].get().tolist() == [0, 6]


def test_whole_reductions():
    names = ["sum", "max", "min", "any", "all"]
    for place, dtype in enumerate("bBhHiIlLfdFD"):
        host = numbers(1000, dtype="i").astype(dtype)
        for name in names if WIDE else [names[place % 5], names[(place + 2) % 5]]:
            got = getattr(gpuarray, name)(to_gpu(host))
            assert got.shape == () and got.get() == getattr(np, name)(host)
            assert got.dtype == getattr(np, name)(host).dtype
    x, places = to_gpu(numbers(100)), to_gpu(np.array([5, 7, 50]))
    assert gpuarray.subset_sum(places, x).get() == 62 and gpuarray.subset_max(places, x).get() == 50
    assert gpuarray.subset_min(places, x).get() == 5
    assert gpuarray.subset_dot(places, x, x).get() == 25 + 49 + 2500
    assert gpuarray.dot(x, x, dtype=np.float64).get() == np.dot(numbers(100), numbers(100))
    assert np.isnan(gpuarray.max(to_gpu(np.array([1, np.nan, 2]))).get())


def test_methods():
    x, z = to_gpu(numbers(2, 3)), to_gpu(numbers(2, 3) * (1 + 2j)).astype("F")
    assert x.mul_add(2, x, 3).get().tolist() == (5 * numbers(2, 3)).tolist()
    assert x.mul_add(2, x, 3, add_timer=print).get().tolist() == (5 * numbers(2, 3)).tolist()
    assert x.reverse().get().tolist() == [5, 4, 3, 2, 1, 0] and x.ravel("F").get()[1] == 3
    assert x.real is x and x.conj() is x and x.imag.get().sum() == 0
    assert np.array_equal(z.imag.get(), z.get().imag) and np.array_equal(z.conj().get(), z.get().conj())
    assert x.view("h").shape == (2, 6) and x[:, None].squeeze().shape == (2, 3)
    assert x.item if x.size > 1 else None
    assert x[1, 2].item() == 5 and float(x[1, 2]) == 5 and int(x[1, 2]) == 5 and not x[0, 0]
    assert len(x) == 2 and [row.shape for row in x] == [(3,), (3,)] and x[5:3].shape == (0, 3)
    assert str(x) == str(x.get()) and repr(x) == repr(x.get())
    assert x.any().get() and not x.all().get() and x.reshape(3, -1).shape == (3, 2)
    assert gpuarray.splay(1000)[1] == (128, 1, 1) and gpuarray.splay(1) == ((1, 1), (32, 1, 1))
    y = x
    y **= 2
    assert y is x and x.get()[1, 2] == 25


def test_reshape_of_f_order_reads_in_c_order():
    host = np.asfortranarray(numbers(3, 4))
    assert np.array_equal(to_gpu(host).reshape(4, 3).get(), host.reshape(4, 3))
    assert np.array_equal(to_gpu(host).reshape(4, 3, order="F").get(), host.reshape(4, 3, order="F"))


def test_assignment():
    host = numbers(4, 6)
    for cut, value in [(0, 7), (np.s_[:, ::2], numbers(4, 3)), (np.s_[::-1], numbers(6)),
                       (np.s_[1:3, 1:3], [[1, 2], [3, 4]]), (np.s_[...], np.float64(2.5)),
                       ((0, 1), np.array(3)), (np.s_[2:2], 5)]:
        x, y = to_gpu(host), host.copy()
        y[cut] = value
        x[cut] = to_gpu(value) if isinstance(value, np.ndarray) else value
        assert np.array_equal(x.get(), y)
    x[1:] = x[:-1].copy()
    x = to_gpu(host)
    x[1:] = x[:-1]  # overlapping
    assert np.array_equal(x.get()[1:], host[:-1])


def test_vectors():
    x = gpuarray.vec.make_float4(1, 2, 3, 4)
    assert x.dtype == gpuarray.vec.float4 and x["w"] == 4 and x.shape == ()
    made = gpuarray.zeros(5, gpuarray.vec.float3).fill(gpuarray.vec.make_float3(1, 2, 3))
    assert made[::2].copy().get()["y"].tolist() == [2, 2, 2]
    for name in ("char1", "uchar4", "short2", "ushort3", "int3", "uint4", "long2", "ulong1",
                 "longlong2", "float1", "double2", "double4"):
        assert getattr(gpuarray.vec, name).names == tuple("xyzw")[:int(name[-1])]
        assert getattr(gpuarray.vec, f"make_{name}")(*range(int(name[-1]))).dtype == getattr(gpuarray.vec, name)


# -- Bad input -----------------------------------------------------------------------------------

FAULTS = {
    "hash(x)": (TypeError, "GPUArrays are not hashable."),
    "bool(x)":
        (ValueError, "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"),
    "len(x[0, 0])": (TypeError, "len() of unsized object"),
    "float(x)": (TypeError, "only arrays of one element can become a Python number"),
    "gpuarray.empty(3, 'f', order='X')": (ValueError, "invalid order: X"),
    "gpuarray.empty(-1, 'f')": (ValueError, "negative dimensions are not allowed"),
    "gpuarray.empty('a', 'f')": (TypeError, "shape: expected an integer, got str"),
    "gpuarray.empty(1.5, 'f')": (TypeError, "shape: expected an integer or a tuple of them"),
    "gpuarray.empty(3, object)":
        (TypeError, "dtype object holds Python objects, which cannot live in device memory"),
    "gpuarray.zeros(3, object)":
        (TypeError, "dtype object holds Python objects, which cannot live in device memory"),
    "to_gpu(np.array([object()]))": (TypeError, "cannot live in device memory"),
    "gpuarray.empty(3, 'f', base=x)": (AssertionError, "base is given without gpudata"),
    "gpuarray.empty((2, 2), 'f', strides=(400, 4))": (ValueError, "strides reach beyond the memory"),
    "gpuarray.empty((2, 2), 'f', strides=(4,))": (ValueError, "strides: expected 2, got 1"),
    "gpuarray.empty(1 << 62, 'd')": (ValueError, "array is too big"),
    "gpuarray.empty(1 << 50, 'f')": (cuda.MemoryError, "out of memory"),
    "gpuarray.empty((2,) * 40, 'f')": (ValueError, "40 axes are too many, at most 32"),
    "gpuarray.empty(3, 'f', allocator=5)": (TypeError, "'int' object is not callable"),
    "GPUArray.__init__(x, 3, 'f')": (TypeError, "GPUArray.__init__ was called before"),
    "x.set(np.zeros(5, 'f'))": (ValueError, "ary and self must be the same size"),
    "x.set(np.zeros((2, 3), 'd'))": (ValueError, "ary and self must have the same dtype"),
    "x.set([1, 2])": (TypeError, "expected a numpy.ndarray or a GPUArray, got list"),
    "x.get(np.zeros(5, 'f'))": (ValueError, "ary and self must be the same size"),
    "x.get(np.zeros((2, 3), 'd'))": (TypeError, "ary and self must have the same dtype"),
    "x.get(np.broadcast_to(np.float32(1), (2, 3)))": (ValueError, "ary is read-only"),
    "x.get(stream=5)": (TypeError, "stream: expected Stream, None or an object with __cuda_stream__"),
    "x.get(nonsense=5)": (TypeError, "nonsense"),
    "x.fill('a')": (ValueError, "could not convert string to float"),
    "x.astype('U5')": (TypeError, "cannot convert dtype float32 to <U5 on the device"),
    "x.reshape(5)": (ValueError, "total size of new array must be unchanged"),
    "x.reshape(-1, -1)": (ValueError, "can only specify one unknown dimension"),
    "x.reshape(3, 2, order=5)": (ValueError, "Unsupported order: 5"),
    "x.transpose((0, 0))": (ValueError, "axes don't match array"),
    "x.view('d')": (ValueError, "new type not compatible with array"),
    "x[5]": (IndexError, "subindex in axis 0 out of range"),
    "x[0, 0, 0]": (IndexError, "too many axes in index"),
    "x['a']": (IndexError, "no field of name a"),
    "x[..., ...]": (IndexError, "more than one ellipsis not allowed in index"),
    "x[[9]]": (IndexError, "index 9 is out of bounds for axis 0 with size 2"),
    "x[to_gpu(np.array([-9]))]": (IndexError, "index -9 is out of bounds for axis 0 with size 2"),
    "x[[1.5]]": (IndexError, "arrays used as indices must be of integer (or boolean) type"),
    "x[[True]]": (IndexError, "boolean index of shape (1,) does not match the array's (2,)"),
    "x.__setitem__(0, np.zeros(4))":
        (ValueError, "could not broadcast input array from shape (4,) into shape (3,)"),
    "x.__delitem__(0)": (ValueError, "elements of arrays cannot be deleted"),
    "x + np.zeros((2, 3), 'f')":
        (TypeError, "expected GPU arrays and numbers, got pycuda.gpuarray.GPUArray and numpy.ndarray"),
    "x + [1]": (TypeError, "add: expected GPU arrays and numbers, got pycuda.gpuarray.GPUArray and list"),
    "x @ 3": (TypeError, "unsupported operand type(s) for @"),
    "x @ x": (ValueError, "matmul: shapes (2, 3) and (2, 3) do not fit: 3 is not 2"),
    "x + gpuarray.zeros(2, 'f')":
        (ValueError, "operands could not be broadcast together with shapes (2, 3) (2,)"),
    "x + to_gpu(np.zeros(3, '>f4'))": (TypeError, "an operand's dtype is nothing to compute with"),
    "x.__iadd__(1j)": (TypeError, "Cannot cast ufunc 'add' output"),
    "gpuarray.logical_and(True, False)": (TypeError, "at least one operand must be a GPUArray"),
    "np.asarray(x)": (TypeError, "a GPUArray does not become a numpy.ndarray by itself; use .get()"),
    "np.is_busday(x)": (NotImplementedError, "numpy.is_busday is not available for GPU arrays"),
    "np.isnat(x)": (NotImplementedError, "numpy.isnat has no form for GPU arrays"),
    "np.vecdot(x, x, axes=[0, 0, ()])": (NotImplementedError, "numpy.vecdot with axes= is not available"),
    "np.add(x, 1, order='Q')": (ValueError, "order must be one of 'C', 'F', 'A', or 'K' (got 'Q')"),
    "gpuarray.maximum(x, 'a')": (TypeError, "maximum: expected GPU arrays and numbers"),
    "gpuarray.maximum(1, 2)": (TypeError, "maximum: at least one operand must be a GPUArray"),
    "np.where(x > 1, x.astype('B'), 300)": (OverflowError, "Python integer 300 out of bounds for uint8"),
    "np.choose(x > 1, [x.astype('B'), 300])": (OverflowError, "Python integer 300 out of bounds for uint8"),
    "np.select([x > 1], [x.astype('B')], -1)": (OverflowError, "Python integer -1 out of bounds for uint8"),
    "gpuarray.sum(5)": (TypeError, "expected a GPUArray, got int"),
    "gpuarray.sum(x, axis=2)": (ValueError, "axis 2 is out of bounds for array of dimension 2"),
    "gpuarray.max(x[:0])": (ValueError, "the least or greatest of no elements is not defined"),
    "gpuarray.argmax(x[:0])": (ValueError, "attempt to get argmax of an empty sequence"),
    "gpuarray.dot(x, x[0])": (ValueError, "dot of arrays with 6 and 3 elements"),
    "gpuarray.subset_sum(x, x)": (TypeError, "subset: expected an array of integers"),
    "gpuarray.stack([])": (ValueError, "need at least one array"),
    "gpuarray.stack([x], 5)": (ValueError, "axis 5 is out of bounds for array of dimension 3"),
    "gpuarray.stack([x, x[0]])": (ValueError, "arrays must have the same shape"),
    "gpuarray.concatenate([x, x[0]])": (ValueError, "must have the same shape except along the axis"),
    "gpuarray.concatenate([x, 5])": (TypeError, "expected GPUArrays, got int"),
    "gpuarray.arange()": (TypeError, "arange takes start, stop and step"),
    "gpuarray.arange(1, 2, 0)": (ZeroDivisionError, "arange: step is 0"),
    "gpuarray.arange(2, dtype=bool)": (TypeError, "arange: cannot count in dtype bool"),
    "gpuarray.empty_like(x, order='Q')": (ValueError, "Unsupported order: 'Q'"),
    "gpuarray.empty_like(3)": (TypeError, "expected a GPUArray, got int"),
    "gpuarray.take(x, [99])": (IndexError, "index 99 is out of bounds for axis 0 with size 6"),
    "x.bind_to_texref(None)": (TypeError, "texref: expected TextureReference, got NoneType"),
    "x.bind_to_texref_ext(None)": (TypeError, "texref: expected TextureReference, got NoneType"),
    "gpuarray.where(x, 'a', 'b')": (TypeError, "where: expected GPU arrays and numbers"),
    "_native._ufunc('add', (x,))": (TypeError, "add: expected a tuple of 2"),
    "_native._operate('ARANGE', ('a', 1), ('d',) * 3, x)":
        (TypeError, "ARANGE: expected GPU arrays and numbers"),
    "_native._operate('ARANGE', (0, 1), ('U5',) * 3, x)":
        (TypeError, "dtype <U5 is nothing to compute with"),
    "gpuarray.sum(gpuarray.empty(2, 'V3'))": (TypeError, "dtype |V3 is nothing to compute with"),
    "gpuarray.sum(x, dtype='U3')": (TypeError, "dtype <U3 is nothing to compute with"),
    "_native._reduce_axis('NOTHING', (x,), 0, None, 'f')": (ValueError, "there is no axis reduction 'NOTHING'"),
    "_native._reduce_axis('AXIS_ADD', (x, x), 0, None, 'f')": (TypeError, "expected a tuple of 1 arrays"),
    "_native._reduce_axis('AXIS_ADD', (5,), 0, None, 'f')": (TypeError, "axis reduction: expected a GPUArray, got int"),
    "_native._reduce_axis('AXIS_ADD', (x[:0],), 0, None, 'f')":
        (ValueError, "an axis without elements cannot be reduced"),
    "_native._product(x[None], 5, x[None], False)": (TypeError, "product: expected a GPUArray, got int"),
    "_native._product(x[None], x, x[None], False)": (ValueError, "product: expected stacks of matrices"),
    "_native._product(x[None], x[None], x[None], False)": (ValueError, "the shapes do not fit"),
    "_native._overlap(x, 5)": (TypeError, "b: expected a GPUArray, got int"),
    "GPUArray((2, 3), 'f', strides=(-12, 4))": (ValueError, "strides reach beyond the memory"),
    "x[(None,) * 31]": (IndexError, "the view would have more than 32 axes"),
    "x[1.5]": (IndexError, "invalid subindex in axis 0"),
    "pow(x, 2, 3)": (TypeError, "unsupported operand type(s) for ** or pow()"),
    "x.reshape(2, copy=1)": (TypeError, "reshape: there is no argument 'copy'"),
    "x.reshape(*(1,) * 40)": (ValueError, "40 axes are too many, at most 32"),
    "x.reshape(-2)": (OverflowError, "shape: -2 is out of range"),
    "x.__dlpack__(dl_device=(7, 0))": (BufferError, "can be exported there or to the CPU, (1, 0), not to (7, 0)"),
    "gpuarray.empty(0, 'f').__class__.__new__(GPUArray).__dlpack__()":
        (BufferError, "the array has no memory to share"),
    "x[:0].ptr": (AttributeError, "an empty array has no memory"),
    "gpuarray.empty(0, 'f').ptr": (AttributeError, "an empty array has no memory"),
}


class Real(float):
    """Of one's own, so without the leave to be narrowed that Python's numbers give."""


class Whole(int):
    pass


class Point(complex):
    pass


@pytest.mark.parametrize("expression", [
    "+x", "x + Real(1)", "x + Whole(1)", "x + Point(1)", "y < 10**400", "y > -10**400",
    "np.logical_or(x, x - 1)", "np.logical_xor(x, x - 1)", "np.logical_not(x)",
    "np.dot(y, y.astype('B'))", "np.dot(y, y.astype('d'))", "list(reversed(x))[0]"])
def test_as_in_numpy(expression):
    host = {"x": numbers(2, 3), "y": np.arange(4, dtype="i4")}
    expected = eval(expression, globals(), host)
    found = eval(expression.replace("np.", "gpuarray."), globals(),
                 {name: to_gpu(value) for name, value in host.items()}).get()
    assert np.array_equal(found, expected) and found.dtype == expected.dtype


def test_what_is_seldom_asked_for():
    x = gpuarray.empty(9_000_000, "b")
    assert (x._grid, x._block, x[:40]._grid, x[:40]._block) == ((65535, 1), (128, 1, 1), (1, 1), (64, 1, 1))
    assert gpuarray.zeros((1, 1), "f").view("b").shape == (1, 4)
    y = gpuarray.zeros((2, 3), "f")
    y[0] = to_gpu(numbers(1, 1, 3))
    assert np.array_equal(y.get(), [numbers(3), [0, 0, 0]]) and (y < 10**400).get().all()


@pytest.mark.parametrize("expression", FAULTS)
def test_fault(expression):
    kind, text = FAULTS[expression]
    x = to_gpu(numbers(2, 3))
    with pytest.raises(kind) as caught:
        eval(expression)
    assert text in str(caught.value)
    assert np.array_equal(x.get(), numbers(2, 3))


def test_comparison_with_what_is_no_number():
    x = to_gpu(numbers(3))
    assert (x == None) is False and (x != "a") is True
    with pytest.raises(TypeError, match="'<' not supported"):
        x < None  # noqa: B015


@pytest.mark.parametrize("other", [[1, 2, 3], (1, 2, 3), range(3)], ids=lambda other: type(other).__name__)
@pytest.mark.parametrize("name", ["add", "sub", "mul", "pow", "truediv", "floordiv", "mod", "divmod", "and", "or", "xor", "lshift", "iadd", "imul", "eq", "ne", "lt", "ge"])
def test_lists_beside_operators(name, other):
    """Which Python would repeat, or call different without a word."""
    x, operation = to_gpu(numbers(3)), getattr(operator, name + "_" * (name in ("and", "or")), divmod)
    for operands in [(x, other), (other, x)][:1 if name[0] == "i" else 2]:
        with pytest.raises(TypeError, match=r"expected GPU arrays and numbers, got .*; gpuarray\.to_gpu\(numpy\.array"):
            operation(*operands)
    with pytest.raises(TypeError, match="equal: expected GPU arrays and numbers"):
        other in x  # noqa: B015

    class Own(list):
        __mul__ = __rmul__ = __eq__ = lambda self, other: "mine"
    assert (x * Own(), Own() * x, x == Own()) == ("mine",) * 3


def test_strides_beyond_the_array(on_host):
    """Views that a user lays by hand reach no further than the allocation, where that is known."""
    x = to_gpu(numbers(4))
    far = GPUArray(1000, "f", gpudata=x.gpudata, base=x)
    if on_host:
        with pytest.raises(cuda.LogicError, match="4000 bytes at .* are not inside one allocation"):
            far.get()


def test_results_that_do_not_fit(inject):
    x = to_gpu(numbers(1 << 16))
    inject("cuLaunchKernel", 700)
    with pytest.raises(cuda.Error, match="cuLaunchKernel failed"):
        x + 1
    assert (x + 1).get()[0] == 1


def test_after_the_context_is_gone(context):
    x = to_gpu(numbers(4))
    cuda.Context.pop()
    for expression in ("x + 1", "x.copy()", "to_gpu(numbers(3))", "gpuarray.zeros(3)", "x.fill(1)"):
        with pytest.raises(cuda.LogicError):
            eval(expression)
    context.detach()
    assert x.shape == (4,) and x[1:].shape == (3,)
    del x
    gc.collect()


def test_array_of_another_context(context):
    x = to_gpu(numbers(4))
    other = cuda.Device(0).make_context()
    try:
        y = to_gpu(numbers(4) + 1)
        assert (y + 1).get().tolist() == [2, 3, 4, 5]
        del y
    finally:
        other.pop()
        gc.collect()
        other.detach()
    assert (x + 1).get().tolist() == [1, 2, 3, 4]


def test_other_thread(context):
    x, caught = to_gpu(numbers(1000)), []

    def work():
        try:
            x + 1
        except cuda.LogicError as error:
            caught.append(error)
        context.push()
        caught.append((x + 1).get()[10])
        cuda.Context.pop()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(caught) == 2 and caught[1] == 11


# -- Memory in the hands of others ------------------------------------------------------------


@pytest.fixture
def open_to_host():
    gpuarray.open_to_host()
    yield
    gpuarray.open_to_host(False)


@pytest.mark.host
@pytest.mark.usefixtures("open_to_host")
def test_arrays_of_the_host_device_as_buffers():
    x = to_gpu(numbers(4, 6))
    for view, host in [(x, np.asarray(x)), (x[::2, ::-1], np.asarray(x[::2, ::-1])),
                       (x.T, np.array(memoryview(x.T), copy=False))]:
        assert np.array_equal(host, view.get()) and host.strides == view.strides
        host[0, 0] += 5
        assert np.array_equal(host, view.get())
    kept = np.asarray(x + 1)
    gc.collect()
    assert np.array_equal(kept, x.get() + 1)
    assert np.asarray(gpuarray.empty((0, 3), np.int8)).shape == (0, 3)
    assert np.asarray(gpuarray.zeros((), np.int8)).shape == ()


@pytest.mark.usefixtures("open_to_host")
def test_arrays_that_are_open_become_host_arrays():
    x = to_gpu(numbers(5))
    assert np.array_equal(np.asarray(x), numbers(5))
    assert np.asarray(x, np.complex128).dtype == np.complex128
    assert np.asarray(x, np.float64).tolist() == [0, 1, 2, 3, 4]


def test_arrays_are_no_buffers_unless_asked():
    with pytest.raises(BufferError, match=r"no buffer in host memory.*; use \.get\(\)"):
        memoryview(to_gpu(numbers(3)))


@pytest.mark.host
def test_mpi_sends_arrays_without_staging():
    """Upper-case calls of mpi4py take the memory of the host device itself, through DLPack."""
    from mpi4py import MPI

    x, y = to_gpu(numbers(1000)), gpuarray.zeros(1000, numbers(1).dtype)
    MPI.COMM_SELF.Sendrecv(x, 0, recvbuf=y, source=0)
    assert np.array_equal(x.get(), y.get())
    z = gpuarray.zeros_like(x)
    MPI.COMM_SELF.Allreduce(x, z, MPI.SUM)
    assert np.array_equal(x.get(), z.get())


@pytest.mark.parametrize("version, name", [(None, "dltensor"), ((0, 8), "dltensor"),
                                           ((1, 0), "dltensor_versioned")])
def test_capsules_of_both_versions(version, name):
    assert f'"{name}"' in repr(to_gpu(numbers(3)).__dlpack__(max_version=version))
    with pytest.raises(TypeError):
        to_gpu(numbers(3)).__dlpack__(max_version=("one", 0))


# -- bfloat16 -------------------------------------------------------------------------------


def test_bfloat16():
    """As NumPy has it with ml_dtypes; sums are computed in float32."""
    import ml_dtypes

    kind = np.dtype(ml_dtypes.bfloat16)
    a, b = np.random.default_rng(0).normal(0, 10, (2, 5, 70)).astype(kind)
    x, y = to_gpu(a), to_gpu(b)
    for f in [lambda x, y: x + y, lambda x, y: x / y, lambda x, y: x < y, lambda x, y: -x[:, ::3],
              lambda x, y: x * 2.5, lambda x, y: 1 - x, lambda x, y: np.exp(x / 8),
              lambda x, y: x + np.float32(1), lambda x, y: x.T.astype("f"), lambda x, y: x.astype("i"),
              lambda x, y: x.astype("i").astype(kind), lambda x, y: x.astype("d").astype(kind)]:
        wanted, got = f(a, b), f(x, y)
        assert got.dtype == wanted.dtype and np.array_equal(got.get(), wanted)
    for axis in (None, 0, (0, 1)):
        exact = a.astype("d").sum(axis)
        got = np.sum(x, axis=axis)
        assert got.dtype == kind
        assert np.allclose(got.get().astype("d"), exact, 2**-8, 0.1)
    assert np.mean(x).dtype == kind and np.max(x).get() == a.max()
    assert np.allclose((x @ y.T).get().astype("d"), a.astype("d") @ b.T.astype("d"), 2**-7, 4)
