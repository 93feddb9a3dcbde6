/* Sobol sequences. A point has a coordinate in each of `dimensions`; element e of the
   stream is coordinate e % dimensions of point e / dimensions. The points come in the
   order of Gray's code, as Antonov and Saleev proposed, so that from one to the next a
   word changes by one direction vector, and from point i to i + 2^k by two.

   What is drawn of a word keeps its order: normal and Poisson numbers are quantiles. */
#ifndef PYCUDA_SOBOL_CUH
#define PYCUDA_SOBOL_CUH

#include "random.cuh"

namespace pycuda
{

/* An engine for the distributions of random.cuh, each of which takes one word. */
template <class W> struct sobol {
    enum { bits = 8 * sizeof(W) };
    W word;

    PYCUDA_DEVICE unsigned next() const { return (unsigned)(word >> (bits - 32)); }
    /* The middle of what the word stands for. */
    PYCUDA_DEVICE u64 all() const
    {
        return bits == 64 ? (u64)word : (u64)word << 32 | 1u << 31;
    }
};

template <class W> PYCUDA_DEVICE u64 draw(sobol<W> &e, double) { return e.all() >> 11; }
template <class W> PYCUDA_DEVICE u64 draw(sobol<W> &e, u64) { return e.all(); }

/* The quantile of the middle of the draw; of the upper half by symmetry, since numbers
   close to 0 are the more precise ones. */
template <class W> PYCUDA_DEVICE double quantile(const sobol<W> &e, double)
{
    u64 x = e.all();
    double q = ::normcdfinv(((x >> 63 ? ~x : x) + 0.5) * (0.5 / (1ull << 63)));
    return x >> 63 ? -q : q;
}
template <class W> PYCUDA_DEVICE float quantile(const sobol<W> &e, float)
{
    unsigned x = e.next();
    float q = ::normcdfinv(((x >> 31 ? ~x : x) + 0.5f) * (0.5f / (1u << 31)));
    return x >> 31 ? -q : q;
}
template <class T> struct normal_quantile {
    enum { count = 1 };
    template <class E> PYCUDA_DEVICE void of(E &e, T (&v)[1]) const
    {
        v[0] = quantile(e, T());
    }
};
template <class T> struct log_normal_quantile {
    enum { count = 1 };
    double mean, deviation;
    template <class E> PYCUDA_DEVICE void of(E &e, T (&v)[1]) const
    {
        v[0] = ::exp(T(mean) + T(deviation) * quantile(e, T()));
    }
};

/* Of small means by adding up, of others by an expansion in 1 / sqrt(mean) (Giles,
   "Algorithm 955: Approximation of the Inverse Poisson Cumulative Distribution
   Function", ACM Trans. Math. Software 42(1), 2016). */
template <class W> PYCUDA_DEVICE double draw_poisson(sobol<W> &e, double mean)
{
    double k = 0;
    if (mean < 50) {
        double u = scale(draw(e, double()) | 1), p = ::exp(-mean), sum = p;
        while (u > sum && (k < mean || p > 1e-17))
            sum += p *= mean / ++k;
        return k;
    }
    double w = quantile(e, double()), s = w * w, root = ::sqrt(mean);
    k = mean + root * w + (2 + s) / 6 - w * (2 + s) / (72 * root) +
        (6 * s * s + 14 * s - 32) / (1620 * mean);
    return k > 0 ? ::floor(k) : 0;
}

/* Element e + shift of the stream that begins with point `first`, for all e below n. A
   lane has every 2^k-th point's coordinate in a dimension, 16 of them, so that lanes
   side by side write elements side by side. vectors: one row a bit, least significant
   index first; skipped: points to skip in each dimension. */
template <class W, class D, class T>
PYCUDA_DEVICE void fill(const W *vectors, const W *scramble, const W *skipped,
                        size_t dimensions, u64 first, size_t shift, unsigned k,
                        const D &distribution, T *data, size_t n, size_t lane)
{
    enum { bits = sobol<W>::bits };
    size_t dimension = lane % dimensions, row = lane / dimensions;
    size_t point = (row >> k << k) * random_rows + (row & (((size_t)1 << k) - 1));
    W i = W(first + point + skipped[dimension]), code = i ^ i >> 1;
    const W *vector = vectors + dimension;
    sobol<W> e = {scramble[dimension]};
    for (int bit = 0; bit < bits; bit++)
        e.word ^= vector[bit * dimensions] & (W)0 - (code >> bit & 1);
    W second = k ? vector[(k - 1) * dimensions] : 0;
    for (int r = 0; r < random_rows; r++) {
        size_t at = (point + ((size_t)r << k)) * dimensions + dimension - shift;
        if (at < n) { /* at wraps around where it is below shift */
            T v[1] = {data[at]};
            distribution.of(e, v);
            data[at] = v[0];
        }
        W high = (i >> k) + 1 | (W)1 << (bits - 1 - k); /* the sequence is a ring */
        e.word ^= vector[(k + __ffsll((long long)high) - 1) * dimensions] ^ second;
        i += (W)1 << k;
    }
}

} // namespace pycuda

#endif
