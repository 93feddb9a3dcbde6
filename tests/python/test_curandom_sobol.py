"""Sobol sequences in pycuda.curandom: direction vectors as published, points word for word, the
balance that makes them what they are, and quantiles."""

import itertools
import math

import numpy as np
import pytest

from pycuda import _sobol, curandom, gpuarray

pytestmark = pytest.mark.usefixtures("context")

KINDS = [(curandom.Sobol32RandomNumberGenerator, "VECTOR_32"),
         (curandom.Sobol64RandomNumberGenerator, "VECTOR_64"),
         (curandom.ScrambledSobol32RandomNumberGenerator, "SCRAMBLED_VECTOR_32"),
         (curandom.ScrambledSobol64RandomNumberGenerator, "SCRAMBLED_VECTOR_64")]
SOBOL32, SOBOL64, SCRAMBLED32, SCRAMBLED64 = (kind for kind, _ in KINDS)
VECTORS = dict(KINDS)


def vectors(kind, dimensions):
    return curandom.generate_direction_vectors(
        dimensions, getattr(curandom.direction_vector_set, VECTORS[kind]))


def word(kind):
    return np.dtype(f"u{kind.generator_bits // 8}")


def constants(kind, dimensions):
    if kind in (SCRAMBLED32, SCRAMBLED64):
        return _sobol.scramble_constants(dimensions, word(kind))
    return np.zeros(dimensions, word(kind))


def points(kind, index, dimensions):
    """The definition: Gray's code of the index selects direction vectors."""
    table = vectors(kind, dimensions).get()
    result = np.tile(constants(kind, dimensions), (len(index), 1))
    for bit in range(table.shape[1]):
        chosen = (index ^ index >> 1) >> bit & 1
        result ^= chosen[:, np.newaxis].astype(table.dtype) * table[:, bit]
    return result


# -- Direction vectors ---------------------------------------------------------------------


def test_first_points_are_joe_and_kuos():
    found = SOBOL32(vectors(SOBOL32, 3)).gen_uniform((10, 3), np.uint32).get() / 2**32
    assert found.tolist() == [
        [0, 0, 0], [.5, .5, .5], [.75, .25, .25], [.25, .75, .75], [.375, .375, .625],
        [.875, .875, .125], [.625, .125, .875], [.125, .625, .375], [.1875, .3125, .9375],
        [.6875, .8125, .4375]]


# Lines of Joe and Kuo's new-joe-kuo-6.21201, dimensions counted from 1: m_1, m_2, ...
@pytest.mark.parametrize("dimension, numbers", [
    (2, [1]), (3, [1, 3]), (4, [1, 3, 1]), (10, [1, 1, 7, 11, 19]),
    (100, [1, 1, 5, 5, 11, 5, 45, 117, 217]),
    (1111, [1, 1, 5, 15, 19, 1, 7, 211, 157, 603, 403, 1387, 1583]),
])
@pytest.mark.parametrize("bits", [32, 64])
def test_initial_numbers(dimension, numbers, bits):
    row = _sobol.direction_vectors(dimension, bits)[-1]
    assert [int(v) >> bits - 1 - i for i, v in enumerate(row[:len(numbers)])] == numbers


@pytest.mark.parametrize("degree", range(1, 19))
def test_primitive_polynomials(degree):
    """There are phi(2**degree - 1) / degree, and x runs through all residues."""
    order = 2**degree - 1
    found = _sobol.primitive_polynomials(degree)
    assert len(found) == sum(math.gcd(k, order) == 1 for k in range(1, order + 1)) / degree
    x, steps = 1, 0
    while steps == 0 or x != 1:
        x <<= 1
        x ^= int(found[-1]) * (x >> degree)
        steps += 1
    assert steps == order


