"""The templates of elements in the shape that they have on a GPU, which the host device runs, too: rows, tiles,
axis reductions, compaction and counting against NumPy, launched as src/kernels does."""

import math

import numpy as np
import pytest

from pycuda import gpuarray
from pycuda.compiler import SourceModule
from pycuda.tools import dtype_to_ctype

pytestmark = pytest.mark.usefixtures("context")

AXES = 6
OPTIONS = ["-DPYCUDA_GPU_SHAPE"]
ELEMENTWISE = """
#include <pycuda-complex.hpp>
#include <pycuda/tiles.cuh>
typedef %(type)s T;
typedef %(other)s U;
typedef pycuda::out<T> out;
typedef pycuda::in<T> in;
typedef pycuda::in<U, T> other;
struct operation {
    static PYCUDA_DEVICE void of(T &z, T a, T b) { z = a + b; }
};
typedef const pycuda::iteration_space<3> space_of_three;
typedef const pycuda::iteration_space<2> space_of_two;
extern "C" __global__ void add_flat(size_t n, T *z, const T *a, const U *b)
{
    pycuda::flat<operation>(n, out{z}, in{a}, other{b});
}
struct counting_up {
    static PYCUDA_DEVICE void of(T &z, T a, T i) { z = a + i; }
};
extern "C" __global__ void count_flat(size_t n, T *z, T a)
{
    pycuda::flat<counting_up>(n, out{z}, pycuda::constant<T>{a}, pycuda::index<T>());
}
extern "C" __global__ void add(space_of_three space, T *z, const T *a, const U *b)
{
    pycuda::rows<operation, 0>(space, out{z}, in{a}, other{b});
}
extern "C" __global__ void add_fixed(space_of_three space, T *z, const T *a, const U *b)
{
    pycuda::rows<operation, 0>(space, out{z}, in{a}, pycuda::fixed<U, T>{{b}});
}
extern "C" __global__ void add_three(space_of_two space, T *z, const U *b)
{
    pycuda::rows<operation, 1>(space, out{z}, pycuda::constant<T>{T(3)}, other{b});
}
extern "C" __global__ void add_strided(space_of_three space, T *z, const T *a, const U *b)
{
    pycuda::rows<operation, 1>(space, out{z}, in{a}, other{b});
}
struct taking {
    static PYCUDA_DEVICE void of(T &z, long long a, T *t) { z = t[a]; }
};
extern "C" __global__ void take_rows(space_of_three space, T *z, const long long *a, T *t)
{
    pycuda::rows<taking, 0>(space, out{z}, pycuda::fixed<long long>{{a}}, pycuda::base<T, 1>{t});
}
extern "C" __global__ void take_columns(space_of_three space, T *z, const long long *a, T *t)
{
    pycuda::rows<taking, 0>(space, out{z}, pycuda::in<long long>{a}, pycuda::base<T, 0>{t});
}
extern "C" __global__ void take_strided(space_of_three space, T *z, const long long *a, T *t)
{
    pycuda::rows<taking, 1>(space, out{z}, pycuda::in<long long>{a}, pycuda::base<T, 1>{t});
}
extern "C" __global__ void add_across(space_of_three space, T *z, const T *a, const U *b)
{
    pycuda::tiles<operation>(space, out{z}, in{a}, pycuda::across<U, T, 2>{{b}});
}
"""


def space_of(arrays, axes, blocks):
    """An iteration_space of arrays of one shape; axes: of them, from the fastest on."""
    shape = [arrays[0].shape[axis] for axis in axes]
    length, magic, shift = ([1] * AXES for _ in range(3))
    stride = np.zeros((len(arrays), AXES), np.int64)
    for d, axis in enumerate(axes):
        length[d] = shape[d] if d else blocks
        for k, array in enumerate(arrays):
            stride[k, d] = array.strides[axis]
    for d, n in enumerate(length):  # Granlund and Montgomery
        shift[d] = (n - 1).bit_length()
        magic[d] = (((1 << shift[d]) - n) << 32) // n + 1
    words = np.array([math.prod(shape[1:]), len(axes), *length, *magic, *shift], np.uint32)
    return np.frombuffer(np.int64(shape[0]).tobytes() + words.tobytes() + stride.tobytes(), np.uint8)


