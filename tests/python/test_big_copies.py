"""get() of arrays whose pages are made by threads while the copy goes on."""

import numpy as np
import pytest

from pycuda import gpuarray

N = (72 << 20) + 12345  # bytes: more than from which on threads are started, and no whole pages


@pytest.fixture(scope="module")
def bytes_of_a_pattern():
    return np.resize(np.random.default_rng(3).integers(0, 256, 1 << 20, np.uint8), N)


def test_new_memory(context, bytes_of_a_pattern):
    a = gpuarray.to_gpu(bytes_of_a_pattern)
    for _ in range(2):
        assert np.array_equal(a.get(), bytes_of_a_pattern)


@pytest.mark.parametrize("offset", [0, 1, 4095])
def test_what_lies_beside_stays(context, bytes_of_a_pattern, offset):
    a = gpuarray.to_gpu(bytes_of_a_pattern)
    whole = np.full(N + 2 * 4096, 77, np.uint8)
    a.get(whole[offset:offset + N])
    assert np.array_equal(whole[offset:offset + N], bytes_of_a_pattern)
    assert (whole[:offset] == 77).all() and (whole[offset + N:] == 77).all()


@pytest.mark.parametrize("mode", ["r+", "c"])
def test_memory_of_a_file(context, bytes_of_a_pattern, mode, tmp_path):
    (tmp_path / "file").write_bytes(bytes(N))
    mapped = np.memmap(tmp_path / "file", np.uint8, mode)
    gpuarray.to_gpu(bytes_of_a_pattern).get(mapped)
    assert np.array_equal(mapped, bytes_of_a_pattern)


def test_a_copy_that_fails(context, inject, bytes_of_a_pattern):
    a = gpuarray.to_gpu(bytes_of_a_pattern)
    inject("cuMemcpyDtoH", 1)
    with pytest.raises(Exception, match="invalid argument"):
        a.get()
    assert np.array_equal(a.get(), bytes_of_a_pattern)
