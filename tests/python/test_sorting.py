"""Sorting held against NumPy: every dtype, layout and length around the bounds at which kernels go
another way. Values come from a seed: any bits, few values, special ones, one value."""

import os

import numpy as np
import pytest

from pycuda import _native, _sorting, gpuarray
from pycuda.compiler import SourceModule
from pycuda.gpuarray import to_gpu

pytestmark = pytest.mark.usefixtures("context")
WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check
DTYPES = "?bBhHiIqQefdFD"
FEW = DTYPES if WIDE else "?BhieFD"
SPECIAL = [0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1, -1, 1e-40]


def draw(char, shape, how, seed=0):
    """Elements: "any" bits, "few" values, "special" ones (of integers few), or one value "same"."""
    rng, dtype, n = np.random.default_rng([seed, ord(char)]), np.dtype(char), int(np.prod(shape))
    with np.errstate(all="ignore"):
        if how == "any" and char != "?":
            values = np.frombuffer(rng.bytes(n * dtype.itemsize), dtype)
        elif how == "special" and dtype.kind in "fc":
            real = np.array(SPECIAL)[rng.integers(0, len(SPECIAL), (2, n))]
            values = real[0].astype(dtype)
            if dtype.kind == "c":
                values.imag = real[1]
        elif how == "same":
            values = np.full(n, 3).astype(dtype)
        else:
            values = rng.integers(-3, 4, n).astype(dtype)
    return values.reshape(shape)


def same_bits(got, wanted):
    assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
    assert got.get().tobytes() == wanted.tobytes()


def check(x, axis=-1):
    """Sorted stably: what argsort says is unique, and the sorted elements are those, bit for bit."""
    places = np.argsort(x, axis, "stable")
    g = to_gpu(x)
    same_bits(np.argsort(g, axis), places)
    wanted = np.take_along_axis(x, places, axis)
    same_bits(np.sort(g, axis, kind="stable"), wanted)
    same_bits(g, x)
    g.sort(axis)
    same_bits(g, wanted)


@pytest.mark.parametrize("how", ["any", "few", "special", "same"])
@pytest.mark.parametrize("char", DTYPES)
def test_dtypes(char, how):
    for shape in [(1,), (2,), (33,), (1000,), (4097,), (3, 32), (5, 31), (2, 257)]:
        check(draw(char, shape, how))