def addresses(arrays):
    return [a.gpudata for a in arrays]


def launch_rows(function, *arrays, fixed=()):
    """Rows of the last axis; a thread takes 16 bytes of the widest. fixed: those of one element a row."""
    each = 16 // max(a.dtype.itemsize for k, a in enumerate(arrays) if k not in fixed)
    shape, x, y = arrays[0].shape, 1, 1
    rows = math.prod(shape[:-1])
    while x < 256 and x * each < shape[-1]:
        x *= 2
    while x * y < 256 and y < rows:
        y *= 2
    blocks = -(-shape[-1] // (x * each))
    space = space_of(arrays, range(len(shape))[::-1], blocks)
    function(space, *addresses(arrays), block=(x, y, 1), grid=(blocks * -(-rows // y), 1))


def spread(array, shape, *strides):
    return gpuarray.GPUArray(shape, array.dtype, gpudata=array.ptr, base=array, strides=strides)


def launch_tiles(function, arrays, axes):
    side = 32 if arrays[0].dtype.itemsize > 8 else 64
    blocks, bands = (-(-arrays[0].shape[axis] // side) for axis in axes[:2])
    space = space_of(arrays, axes, blocks)
    function(space, *addresses(arrays), block=(32, 8, 1),
             grid=(blocks * bands * math.prod(arrays[0].shape[axis] for axis in axes[2:]), 1))


PAIRS = [("f", "h"), ("b", "b"), ("d", "i"), ("D", "D"), ("q", "b")]
SHAPES = [(1, 1), (3, 1), (7, 3), (5, 4), (4, 64), (33, 65), (3, 1024), (2, 3, 1025), (3, 2, 2, 100)]


def module_of(pair):
    types = [dtype_to_ctype(np.dtype(char)) for char in pair]
    return SourceModule(ELEMENTWISE % {"type": types[0], "other": types[1]}, no_extern_c=True, options=OPTIONS)


def draw(shape, char):
    return np.random.default_rng(sum(shape)).integers(-20, 20, shape).astype(char)


@pytest.mark.parametrize("pair", PAIRS)
def test_flat(pair):
    """Arrays that begin as vectors do or elsewhere, which end in the middle of a block or with it."""
    module, each = module_of(pair), 16 // max(np.dtype(char).itemsize for char in pair)
    add, count = map(module.get_function, ("add_flat", "count_flat"))
    for n in (1, 3, 255, 256, 257, 256 * each - 1, 256 * each, 256 * each + 1, 512 * each, 5000):
        a, b, grid = draw((n + 2,), pair[0]), draw((n + 2,), pair[1]), (-(-n // (256 * each)), 1)
        x, y = gpuarray.to_gpu(a), gpuarray.to_gpu(b)
        for i, j, k in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]:
            whole, around = gpuarray.zeros(n + 2, pair[0]), np.zeros(n + 2, pair[0])
            add(np.uint64(n), *addresses([whole[i:], x[j:], y[k:]]), block=(256, 1, 1), grid=grid)
            around[i:i + n] = a[j:j + n] + b[k:k + n].astype(pair[0])
            assert np.array_equal(whole.get(), around), (n, i, j, k)
        for i in (0, 1):
            whole, around = gpuarray.zeros(n + 2, pair[0]), np.zeros(n + 2, pair[0])
            per = 16 // whole.itemsize
            count(np.uint64(n), whole[i:].gpudata, a[0], block=(256, 1, 1), grid=(-(-n // (256 * per)), 1))
            around[i:i + n] = a[0] + np.arange(n).astype(pair[0])
            assert np.array_equal(whole.get(), around), (n, i)


@pytest.mark.parametrize("before, after", [(0, 0), (1, 0), (0, 3)])
@pytest.mark.parametrize("pair", PAIRS)
def test_rows(pair, before, after):
    """Of rows that are aligned, that begin an element later, that are aligned and end in the middle of a vector."""
    module = module_of(pair)
    for shape in SHAPES:
        length = shape[-1]
        wide, part = (*shape[:-1], before + length + after), np.s_[..., before:before + length]
        a, b = draw(wide, pair[0]), draw(wide, pair[1])
        x, y = (gpuarray.to_gpu(h)[part] for h in (a, b))
        a, b = a[part], b[part].astype(pair[0])
        fixed = gpuarray.GPUArray(shape, y.dtype, gpudata=y.ptr, base=y, strides=(*y.strides[:-1], 0))
        back = y[..., ::-1]
        for name, operands, wanted, ones in [("add", (x, y), a + b, ()), ("add_fixed", (x, fixed), a + b[..., :1], (2,)),
                                             ("add_strided", (x, back), a + b[..., ::-1], ()),
                                             ("add_three", (back,), b[..., ::-1] + a.dtype.type(3), ())]:
            whole = gpuarray.zeros(wide, pair[0])
            launch_rows(module.get_function(name), whole[part], *operands, fixed=ones)
            around = np.zeros(wide, pair[0])
            around[part] = wanted
            assert np.array_equal(whole.get(), around), (name, shape)


@pytest.mark.parametrize("char", "bfdD")
@pytest.mark.parametrize(("many", "width"), [(1, 1), (5, 3), (3, 130), (40, 64)])
def test_elements_from_a_base_on(char, many, width):
    """Rows and columns at places, whose number need not fill a vector."""
    module, size = module_of((char, "b")), np.dtype(char).itemsize
    source = draw((50, width), char)
    x, rows, columns = gpuarray.to_gpu(source), draw((many,), "q") % 50, draw((many,), "q") % width
    places = gpuarray.to_gpu(rows * width)
    for name, back, fixed in [("take_rows", 1, (1,)), ("take_strided", 1, ()), ("take_strided", -1, ())]:
        z = gpuarray.zeros((many, width), char)
        launch_rows(module.get_function(name), z, spread(places, z.shape, 8, 0),
                    spread(x[:, ::back], z.shape, 0, back * size), fixed=fixed)
        assert np.array_equal(z.get(), source[rows][:, ::back]), (name, back)
    z = gpuarray.zeros((50, many), char)
    launch_rows(module.get_function("take_columns"), z, spread(gpuarray.to_gpu(columns), z.shape, 0, 8),
                spread(x, z.shape, width * size, 0), fixed=(2,))
    assert np.array_equal(z.get(), source[:, columns])


@pytest.mark.parametrize("pair", PAIRS)
def test_tiles(pair):
    """Results along the last axis, an operand along another one."""
    function = module_of(pair).get_function("add_across")
    for shape in [(1, 1), (5, 3), (32, 32), (33, 65), (130, 40), (3, 20, 70), (2, 17, 3, 66)]:
        for other in range(len(shape) - 1):
            axes = [len(shape) - 1, other, *(d for d in range(len(shape) - 1) if d != other)]
            a = draw(shape, pair[0])
            b = draw([shape[axis] for axis in axes[::-1]], pair[1])  # whose last but one axis is to be the last
            b = np.moveaxis(np.ascontiguousarray(np.swapaxes(b, -1, -2)), [-2, -1], [-1, -2])
            b = b.transpose(np.argsort(axes[::-1]))
            x, root = gpuarray.to_gpu(a), b
            while root.base is not None:
                root = root.base
            root = gpuarray.to_gpu(root)
            y = gpuarray.GPUArray(shape, b.dtype, gpudata=root.ptr, base=root, strides=b.strides)
            z = gpuarray.zeros_like(x)
            assert y.strides[other] == y.dtype.itemsize or 1 in shape
            launch_tiles(function, (z, x, y), axes)
            assert np.array_equal(z.get(), a + b.astype(pair[0])), (shape, other)


def layout_of(rng, shape):
    """Axes in another order, some of them turned round, with gaps or begun an element later."""
    steps = [slice(None, None, int(rng.choice([1, 2, -1]))) if rng.random() < .4 else slice(int(rng.integers(0, 2)), None)
             for _ in shape]
    return rng.permutation(len(shape)).tolist(), tuple(steps)


@pytest.mark.parametrize("pair", PAIRS)
def test_whatever_the_launcher_chooses(pair):
    """Arrays of two layouts, a row and a column of one."""
    rng = np.random.default_rng(ord(pair[0]))
    for case in range(20):
        ndim = int(rng.integers(2, 5))
        shape = rng.integers(1, [200, 40, 15][ndim - 2], ndim) if case else rng.permutation([2, 3, 2, 1, 2, 17, 2, 33])
        a, b = (draw(shape.tolist(), char) for char in pair)
        x, y = gpuarray.to_gpu(a), gpuarray.to_gpu(b)
        (p, first), (q, second) = layout_of(rng, shape), layout_of(rng, shape)
        a, b, x, y = a.transpose(p)[first], b.transpose(q)[second], x.transpose(p)[first], y.transpose(q)[second]
        part = tuple(slice(min(lengths)) for lengths in zip(a.shape, b.shape, strict=True))
        a, b, x, y = a[part], b[part], x[part], y[part]
        assert np.array_equal(x.ravel().get(), a.ravel()), (p, first)
        for u, v in [(b, y), (b[..., :1], y[..., :1]), (b[:1], y[:1])]:
            assert np.array_equal((x + v).get(), a + u), (shape, p, first, q, second)
        x += y.astype(pair[0])
        assert np.array_equal(x.get(), a + b.astype(pair[0]))


AXIS_REDUCTIONS = """
#include <pycuda/axis_shared.cuh>
typedef %s T;
typedef pycuda::moments<T, T> moments;
struct addition {
    static PYCUDA_DEVICE void first(T &z, T a) { z = a; }
    static PYCUDA_DEVICE void of(T &z, T a) { z += a; }
    static PYCUDA_DEVICE void combine(T &z, T a) { z += a; }
};
struct argmax {
    template <class I> static PYCUDA_DEVICE void first(I &z, T &u, T a, I k) { z = k, u = a; }
    template <class I> static PYCUDA_DEVICE void of(I &z, T &u, T a, I k)
    {
        if (pycuda::is_higher(a, u))
            z = k, u = a;
    }
    static PYCUDA_DEVICE void combine(long long &z, T &u, long long a, T b)
    {
        if (pycuda::is_higher(b, u) | ((a < z) & !pycuda::is_higher(u, b)))
            z = a, u = b;
    }
};
struct squares {
    static PYCUDA_DEVICE void first(moments &z, T a, T b) { z.start(a - b); }
    static PYCUDA_DEVICE void of(moments &z, T a, T b) { z.join(a - b); }
    static PYCUDA_DEVICE void combine(moments &z, moments a) { z.join(a); }
};
template <int count> using space = const pycuda::iteration_space<count>;
template <int count> using axis = const pycuda::reduced_axis<count>;
extern "C" __global__ PYCUDA_AXIS_BOUNDS void add(space<2> s, axis<2> r, T *z, const T *a)
{
    pycuda::reduce_shared<addition, true, 1, 1>(s, r, pycuda::out<T>{z}, pycuda::in<T>{a});
}
extern "C" __global__ PYCUDA_AXIS_BOUNDS void find(space<4> s, axis<4> r, long long *z, const T *a)
{
    pycuda::reduce_shared<argmax, false, 2, 1>(s, r, pycuda::out<long long>{z}, pycuda::out<T>{nullptr}, pycuda::in<T>{a},
                                               pycuda::ramp<long long>{nullptr});
}
extern "C" __global__ PYCUDA_AXIS_BOUNDS void spread(space<3> s, axis<3> r, T *z, const T *a)
{
    pycuda::reduce_shared<squares, true, 1, 1>(s, r, pycuda::out<T, moments>{z}, pycuda::in<T>{a},
                                               pycuda::beginning<pycuda::in<T>>{{a}});
}
extern "C" __global__ void add_alone(space<2> s, axis<2> r, T *z, const T *a)
{
    pycuda::reduce_alone<addition, true, 1, 0>(s, r, pycuda::out<T>{z}, pycuda::in<T>{a});
}
extern "C" __global__ void find_alone(space<4> s, axis<4> r, long long *z, const T *a)
{
    pycuda::reduce_alone<argmax, false, 1, 0>(s, r, pycuda::out<long long>{z}, pycuda::out<T>{nullptr}, pycuda::in<T>{a},
                                              pycuda::ramp<long long, 0>{nullptr});
}
extern "C" __global__ void spread_alone(space<3> s, axis<3> r, T *z, const T *a)
{
    pycuda::reduce_alone<squares, true, 1, 0>(s, r, pycuda::out<T, moments>{z}, pycuda::in<T>{a},
                                              pycuda::beginning<pycuda::in<T>>{{a}});
}
"""


class Nowhere:
    """An operand without memory: a second result, places along an axis."""

    def __init__(self, ndim, axis=None):
        self.strides = tuple(int(d == axis) for d in range(ndim))


def has_memory(operand):
    return isinstance(operand, gpuarray.GPUArray)


def reduced(arrays, axis, divisor, counters, partial, *words):
    """A reduced_axis of such arrays."""
    a = next(filter(has_memory, arrays[1:]))
    places = np.array([a.shape[axis], np.float64(divisor).view(np.int64), counters, partial], np.int64)
    strides = np.array([x.strides[axis] for x in arrays], np.int64)
    return np.frombuffer(places.tobytes() + np.array([*words, 0], np.uint32).tobytes() + strides.tobytes(), np.uint8)


def reduce_alone(function, z, operands, divisor, axis, is_rooted=False):
    """z, and `operands` of which one has memory. A thread has 16 bytes of the wider one of both side by side."""
    a = next(filter(has_memory, operands))
    arrays, kept = [z, *operands], [d for d in range(a.ndim)[::-1] if d != axis]
    each = 16 // max(z.itemsize, a.itemsize)
    blocks, rows = -(-z.shape[kept[0]] // (32 * each)), math.prod(z.shape[d] for d in kept[1:])
    function(space_of(arrays, kept, blocks), reduced(arrays, axis, divisor, 0, 0, 1, 1, 1, 1, is_rooted), z, a,
             block=(32, 4, 1), grid=(blocks * -(-rows // 4), 1))


@pytest.mark.parametrize("char", "fd")
def test_axis_reductions_of_results_side_by_side(char):
    """Short axes and one that is not; rows of whole vectors, which need not fill a block."""
    module, nowhere = SourceModule(AXIS_REDUCTIONS % dtype_to_ctype(np.dtype(char)), no_extern_c=True, options=OPTIONS), Nowhere(3)
    add, find, deviate = map(module.get_function, ("add_alone", "find_alone", "spread_alone"))
    for shape in [(3, 2, 400), (1, 5, 8), (7, 15, 132), (2, 300, 4)]:
        h = draw(shape, char)
        x = gpuarray.to_gpu(h)
        for axis in (0, 1):
            n, result = shape[axis], tuple(1 if d == axis else n for d, n in enumerate(shape))
            z, at = gpuarray.empty(result, char), gpuarray.empty(result, np.int64)
            reduce_alone(add, z, [x], 1, axis)
            assert np.array_equal(z.get(), h.sum(axis, keepdims=True)), (shape, axis)
            reduce_alone(add, z, [x], n, axis)
            assert np.array_equal(z.get(), h.mean(axis, keepdims=True)), (shape, axis)
            reduce_alone(find, at, [nowhere, x, Nowhere(3, axis)], 1, axis)
            assert np.array_equal(at.get(), h.argmax(axis, keepdims=True)), (shape, axis)
            start = spread(x, shape, *(0 if d == axis else step for d, step in enumerate(x.strides)))
            reduce_alone(deviate, z, [x, start], n, axis, True)
            assert np.allclose(z.get(), h.std(axis, keepdims=True), 1e-5), (shape, axis)


def reduce_axis(function, z, operands, divisor, axis, along, sharing, width, height, is_rooted=False):
    """z, and `operands` of which one has memory. Two blocks share results, or three, if there is so much of the axis."""
    a = next(filter(has_memory, operands))
    arrays, kept = [z, *operands], [d for d in range(a.ndim)[::-1] if d != axis]
    blocks, rows = -(-z.shape[kept[0]] // width), math.prod(z.shape[d] for d in kept[1:])
    grid = blocks * -(-rows // height), max(1, min(2 + axis % 2, a.shape[axis] // (32 * sharing)))
    counters = gpuarray.zeros(grid[0], np.uint32)
    partial = gpuarray.zeros(32 * grid[0] * grid[1] * width * height, np.uint8)
    words = sharing, 1 if along else width * height, width, height, is_rooted
    function(space_of(arrays, kept, blocks), reduced(arrays, axis, divisor, counters.ptr, partial.ptr, *words), z, a, block=(sharing * width * height, 1, 1), grid=grid)
    assert not counters.get().any()


@pytest.mark.parametrize("char", "fd")
def test_axis_reductions(char):
    """However many threads and blocks share a result, and wherever their elements lie; of results at both ends of a block."""
    module = SourceModule(AXIS_REDUCTIONS % dtype_to_ctype(np.dtype(char)), no_extern_c=True, options=OPTIONS)
    for shape in [(5, 300), (40, 71), (1, 2000), (3, 700, 7), (2, 3, 129)]:
        h = draw(shape, char)
        x, nowhere = gpuarray.to_gpu(h), Nowhere(len(shape))
        for axis, n in enumerate(shape):
            result = tuple(1 if d == axis else n for d, n in enumerate(shape))
            for sharing in (s for s in (1, 4, 32, 256) if s == 1 or 8 * s <= n):
                for width, height in [(1, 1), (4, 1), (2, 8), (32, 8)]:
                    if sharing * width * height > 256:
                        continue
                    for along in (False, True):
                        how = axis, along, sharing, width, height
                        z, at = gpuarray.empty(result, char), gpuarray.empty(result, np.int64)
                        reduce_axis(module.get_function("add"), z, [x], 1, *how)
                        assert np.array_equal(z.get(), h.sum(axis, keepdims=True)), (shape, how)
                        reduce_axis(module.get_function("add"), z, [x], n, *how)
                        assert np.array_equal(z.get(), h.mean(axis, keepdims=True)), (shape, how)
                        reduce_axis(module.get_function("find"), at, [nowhere, x, nowhere], 1, *how)
                        assert np.array_equal(at.get(), h.argmax(axis, keepdims=True)), (shape, how)
                        reduce_axis(module.get_function("spread"), z, [x, x], n, *how)
                        assert np.allclose(z.get(), h.var(axis, keepdims=True), 1e-5), (shape, how)
                        reduce_axis(module.get_function("spread"), z, [x, x], n, *how, True)
                        assert np.allclose(z.get(), h.std(axis, keepdims=True), 1e-5), (shape, how)


REDUCTIONS = """
#include <pycuda-complex.hpp>
#include <pycuda/reduction.cuh>
typedef %s T;
extern "C" __global__ void add(pycuda::result_places<long long> to, char *scratch, size_t n, const T *x)
{
    auto element = [&](size_t i, auto x) -> long long { return x[i]; };
    pycuda::reduce<long long, true, long long>(to, scratch, n, 0, pycuda::map_narrow(element, x),
                                               [&](long long a, long long b) { return a + b; });
}
extern "C" __global__ void greatest(pycuda::result_places<T> to, char *scratch, size_t n, const T *x)
{
    auto element = [&](size_t i, auto x) -> T { return x[i]; };
    pycuda::reduce<T, true, T>(to, scratch, n, x[0], pycuda::map_narrow(element, x),
                               [&](T a, T b) { return pycuda::maximum(b, a); });
}
"""


@pytest.mark.parametrize("char", ["b", "B", "h", "?"])
def test_reductions_of_narrow_elements(char):
    """Less than a row of a block, some rows, some and a part of one, of arrays that begin as vectors do or not."""
    module = SourceModule(REDUCTIONS % dtype_to_ctype(np.dtype(char)), no_extern_c=True, options=OPTIONS)
    row = 256 * 32 // np.dtype(char).itemsize
    for n in [1, 100, 2048, row - 1, row, row + 1, 3 * row + 2049, 20 * row + 5]:
        for start in [0, 1, 16]:
            h = np.random.default_rng(n).integers(0 if char in "B?" else -100, 100, n + start).astype(char)
            h[start + (n - 1) * 2 // 3] = 100
            x, scratch = gpuarray.to_gpu(h)[start:], gpuarray.zeros(4096, np.uint8)
            for name, dtype, wanted in [("add", np.int64, h[start:].sum(dtype=np.int64)), ("greatest", char, 100)]:
                for blocks in [1, 3, 40]:
                    z = gpuarray.zeros(1, dtype)
                    module.get_function(name)(np.array([z.ptr, 0], np.uint64), scratch, np.uint64(n), x,
                                              block=(256, 1, 1), grid=(blocks, 1))
                    assert z.get()[0] == np.array(wanted).astype(dtype), (name, n, start, blocks)


COMPACTION = """
#include <pycuda/compaction.cuh>
typedef %s T;
extern "C" __global__ void mark(const T *x, unsigned *marks, long long *counts, size_t n)
{
    pycuda::mark(x, marks, counts, n);
}
extern "C" __global__ void sum(long long *counts, size_t tiles, long long *total, long long *echo)
{
    pycuda::sum_marks(counts, tiles, total, echo);
}
extern "C" __global__ void elements(const unsigned *marks, const long long *sums, const T *from, T *to, size_t n)
{
    pycuda::for_each_mark(marks, sums, pycuda::marked_elements<T>{from, to, n});
}
extern "C" __global__ void places(const unsigned *marks, const long long *sums, pycuda::axes_of_places axes)
{
    pycuda::for_each_mark(marks, sums, pycuda::marked_places<unsigned>{axes});
}
"""


def test_sums_of_marks():
    """Of more tiles than a block takes at once, too."""
    function = SourceModule(COMPACTION % "int", no_extern_c=True, options=OPTIONS).get_function("sum")
    for tiles in [1, 2, 63, 64, 65, 511, 512, 513, 16383, 16384, 16385, 50001]:
        h = np.random.default_rng(tiles).integers(0, 8193, tiles)
        h[:3] = 8192
        for threads in [256, 1024]:
            counts, ends = gpuarray.to_gpu(h), gpuarray.zeros(2, np.int64)
            function(counts, np.uint64(tiles), ends, np.uint64(ends.ptr + 8), block=(threads, 1, 1))
            assert np.array_equal(counts.get(), np.cumsum(h)), (tiles, threads)
            assert ends.get().tolist() == [h.sum()] * 2
            function(gpuarray.to_gpu(h), np.uint64(tiles), np.uint64(0), np.uint64(0), block=(threads, 1, 1))


@pytest.mark.parametrize("char", ["B", "H", "I", "Q"])
def test_compaction(char):
    module = SourceModule(COMPACTION % dtype_to_ctype(np.dtype(char)), no_extern_c=True, options=OPTIONS)
    for n in [1, 31, 1024, 8191, 8192, 8193, 30000]:
        for density in [0, 1, 50, 100]:
            rng = np.random.default_rng(n + density)
            h = np.where(rng.integers(0, 100, n + 1) < density, rng.integers(1, 200, n + 1), 0).astype(char)
            for shift in [0, 1]:  # aligned, and not
                x, tiles = gpuarray.to_gpu(h)[shift:n + shift], -(-n // 8192)
                bits, counts = gpuarray.zeros(256 * tiles, np.uint32), gpuarray.zeros(tiles, np.int64)
                how = {"block": (256, 1, 1), "grid": (tiles, 1)}
                module.get_function("mark")(x, bits, counts, np.uint64(n), **how)
                part = h[shift:n + shift]
                truth = np.zeros(8192 * tiles, bool)
                truth[:n] = part
                assert np.array_equal(bits.get().view(np.uint8), np.packbits(truth, bitorder="little"))
                assert np.array_equal(counts.get(), truth.reshape(tiles, 8192).sum(1))
                sums = gpuarray.to_gpu(np.cumsum(counts.get()))
                wanted, = part.nonzero()
                to, at = gpuarray.zeros(wanted.size + 1, char), gpuarray.zeros(wanted.size + 1, np.int64)
                module.get_function("elements")(bits, sums, x, to, np.uint64(n), **how)
                assert np.array_equal(to.get(), [*part[wanted], 0])
                rest = gpuarray.zeros_like(at)
                axes = np.zeros(65, np.uint64)
                axes[:3] = 2, at.ptr, rest.ptr
                axes[33:35] = -(-n // 7), 7
                module.get_function("places")(bits, sums, axes, **how)
                assert np.array_equal(at.get()[:-1] * 7 + rest.get()[:-1], wanted)
                assert not wanted.size or rest.get()[:-1].max() < 7
                assert at.get()[-1] == rest.get()[-1] == 0


COUNTING = """
#include <pycuda/counting.cuh>
typedef %s T;
typedef pycuda::%s bins_of;
extern "C" __global__ void count(const T *x, const void *edges, unsigned long long *counts, size_t n, size_t share,
                                 unsigned bins)
{
    pycuda::count<bins_of>(x, edges, counts, n, share, bins);
}
"""


@pytest.mark.parametrize(("char", "bins_of"), [
    ("B", "numbered_bins<T>"), ("q", "numbered_bins<T>"), ("f", "bins_between<T, float, true>"),
    ("i", "bins_between<T, double, true>"), ("d", "bins_between<T, double, false>")])
def test_counting(char, bins_of):
    module = SourceModule(COUNTING % (dtype_to_ctype(np.dtype(char)), bins_of), no_extern_c=True, options=OPTIONS)
    for n in [1, 255, 1024, 1025, 30000]:
        for bins in [1, 3, 200, 2048]:
            rng = np.random.default_rng(n + bins)
            if "numbered" in bins_of:
                h, edges = rng.integers(0, min(bins, 256), n).astype(char), np.arange(bins + 1)
                wanted = np.bincount(h, minlength=bins)
            else:
                h = (rng.standard_normal(n) * 100).astype(char)
                edges = np.linspace(-90, 110, bins + 1).astype("f" if char == "f" else "d")
                wanted = np.histogram(h, edges)[0]
            counts = gpuarray.zeros(bins, np.uint64)
            for share in [512, n]:
                module.get_function("count")(gpuarray.to_gpu(h), gpuarray.to_gpu(edges), counts, np.uint64(n),
                                             np.uint64(share), np.uint32(bins), block=(256, 1, 1),
                                             grid=(-(-n // share), 1))
            assert np.array_equal(counts.get(), 2 * wanted), (n, bins)


FINDING = """
#include <pycuda/reduction.cuh>
extern "C" __global__ void find(pycuda::result_places<long long> to, char *scratch, size_t n, const float *x, const float *y)
{
    pycuda::find_first(to, scratch, n, [&](size_t i) -> bool { return pycuda::is_same(x[i], y[0]); });
}
"""


def test_first_place():
    find = SourceModule(FINDING, no_extern_c=True, options=OPTIONS).get_function("find")
    scratch, place, value = gpuarray.zeros(64, "q"), gpuarray.zeros(1, "q"), gpuarray.to_gpu(np.float32([np.nan]))
    places = np.array([place.ptr, 0], np.uint64)
    for n in (1, 100, 4097, 20000):
        for at in (0, n // 2, n - 1, n):
            x = gpuarray.zeros(n, "f")
            x[at:] = np.nan
            find(places, scratch.gpudata, np.uint64(n), *addresses([x, value]), block=(256, 1, 1), grid=(-(-n // 4096), 1))
            assert int(place.get()[0]) == at


NARROW = """
import itertools
import numpy as np
import pycuda.autoinit
from pycuda import gpuarray
rng = np.random.default_rng(0)
for char in "bhfdD":
    each = max(1, 16 // np.dtype(char).itemsize)
    for n in [1, 255, 256 * each - 1, 256 * each, 256 * each + 1, 512 * each - 1, 512 * each, 512 * each + 1, 5000]:
        a, b = rng.integers(0, 3, (2, n + 2)).astype(char)
        x, y, z = gpuarray.to_gpu(a), gpuarray.to_gpu(b), gpuarray.zeros(n + 2, bool)
        for i, j, k in itertools.product((0, 1), repeat=3):
            here, there, around = slice(i, n + i), slice(j, n + j), np.zeros(n + 2, bool)
            for result, want in [(x[here] == y[there], a[here] == b[there]), (x[here] != 1, a[here] != 1),
                                 (x[here].astype("?"), a[here].astype("?"))]:
                assert np.array_equal(result.get(), want), (char, n, i, j)
            z.fill(False)
            np.equal(x[here], y[there], out=z[k:n + k])
            np.equal(a[here], b[there], out=around[k:n + k])
            assert np.array_equal(z.get(), around), (char, n, i, j, k)
            if char == "d":
                assert np.array_equal(x[here].astype("h").get(), a[here].astype("h"))
            if char in "fd":
                with gpuarray.lazy():
                    less = x[here] + 1 < y[there]
                assert np.array_equal(less.get(), a[here] + 1 < b[there])
"""


@pytest.mark.host
def test_launches_of_narrow_results(run_python, like_gpu):
    """Threads take twice as many elements where results have a quarter of the operands' bytes."""
    done = run_python(NARROW, **like_gpu, LIKE_GPU="90 4", PYCUDA_DISABLE_CACHE="1")
    assert done.returncode == 0, done.stderr
