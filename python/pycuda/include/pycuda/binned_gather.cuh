/* Elements of a table, which is much larger than the L2 cache of a GPU, at many places
   that are far apart. One by one each takes a sector of memory that the next ones do not
   need. So places are sorted roughly: each tile of 8192 by bins, parts of the table that
   stay in the cache; all tiles' elements of the first bin are read, then those of the
   second one; and tiles put their elements in order. Where places that follow each other
   are neighbours, or come back soon, that would only cost: elements are taken one by one
   until the first blocks have found that they are not. */
#ifndef PYCUDA_BINNED_GATHER_CUH
#define PYCUDA_BINNED_GATHER_CUH

#include "tables.cuh"

namespace pycuda
{

/* The launcher has these numbers, too. */
enum {
    gather_watched_threads = 256,
    gather_most_sampled = 1 << 20, /* places */
    gather_tile = 8192,
    gather_threads = 512, /* of a tile's block */
    gather_most_bins = 256,
};

/* So many elements, read and written at once. */
template <class T, int count> struct gather_pack {
    enum { bytes = count * sizeof(T) };
    alignas(bytes < 16 ? bytes : 16) T of[count];
};
template <int count, class T> PYCUDA_DEVICE gather_pack<T, count> gather_read(const T *p)
{
    return *(const gather_pack<T, count> *)p;
}

/* The place of element number `a` of n, at most 2^32, counted from the end if it is below
   zero; if there is none, 0, and `wrong` becomes true. As wide as numbers of places are:
   checked_place of tables.cuh takes twice the instructions. */
template <class I> PYCUDA_DEVICE unsigned gather_place(I a, long long n, bool &wrong)
{
    typedef typename atomic_word<I, sizeof(I)>::type word;
    word place = word(a) + ((long long)a < 0 ? word(n) : 0);
    bool is_there = place <= word(n - 1);
    wrong |= !is_there;
    return is_there ? place : 0;
}

/* -- One by one ------------------------------------------------------------------- */

/* Of the first places, of which half as many sectors as they are would fill the cache,
   one in 16, chosen by its sector so that this one's others are, too, is asked whether
   it is the first in that sector: of at least four bits for each place that is asked
   the sector's number chooses one. */
enum {
    gather_asked = 16,
    gather_bits = 4 * gather_most_sampled / gather_asked,
    gather_near = 64 * 1024, /* bytes */
};
/* Zero, as each launch leaves them; two at a time mislead each other, no more. */
__device__ unsigned gather_seen[gather_bits / 32];
__device__ unsigned long long gather_found; /* with how many blocks looked, from 2^32 on */
/* The number of the last launch that was told to give up, many times: millions of reads
   of one sector of the L2 cache would take longer than all else. */
enum { gather_copies = 64, gather_apart = 16 };
__device__ volatile unsigned long long gather_given_up[gather_copies * gather_apart];

/* Whether a place is asked, the first one in its sector, and far from its neighbour: in
   ascending order, with gaps, places are near enough. */
template <class T> PYCUDA_DEVICE unsigned gather_look(unsigned place, unsigned next)
{
    unsigned long long apart = (place > next ? place - next : next - place) * sizeof(T);
    unsigned number = unsigned(place * sizeof(T) / 32) * 0x9e3779b1u;
    unsigned bit = number % (1u << 28) / ((1u << 28) / gather_bits), mask = 1u << bit % 32;
    if (number >> 28 || apart < gather_near)
        return 0;
    return (atomicOr(&gather_seen[bit / 32], mask) & mask) == 0;
}

/* Adds what a block found in its sample of so many places; the last one of `samplers`
   says whether launch number `call` is to give up. */
PYCUDA_DEVICE void gather_decide(unsigned found, unsigned places, unsigned samplers,
                                 unsigned long long call, int *is_given_up)
{
    __shared__ unsigned sum;
    __shared__ bool is_last, is_enough;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, found);
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned long long all = atomicAdd(&gather_found, (1ull << 32) + sum) + sum;
        is_last = all >> 32 == samplers - 1;
        is_enough = unsigned(all) > places / gather_asked * samplers / 10 * 6;
    }
    __syncthreads();
    if (!is_last)
        return;
    if (is_enough && threadIdx.x < gather_copies)
        gather_given_up[threadIdx.x * gather_apart] = call;
    for (unsigned k = threadIdx.x; k < gather_bits / 32; k += gather_watched_threads)
        gather_seen[k] = 0;
    if (threadIdx.x == 0) {
        gather_found = 0;
        if (is_enough)
            *is_given_up = 1;
    }
}

