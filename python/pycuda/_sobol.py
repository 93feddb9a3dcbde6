"""Direction vectors of Sobol sequences, on the host.

Dimension 0 is van der Corput's sequence; each other one belongs to a primitive polynomial over the
field of two elements, in the order of degrees and then of coefficients, and to as many odd numbers
m_1, m_2, ... to start with as the polynomial has degrees. sobol_numbers.bin has those of the first
1,111 dimensions, which Joe and Kuo chose so that pairs of dimensions are spread well ("Constructing
Sobol sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30, 2008: D(6)). The
numbers of dimensions beyond are drawn at random, once and for all.
"""

import functools
import pathlib

import numpy as np

MOST_DIMENSIONS = 21201  # as in their largest table: up to degree 18
_MOST_DEGREES_IN_TABLE = 13


def _primes(n):
    return [p for p in range(2, n + 1) if n % p == 0 and all(p % q for q in range(2, p))]


@functools.cache
def primitive_polynomials(degree):
    """Polynomials modulo which x has 2**degree - 1 powers; bit k is the coefficient of x**k."""
    polynomials = np.arange(2**degree + 1, 2**(degree + 1), 2)

    def power(n):
        y = np.ones_like(polynomials)
        for digit in f"{n:b}":
            factor, y = y, np.zeros_like(y)
            for bit in reversed(range(degree)):
                y = y << 1 ^ factor * (factor >> bit & 1)
                y ^= polynomials * (y >> degree)
            if digit == "1":
                y <<= 1
                y ^= polynomials * (y >> degree)
        return y

    order = 2**degree - 1
    polynomials = polynomials[power(order) == 1]
    for prime in _primes(order):
        if prime < order:
            polynomials = polynomials[power(order // prime) != 1]
    return polynomials


@functools.cache
def _dimensions(degree, bits):
    """Direction vectors of all dimensions of a degree: column j is 2**-(j+1) m_(j+1) in fixed point."""
    polynomials = primitive_polynomials(degree)
    count, digits = len(polynomials), degree * (degree - 1) // 2
    if degree <= _MOST_DEGREES_IN_TABLE:
        packed = np.fromfile(pathlib.Path(__file__).with_name("sobol_numbers.bin"), np.uint8)
        skipped = sum(len(primitive_polynomials(d)) * d * (d - 1) // 2 for d in range(1, degree))
        choice = np.unpackbits(packed, bitorder="little")[skipped:skipped + count * digits]
    else:
        words = np.random.Philox(key=degree).random_raw(-(-count * digits // 64))
        choice = np.unpackbits(words.view(np.uint8), bitorder="little")[:count * digits]
    choice = choice.reshape(count, digits).astype(np.uint64)
    m = np.ones((count, bits), np.uint64)
    for i in range(1, degree):
        first = i * (i - 1) // 2
        m[:, i] |= choice[:, first:first + i] @ (2 << np.arange(i, dtype=np.uint64))
    polynomials = polynomials.astype(np.uint64)
    for i in range(degree, bits):
        m[:, i] = m[:, i - degree] ^ m[:, i - degree] << degree
        for k in range(1, degree):
            m[:, i] ^= (polynomials >> (degree - k) & 1) * (m[:, i - k] << k)
    return m << np.arange(bits - 1, -1, -1, dtype=np.uint64)


def direction_vectors(count, bits):
    """Of the first `count` dimensions, uint32 or uint64 by `bits`: (count, bits), a bit an index."""
    blocks = [np.uint64(1) << np.arange(bits - 1, -1, -1, dtype=np.uint64)[np.newaxis]]
    while sum(map(len, blocks)) < count:
        blocks.append(_dimensions(len(blocks), bits))
    return np.concatenate(blocks)[:count].astype(f"u{bits // 8}")


def _random_words(count, dtype, key):
    words = np.random.Philox(key=key).random_raw(count)
    return (words >> np.uint64(64 - 8 * np.dtype(dtype).itemsize)).astype(dtype)


def scramble_constants(count, dtype):
    return _random_words(count, dtype, 1)


def scrambled(vectors):
    """Every word times a random lower triangular matrix with ones on the diagonal, one a dimension;
    bit 0 is the lowest row."""
    bits, number = vectors.shape[1], vectors.dtype.type
    columns = _random_words(vectors.size, vectors.dtype, 2).reshape(vectors.shape)
    result = np.zeros_like(vectors)
    for bit in range(bits):
        column = columns[:, [bit]] & number((1 << bit) - 1) | number(1 << bit)
        result ^= (vectors >> bit & 1) * column
    return result
