"""Elements of long tables at many places on a GPU, whose launches the host device runs, too: against NumPy's, with
places that are near each other and far apart, by whatever launches that takes."""

import os
import re

import numpy as np
import pytest

from pycuda import gpuarray

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check
BEGIN = """
import numpy as np
import pycuda.autoprimaryctx
import pycuda.driver as cuda
from pycuda import _native, gpuarray

rng = np.random.default_rng(3)
COUNT = (1 << 24) + 77  # the last tile is not full

def table_of(n, dtype):
    dtype = np.dtype(dtype)
    return np.frombuffer(rng.bytes(n * dtype.itemsize), dtype)

def check(h, at):
    got, wanted = gpuarray.to_gpu(h)[gpuarray.to_gpu(at)].get(), h[at]
    assert got.dtype == h.dtype and got.shape == wanted.shape
    assert got.tobytes() == wanted.tobytes()
"""


@pytest.fixture
def run(run_python, like_gpu, tmp_path):
    """run(code): of the launches by which it took elements bin by bin, whether it was a block for a tile, or for a bin
    for each of four multiprocessors."""

    def run(code, capability=90):
        environment = like_gpu | {"LIKE_GPU": f"{capability} 4", "PYCUDA_TRACE": str(tmp_path / "trace")}
        done = run_python(BEGIN + code, **environment)
        assert done.returncode == 0, done.stderr
        launches = re.findall(r"cuLaunchKernel\(\w+, (\d+), 1, 1, 1024, 1, 1, ", (tmp_path / "trace").read_text())
        return ["bins" if grid == "4" else "tiles" for grid in launches]

    return run


@pytest.mark.parametrize("dtype, place", [("f4", "i8"), *[("i2", "i4"), ("f8", "i4")] * WIDE])
def test_on_this_device(context, dtype, place):
    """A table of 128 MB is more than a GPU's cache holds."""
    rng = np.random.default_rng(4)
    h = np.frombuffer(rng.bytes(128 << 20), dtype)
    x, at = gpuarray.to_gpu(h), rng.integers(-h.size, h.size, (1 << 24) + 77, place)
    for places in (at, np.sort(at)):
        assert x[gpuarray.to_gpu(places)].get().tobytes() == h[places].tobytes()
    at[at.size // 2] = h.size
    with pytest.raises(IndexError, match=f"index {h.size} is out of bounds for axis 0 with size {h.size}"):
        x[gpuarray.to_gpu(at)]


APART, NEAR = ["tiles", "bins", "tiles"], []


@pytest.mark.host
@pytest.mark.parametrize("dtype, place", [
    ("u1", "i8"), ("f4", "i4"), ("c8", "i4"), *[("i2", "i4"), ("f4", "u4"), ("f8", "i8")] * WIDE])
def test_places_far_apart(run, dtype, place):
    """Tables of few bins and of many, of elements of each size, and negative places."""
    assert run(f"""
for n in ((8 << 20) // np.dtype("{dtype}").itemsize + 5, (40 << 20) // np.dtype("{dtype}").itemsize):
    at = rng.integers(-n if "{place}" != "u4" else 0, n, COUNT, "{place}")
    check(table_of(n, "{dtype}"), at)
""") == 2 * APART


@pytest.mark.host
@pytest.mark.parametrize("capability, dtype, place", [(75, "f4", "i4"), *[(89, "f8", "i8"), (75, "f8", "i4")] * WIDE])
def test_few_places_of_a_tile_in_a_bin(run, capability, dtype, place):
    """GPUs with less shared memory have smaller tiles and more bins."""
    assert run(f"""
n = (40 << 20) // np.dtype("{dtype}").itemsize
check(table_of(n, "{dtype}"), rng.integers(-n, n, COUNT, "{place}"))
""", capability) == APART


@pytest.mark.host
def test_some_places_often(run):
    """A bin's share of a tile is many times what others have: of a few places, and of a part of the table."""
    assert run("""
h = table_of(1 << 22, "f4")
at = rng.integers(0, h.size, COUNT)
few, part = at.copy(), at.copy()
few[rng.random(COUNT) < 0.2] = h.size - 1
part[rng.random(COUNT) < 0.3] %= 1 << 16
check(h, few)
check(h, part)
""") == 2 * APART


@pytest.mark.host
def test_places_near_each_other(run):
    """What a sector holds, what is in ascending order and what comes back within the sample is taken one by one."""
    assert run("""
h = table_of(1 << 23, "f4")
order = np.arange(COUNT)
for at in (order * 8 % h.size, (order % 65536 * 128 + order // 65536) % h.size, np.sort(rng.integers(0, h.size, COUNT))):
    check(h, at)
""") == NEAR


@pytest.mark.host
def test_shapes_and_small_ones(run):
    """The result has the places' shape; small tables, few places, gaps and wide elements go another way."""
    assert run("""
h = table_of(1 << 20, "f4")
at = rng.integers(0, h.size, COUNT // 3 * 3 + 3).reshape(3, -1)
check(h, at)
check(h[:1 << 18], at % (1 << 18))
check(h, at[0])
check(table_of(1 << 20, "c16"), at)
g = gpuarray.to_gpu(h)
assert np.array_equal(g[::2][gpuarray.to_gpu(at // 2)].get().view("u4"), h[::2][at // 2].view("u4"))
assert np.array_equal(np.take(g, gpuarray.to_gpu(at), mode="wrap").get().view("u4"), h[at].view("u4"))
""") == 2 * APART


@pytest.mark.host
def test_places_that_are_not_there(run):
    """Wherever they are: in the first share, in the last tile, seen by whichever launch."""
    run("""
h = gpuarray.to_gpu(table_of(1 << 20, "f4"))
for where in (0, COUNT // 2, COUNT - 1):
    for place in (h.size, -h.size - 1, 1 << 40):
        at = rng.integers(0, h.size, COUNT)
        at[where] = place
        try:
            h[gpuarray.to_gpu(at)]
        except IndexError as error:
            assert f"index {place} is out of bounds for axis 0 with size {h.size}" in str(error), error
        else:
            raise AssertionError(where)
""")


@pytest.mark.host
def test_without_memory_for_bins(run, monkeypatch):
    """Then places far apart are taken one by one after all."""
    monkeypatch.setenv("HOSTCUDA_MEMORY", "384M")
    assert run("""
h, at = table_of(1 << 20, "f4"), rng.integers(0, 1 << 20, COUNT)
g, places = gpuarray.to_gpu(h), gpuarray.to_gpu(at)
rest = cuda.mem_alloc(cuda.mem_get_info()[0] - (96 << 20))  # enough for the result, and not for twice that
got = g[places]
assert got.get().tobytes() == h[at].tobytes()
""") == NEAR
