/* How many elements of an array are in each of a few bins. A block counts its stretch in
   shared memory, in several tables where bins are few, so that neighbours seldom wait
   for each other, and adds what it has to the counts of all. */
#ifndef PYCUDA_COUNTING_CUH
#define PYCUDA_COUNTING_CUH

#include "elementwise.cuh"

namespace pycuda
{

/* The launcher has this number, too. */
enum { most_bins = 2048 };

/* Elements are numbers of bins. */
template <class T> struct numbered_bins {
    typedef T element;
    PYCUDA_DEVICE numbered_bins(const void *, unsigned) {}
    PYCUDA_DEVICE unsigned find(T x) const { return unsigned(x); }
};

/* The type in which the number of a bin is guessed. */
template <class C> struct guess_of {
    typedef double type;
};
template <> struct guess_of<float> {
    typedef float type;
};

/* Bins between edges of type C, in ascending order: each has its lower edge, the last one
   its upper edge, too. even: they have about one width, so a division finds the bin, or
   one beside it. */
template <class T, class C, bool even> struct bins_between {
    typedef T element;
    typedef typename guess_of<C>::type real;
    C *edge;
    real first, scale;
    unsigned bins;

    PYCUDA_DEVICE bins_between(const void *edges, unsigned bins) : bins(bins)
    {
        __shared__ C shared[most_bins + 1];
        edge = shared;
        for (unsigned k = threadIdx.x; k <= bins; k += blockDim.x)
            edge[k] = ((const C *)edges)[k];
        __syncthreads();
        first = real(edge[0]);
        scale = real(bins) / (real(edge[bins]) - first);
    }
    /* A number that is no bin's for what is outside, and for NaN. */
    PYCUDA_DEVICE unsigned find(T x) const
    {
        C v = convert<C>(x);
        if (!(v >= edge[0] && v <= edge[bins]))
            return bins;
        if (even) {
            real guess = (real(v) - first) * scale;
            unsigned bin = guess < real(bins - 1) ? unsigned(guess) : bins - 1;
            bin -= v < edge[bin] && bin > 0;
            bin += v >= edge[bin + 1] && bin + 1 < bins;
            while (bin > 0 && v < edge[bin])
                bin--;
            while (bin + 1 < bins && v >= edge[bin + 1])
                bin++;
            return bin;
        }
        unsigned low = 0, high = bins; /* the last edge below `high` that is not above v */
        while (high - low > 1) {
            unsigned middle = (low + high) / 2;
            if (edge[middle] <= v)
                low = middle;
            else
                high = middle;
        }
        return low;
    }
};

/* share: elements that a block takes. */
template <class Bins>
PYCUDA_DEVICE void count(const typename Bins::element *x, const void *edges,
                         unsigned long long *counts, size_t n, size_t share,
                         unsigned bins)
{
    enum { together = 4 }; /* loads that are under way */
    __shared__ unsigned table[most_bins];
    unsigned tables = most_bins / bins < 8 ? most_bins / bins : 8;
#ifdef PYCUDA_GPU_SHAPE
    unsigned *mine = table + threadIdx.x / 32 % tables * bins;
#else /* a block is a warp, whose lanes would meet in one table */
    unsigned *mine = table + threadIdx.x % tables * bins;
#endif
    for (unsigned k = threadIdx.x; k < tables * bins; k += blockDim.x)
        table[k] = 0;
    Bins all(edges, bins);
    __syncthreads();
    size_t begin = blockIdx.x * share, end = begin + share < n ? begin + share : n;
    for (size_t i = begin + threadIdx.x; i < end; i += together * blockDim.x) {
        typename Bins::element v[together];
#pragma unroll
        for (unsigned r = 0; r < together; r++)
            v[r] = x[i + r * blockDim.x < end ? i + r * blockDim.x : begin];
#pragma unroll
        for (unsigned r = 0; r < together; r++) {
            unsigned bin = i + r * blockDim.x < end ? all.find(v[r]) : bins;
            if (bin < bins)
                atomicAdd(mine + bin, 1);
        }
    }
    __syncthreads();
    for (unsigned k = threadIdx.x; k < bins; k += blockDim.x) {
        unsigned sum = 0;
        for (unsigned t = 0; t < tables; t++)
            sum += table[t * bins + k];
        if (sum)
            atomicAdd(counts + k, (unsigned long long)sum);
    }
}

} // namespace pycuda

#endif