/* Takes elements until the places of the first blocks turn out to be far apart, which
   these find out before they take theirs and make memory a slow one. */
template <class T, class I>
PYCUDA_DEVICE void gather_watched(T *to, const I *places, const T *from, size_t count,
                                  long long n, unsigned samplers,
                                  unsigned long long call, int *is_wrong,
                                  int *is_given_up)
{
    enum { each = 16 / (sizeof(T) < sizeof(I) ? sizeof(I) : sizeof(T)) };
    size_t i = (size_t(blockIdx.x) * gather_watched_threads + threadIdx.x) * each;
    bool wrong = false, is_sampler = blockIdx.x < samplers;
    if (i + each <= count) {
        unsigned copy = blockIdx.x % gather_copies * gather_apart;
        bool is_over = !is_sampler && gather_given_up[copy] == call;
        gather_pack<I, each> place = gather_read<each>(&places[i]);
        gather_pack<T, each> element;
        unsigned at[each];
        if (is_over)
            return;
#pragma unroll
        for (int k = 0; k < each; k++)
            at[k] = gather_place(place.of[k], n, wrong);
        if (is_sampler) {
            unsigned is_first[each], found = 0;
#pragma unroll
            for (int k = 0; k < each; k++)
                is_first[k] = gather_look<T>(at[k], at[k ^ 1]);
#pragma unroll
            for (int k = 0; k < each; k++)
                found += is_first[k];
            gather_decide(found, gather_watched_threads * each, samplers, call,
                          is_given_up);
        }
#pragma unroll
        for (int k = 0; k < each; k++)
            element.of[k] = from[at[k]];
        *(gather_pack<T, each> *)&to[i] = element;
    } else
        for (; i < count; i++)
            to[i] = from[gather_place(places[i], n, wrong)];
    if (wrong)
        *is_wrong = 1;
}

/* -- By bins ---------------------------------------------------------------------- */

/* For the thread's places of a tile, of which all are there if it is full. */
template <bool is_full, class F> PYCUDA_DEVICE void gather_each(unsigned here, F f)
{
#pragma unroll
    for (int k = 0; k < gather_tile / gather_threads; k++)
        if (is_full || threadIdx.x + k * gather_threads < here)
            f(k, threadIdx.x + k * gather_threads);
}

/* Counts become sums of those before them, and the last one of all; for a warp. */
PYCUDA_DEVICE void gather_sum(unsigned *counts, unsigned bins)
{
    unsigned lane = threadIdx.x % 32, sum = 0;
    for (unsigned b = lane; b <= (bins | 31); b += 32) {
        unsigned own = b < bins ? counts[b] : 0, upto = own;
#pragma unroll
        for (unsigned k = 1; k < 32; k *= 2) {
            unsigned left = __shfl_up_sync(~0u, upto, k);
            upto += lane >= k ? left : 0;
        }
        if (b <= bins)
            counts[b] = sum + upto - own;
        sum += __shfl_sync(~0u, upto, 31);
    }
}

template <bool is_full, class I>
PYCUDA_DEVICE void gather_partition_tile(const I *places, unsigned *binned,
                                         unsigned short *slots, unsigned here,
                                         long long n, unsigned bits, unsigned bins,
                                         unsigned *ordered, unsigned *before, int *is_wrong)
{
    enum { each = gather_tile / gather_threads };
    unsigned place[each], rank[each];
    bool wrong = false;
    for (unsigned b = threadIdx.x; b < bins; b += gather_threads)
        before[b] = 0;
    gather_each<is_full>(here, [&](int k, unsigned i) {
        place[k] = gather_place(places[i], n, wrong);
    });
    if (wrong)
        *is_wrong = 1;
    __syncthreads();
    gather_each<is_full>(here, [&](int k, unsigned i) {
        rank[k] = atomicAdd(&before[place[k] >> bits], 1);
    });
    __syncthreads();
    if (threadIdx.x < 32)
        gather_sum(before, bins);
    __syncthreads();
    gather_each<is_full>(here, [&](int k, unsigned i) {
        rank[k] += before[place[k] >> bits];
        ordered[rank[k]] = place[k];
    });
    gather_each<is_full>(here, [&](int k, unsigned i) { slots[i] = rank[k]; });
    __syncthreads();
    gather_each<is_full>(here, [&](int k, unsigned i) { binned[i] = ordered[i]; });
}

