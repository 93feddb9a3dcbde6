"""The tiles of product_gpu.cuh, which GPUs use, on the host device: as src/kernels/product.c launches them, against NumPy."""

import functools

import numpy as np
import pytest

from pycuda import gpuarray
from pycuda.compiler import SourceModule

pytestmark = pytest.mark.usefixtures("context")

OUTER, INNER, EACH_OUTER, EACH_INNER = range(4)
MODES = ["OUTER", "INNER", "EACH_OUTER", "EACH_INNER"]
TYPES = {"f": "float", "d": "double", "e": "half"}
SOURCE = """
#define PYCUDA_HALF
#include <cuda_fp16.h>
#include <pycuda/product_gpu.cuh>
typedef pycuda::product_tile<%(tile)s> tile;
extern "C" __global__ void __launch_bounds__(tile::THREADS) product(
    pycuda::product_shape shape, pycuda::product_result<%(result)s> z, pycuda::panel<%(type)s> a, pycuda::panel<%(type)s> b)
{
    pycuda::product_block<%(type)s, tile, pycuda::COPY_%(a)s, pycuda::COPY_%(b)s>::run_all(shape, z, a, b);
}
extern "C" __global__ void sum(long long m, long long n, int slices, pycuda::product_result<%(type)s> z, const %(result)s *from)
{
    pycuda::sum_slices(m, n, slices, z, from);
}
"""
# Rows and columns of a tile, its steps along k, stages, warps down and across: small ones, which compile fast.
TILES = {"f": (32, 32, 8, 3, 1, 2), "d": (16, 16, 16, 2, 1, 2), "e": (32, 16, 32, 4, 2, 1)}


@functools.cache
def source_of(char, tile, a, b, result):
    return SOURCE % {"tile": ", ".join(map(str, tile)), "type": TYPES[char], "result": TYPES[result], "a": MODES[a],
                     "b": MODES[b]}


