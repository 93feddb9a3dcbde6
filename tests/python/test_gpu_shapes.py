"""The templates of elements in the shape that they have on a GPU, which the host device runs, too: rows, tiles and
compaction against NumPy, launched as src/kernels does."""

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
        if d:
            length[d] = shape[d]
        for k, array in enumerate(arrays):
            stride[k, d] = array.strides[axis]
    for d, n in enumerate(length):  # Granlund and Montgomery
        shift[d] = (n - 1).bit_length()
        magic[d] = (((1 << shift[d]) - n) << 32) // n + 1
    words = np.array([math.prod(shape[1:]), blocks, len(axes), *length, *magic, *shift, 0], np.uint32)
    return np.frombuffer(np.int64(shape[0]).tobytes() + words.tobytes() + stride.tobytes(), np.uint8)


def addresses(arrays):
    return [a.gpudata for a in arrays]


def launch_rows(function, *arrays):
    """Rows of the last axis; a thread takes 16 bytes of the widest."""
    each = 16 // max(a.dtype.itemsize for a in arrays)
    shape, x, y = arrays[0].shape, 1, 1
    rows = math.prod(shape[:-1])
    while x < 256 and x * each < shape[-1]:
        x *= 2
    while x * y < 256 and y < rows:
        y *= 2
    blocks = -(-shape[-1] // (x * each))
    space = space_of(arrays, range(len(shape))[::-1], blocks)
    function(space, *addresses(arrays), block=(x, y, 1), grid=(blocks * -(-rows // y), 1))


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
        for name, operands, wanted in [("add", (x, y), a + b), ("add_fixed", (x, fixed), a + b[..., :1]),
                                       ("add_strided", (x, back), a + b[..., ::-1]),
                                       ("add_three", (back,), b[..., ::-1] + a.dtype.type(3))]:
            whole = gpuarray.zeros(wide, pair[0])
            launch_rows(module.get_function(name), whole[part], *operands)
            around = np.zeros(wide, pair[0])
            around[part] = wanted
            assert np.array_equal(whole.get(), around), (name, shape)


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


COMPACTION = """
#include <pycuda/compaction.cuh>
typedef %s T;
extern "C" __global__ void mark(const T *x, unsigned *marks, long long *counts, size_t n)
{
    pycuda::mark(x, marks, counts, n);
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