@pytest.mark.parametrize("char", FEW)
def test_long_rows(char):
    """Longer than what one block sorts."""
    size = np.dtype(char).itemsize
    for n in [131072 // size, 131072 // size + 1, 300001 // size, *([2**20 + 7] if WIDE else [])]:
        for how in ["any", "special"]:
            check(draw(char, n, how, n))
    check(draw(char, (2, 140000 // size), "any"))


@pytest.mark.parametrize("char", FEW)
def test_many_short_rows(char):
    """What vectors sort, a row a lane: rows of all lanes and of some, and lengths around what registers and rooms hold."""
    size = np.dtype(char).itemsize
    for place, n in enumerate([2, 7, 8, 9, 16, 17, 24, 31, 40, 63, 64, 65, 100, 129, 257, 511, 512, 513, 10240 // size, 10240 // size + 1]):
        for rows in [7, 8, 15, 16, 17, 33] if WIDE else [[8, 16, 17], [7, 15, 33]][place % 2]:
            for how in ["any", "special"] if WIDE else [["any", "special"][rows % 2]]:
                check(draw(char, (rows, n), how, n + rows))


@pytest.mark.parametrize("char", "fdH")
def test_descending_short_rows(char):
    x = draw(char, (37, 45), "special")
    places = falling(x, 1)
    same_bits(to_gpu(x).argsort(descending=True), places)
    same_bits(_sorting.sort(to_gpu(x), descending=True), np.take_along_axis(x, places, 1))


@pytest.mark.parametrize("char", "if")
def test_a_million(char):
    """Beyond what elements are sent to their places at once."""
    x = draw(char, 2**20 + 12345, "any")
    check(x)
    y = to_gpu(x)
    y.sort()
    assert np.array_equal(np.sort(y).get(), np.sort(x), equal_nan=char == "f")


def spread(char, n, how, seed=0):
    """Elements as they are spread over their range: "even", about 0, "ties", most close to each other with few far
    "away", in order, two clusters whose bits differ far apart, of random values in one, and over many "octaves"."""
    rng, dtype = np.random.default_rng([seed, ord(char)]), np.dtype(char)
    scale = 1 if dtype.kind in "fc" else 1e6
    with np.errstate(all="ignore"):
        x = {"even": lambda: rng.random(n) * scale, "normal": lambda: rng.standard_normal(n) * scale,
             "ties": lambda: rng.integers(0, 900, n), "away": lambda: rng.integers(0, 500, n),
             "order": lambda: np.arange(n), "clusters": lambda: rng.integers(0, 2, n) * 2.0**30 + rng.integers(0, 3, n),
             "octaves": lambda: 2.0 ** rng.uniform(-2, 29, n) * rng.choice([-1, 1, 1], n),
             }[how]()
        x = x.astype(dtype)
        if how == "away":
            few = rng.random(n) < 0.03
            x[few] = draw(char, n, "any", seed)[few]
        if how == "normal" and dtype.kind in "fc":
            x[rng.integers(0, n, n // 9)] = 0
            x[rng.integers(0, n, n // 9)] *= -0.0
            x[rng.integers(0, n, n // 50)] = np.nan
            x[rng.integers(0, n, n // 50)] = -np.nan
    return x


@pytest.mark.parametrize("how", ["even", "normal", "ties", "away", "order", "clusters", "octaves"])
@pytest.mark.parametrize("char", "iIfqQdF" if WIDE else "iF")
def test_buckets(char, how):
    """Long rows of words, whose keys are seldom spread evenly: buckets that caches hold and such as they do not."""
    for n in [1 << 18 if np.dtype(char).itemsize == 4 else 131072 // np.dtype(char).itemsize + 9, 300001]:
        x = spread(char, n, how)
        check(x)
        if char in "if":
            places = falling(x, 0)
            same_bits(to_gpu(x).argsort(descending=True), places)
            same_bits(_sorting.sort(to_gpu(x), descending=True), x[places])
    g = to_gpu(x)
    g[1:].sort()  # where cache lines do not begin
    x[1:] = np.sort(x[1:], kind="stable")
    same_bits(g, x)


@pytest.mark.parametrize("char", FEW)
def test_layouts(char):
    x = draw(char, (6, 7, 40), "special")
    for view in [lambda a: a, lambda a: a[:, ::-2], lambda a: a[::-1, :, ::3], lambda a: a.T, lambda a: a[2],
                 lambda a: a.transpose(1, 0, 2), lambda a: a[:, 3, 5], lambda a: a[:, :, 1:2]]:
        v, g = view(x), view(to_gpu(x))
        for axis in range(-1, v.ndim):
            places = np.argsort(v, axis, "stable")
            wanted = np.take_along_axis(v, places, axis)
            same_bits(g.argsort(axis), places)
            same_bits(np.sort(g, axis), wanted)
        same_bits(np.sort(g, None), np.sort(v, None, "stable"))
        assert np.array_equal(np.argsort(g, axis=None).get(), np.argsort(v, None, "stable"))
    h, g = np.asfortranarray(x), to_gpu(np.asfortranarray(x))
    assert np.sort(g, 0).strides == np.sort(h, 0).strides
    assert np.sort(g, 1).strides == np.sort(h, 1).strides


@pytest.mark.parametrize("char", FEW)
def test_in_place_in_views(char):
    for cut in [np.s_[::2], np.s_[:, ::-1], np.s_[1:, 2:9], np.s_[:, 4]]:
        x = draw(char, (8, 12), "few")
        g = to_gpu(x)
        for axis in range(x[cut].ndim):
            x[cut].sort(axis, "stable")
            g[cut].sort(axis)
            same_bits(g, x)


def test_no_elements():
    for shape in [(0,), (3, 0), (0, 3), (2, 0, 3)]:
        x = np.zeros(shape, "f")
        for axis in range(-1, len(shape)):
            same_bits(np.sort(to_gpu(x), axis), np.sort(x, axis))
            same_bits(np.argsort(to_gpu(x), axis), np.argsort(x, axis))
    for x in [np.float32(2), np.int8(-1)]:
        assert np.argsort(to_gpu(np.array(x))).get() == 0
        assert np.sort(to_gpu(np.array(x)), None).get() == [x]


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = draw("f", 5000, "special").astype(ml_dtypes.bfloat16)
    g = to_gpu(x)
    wanted = np.argsort(x.astype("f"), kind="stable")
    assert np.array_equal(g.argsort().get(), wanted)
    assert np.sort(g).get().tobytes() == x[wanted].tobytes()
    assert np.array_equal(np.unique(g).get().astype("f"), np.unique(x.astype("f")), equal_nan=True)


@pytest.mark.parametrize("sort, error, text", [
    (lambda x: np.sort(x, 2), ValueError, "axis 2 is out of bounds"),
    (lambda x: x.sort(-3), ValueError, "axis -3 is out of bounds"),
    (lambda x: np.sort(x[0, 0]), ValueError, "axis -1 is out of bounds"),
    (lambda x: x.sort(axis=None), TypeError, "NoneType"),
    (lambda x: x.argsort(kind="shell"), ValueError, "sort kind must be one of .* \\(got 'shell'\\)"),
    (lambda x: x.sort(kind="stable", stable=True), ValueError, "`kind` and keyword parameters"),
    (lambda x: x.argsort(kind="q", descending=False), ValueError, "`kind` and keyword parameters"),
    (lambda x: x.argsort(order="a"), ValueError, "Cannot specify order"),
    (lambda x: x.view([("a", "i4")]).sort(), TypeError, "cannot sort elements of dtype .*'a'"),
    (lambda x: np.sort(to_gpu(np.arange(3, dtype=">i4"))), TypeError, "cannot sort elements of dtype >i4"),
    (lambda x: _native._sort_rows(x, x.T), ValueError, "does not fit"),
    (lambda x: _native._sort_rows(x, x, x), ValueError, "does not fit"),
    (lambda x: _native._sort_rows(x[:, ::2], x[:, ::2].copy()), ValueError, "in C order"),
])
def test_faults(sort, error, text):
    x = to_gpu(np.arange(12, dtype="i4").reshape(3, 4))
    with pytest.raises(error, match=text):
        sort(x)


def falling(x, axis):
    """Places in falling order, of NumPy's for rising order and no more: of the reversed axis, in which the last of
    equals is the first, read backwards. NaNs, of complex numbers by what part they are, come last as they would."""
    last = x.ndim - 1
    places = np.empty(x.shape, np.int64)
    for rows, out in zip(np.moveaxis(x, axis, last).reshape(-1, x.shape[axis]),
                         np.ndindex(*np.moveaxis(x, axis, last).shape[:-1]), strict=True):
        nan_class = np.zeros(rows.size, int)
        if x.dtype.kind in "fc":
            nan_class = np.isnan(rows.real) * 2 + np.isnan(rows.imag)
        order = []
        for k in range(4):
            at = np.flatnonzero(nan_class == k)
            part = rows[at]
            if k:  # by the part that is a number, if there is one
                part = {1: part.real, 2: part.imag, 3: np.zeros(at.size)}[k] if x.dtype.kind == "c" else np.zeros(at.size)
            order.extend(at[::-1][np.argsort(part[::-1], kind="stable")[::-1]])
        np.moveaxis(places, axis, last)[out] = order
    return places


@pytest.mark.parametrize("how", ["any", "few", "special"])
@pytest.mark.parametrize("char", DTYPES)
def test_descending(char, how):
    """By NumPy 2.5, which has the keyword; NaNs come last, and equals stay in their order."""
    shapes = [(7,), (3, 33), (4, 5, 6), (1000,)] + [(131072 // np.dtype(char).itemsize + 5,)] * (char in FEW)
    for shape in shapes:
        x = draw(char, shape, how, 5)
        for axis in range(x.ndim):
            g, places = to_gpu(x), falling(x, axis)
            same_bits(g.argsort(axis, descending=True), places)
            wanted = np.take_along_axis(x, places, axis)
            same_bits(_sorting.sort(g, axis, descending=True, stable=True), wanted)
            g.sort(axis, descending=True)
            same_bits(g, wanted)
    x = to_gpu(draw(char, 50, how, 6))
    wanted = _sorting.sort(x, descending=True).get()[[3, 20]].tobytes()
    assert _sorting.partition(x, [3, 20], descending=True).get()[[3, 20]].tobytes() == wanted
    assert x.get()[x.argpartition([3, 20], descending=True).get()[[3, 20]]].tobytes() == wanted
    x.partition([3, 20], descending=True)
    assert x.get()[[3, 20]].tobytes() == wanted


def test_kinds_and_pending_results():
    x = draw("d", 100, "special")
    for kind in ["quicksort", "mergesort", "heapsort", "stable", "q", None]:
        same_bits(np.sort(to_gpu(x), kind=kind), np.sort(x, kind="stable"))
    with gpuarray.lazy():
        y = np.sort(to_gpu(x) * 2)
    same_bits(y, np.sort(x * 2, kind="stable"))


# -- The templates of GPUs, which the host device runs, too ---------------------------------------

GPU = """
#include <pycuda/sort_gpu.cuh>
#include <pycuda/sort_rows.cuh>
typedef pycuda::%s order;
typedef order::element E;
typedef pycuda::sorted_pair<E, unsigned> pair;
typedef pycuda::sort_step<E, unsigned> step;
extern "C" __global__ void count(const E *from, pycuda::word64 *total, size_t n)
{
    pycuda::sort_count<order>(from, total, n);
}
extern "C" __global__ void plan(pair all, E *spare, unsigned *places, pycuda::word64 *total, step *steps, size_t n)
{
    pycuda::sort_plan<order, unsigned>(all, spare, places, total, steps, n);
}
#define PASS(name, has_places) extern "C" __global__ void name(const step *s, const pycuda::word64 *total, \\
        unsigned *taken, unsigned *told, size_t n, unsigned place) \\
    { \\
        pycuda::sort_sweep<order, unsigned, unsigned, 288, 2, has_places>::pass(s, total, taken, told, n, place); \\
    }
PASS(pass, false)
PASS(pass_with_places, true)
"""
ROWS = """
extern "C" __global__ void rows(pair p, E *spare, unsigned *places, size_t rows, size_t n)
{
    pycuda::sort_rows<order, unsigned>(p, spare, places, rows, n);
}
"""
ORDERS = {"H": "unsigned_order<unsigned short>", "f": "float_order<unsigned, 0x7f800000>",
          "i": "descending<pycuda::signed_order<unsigned>>", "F": "complex64_order", "D": "complex128_order"}
THREADS, TILE = 288, 576  # of a pass
STEP, STEPS = 48, 16


def pair(*arrays):
    return np.array([0 if a is None else int(a.gpudata) for a in arrays], np.uint64)


def module_of(char, source, items):
    size = max(np.dtype(char).itemsize, 4)
    return SourceModule(source % ORDERS[char], no_extern_c=True, options=[f"-DPYCUDA_SORT_BYTES={items * size}"])


def onesweep(module, x, in_place, has_places):
    """(sorted, places or None, how many passes did something) as src/kernels/sort.c launches it."""
    n, size = x.size, x.dtype.itemsize
    tiles = -(-n // TILE)
    total, taken = gpuarray.zeros(256 * size, np.uint64), gpuarray.zeros(STEPS, np.uint32)
    told, steps = gpuarray.zeros(256 * tiles, np.uint32), gpuarray.zeros(STEP * STEPS // 8, np.uint64)
    source = to_gpu(np.concatenate([x[:1], x]))[1:]  # where vectors of 16 bytes do not begin
    result = source if in_place else gpuarray.empty(n, x.dtype)
    spare, spare_places = gpuarray.empty(n, x.dtype), gpuarray.empty(n, np.uint32)
    places = gpuarray.empty(n, np.int64) if has_places else None
    module.get_function("count")(source.gpudata, total, np.uint64(n), grid=(3, 1), block=(256, 1, 1))
    module.get_function("plan")(pair(source, None, result, None, places), spare.gpudata, spare_places.gpudata, total,
                                steps, np.uint64(n), grid=(1, 1), block=(256, 1, 1))
    for place in range(size):
        module.get_function("pass_with_places" if has_places else "pass")(
            steps[STEP // 8 * place:], total[256 * place:], taken[place:], told, np.uint64(n), np.uint32(place),
            grid=(tiles, 1), block=(THREADS, 1, 1))
    return result.get(), places.get() if has_places else None, np.count_nonzero(taken.get())


def sorted_places(char, x):
    return falling(x, x.ndim - 1) if ORDERS[char].startswith("descending") else np.argsort(x, kind="stable")


@pytest.mark.parametrize("char", ORDERS if WIDE else "Hi")
def test_passes_of_gpus(char):
    module = module_of(char, GPU, 2)
    for n in [1, TILE, TILE + 1, 9000]:
        for how in ["any", "special", "same"]:
            x = draw(char, n, how)
            places = sorted_places(char, x)
            for in_place in [False, True]:
                keys, got, _ = onesweep(module, x, in_place, True)
                assert np.array_equal(got, places)
                assert keys.tobytes() == x[places].tobytes()
                keys, _, _ = onesweep(module, x, in_place, False)
                assert keys.tobytes() == x[places].tobytes()


def test_places_that_are_all_the_same():
    """No pass is made over them: of numbers below 2^16 in words of 32 bits two are left; a sort in place takes an even
    number of passes."""
    module = module_of("i", GPU, 2)
    for below, moves in [(1, 1), (1 << 8, 1), (1 << 16, 2), (1 << 20, 3)]:
        x = np.random.default_rng(below).integers(0, below, 3000, np.int32)
        wanted = np.sort(x)[::-1]
        keys, places, passes = onesweep(module, x, False, True)
        assert passes == moves
        assert np.array_equal(keys, wanted) and np.array_equal(places, falling(x, 0))
        keys, _, passes = onesweep(module, x, True, False)
        assert passes == moves + moves % 2
        assert np.array_equal(keys, wanted)


@pytest.mark.skipif(not WIDE, reason="four seconds of compilation")
@pytest.mark.parametrize("char", ORDERS)
def test_rows_of_gpus(char):
    rows = module_of(char, GPU + ROWS, 2).get_function("rows")
    for shape in [(20, 7), (9, 32), (3, 33), (2, 512), (2, 513), (2, 5000)]:
        x = draw(char, shape, "special")
        places = sorted_places(char, x)
        arrays = [to_gpu(x), None, gpuarray.empty(shape, char), None, gpuarray.empty(shape, np.int64)]
        rows(pair(*arrays), gpuarray.empty(shape, char).gpudata, gpuarray.empty(shape, np.uint32),
             np.uint64(shape[0]), np.uint64(shape[1]), grid=(2, 1), block=(256, 1, 1))
        same_bits(arrays[4], places)
        same_bits(arrays[2], np.take_along_axis(x, places, 1))


SHORT_ROWS = """
#include <pycuda/sort_warps.cuh>
typedef pycuda::%s order;
typedef order::element E;
#define ROWS(name, has_places) extern "C" __global__ void name(pycuda::sorted_pair<E, unsigned> all, size_t rows, unsigned n) \\
    { \\
        pycuda::short_rows<order, ITEMS, has_places, IS_BLOCK>::sort(all, rows, n); \\
    }
ROWS(sort, false)
ROWS(sort_with_places, true)
"""
MORE_ORDERS = {"B": "descending<pycuda::unsigned_order<unsigned char>>", "h": "signed_order<unsigned short>",
               "e": "descending<pycuda::float_order<unsigned short, 0x7c00>>", "q": "signed_order<pycuda::word64>",
               "d": "float_order<pycuda::word64, 0x7ff0000000000000>"}


def short_rows_of_gpus(char, items, lengths, is_block=0):
    module = SourceModule(SHORT_ROWS % (ORDERS | MORE_ORDERS)[char], no_extern_c=True,
                          options=[f"-DITEMS={items}", f"-DIS_BLOCK={is_block}"])
    for n in lengths:
        for count, how in [(1, "any"), (37, "special"), (70, "few"), (9, "same"), (300 // n + 1, "any")]:
            x = draw(char, (count, n), how, n)
            at = falling(x, 1) if (ORDERS | MORE_ORDERS)[char].startswith("descending") else np.argsort(x, kind="stable")
            wanted = np.take_along_axis(x, at, 1)
            for name in ["sort", "sort_with_places"]:
                for in_place in [False, True]:
                    # one more at each end, which stay
                    source = to_gpu(np.concatenate([x[0, :1], x.ravel(), x[0, :1]]))
                    target = source if in_place else to_gpu(source.get())
                    places = to_gpu(np.full(x.size + 1, -1))
                    module.get_function(name)(
                        pair(source[1:], None, target[1:], None, places if name != "sort" else None), np.uint64(count),
                        np.uint32(n), grid=(2, 1), block=(128, 1, 1))
                    same_bits(target, np.concatenate([x[0, :1], wanted.ravel(), x[0, :1]]))
                    assert np.array_equal(places.get(), [*(at.ravel() if name != "sort" else [-1] * x.size), -1])


@pytest.mark.parametrize("char", ORDERS | MORE_ORDERS if WIDE else "Bfiq")
def test_short_rows_of_gpus(char):
    """Of a lane, of some lanes and of a warp."""
    short_rows_of_gpus(char, 4, [*range(1, 20), *range(29, 129, 9), 31, 32, 33, 63, 64, 65, 127, 128])


@pytest.mark.parametrize("char", ORDERS | MORE_ORDERS if WIDE else "iq")
def test_rows_of_several_warps_of_gpus(char):
    short_rows_of_gpus(char, 4, [33, 64, 65, 128, 129, 200, 255, 256, 257, 300, 511, 512], 1)


@pytest.mark.skipif(not WIDE, reason="half a minute of compilation")
@pytest.mark.parametrize(("char", "items"), [("i", 8), ("B", 8), ("D", 8), ("q", 16), ("i", 32)])
def test_longer_short_rows_of_gpus(char, items):
    short_rows_of_gpus(char, items, [*range(1, 32 * items, 37), 16 * items, 16 * items + 1, 32 * items])


LAUNCHES = """
import numpy as np, pycuda.autoinit
from pycuda import _native, _sorting
from pycuda.gpuarray import to_gpu
assert not _native._is_host_device()
for char, lengths in CASES:
    for n in lengths:
        x = np.random.default_rng(n).integers(-9, 9, (77, n)).astype(char)
        places = np.argsort(x, kind="stable")
        assert np.array_equal(to_gpu(x).argsort().get(), places), (char, n)
        assert np.array_equal(np.sort(to_gpu(x)).get(), np.sort(x)), (char, n)
        if n < 5:
            assert np.array_equal(_sorting.sort(to_gpu(x), descending=True).get(), np.sort(x)[:, ::-1]), (char, n)
"""


@pytest.mark.host
@pytest.mark.parametrize("cases", [
    [("i", [4, 256, 4096])],
    *([[("H", [1, 5, 257])], [("i", [512, 513, 1024, 1025, 4096, 4097])], [("q", [511, 512, 513, 2048, 2049])],
       [("B", [1024, 1025])], [("D", [256, 257, 1024])]] if WIDE else [])])
def test_launches_of_short_rows(run_python, like_gpu, cases):
    """Around the lengths from which on lanes have more elements, and those that blocks sort."""
    done = run_python(LAUNCHES.replace("CASES", repr(cases)), **like_gpu, LIKE_GPU="90 4", PYCUDA_DISABLE_CACHE="1")
    assert done.returncode == 0, done.stderr
