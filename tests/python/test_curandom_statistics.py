"""The ten tests of L'Ecuyer and Simard's SmallCrush ("TestU01: A C Library for Empirical Testing of
Random Number Generators", ACM Trans. Math. Software 33(4), 2007) on the words of each generator, in
NumPy. Every statistic becomes a number that is normal if the words are random.

pytest runs them on samples of a fifth of SmallCrush's; as a program, this file takes samples of its
size, for a minute or two a generator, and prints the numbers: test_curandom_statistics.py [SIZE]
"""

import math
import os
import sys

import numpy as np
import pytest

from pycuda import curandom, gpuarray

WIDE = "PYCUDA_TESTS_WIDE" in os.environ  # make check


def seeds(n):
    return gpuarray.full(n, 2024, np.int32)


GENERATORS = {
    "Philox": lambda: curandom.Philox4x32_10RandomNumberGenerator(2024),
    "XORWOW": lambda: curandom.XORWOWRandomNumberGenerator(seeds),
    "MRG32k3a": lambda: curandom.MRG32k3aRandomNumberGenerator(seeds),
}


class Words:
    """The words of a generator, array after array."""

    def __init__(self, generator):
        self.generator, self.left = generator, np.empty(0, np.uint32)

    def bits(self, shape, skip, count):
        """`count` bits of each of as many words, after the `skip` most significant ones."""
        n = math.prod(shape)
        while len(self.left) < n:
            more = self.generator.gen_uniform(2**22, np.uint32).get()
            self.left = np.concatenate([self.left, more])
        words, self.left = self.left[:n], self.left[n:]
        return (words << np.uint32(skip) >> np.uint32(32 - count)).reshape(shape)


# -- From counts to numbers ----------------------------------------------------------------