def ceiling(n, by):
    return -(-n // by)


def words(*numbers):
    return b"".join(np.int64(n).tobytes() for n in numbers)


def packed(data):
    return np.frombuffer(data, np.uint8)


def panel(x, outer, inner):
    strides = [s // x.itemsize for s in x.strides]
    return packed(words(x.ptr, strides[outer], strides[inner], strides[0]))


def launch(tile, modes, z, a, b, span, slices=1):
    """z = a @ b, of stacks of matrices; modes: how a and b are copied."""
    char = a.dtype.char
    result = "d" if char == "d" else "f"
    m_each, n_each, k_each, stages, down, across = tile
    (count, m, length), n = a.shape, b.shape[2]
    slice_ = ceiling(ceiling(length, slices), k_each) * k_each
    slices = ceiling(length, slice_)
    module = SourceModule(source_of(char, tile, *modes, result if slices > 1 else char), no_extern_c=True, options=["-O0"])
    tiles = ceiling(m, m_each), ceiling(n, n_each)
    shape = packed(words(m, n, length, slice_) + np.array([span, *tiles, 0], np.int32).tobytes())
    sides = [(extent, k_each) if a.itemsize == 4 or mode % 2 == 0 else (k_each, extent)
             for mode, extent in zip(modes, (m_each, n_each), strict=True)]
    stage = sum((row + (4 if a.itemsize > 2 else 8)) * rows for row, rows in sides) * a.itemsize
    sums = m_each * n_each * np.dtype(result).itemsize if slice_ > span else 0
    if slices > 1:
        scratch = gpuarray.empty((slices, count, m, n), result)
        target = packed(words(scratch.ptr, n, 1, m * n, m * n * count))
    else:
        target = packed(words(z.ptr, *(s // z.itemsize for s in z.strides[1:]), z.strides[0] // z.itemsize, 0))
    function = module.get_function("product")
    function.set_attribute(8, stage * stages + sums)  # MAX_DYNAMIC_SHARED_SIZE_BYTES
    function(shape, target, panel(a, 1, 2), panel(b, 2, 1), block=(32 * down * across, 1, 1),
             grid=(tiles[0] * tiles[1], slices, count), shared=stage * stages + sums)
    if slices > 1:
        target = packed(words(z.ptr, *(s // z.itemsize for s in z.strides[1:]), z.strides[0] // z.itemsize, 0))
        module.get_function("sum")(np.int64(m), np.int64(n), np.int32(slices), target, scratch, block=(256, 1, 1),
                                   grid=(ceiling(n, 256), min(m, 3), count))


def lay(x, mode, outer):
    """The stack on the device so that `mode` can copy it; outer: which axis that is. Vectors need rows of 16 bytes."""
    along = outer if mode in (OUTER, EACH_OUTER) else 3 - outer
    axes = (0, 3 - along, along)
    other, row = x.shape[3 - along], x.shape[along]
    if mode in (OUTER, INNER):
        pitch, start = -(-row // 8) * 8, 0
    else:
        pitch, start = row + 3, 1
    room = np.full((x.shape[0], other, pitch), np.nan, x.dtype)
    room[..., start:start + row] = x.transpose(axes)
    return gpuarray.to_gpu(room)[..., start:start + row].transpose(axes)


def draw(rng, shape, char):
    """Numbers whose products and sums are whole numbers, in any order."""
    return rng.integers(-4, 5, shape).astype(char)


CASES = [  # count, m, length, n, span, slices
    (1, 16, 16, 16, 1 << 20, 1), (1, 70, 33, 41, 1 << 20, 1), (2, 33, 200, 35, 64, 1), (3, 17, 129, 64, 32, 3)]
PAIRS = {"f": [(EACH_INNER, OUTER), (OUTER, EACH_OUTER)], "d": [(INNER, EACH_INNER), (EACH_OUTER, OUTER), (OUTER, INNER)],
         "e": [(INNER, OUTER), (OUTER, INNER), (EACH_INNER, EACH_OUTER)]}


@pytest.mark.parametrize("char, modes", [(char, modes) for char, pairs in PAIRS.items() for modes in pairs])
def test_layouts(char, modes):
    """However operands lie, with whatever there is around them; edges of tiles, spans, blocks that share tiles."""
    for count, m, length, n, span, slices in CASES:
        rng = np.random.default_rng(m)
        a, b = draw(rng, (count, m, length), char), draw(rng, (count, length, n), char)
        around = gpuarray.zeros((count, m + 1, n + 3), char)
        has_gaps = modes[0] == OUTER
        z = around[:, 1:, 2:n + 2] if has_gaps else gpuarray.empty((count, m, n), char)
        launch(TILES[char], modes, z, lay(a, modes[0], 1), lay(b, modes[1], 2), span, slices)
        assert np.array_equal(z.get(), np.matmul(a.astype("d"), b.astype("d"))), (m, length, n)
        if has_gaps:
            around[:, 1:, 2:n + 2] = 0
            assert not around.get().any()


# -- The launcher: a driver and an NVRTC that pass for those of a GPU ---------------------------------

LAUNCHES = """
import numpy as np, pycuda.autoinit
from pycuda import _native
from pycuda.gpuarray import to_gpu
assert not _native._is_host_device()
rng = np.random.default_rng(1)
for one, other, batch, m, length, n in CASES:
    a, b = (rng.integers(-4, 5, (*batch, *shape)).astype(char) for char, shape in ((one, (m, length)), (other, (length, n))))
    wanted = a.astype("d") @ b.astype("d")
    for x, y in ((to_gpu(a), to_gpu(b)), (to_gpu(a.swapaxes(-1, -2).copy()).swapaxes(-1, -2), to_gpu(b))):
        got = (x @ y).get()
        assert got.dtype == np.result_type(one, other) and np.array_equal(got, wanted.astype(got.dtype)), (one, other, m, length, n)
a, b = np.full((70, 40), 2, "f"), np.ones((40, 67), "f")
a[3, 5], a[69, 39] = np.nan, np.inf
with np.errstate(invalid="ignore"):
    assert np.array_equal((to_gpu(a) @ to_gpu(b)).get(), a @ b, equal_nan=True)
"""


@pytest.mark.host
@pytest.mark.parametrize("cases", [
    [("f", "f", (), 64, 80, 72), ("f", "f", (3, 1), 70, 60, 66), ("f", "f", (), 250, 40, 255)],
    [("f", "f", (), 16, 3000, 20), ("e", "e", (), 40, 700, 24), ("f", "d", (), 70, 60, 80)],
    [("e", "e", (), 64, 64, 72), ("e", "e", (), 165, 33, 171)],
    [("d", "d", (), 64, 48, 66), ("d", "d", (), 250, 20, 255), ("d", "d", (300,), 17, 1000, 16), ("i", "f", (), 20, 30, 40)],
], ids=["float", "slices", "half", "double"])
def test_launches(run_python, like_gpu, cases):
    """Tiles of either size, shared tiles, stacks, operands of other types and layouts."""
    done = run_python(LAUNCHES.replace("CASES", repr(cases)), **like_gpu, LIKE_GPU="90 4", PYCUDA_DISABLE_CACHE="1")
    assert done.returncode == 0, done.stderr


@pytest.mark.host
def test_older_devices_have_other_tiles(run_python, like_gpu):
    done = run_python(LAUNCHES.replace("CASES", repr([("f", "f", (2,), 66, 80, 72)])), **like_gpu, LIKE_GPU="75 4",
                      PYCUDA_DISABLE_CACHE="1")
    assert done.returncode == 0, done.stderr


COPIES = """
import numpy as np, pycuda.autoinit
from pycuda import _native
from pycuda._reductions import _in_whole_rows
from pycuda.gpuarray import empty, to_gpu
for char in "ed":  # large, at odd distances
    z, a, b = (empty((1, 901, 901), char) for _ in range(3))
    assert _native._product(z, a, b, True) is None
    assert _native._product(z, to_gpu(np.zeros((1, 901, 901), "f")), b, True) is None
h = np.arange(2 * 7 * 9.).reshape(2, 7, 9)
for x, dtype in ((to_gpu(h), "e"), (to_gpu(h)[:, :, 1:], "d"), (to_gpu(h[:1]), "f"), (np.broadcast_to(to_gpu(h[0]), (3, 7, 9)), "e")):
    y = _in_whole_rows(x, np.dtype(dtype))
    assert y.dtype == dtype and np.array_equal(y.get(), x.get()) and y.strides[2] == y.itemsize
    assert not (y.ptr | y.strides[0] | y.strides[1]) % 16 and (y.strides[0] == 0) == (x.strides[0] == 0)
    assert _in_whole_rows(y, y.dtype) is y
    turned = y.swapaxes(1, 2)
    assert _in_whole_rows(turned, y.dtype) is turned
"""


@pytest.mark.host
def test_copies_of_operands(run_python, like_gpu):
    """Of large products, whose elements lie so that they would be copied one by one."""
    done = run_python(COPIES, **like_gpu, LIKE_GPU="90 4", PYCUDA_DISABLE_CACHE="1")
    assert done.returncode == 0, done.stderr
