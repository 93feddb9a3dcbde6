/* Random numbers. An engine is a sequence of 32-bit words for each of many lanes; a
   distribution makes values of words; `fill` writes an array.

   A lane writes every 256th element of a tile of 4096, so that what lies side by side
   is written at once. Element e of an array is value r of lane 256 * tile + t, where e
   = 4096 * tile + 256 * r + t. Engines that keep a state have a fixed number of lanes,
   of which each takes the tiles that are left over a round, one after the other, and
   goes on in the next array where it stopped. The words are the same on every device.

   Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2,
   3", SC 2011. XORWOW: Marsaglia, "Xorshift RNGs", J. Stat. Software 8(14), 2003.
   MRG32k3a: L'Ecuyer, "Good Parameters and Implementations for Combined Multiple
   Recursive Random Number Generators", Operations Research 47(1), 1999. */
#ifndef PYCUDA_RANDOM_CUH
#define PYCUDA_RANDOM_CUH

#include "draws.cuh"
#include "operations.cuh"

namespace pycuda
{

typedef unsigned long long u64;

enum { random_rows = 16, random_width = 256, random_tile = random_rows * random_width };

/* -- Engines -- */

/* Counter-based: word p of a lane is word p % 4 of the function at the counter
   (p / 4, 0, lane, lane >> 32) under the key `seed`. */
struct philox {
    unsigned counter[4], key[2], block[4], position;