def chi_square(counts, probabilities):
    """Of Pearson's statistic by Wilson and Hilferty; what is expected fewer than 10 times is one."""
    expected = np.asarray(probabilities) / np.sum(probabilities) * counts.sum()
    rare = expected < 10
    counts = np.append(counts[~rare], counts[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    keep = expected > 0.5
    degrees = keep.sum() - 1
    ratio = ((counts - expected)[keep] ** 2 / expected[keep]).sum() / degrees
    return (ratio ** (1 / 3) - 1 + 2 / 9 / degrees) / math.sqrt(2 / 9 / degrees)


def poisson(count, mean):
    return 2 * (math.sqrt(count + 3 / 8) - math.sqrt(mean + 1 / 8))


def histogram(values, probabilities):
    """chi_square of whole numbers from 0; the last probability is for all from there on."""
    most = len(probabilities) - 1
    return chi_square(np.bincount(np.minimum(values, most).astype(np.int64), minlength=most + 1),
                      probabilities)


def occupancy(kinds, draws):
    """Row t: the probabilities of 0, 1, 2, ... kinds among t draws."""
    rows = np.zeros((draws + 1, kinds + 1))
    rows[0, 0], seen = 1, np.arange(kinds + 1)
    for t in range(draws):
        rows[t + 1] = rows[t] * seen / kinds
        rows[t + 1, 1:] += rows[t, :-1] * (kinds - seen[:-1]) / kinds
    return rows


def binomial(n, p=0.5):
    return np.array([math.comb(n, k) * p**k * (1 - p)**(n - k) for k in range(n + 1)])


# -- The tests: words and the size of the sample, as a part of SmallCrush's -----------------


def birthday_spacings(words, size):
    """Equal distances of points on a ring; as many places as make about 20 likely."""
    n = int(5e6 * size)
    bits = round((3 * math.log2(n) - 6.5) / 2)
    high, low = words.bits((2, n), 0, bits).astype(np.int64)
    spacings = np.sort(np.diff(np.sort(high << bits | low)))
    return [poisson((np.diff(spacings) == 0).sum(), n**3 / 4 / 4**bits)]


def collisions(words, size):
    n = int(5e6 * size)
    bits = round(math.log2(n) - 6)
    high, low = words.bits((2, n), 0, bits).astype(np.int64)
    k = 4**bits
    mean = n + k * math.expm1(n * math.log1p(-1 / k))
    return [(n - len(np.unique(high << bits | low)) - mean) / math.sqrt(mean)]


def gaps(words, size):
    """How many numbers lie between numbers below 1 / 256."""
    low = words.bits((int(2e5 * 256 * size),), 22, 8)
    lengths = np.diff(np.flatnonzero(low == 0)) - 1
    return [histogram(lengths, [*(1 / 256 * (255 / 256)**np.arange(1500)), (255 / 256)**1500])]


def poker(words, size):
    """How many different ones are among 64 numbers of 64 kinds."""
    hands = words.bits((int(4e5 * size), 64), 24, 6)
    seen = np.bitwise_or.reduce(np.uint64(1) << hands.astype(np.uint64), axis=1)
    return [histogram(np.bitwise_count(seen), occupancy(64, 64)[64])]


def coupons(words, size):
    """How many numbers it takes until all 16 kinds have come."""
    draws = words.bits((int(2e5 * size), 200), 26, 4).astype(np.uint8)
    last = np.zeros(len(draws), np.int64)
    for kind in range(16):
        hits = draws == kind
        last = np.maximum(last, np.where(hits.any(1), hits.argmax(1), 200))
    complete = occupancy(16, 200)[:, 16]
    return [histogram(last, [*np.diff(complete), 1 - complete[200]])]


def maximum_of_six(words, size):
    n = int(2e6 * size)
    most = (words.bits((n, 6), 0, 32).max(1) + 0.5) / 2**32
    return [histogram(np.floor(most**6 * (n // 20)), np.ones(n // 20))]


def weights(words, size):
    """How many of 256 numbers are below 1 / 8."""
    low = words.bits((int(2e5 * size), 256), 27, 3) == 0
    return [histogram(low.sum(1), binomial(256, 1 / 8))]


def matrix_ranks(words, size):
    """The ranks of 60 x 60 matrices of bits."""
    n, side = int(2e4 * size), 60
    rows = np.zeros((n, side), np.uint64)
    for _ in range(6):
        rows = rows << np.uint64(10) | words.bits((n, side), 20, 10)
    rank = np.zeros(n, int)
    for column in range(side):
        has = (rows >> np.uint64(column) & np.uint64(1)).astype(bool)
        row = rows[np.arange(n), has.argmax(1)]
        rows ^= np.where(has, row[:, np.newaxis], 0)  # that row becomes 0, too
        rank += has.any(1)
    missing = [2.0**-(side - r)**2 * math.prod(
        (1 - 2.0**(i - side))**2 / (1 - 2.0**(i - r)) for i in range(r)) for r in range(side, -1, -1)]
    return [histogram(side - rank, missing)]


def hamming_weights(words, size):
    """Whether the bits that are set in one string of 300 tell about the next."""
    n = int(5e5 * size)
    ones = np.bitwise_count(words.bits((n, 2, 30), 20, 10)).astype(np.int64).sum(2)
    one = binomial(300)
    return [chi_square(np.bincount(ones[:, 0] * 301 + ones[:, 1], minlength=301**2),
                       np.outer(one, one).ravel())]


def random_walks(words, size):
    """Of walks of 150 steps (149 for the last): steps to the right, the maximum, time on the right,
    returns, changes of side; Feller, Introduction to Probability Theory I, chapter III."""
    n, steps = int(1e6 * size), 150
    results = []
    for _ in range(-(-n // 50_000)):
        bits = words.bits((min(n, 50_000), 5), 0, 30).astype(np.uint32)
        bits = (bits[:, :, np.newaxis] >> np.arange(30, dtype=np.uint32) & 1).reshape(-1, steps)
        place = np.cumsum(2 * bits.astype(np.int8) - 1, axis=1, dtype=np.int16)
        right = (place > 0) | ((place == 0) & (bits == 0))
        sides = place[:, 0:149:2] > 0
        results.append([bits.sum(1), np.maximum(place.max(1), 0), right.sum(1) // 2,
                        (place == 0).sum(1), (sides[:, 1:] != sides[:, :-1]).sum(1)])
    half = steps // 2
    expected = [
        binomial(steps),
        [math.comb(steps, (steps + m + 1) // 2) / 2.0**steps for m in range(steps + 1)],
        [math.comb(2 * k, k) * math.comb(steps - 2 * k, half - k) / 2.0**steps
         for k in range(half + 1)],
        [math.comb(steps - r, half) / 2.0**(steps - r) for r in range(half + 1)],
        [2 * math.comb(149, 75 + c) / 2.0**149 for c in range(half)]]
    return [histogram(np.concatenate(found), wanted)
            for found, wanted in zip(zip(*results, strict=True), expected, strict=True)]


TESTS = [birthday_spacings, collisions, gaps, poker, coupons, maximum_of_six, weights, matrix_ranks,
         hamming_weights, random_walks]


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("name", [*GENERATORS][:None if WIDE else 1])
def test_small_crush(name):
    """A number above 4 is due once in 16,000."""
    words = Words(GENERATORS[name]())
    found = {test.__name__: test(words, 0.2) for test in TESTS}
    assert not {test: numbers for test, numbers in found.items() if np.abs(numbers).max() > 4}


class Weak:
    """NumPy's words, spoilt."""

    def __init__(self, spoil):
        self.random, self.spoil = np.random.default_rng(1), spoil

    def gen_uniform(self, n, dtype):
        words = self.random.integers(0, 2**32, n, dtype)
        self.spoil(words)
        self.get = lambda: words
        return self


def narrow(words):
    words >>= 1


def favour(words):
    words[words % 13 == 0] |= 1 << 4


def twice(words):
    words[1::2] = words[::2]


def depend(words):
    words[2::4] = words[::4] ^ words[1::4]


@pytest.mark.parametrize("spoil, seen_by", [
    (lambda words: None, []), (narrow, [collisions, maximum_of_six, random_walks]),
    (favour, [weights, hamming_weights]), (twice, [birthday_spacings, gaps, poker, coupons]),
    (depend, [matrix_ranks])])
def test_the_tests_see(spoil, seen_by):
    for test in seen_by or TESTS:
        numbers = test(Words(Weak(spoil)), 0.05)
        assert (np.abs(numbers).max() > 5) == bool(seen_by), test.__name__


def main():
    import pycuda.autoinit  # noqa: F401

    size = float(sys.argv[1]) if len(sys.argv) > 1 else 1
    for name, make in GENERATORS.items():
        words, numbers = Words(make()), []
        for test in TESTS:
            found = test(words, size)
            numbers += found
            print(f"{name:<10}{test.__name__:<20}", *(f"{z:7.2f}" for z in found), flush=True)
        print(f"{name}: {len(numbers)} numbers, the furthest {max(numbers, key=abs):.2f}\n")


if __name__ == "__main__":
    main()