@pytest.mark.parametrize("kind", VECTORS)
def test_every_dimension_is_a_permutation(kind):
    """Index bit j reaches no further than result bit j from the top, and does reach it."""
    table = vectors(kind, _sobol.MOST_DIMENSIONS).get()
    assert table.shape == (21201, kind.generator_bits) and table.dtype == word(kind)
    if kind in (SOBOL32, SOBOL64):
        trailing = table & -table
        assert (trailing == word(kind).type(1) << np.arange(kind.generator_bits)[::-1].astype(
            word(kind))).all()
    else:
        unscrambled = _sobol.direction_vectors(1, kind.generator_bits)[0]
        assert (table[0] >= unscrambled).all() and (table[0] < 2 * unscrambled.astype(float)).all()
    assert np.array_equal(vectors(kind, 50).get(), table[:50])
    assert len(np.unique(table, axis=0)) == 21201


# -- Points --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", VECTORS)
@pytest.mark.parametrize("dimensions", [1, 3, 100, 700])
def test_points(kind, dimensions):
    n = 1 + 70000 // dimensions
    generator = kind(vectors(kind, dimensions))
    wanted = points(kind, np.arange(n), dimensions)
    parts = [generator.gen_uniform(k, word(kind)).get() for k in (0, 1, dimensions, 4099)]
    parts.append(generator.gen_uniform(wanted.size - sum(map(len, parts)), word(kind)).get())
    assert np.array_equal(np.concatenate(parts), wanted.ravel())


@pytest.mark.parametrize("kind", VECTORS)
def test_skipping_and_the_ring(kind):
    wanted = points(kind, np.arange(1000, 1100), 5)
    start = 2**kind.generator_bits - 50  # the sequence starts again after its last point
    by_offset = kind(vectors(kind, 5), offset=start)
    assert np.array_equal(by_offset.gen_uniform((50, 5), word(kind)).get(),
                          points(kind, start + np.arange(50, dtype=np.uint64), 5))
    by_offset.call_skip_ahead(1000)
    assert np.array_equal(by_offset.gen_uniform((100, 5), word(kind)).get(), wanted)
    by_array = kind(vectors(kind, 5))
    by_array.call_skip_ahead_array(gpuarray.to_gpu(np.array([1000, 1001, 1000, 1000, 1050])))
    assert np.array_equal(by_array.gen_uniform((50, 5), word(kind)).get(), np.stack(
        [wanted[:50, 0], wanted[1:51, 1], wanted[:50, 2], wanted[:50, 3], wanted[50:, 4]], 1))


@pytest.mark.parametrize("kind", VECTORS)
def test_nets(kind):
    """Of 2**m points, as many as there should be in every box of 2**(t - m) with sides of powers of
    two, at least; t is the sum of the polynomials' degrees less one each: 0, 0, 1, 2, 2."""
    m, degrees = 9, np.array([1, 1, 2, 3, 3])
    for start in (0, 5 * 2**m):
        x = kind(vectors(kind, 5), offset=start).gen_uniform((2**m, 5), np.uint32).get() / 2**32
        for axes in [(0, 1), (1, 2), (0, 3), (0, 1, 2), (2, 3, 4)]:
            t = (degrees[list(axes)] - 1).sum()
            for sides in itertools.product(range(m - t + 1), repeat=len(axes)):
                if sum(sides) == m - t:
                    cells = np.floor(x[:, axes] * 2.0**np.array(sides)).astype(int)
                    cell = np.ravel_multi_index(cells.T, 2**np.array(sides))
                    assert (np.bincount(cell, minlength=2**(m - t)) == 2**t).all()


def test_scrambles():
    a, b = (kind(vectors(kind, 4)).gen_uniform((64, 4), np.uint32).get()
            for kind in (SOBOL32, SCRAMBLED32))
    assert not (a == b).any()
    own = gpuarray.to_gpu(np.array([1, 2, 3, 2**32 - 1], np.uint32))
    shifted = SCRAMBLED32(vectors(SOBOL32, 4), own).gen_uniform((64, 4), np.uint32).get()
    assert np.array_equal(shifted, a ^ own.get())
    assert np.array_equal(curandom.generate_scramble_constants32(7).get(),
                          _sobol.scramble_constants(7, np.uint32))
    assert curandom.generate_scramble_constants64(7).dtype == np.uint64


