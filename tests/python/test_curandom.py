"""pycuda.curandom: engines against their published recurrences and test vectors, distributions by
goodness of fit with fixed seeds, and the rules of which lane writes which element."""

import math
import os
import threading

import numpy as np
import pytest

import pycuda.driver as cuda
from pycuda import curandom, gpuarray
from pycuda.elementwise import ElementwiseKernel

pytestmark = pytest.mark.usefixtures("context")
WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check

PHILOX = curandom.Philox4x32_10RandomNumberGenerator
XORWOW = curandom.XORWOWRandomNumberGenerator
MRG = curandom.MRG32k3aRandomNumberGenerator
LANES, ROUND = 65536, 65536 * 16  # elements that all lanes of a generator write in one go


def zeros(n):
    return gpuarray.zeros(n, np.int32)


def make(kind):
    return PHILOX(17) if kind is PHILOX else kind(lambda n: gpuarray.full(n, 17, np.int32))


def lane(data, number):
    """The words of a lane in the first tile that it writes."""
    return data[number // 256 * 4096 + number % 256:][:4096:256][:16]


# -- Engines -------------------------------------------------------------------------------


def philox(counter, key):
    """Philox4x32-10 of counters (4, n)."""
    c, k = [np.uint64(x) for x in counter], [np.uint64(x) for x in key]
    low = np.uint64(0xffffffff)
    for _ in range(10):
        a, b = c[0] * np.uint64(0xd2511f53), c[2] * np.uint64(0xcd9e8d57)
        c = [b >> np.uint64(32) ^ c[1] ^ k[0], b & low, a >> np.uint64(32) ^ c[3] ^ k[1], a & low]
        k = [(k[0] + np.uint64(0x9e3779b9)) & low, (k[1] + np.uint64(0xbb67ae85)) & low]
    return np.array(c)


# From the Random123 distribution: counter, key, result.
KNOWN = [
    ([0] * 4, [0] * 2, [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]),
    ([0xffffffff] * 4, [0xffffffff] * 2, [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]),
    ([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0],
     [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]),
]


@pytest.mark.parametrize("counter, key, words", KNOWN)
def test_philox_known_answers(counter, key, words):
    run = ElementwiseKernel(
        "unsigned *counter, unsigned *key, unsigned *words",
        """pycuda::philox e(key[0] | (pycuda::u64)key[1] << 32,
                            counter[2] | (pycuda::u64)counter[3] << 32);
           e.counter[0] = counter[0];
           e.counter[1] = counter[1];
           for (int k = 0; k < 4; k++)
               words[k] = e.next();""", preamble="#include <pycuda/random.cuh>")
    result = gpuarray.zeros(4, np.uint32)
    run(*(gpuarray.to_gpu(np.array(x, np.uint32)) for x in (counter, key)), result,
        range=slice(0, 1))
    assert result.get().tolist() == words
    assert philox(np.array(counter), np.array(key)).tolist() == words


def test_philox_lanes():
    data = PHILOX(0x123456789abcdef, offset=2**32 - 5).gen_uniform(9000, np.uint32).get()
    number = np.arange(9000)
    row, lanes = number // 256 % 16, number // 4096 * 256 + number % 256 + 2**32 - 5
    words = philox([row // 4, 0 * row, lanes % 2**32, lanes // 2**32], [0x89abcdef, 0x1234567])
    assert np.array_equal(data, np.choose(row % 4, words))


def test_xorwow_is_marsaglias():
    data = XORWOW(zeros).gen_uniform(ROUND, np.uint32).get()
    x, y, z, w, v, d = 123456789, 362436069, 521288629, 88675123, 5783321, 6615241
    for word in lane(data, 0):
        t = x ^ x >> 2
        x, y, z, w, v = y, z, w, v, (v ^ v << 4 ^ t ^ t << 1) & 0xffffffff
        d = d + 362437 & 0xffffffff
        assert word == v + d & 0xffffffff


def test_mrg32k3a_is_lecuyers():
    data = MRG(zeros).gen_uniform(ROUND, np.uint32).get()
    moduli = 2**32 - 209, 2**32 - 22853
    steps = np.array([[[0, 1, 0], [0, 0, 1], [-810728, 1403580, 0]],
                      [[0, 1, 0], [0, 0, 1], [-1370589, 0, 527612]]], object)
    jumps = list(steps)
    for _ in range(127):
        jumps = [a @ a % m for a, m in zip(jumps, moduli, strict=True)]
    for number in (0, 1, 2, 255, 256, 65535):
        states = [np.array([12345] * 3, object)] * 2
        power = [np.eye(3, dtype=object)] * 2
        for bit in f"{number:b}":
            power = [p @ p % m for p, m in zip(power, moduli, strict=True)]
            if bit == "1":
                power = [p @ a % m for p, a, m in zip(power, jumps, moduli, strict=True)]
        states = [p @ s % m for p, s, m in zip(power, states, moduli, strict=True)]
        for word in lane(data, number):
            states = [a @ s % m for a, s, m in zip(steps, states, moduli, strict=True)]
            assert word == (states[0][2] - states[1][2] - 1) % moduli[0] + 1
    assert lane(data, 0)[0] / (moduli[0] + 1) == pytest.approx(0.127011122, abs=1e-9)  # published


@pytest.mark.parametrize("kind", [XORWOW, MRG])
def test_skip_ahead(kind):
    plain, skipping, single = make(kind), make(kind), make(kind)
    for _ in range(3):
        plain.gen_uniform(ROUND, np.uint32)
    wanted = plain.gen_uniform(ROUND, np.uint32).get()
    skipping.call_skip_ahead(41)
    skipping.call_skip_ahead_array(gpuarray.full(LANES, 7, np.uint64))
    assert np.array_equal(skipping.gen_uniform(ROUND, np.uint32).get(), wanted)
    single.call_skip_ahead_array(gpuarray.to_gpu((np.arange(LANES) == 300).astype(np.int32) * 48))
    one = single.gen_uniform(ROUND, np.uint32).get()
    assert np.array_equal(lane(one, 300), lane(wanted, 300))
    assert np.array_equal(lane(one, 301), lane(make(kind).gen_uniform(ROUND, np.uint32).get(), 301))
    with_offset = kind(lambda n: gpuarray.full(n, 17, np.int32), offset=48)
    assert np.array_equal(with_offset.gen_uniform(ROUND, np.uint32).get(), wanted)


@pytest.mark.parametrize("kind", [XORWOW, MRG])
def test_skip_ahead_sequence(kind):
    first, shifted, by_array = make(kind), make(kind), make(kind)
    words = first.gen_uniform(ROUND, np.uint32).get()
    shifted.call_skip_ahead_sequence(3)
    by_array.call_skip_ahead_sequence_array(gpuarray.full(LANES, 3, np.int32))
    words_3 = shifted.gen_uniform(ROUND, np.uint32).get()
    for number in (0, 1, 100, 252, 253, 40000, 65532):
        assert np.array_equal(lane(words_3, number), lane(words, number + 3))
    assert np.array_equal(by_array.gen_uniform(ROUND, np.uint32).get(), words_3)


def test_sequences_are_as_long_as_they_say():
    by_word, by_sequence = make(XORWOW), make(XORWOW)
    for _ in range(16):
        by_word.call_skip_ahead(2**63)
    by_sequence.call_skip_ahead_sequence(1)
    assert np.array_equal(by_word._state.get(), by_sequence._state.get())
    by_subsequence, by_sequence = make(MRG), make(MRG)
    by_subsequence.call_skip_ahead_subsequence(2**50)
    by_subsequence.call_skip_ahead_subsequence_array(gpuarray.full(LANES, 2**50, np.int64))
    by_sequence.call_skip_ahead_sequence(1)
    assert np.array_equal(by_subsequence._state.get(), by_sequence._state.get())


def test_philox_skips_lanes():
    plain, skipping = PHILOX(3), PHILOX(3)
    plain.gen_uniform(5000, np.float32)
    skipping.call_skip_ahead(512)
    assert np.array_equal(plain.gen_normal(10, np.float32).get(),
                          skipping.gen_normal(10, np.float32).get())


# -- Sizes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [PHILOX, XORWOW, MRG])
@pytest.mark.parametrize("name", ["uniform", "normal"])
def test_a_shorter_array_is_the_beginning_of_a_longer_one(kind, name):
    def draw(n):
        return getattr(make(kind), f"gen_{name}")(n, np.float32).get()

    longest = draw(ROUND + 4099)
    for n in (0, 1, 31, 255, 256, 257, 4095, 4096, 4097, 2**18 + 3, ROUND, ROUND + 3):
        assert np.array_equal(draw(n), longest[:n])


@pytest.mark.parametrize("kind", [XORWOW, MRG])
def test_the_next_array_goes_on(kind):
    whole, parts = make(kind), make(kind)
    words = whole.gen_uniform(2 * ROUND, np.uint32).get()
    assert np.array_equal(parts.gen_uniform(ROUND, np.uint32).get(), words[:ROUND])
    assert np.array_equal(parts.gen_uniform(ROUND, np.uint32).get(), words[ROUND:])


@pytest.mark.parametrize("kind", [PHILOX, XORWOW, MRG])
def test_no_two_arrays_are_alike(kind):
    generator = make(kind)
    words = [generator.gen_uniform(1000, np.uint64).get() for _ in range(4)]
    assert len(np.unique(words)) == 4000


# -- Distributions -------------------------------------------------------------------------


def kolmogorov_smirnov(values, distribution):
    """sqrt(n) times the greatest distance of distribution functions; above 1.95 once in 1,000."""
    x = np.sort(values.ravel().astype(np.float64))
    n = len(x)
    ideal = distribution(x)
    above, below = np.arange(1, n + 1) / n - ideal, ideal - np.arange(n) / n
    return max(above.max(), below.max()) * math.sqrt(n)


def is_poisson(values, mean):
    """Chi-square of counts; cells of fewer than 20 expected are joined."""
    k = np.arange(int(mean + 10 * math.sqrt(mean) + 20))
    logarithm = k * math.log(mean) - mean - np.array([math.lgamma(x + 1) for x in k])
    expected = np.exp(logarithm) * len(values)
    counts = np.bincount(values.astype(np.int64), minlength=len(k))
    assert len(counts) == len(k)
    big = expected >= 20
    chi = ((counts - expected)[big] ** 2 / expected[big]).sum()
    chi += (counts[~big].sum() - expected[~big].sum()) ** 2 / max(expected[~big].sum(), 5)
    degrees = big.sum()
    return chi < degrees + 4 * math.sqrt(2 * degrees)


erf = np.vectorize(math.erf)


def gauss(x):
    return (1 + erf(x / math.sqrt(2))) / 2


@pytest.mark.parametrize("kind", [PHILOX, XORWOW, MRG])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_real_numbers(kind, dtype):
    generator, n = make(kind), 100_000 if WIDE else 30_000
    uniform = generator.gen_uniform(n, dtype).get()
    assert uniform.dtype == dtype and uniform.min() > 0 and uniform.max() <= 1
    assert kolmogorov_smirnov(uniform, lambda x: x) < 1.95
    assert kolmogorov_smirnov(generator.gen_normal(n, dtype).get(), gauss) < 1.95
    logarithms = np.log(generator.gen_log_normal(n, dtype, 1.5, 0.25).get())
    assert kolmogorov_smirnov((logarithms - 1.5) / 0.25, gauss) < 1.95


@pytest.mark.parametrize("kind", [PHILOX, XORWOW, MRG])
@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint64])
def test_integers_use_every_bit(kind, dtype):
    n = 2**18 if WIDE else 2**16
    words = make(kind).gen_uniform(n, dtype).get()
    assert words.dtype == dtype
    bits = np.unpackbits(words.view(np.uint8), bitorder="little").reshape(n, -1)
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 4.5 * 0.5 / math.sqrt(n)
    both = bits.T.astype(np.float32) @ bits.astype(np.float32) / n  # pairs of bits
    np.fill_diagonal(both, 0.25)
    assert np.abs(both - 0.25).max() < 5.5 * math.sqrt(3 / 16 / n)


@pytest.mark.parametrize("kind", [PHILOX, XORWOW, MRG])
def test_neighbours_are_independent(kind):
    x = make(kind).gen_normal(2**18, np.float64).get()
    for distance in (1, 2, 16, 255, 256, 257, 4096):
        assert abs(np.mean(x[distance:] * x[:-distance])) < 4.5 / math.sqrt(2**18)


@pytest.mark.parametrize("kind", [PHILOX, XORWOW, MRG])
@pytest.mark.parametrize("mean", [0.3, 4, 9.99, 10, 33.3, 1000])
def test_poisson(kind, mean):
    generator = make(kind)
    values = generator.gen_poisson(100_000, np.uint32, mean).get()
    assert values.dtype == np.uint32 and is_poisson(values, mean)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_poisson_numbers_in_other_dtypes(dtype):
    values = make(XORWOW).gen_poisson(5000, dtype, 12).get()
    assert values.dtype == dtype
    assert np.array_equal(values, make(XORWOW).gen_poisson(5000, np.uint32, 12).get())


@pytest.mark.parametrize("dtype", [np.uint32, np.float32, np.float64])
def test_poisson_in_place(dtype):
    means = np.repeat([0, 3, 40], 50_000).astype(dtype)
    data = gpuarray.to_gpu(means)
    PHILOX(5).fill_poisson(data)
    values = data.get().reshape(3, -1)
    assert not values[0].any() and is_poisson(values[1], 3) and is_poisson(values[2], 40)


@pytest.mark.parametrize("mean", [-1, -math.inf, math.inf, math.nan])
def test_poisson_of_no_mean(mean):
    with pytest.raises(ValueError, match=f"expected a finite number of 0 or more, got {mean}"):
        make(XORWOW).gen_poisson(3, np.uint32, mean)


@pytest.mark.parametrize("kind", [PHILOX, XORWOW, MRG])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_poisson_of_means_that_are_none(kind, dtype):
    """The kernel ends, and what is no number stays so."""
    data = gpuarray.to_gpu(np.array([3, np.nan, np.inf, np.finfo(dtype).max] * 100, dtype))
    make(kind).fill_poisson(data)
    values = data.get().reshape(-1, 4).T
    assert np.isfinite(values[0]).all() and np.isnan(values[1]).all() and (values[2] == np.inf).all()
    assert np.allclose(values[3], np.finfo(dtype).max)


# -- rand and seeds ------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.uint32])
def test_rand(dtype):
    np.random.seed(3)
    a, b = curandom.rand((300, 40), dtype), curandom.rand((300, 40), dtype)
    np.random.seed(3)
    assert np.array_equal(curandom.rand((300, 40), dtype).get(), a.get())
    assert a.shape == (300, 40) and a.dtype == dtype and not np.array_equal(a.get(), b.get())
    if np.dtype(dtype).kind == "f":
        assert a.get().min() >= 0 and a.get().max() < 1
        assert kolmogorov_smirnov(a.get(), lambda x: x) < 1.95


def test_shapes():
    assert curandom.rand(()).shape == () and curandom.rand(5).shape == (5,)
    assert curandom.rand((3, 0)).get().shape == (3, 0)
    data = gpuarray.empty((20, 30), np.float32, order="F")
    PHILOX(1).fill_uniform(data)
    assert len(np.unique(data.get())) == 600


def test_views():
    data, whole = gpuarray.zeros((20, 30), np.float32), PHILOX(1).gen_uniform(300, np.float32).get()
    PHILOX(1).fill_uniform(data[::-1, ::2])
    assert np.array_equal(data.get()[::-1, ::2].ravel(), whole) and not data.get()[:, 1::2].any()
    means = gpuarray.to_gpu(np.tile([0, 7], 500).astype(np.float32))
    PHILOX(1).fill_poisson(means[::2])
    assert means.get().tolist() == [0, 7] * 500


def test_seeds():
    uniform, unique = curandom.seed_getter_uniform(100), curandom.seed_getter_unique(100)
    assert uniform.dtype == unique.dtype == np.int32
    assert len(np.unique(uniform.get())) == 1 and len(np.unique(unique.get())) > 90
    a, b = (XORWOW(curandom.seed_getter_unique).gen_uniform(100, np.uint64).get() for _ in "ab")
    assert not np.array_equal(a, b)
    generator = XORWOW()
    assert generator.block_count * generator.generators_per_block == LANES


@pytest.mark.parametrize("call, error, text", [
    (lambda: curandom.rand(5, np.int8), NotImplementedError, "of dtype int8: there are float32"),
    (lambda: PHILOX(1).gen_normal(5, np.int32), NotImplementedError, "normal random numbers"),
    (lambda: PHILOX(1).gen_uniform(5, np.complex64), NotImplementedError, "of dtype complex64"),
    (lambda: PHILOX(1).gen_poisson(5, np.int32, 2), NotImplementedError, "float64, uint32"),
    (lambda: PHILOX(1).gen_poisson(5, np.uint32, -2), ValueError, "0 or more, got -2"),
    (lambda: PHILOX(1).fill_uniform(np.zeros(5, np.float32)), TypeError, "GPUArray"),
    (lambda: XORWOW(lambda n: gpuarray.zeros(5, np.int32)), TypeError, "right length"),
    (lambda: XORWOW(lambda n: gpuarray.zeros(n, np.int64)), TypeError, "right length"),
    (lambda: XORWOW(lambda n: np.zeros(n, np.int32)), TypeError, "right length"),
    (lambda: XORWOW().call_skip_ahead(-1), OverflowError, "-1"),
    (lambda: XORWOW().call_skip_ahead_array(gpuarray.zeros(5, np.int32)), TypeError, "65536"),
])
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_streams_and_threads():
    results = [None] * 4
    context = cuda.Context.get_current()

    def work(k):
        context.push()
        stream = cuda.Stream()
        data = PHILOX(k).gen_normal(50_000, np.float32, stream)
        stream.synchronize()
        results[k] = data.get()
        cuda.Context.pop()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(4):
        assert np.array_equal(results[k], PHILOX(k).gen_normal(50_000, np.float32).get())


def test_another_context():
    before = PHILOX(1).gen_uniform(10, np.float32).get()
    other = cuda.Device(0).make_context()
    try:
        assert np.array_equal(PHILOX(1).gen_uniform(10, np.float32).get(), before)
    finally:
        other.pop()
        other.detach()


def test_the_interpreter_ends_quietly(run_python):
    done = run_python("import pycuda.autoinit; from pycuda import curandom; a = curandom.rand(5)")
    assert (done.returncode, done.stderr) == (0, "")


def test_md5_code_is_md5(context):
    import hashlib

    from pycuda.elementwise import ElementwiseKernel

    kernel = ElementwiseKernel(
        "unsigned *out, unsigned seed", curandom.md5_code + "out[i] = i % 4 == 0 ? a : i % 4 == 1 ? b : i % 4 == 2 ? c : d;")
    out = gpuarray.zeros(1000, np.uint32)
    kernel(out, 12345)
    for i, word in enumerate(out.get()):
        digest = hashlib.md5(np.array([i, 12345], "<u4").tobytes(), usedforsecurity=False).digest()
        assert word == np.frombuffer(digest, "<u4")[i % 4]


GENERATORS = [name for name in dir(curandom) if name.endswith("RandomNumberGenerator")]


@pytest.mark.parametrize("name", GENERATORS)
def test_attributes_of_generators(context, name):
    import pycuda.driver as cuda

    gen = getattr(curandom, name)()
    assert gen.generator_bits in (32, 64) and gen.has_box_muller in (True, False)
    assert isinstance(gen.module, cuda.Module)
    data = gpuarray.zeros(100, np.float32)
    gen.generators["uniform"](data)
    assert ((data.get() > 0) & (data.get() <= 1)).all() and len(gen.generators) == 4
    if "Philox" not in name:
        assert int(gen.state) and isinstance(gen.state_type, str)
        assert gen.block_count * gen.generators_per_block >= 1


@pytest.mark.parametrize("kind, bits, pairs", [
    ("XORWOW", 32, True), ("MRG32k3a", 32, True), ("Sobol32", 32, False), ("Sobol64", 64, False),
    ("ScrambledSobol32", 32, False), ("ScrambledSobol64", 64, False)])
def test_attributes(kind, bits, pairs):
    """Those of PyCUDA's generators."""
    generator = getattr(curandom, f"{kind}RandomNumberGenerator")()
    assert generator.block_count > 0 and generator.generators_per_block > 0
    assert isinstance(generator.state, cuda.DeviceAllocation) and int(generator.state)
    assert isinstance(generator.module, cuda.Module) and isinstance(generator.state_type, str)
    assert {"uniform", "normal"} <= set(generator.generators) and all(map(callable, generator.generators.values()))
    assert (generator.generator_bits, generator.has_box_muller) == (bits, pairs)
