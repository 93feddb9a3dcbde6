"""The kernels that search a long sorted array on a GPU, which the host device runs, too: places against NumPy's
searchsorted, with trees of any height and as many levels of an index as it takes, launched as src/kernels does."""

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pycuda import gpuarray
from pycuda.compiler import SourceModule
from pycuda.tools import dtype_to_ctype

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check

pytestmark = pytest.mark.usefixtures("context")

MOST_LEVELS, NODE_BYTES = 12, 32
KERNELS = """
#include <cuda_fp16.h>
#include <pycuda/search.cuh>
typedef %s V;
typedef %s K;
extern "C" __global__ void prepare(const K *keys, K *index, const pycuda::search_plan plan)
{
    pycuda::search_prepare(keys, index, plan);
}
extern "C" __global__ void left(const V *x, const K *keys, const K *index, long long *places, size_t n,
                                const pycuda::search_plan plan)
{
    pycuda::search_all<false>(x, keys, index, places, n, plan);
}
extern "C" __global__ void right(const V *x, const K *keys, const K *index, long long *places, size_t n,
                                 const pycuda::search_plan plan)
{
    pycuda::search_all<true>(x, keys, index, places, n, plan);
}
"""


def up(n, by):
    return -(-n // by)


class Search:
    """The kernels for values and keys of some dtypes."""

    def __init__(self, value, key):
        self.key = np.dtype(key)
        module = SourceModule(KERNELS % (dtype_to_ctype(np.dtype(value)), dtype_to_ctype(self.key)), no_extern_c=True)
        self.prepare, self.left, self.right = (module.get_function(name) for name in ("prepare", "left", "right"))

    def plan(self, n, most):
        """(words of the plan, keys of the index, height) for a tree of up to `most` keys."""
        node, count, start, height = NODE_BYTES // self.key.itemsize, n, [0, 0], 0
        if n >= most:
            while True:
                count = up(count, node)
                start.append(start[-1] + up(count, node) * node)
                if count <= most:
                    break
        while 1 << height < count + (len(start) == 2):
            height += 1
        words = [n, height, len(start) - 2, *start]
        return np.array(words + [0] * (3 + MOST_LEVELS + 2 - len(words)), np.uint32), start[-1], height

    def check(self, keys, values, most, blocks=2, threads=64):
        words, entries, height = self.plan(len(keys), most)
        x, t, index = gpuarray.to_gpu(values), gpuarray.to_gpu(keys), gpuarray.empty(max(entries, 1), self.key)
        if entries:
            self.prepare(t, index, words, block=(64, 1, 1), grid=(up(entries, 64), 1))
        for side, kernel in (("left", self.left), ("right", self.right)):
            places = gpuarray.zeros(len(values), np.int64) - 7
            kernel(x, t, index, places, np.uint64(len(values)), words, block=(threads, 1, 1), grid=(blocks, 1),
                   shared=self.key.itemsize << height)
            wanted = np.searchsorted(keys, values.astype(self.key), side)
            assert np.array_equal(places.get(), wanted), (side, len(keys), most)


def drawn(rng, n, dtype, how):
    """Sorted keys, or values: "few" different ones, "same", "special" ones among others, or any."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        x = rng.standard_normal(n) * 100 if how in ("any", "special") else rng.integers(-3, 3, n) * (how == "few")
        x = x.astype(dtype)
        if how == "special":
            place = rng.integers(0, n, n // 2)
            x[place] = rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0, np.finfo(dtype).max], n // 2)
        return x
    limits = np.iinfo(dtype)
    if how == "same":
        return np.full(n, 3, dtype)
    low, high = (0, 7) if how == "few" else (limits.min, limits.max)
    return rng.integers(low, high, n, dtype, endpoint=True)


PAIRS = [("f", "f"), ("d", "d"), ("i", "i"), ("Q", "Q"), ("I", "I"), ("q", "q"), ("e", "f"), ("b", "i"), ("f", "d"), ("?", "q")]


@pytest.mark.parametrize("value, key", PAIRS[::1 if WIDE else 3])
def test_searches(value, key):
    """Around the sizes of nodes, trees and levels."""
    search, rng = Search(value, key), np.random.default_rng(ord(key))
    for most in (8, 64):
        node = NODE_BYTES // np.dtype(key).itemsize
        edges = {most, most * node, most * node * node}
        for n in sorted({1, 2, 3, *(edge + k for edge in edges for k in (1 - node, -1, 0, 1, node + 1))}):
            for how in ("any", "special", "few", "same"):
                keys = np.sort(drawn(rng, n, key, how))
                values = drawn(rng, 300, "B" if value == "?" else value, how)
                values[:20] = rng.choice(keys, 20) if value == key else values[:20]
                search.check(keys, values.astype(value), most)


def test_values_of_any_number():
    search, rng = Search("f", "f"), np.random.default_rng(1)
    keys = np.sort(rng.random(777, np.float32))
    for n in (1, 63, 64, 65, 127, 128, 129, 257, 5000):
        search.check(keys, rng.random(n, np.float32), 16, blocks=3)


@settings(max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=[*HealthCheck])
@given(st.data())
def test_any_floats(data):
    search = Search("f", "f")
    floats = st.floats(width=32) | st.sampled_from([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0])
    keys = np.sort(np.array(data.draw(st.lists(floats, min_size=1, max_size=200)), np.float32))
    values = np.array(data.draw(st.lists(floats, min_size=1, max_size=70)), np.float32)
    search.check(keys, values, data.draw(st.sampled_from([8, 16, 64])))


LAUNCHES = """
import numpy as np
import pycuda.autoprimaryctx
from pycuda import _native, gpuarray

rng = np.random.default_rng(5)
used = []
search = _native._search
def counted(*arguments):
    result = search(*arguments)
    used.append(result is not None)
    return result
_native._search = counted
for value, key, keys in CASES:
    h = np.sort((rng.standard_normal(keys) * 1e4).astype(key))
    v = (rng.standard_normal(300_000) * 1e4).astype(value).reshape(2, -1)
    for side in ("left", "right"):
        got = np.searchsorted(gpuarray.to_gpu(h), gpuarray.to_gpu(v), side)
        assert got.dtype == np.int64 and got.shape == v.shape
        assert np.array_equal(got.get(), np.searchsorted(h, v, side)), (value, key, keys, side)
assert all(used) and used, used
used.clear()
h = gpuarray.to_gpu(np.sort(rng.random(1001, np.float32)))
v = gpuarray.to_gpu(rng.random((700, 401), np.float32))
for table, values in ((h[1:], v), (h, v.T), (h[::2], v), (h, v[:, 1:]), (h, v[0]), (h.astype(np.float16), v.astype(np.float16))):
    assert np.array_equal(np.searchsorted(table, values).get(), np.searchsorted(table.get(), values.get()))
print(used)
x, edges = rng.standard_normal(270_000), np.array([-1, 0, 0, 1, 2.5])
for right in (False, True):
    for one in (edges, edges[::-1]):
        assert np.array_equal(np.digitize(gpuarray.to_gpu(x), one, right).get(), np.digitize(x, one, right))
"""
CASES = [("f", "f", 5), ("f", "f", 1000), ("f", "f", 32_767), ("f", "f", 32_768), ("f", "f", 100_000), ("f", "f", 270_000),
         ("h", "i", 3000), ("Q", "Q", 20_000), *[("d", "d", 100_000), ("i", "i", 40_000), ("i", "d", 9000)] * WIDE]


@pytest.mark.host
def test_launches(run_python, like_gpu):
    """By np.searchsorted, where the launcher decides; where it does not, by halves."""
    done = run_python(LAUNCHES.replace("CASES", repr(CASES)), **like_gpu, LIKE_GPU="90 4", PYCUDA_DISABLE_CACHE="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["[False,", "False,", "True,", "False,", "False,", "False]"]