# -- Numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", VECTORS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_real_numbers(kind, dtype):
    def make():
        return kind(vectors(kind, 2), offset=3)

    n, bits = 4096, kind.generator_bits
    words = points(kind, np.arange(3, 3 + n), 2)
    uniform = make().gen_uniform((n, 2), dtype).get()
    u = (words / 2.0**bits + 2.0**-33 * (bits == 32))
    assert uniform.dtype == dtype and uniform.min() > 0 and uniform.max() <= 1
    assert np.abs(uniform - u).max() < (2**-23 if dtype == np.float32 else 2**-52)
    normal = make().gen_normal((n, 2), dtype).get()
    erf = np.vectorize(math.erf)
    assert np.abs((1 + erf(normal / math.sqrt(2))) / 2 - u).max() < (
        1e-6 if dtype == np.float32 else 1e-12)
    logarithms = np.log(make().gen_log_normal((n, 2), dtype, 1.5, 0.25).get())
    assert np.abs(logarithms - 1.5 - 0.25 * normal).max() < 1e-5


@pytest.mark.parametrize("mean", [0.01, 3, 49, 50, 200, 1e6])
def test_poisson_numbers_are_quantiles(mean):
    n = 2**12
    values = np.sort(SOBOL64().gen_poisson(n, np.float64, mean).get())
    k = np.arange(max(0, values[0] - 50), values[-1] + 1)
    log_factorials = np.vectorize(math.lgamma)(k + 1)
    wanted = np.cumsum(np.exp(k * math.log(mean) - mean - log_factorials))
    found = np.searchsorted(values, k, side="right") / n
    assert np.abs(found - wanted).max() < 2 / n + 1e-9 * mean
    means = gpuarray.full(n, mean, np.float32)
    SCRAMBLED32().fill_poisson(means)
    assert np.abs(means.get().mean() - np.float32(mean)) < 0.02 * math.sqrt(mean)


@pytest.mark.parametrize("call, error, text", [
    (lambda: curandom.generate_direction_vectors(0), ValueError, "1 to 21201 dimensions, got 0"),
    (lambda: curandom.generate_direction_vectors(21202), ValueError, "got 21202"),
    (lambda: curandom.generate_direction_vectors(5, 7), ValueError, "direction: .* got 7"),
    (lambda: SOBOL32(vectors(SOBOL64, 3)), TypeError,
     r"dir_vector: expected a GPUArray of uint32 and shape \(3, 32\), got uint64 of \(3, 64\)"),
    (lambda: SOBOL32(np.zeros((3, 32), np.uint32)), TypeError, "dir_vector: expected a GPUArray"),
    (lambda: SOBOL32(7), TypeError, "got int of no shape"),
    (lambda: SOBOL32(gpuarray.zeros((0, 32), np.uint32)), TypeError, "dir_vector"),
    (lambda: SCRAMBLED64(None, gpuarray.zeros(3, np.uint64)), TypeError,
     r"scramble_vector: expected a GPUArray of uint64 and shape \(1,\)"),
    (lambda: SOBOL32().gen_uniform(5, np.int64), NotImplementedError,
     "Sobol32 uniform random numbers of dtype int64: there are float32, float64, int32, uint32"),
    (lambda: SOBOL64().gen_normal(5, np.int64), NotImplementedError, "Sobol normal"),
    (lambda: SOBOL32().call_skip_ahead_array(gpuarray.zeros(5, np.int32)), TypeError,
     "of 1 integers"),
])
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_names():
    assert curandom.get_curand_version() >= (4, 1, 0)
    assert repr(curandom.direction_vector_set.VECTOR_64) == (
        "pycuda.curandom.direction_vector_set.VECTOR_64")
    default = curandom.generate_direction_vectors(3, None)
    assert np.array_equal(default.get(), vectors(SOBOL32, 3).get())
    assert SOBOL32().block_count * SOBOL32().generators_per_block == 1