    PYCUDA_DEVICE philox(u64 seed, u64 lane) : position(0)
    {
        counter[0] = counter[1] = 0;
        counter[2] = (unsigned)lane;
        counter[3] = (unsigned)(lane >> 32);
        key[0] = (unsigned)seed;
        key[1] = (unsigned)(seed >> 32);
    }
    PYCUDA_DEVICE void round(unsigned k0, unsigned k1)
    {
        u64 a = 0xd2511f53ull * block[0], b = 0xcd9e8d57ull * block[2];
        block[0] = (unsigned)(b >> 32) ^ block[1] ^ k0;
        block[2] = (unsigned)(a >> 32) ^ block[3] ^ k1;
        block[1] = (unsigned)b;
        block[3] = (unsigned)a;
    }
    PYCUDA_DEVICE unsigned next()
    {
        unsigned at = position++ % 4;
        if (at == 0) {
            for (int k = 0; k < 4; k++)
                block[k] = counter[k];
            for (unsigned k = 0; k < 10; k++)
                round(key[0] + k * 0x9e3779b9u, key[1] + k * 0xbb67ae85u);
            counter[0]++;
        }
        return at == 0 ? block[0] : at == 1 ? block[1] : at == 2 ? block[2] : block[3];
    }
};

/* What a seed adds to word k of a state: nothing if it is 0. */
PYCUDA_DEVICE unsigned scatter(unsigned seed, unsigned k)
{
    unsigned x = seed * (2 * k + 0x9e3779b9u);
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* Engines with a state, kept as rows of `words` words, one column a lane. `jump` takes
   one power of the recurrence, `matrix` words of a table. */
struct xorwow {
    enum { words = 6, matrix = 160 * 5 };
    unsigned v[5], d;

    PYCUDA_DEVICE void start(unsigned seed)
    {
        const unsigned first[] = {123456789, 362436069, 521288629, 88675123, 5783321};
        for (int k = 0; k < 5; k++)
            v[k] = first[k] ^ scatter(seed, k);
        v[0] |= 1; /* all zero would stay so */
        d = 6615241 + scatter(seed, 5);
    }
    PYCUDA_DEVICE unsigned &word(int k) { return k < 5 ? v[k] : d; }
    PYCUDA_DEVICE unsigned next()
    {
        xorshift(v);
        d += 362437;
        return d + v[4];
    }
    /* Bit j of the state brings the words 5 j to 5 j + 4 of the matrix. */
    PYCUDA_DEVICE void jump(const unsigned *table)
    {
        unsigned sum[5] = {0, 0, 0, 0, 0};
        for (int k = 0; k < 5; k++)
            for (int bit = 0; bit < 32; bit++, table += 5) {
                unsigned mask = 0u - (v[k] >> bit & 1);
                for (int w = 0; w < 5; w++)
                    sum[w] ^= table[w] & mask;
            }
        for (int k = 0; k < 5; k++)
            v[k] = sum[k];
    }
    PYCUDA_DEVICE void jump_end(u64 count, unsigned exponent)
    {
        d += exponent < 32 ? (unsigned)(count << exponent) * 362437 : 0;
    }
};

struct mrg32k3a {
    enum { words = 6, matrix = 18 };
    enum : unsigned { c1 = 209, c2 = 22853 };
    unsigned x[6]; /* three of either component, oldest first */

    PYCUDA_DEVICE void start(unsigned seed)
    {
        for (int k = 0; k < 6; k++)
            x[k] = modulo(12345ull + scatter(seed, k), k < 3 ? c1 : c2);
        x[0] += x[0] == 0; /* all zero would stay so */
        x[3] += x[3] == 0;
    }
    PYCUDA_DEVICE unsigned &word(int k) { return x[k]; }
    PYCUDA_DEVICE unsigned next() { return mrg_step(x, x + 3); }
    /* Row k of both matrices: what becomes of word k. */
    PYCUDA_DEVICE void jump(const unsigned *table)
    {
        unsigned y[6];
        for (int k = 0; k < 6; k++) {
            unsigned c = k < 3 ? c1 : c2;
            u64 sum = 0;
            for (int j = 0; j < 3; j++)
                sum += modulo((u64)table[3 * k + j] * x[k / 3 * 3 + j], c);
            y[k] = modulo(sum, c);
        }
        for (int k = 0; k < 6; k++)
            x[k] = y[k];
    }
    PYCUDA_DEVICE void jump_end(u64, unsigned) {}
};

/* -- Distributions: `of` draws `count` values; v holds what was in the array, of those
   that look at it (`reads`). unroll: the loop over a tile's rows; not worth it where
   draws take loops of their own -- */

template <class E> PYCUDA_DEVICE u64 draw(E &e, u64)
{
    u64 x = e.next();
    return x | (u64)e.next() << 32;
}
template <class T> struct integer { /* all values */
    enum { count = 1, unroll = random_rows };
    template <class E> PYCUDA_DEVICE void of(E &e, T (&v)[1]) const
    {
        v[0] = sizeof(T) < 8 ? T(e.next()) : T(draw(e, u64()));
    }
};

/* 24 or 53 bits: whole numbers below 2^24 or 2^53. */
template <class E> PYCUDA_DEVICE unsigned draw(E &e, float) { return e.next() >> 8; }
template <class E> PYCUDA_DEVICE u64 draw(E &e, double)
{
    u64 x = e.next() >> 5;
    return x << 26 | e.next() >> 6;
}
PYCUDA_DEVICE float scale(unsigned x) { return x * (1.0f / (1 << 24)); }
PYCUDA_DEVICE double scale(u64 x) { return x * (1.0 / (1ll << 53)); }

template <class T> struct half_open { /* [0, 1) */
    enum { count = 1, unroll = random_rows };
    template <class E> PYCUDA_DEVICE void of(E &e, T (&v)[1]) const
    {
        v[0] = scale(draw(e, T()));
    }
};
template <class T> struct half_closed { /* (0, 1] */
    enum { count = 1, unroll = random_rows };
    template <class E> PYCUDA_DEVICE void of(E &e, T (&v)[1]) const
    {
        v[0] = scale(draw(e, T()) + 1);
    }
};

/* Box and Muller's pairs. */
template <class T> struct normal {
    enum { count = 2, unroll = random_rows };
    template <class E> PYCUDA_DEVICE void of(E &e, T (&v)[2]) const
    {
        T radius = ::sqrt(T(-2) * ::log(scale(draw(e, T()) + 1)));
        T turns = scale(draw(e, T()));
        ::sincospi(2 * turns, &v[0], &v[1]);
        v[0] *= radius;
        v[1] *= radius;
    }
};

template <class T> struct log_normal {
    enum { count = 2, unroll = random_rows };
    double mean, deviation;
    template <class E> PYCUDA_DEVICE void of(E &e, T (&v)[2]) const
    {
        normal<T>().of(e, v);
        for (int k = 0; k < 2; k++)
            v[k] = ::exp(T(mean) + T(deviation) * v[k]);
    }
};

template <class E> PYCUDA_DEVICE double draw_poisson(E &e, double mean)
{
    return poisson_of(
        mean, [&] { return scale(draw(e, double())); },
        [&] { return scale(draw(e, double()) + 1); });
}
template <class T> struct poisson {
    enum { count = 1, unroll = 1 };
    double mean; /* negative: the mean is what stands in the array */
    template <class E> PYCUDA_DEVICE void of(E &e, T (&v)[1]) const
    {
        v[0] = T(draw_poisson(e, mean < 0 ? double(v[0]) : mean));
    }
};

/* Whether a distribution looks at what is in the array: nobody may have written it. */
template <class D> PYCUDA_DEVICE bool reads(const D &) { return false; }
template <class T> PYCUDA_DEVICE bool reads(const poisson<T> &p) { return p.mean < 0; }

/* -- Lanes -- */

/* A lane's elements of a tile of which `left` elements are in the array. */
template <class E, class D, class T>
PYCUDA_DEVICE void fill_tile(E &e, const D &distribution, T *data, size_t left)
{
    T v[D::count];
    if (left >= random_tile) {
#pragma unroll(D::unroll)
        for (int row = 0; row < random_rows; row += D::count) {
            for (int k = 0; k < D::count && reads(distribution); k++)
                v[k] = data[(row + k) * random_width];
            distribution.of(e, v);
            for (int k = 0; k < D::count; k++)
                data[(row + k) * random_width] = v[k];
        }
        return;
    }
    for (int at = threadIdx.x; at < left; at += D::count * random_width) {
        for (int k = 0; k < D::count; k++)
            if (reads(distribution) && at + k * random_width < left)
                v[k] = data[at - threadIdx.x + k * random_width];
        distribution.of(e, v);
        for (int k = 0; k < D::count; k++)
            if (at + k * random_width < left)
                data[at - threadIdx.x + k * random_width] = v[k];
    }
}

/* A lane's part of an array of n elements: one tile, */
template <class D, class T>
PYCUDA_DEVICE void fill(philox &e, const D &distribution, T *data, size_t n, long lane)
{
    size_t first = (size_t)(lane - threadIdx.x) * random_rows;
    fill_tile(e, distribution, data + first + threadIdx.x, n - first);
}
/* or with `lanes` of them its tile and every lanes / 256th after. */
template <class E, class D, class T>
PYCUDA_DEVICE void fill(E &e, const D &distribution, T *data, size_t n, long lane,
                        size_t lanes)
{
    size_t first = (size_t)(lane - threadIdx.x) * random_rows;
    for (; first < n; first += lanes * random_rows)
        fill_tile(e, distribution, data + first + threadIdx.x, n - first);
}

template <class E>
PYCUDA_DEVICE void load(E &e, unsigned *state, size_t lane, size_t lanes)
{
    for (int k = 0; k < E::words; k++)
        e.word(k) = state[k * lanes + lane];
}
template <class E>
PYCUDA_DEVICE void save(E &e, unsigned *state, size_t lane, size_t lanes)
{
    for (int k = 0; k < E::words; k++)
        state[k * lanes + lane] = e.word(k);
}

/* Goes on by count * 2^exponent words; powers: matrices of 2^0, 2^1 and so on. */
template <class E>
PYCUDA_DEVICE void skip(E &e, const unsigned *powers, u64 count, unsigned exponent)
{
    e.jump_end(count, exponent);
    powers += exponent * E::matrix;
    for (; count; count >>= 1, powers += E::matrix)
        if (count & 1)
            e.jump(powers);
}

} // namespace pycuda

#endif
