"""pycuda.compyte: layouts against NumPy's, registries of C names."""

import doctest
import importlib
import itertools

import numpy as np
import pytest

import pycuda.compyte.array as ca
import pycuda.compyte.dtypes as cd
from pycuda import gpuarray, tools

SHAPES = [shape for ndim in range(4) for shape in itertools.product([0, 1, 2, 3], repeat=ndim)]


@pytest.mark.parametrize("dtype", [np.int8, np.float64, np.complex128])
def test_contiguous_strides(dtype):
    for shape in SHAPES:
        item = np.dtype(dtype).itemsize
        if 0 not in shape:
            assert ca.c_contiguous_strides(item, shape) == np.empty(shape, dtype).strides
            assert ca.f_contiguous_strides(item, shape) == np.empty(shape, dtype, "F").strides
        else:  # NumPy's strides of empty arrays differ by version
            ones = tuple(max(length, 1) for length in shape)
            assert ca.c_contiguous_strides(item, shape) == ca.c_contiguous_strides(item, ones)


def test_flags_are_numpys():
    rng = np.random.default_rng(7)
    for shape in SHAPES:
        if 0 in shape:
            continue
        a = np.empty(tuple(2 * length for length in shape), rng.choice([np.int16, np.float32]))
        for _ in range(10):
            view = a[tuple(slice(None, None, int(rng.integers(1, 3))) for _ in shape)]
            view = view.transpose(rng.permutation(len(shape)))
            flags = ca.ArrayFlags(view)
            assert flags.c_contiguous == view.flags.c_contiguous
            assert flags.f_contiguous == view.flags.f_contiguous
            assert flags.forc == view.flags.forc


def test_equal_strides():
    assert ca.equal_strides((8, 4), (999, 4), (1, 5))
    assert not ca.equal_strides((8, 4), (999, 4), (2, 5))
    assert not ca.equal_strides((8, 4), (8,), (2, 5))


def test_flags_of_a_device_array(context):
    assert ca.ArrayFlags(gpuarray.empty((3, 4), np.float32, order="F")).f_contiguous


@pytest.mark.parametrize("a, b, expected, narrow", [
    (np.ones(1, np.float32), np.ones(1, np.int64), np.float64, np.float32),
    (np.ones(1, np.complex64), np.ones(1), np.complex128, np.complex64),
    (np.ones(1, np.float32), 2, np.float32, np.float32), (2, np.ones(1, np.int8), np.int8, np.int8),
    (np.ones(1, np.int8), np.ones(1, np.uint8), np.int16, np.int16),
])
def test_common_dtype(a, b, expected, narrow):
    assert ca.get_common_dtype(a, b, True) == expected
    assert ca.get_common_dtype(a, b, False) == narrow


def test_as_strided():
    x = np.arange(6)
    assert (ca.as_strided(x, (2, 2), (8, 16)) == [[0, 2], [1, 3]]).all()


def test_the_registry_is_that_of_tools():
    assert cd.TYPE_REGISTRY is tools.TYPE_REGISTRY and cd.NAME_TO_DTYPE is tools.NAME_TO_DTYPE
    assert cd.dtype_to_ctype(np.uint32) == "unsigned" and cd.get_or_register_dtype("double") == np.float64
    assert issubclass(cd.TypeNameNotKnown, RuntimeError)


@pytest.mark.parametrize("fill, dtype, name", [
    (lambda r: cd.fill_registry_with_c_types(r, True), np.int8, "signed char"),
    (lambda r: cd.fill_registry_with_c_types(r, False), np.uint64, "unsigned long"),
    (lambda r: cd.fill_registry_with_c_types(r, False), np.bool_, "bool"),
    (cd.fill_registry_with_opencl_c_types, np.uint16, "ushort"),
    (cd.fill_registry_with_c99_stdint_types, np.int64, "int64_t"),
    (cd.fill_registry_with_c99_complex_types, np.complex64, "float complex"),
], ids=range(6))
def test_registries(fill, dtype, name):
    registry = cd.DTypeRegistry()
    fill(registry)
    assert registry.dtype_to_ctype(dtype) == name
    assert registry.get_or_register_dtype(name) == dtype


def test_without_bool():
    registry = cd.DTypeRegistry()
    cd.fill_registry_with_c_types(registry, False, include_bool=False)
    with pytest.raises(ValueError, match="unable to map dtype 'bool'"):
        registry.dtype_to_ctype(np.bool_)


@pytest.mark.parametrize("name", ["pycuda.compyte.array", "pycuda.compyte.dtypes"])
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0