/* A tile's places in the order of bins, each of 2^bits elements; where each went; and,
   for each bin, one after the last too, those of its tiles in turn: where it begins. */
template <class I>
PYCUDA_DEVICE void gather_partition(const I *places, unsigned *binned,
                                    unsigned short *slots, unsigned short *begins,
                                    size_t count, long long n, unsigned bits,
                                    unsigned bins, int *is_wrong)
{
    __shared__ unsigned ordered[gather_tile], before[gather_most_bins + 1];
    size_t base = size_t(blockIdx.x) * gather_tile;
    unsigned here = count - base < gather_tile ? count - base : gather_tile;
    places += base;
    binned += base;
    slots += base;
    if (here == gather_tile)
        gather_partition_tile<true>(places, binned, slots, here, n, bits, bins, ordered,
                                    before, is_wrong);
    else
        gather_partition_tile<false>(places, binned, slots, here, n, bits, bins, ordered,
                                     before, is_wrong);
    for (unsigned b = threadIdx.x; b <= bins; b += gather_threads)
        begins[size_t(b) * gridDim.x + blockIdx.x] = before[b];
}

/* Puts elements where the places in the order of bins were, or elsewhere; a warp for a
   tile's share of a bin. V: T, or a word that T is a part of. */
template <class T, class V>
PYCUDA_DEVICE void gather_bins(V *elements, const unsigned *binned,
                               const unsigned short *begins, const T *from,
                               unsigned tiles, unsigned bins)
{
    enum { each = 8 };
    size_t shares = size_t(tiles) * bins, step = size_t(gridDim.x) * (blockDim.x / 32);
    size_t share = size_t(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
    for (; share < shares; share += step) {
        unsigned end = begins[share + tiles];
        size_t tile = share % tiles * gather_tile;
        for (unsigned i = begins[share] + threadIdx.x % 32; i < end; i += 32 * each) {
            unsigned place[each];
            T element[each];
#pragma unroll
            for (int k = 0; k < each; k++)
                if (i + 32 * k < end)
                    place[k] = __ldcs(&binned[tile + i + 32 * k]);
#pragma unroll
            for (int k = 0; k < each; k++)
                if (i + 32 * k < end)
                    element[k] = from[place[k]];
#pragma unroll
            for (int k = 0; k < each; k++)
                if (i + 32 * k < end)
                    __stcs(&elements[tile + i + 32 * k], V(element[k]));
        }
    }
}

/* A tile's elements in their order, by way of shared memory for all of them. `elements`
   may be `to`. */
template <class T, class V>
PYCUDA_DEVICE void gather_order(T *to, const V *elements, const unsigned short *slots,
                                size_t count, V *shared)
{
    enum { read = 16 / sizeof(V), written = 8 };
    size_t base = size_t(blockIdx.x) * gather_tile;
    unsigned here = count - base < gather_tile ? count - base : gather_tile, i;
    for (i = threadIdx.x * read; i + read <= here; i += gather_threads * read)
        *(gather_pack<V, read> *)&shared[i] = gather_read<read>(&elements[base + i]);
    for (; i < here; i++)
        shared[i] = elements[base + i];
    __syncthreads();
    for (i = threadIdx.x * written; i + written <= here; i += gather_threads * written) {
        gather_pack<unsigned short, written> slot = gather_read<written>(&slots[base + i]);
        gather_pack<T, written> result;
#pragma unroll
        for (int k = 0; k < written; k++)
            result.of[k] = shared[slot.of[k]];
        *(gather_pack<T, written> *)&to[base + i] = result;
    }
    for (; i < here; i++)
        to[base + i] = shared[slots[base + i]];
}

} // namespace pycuda

#endif
