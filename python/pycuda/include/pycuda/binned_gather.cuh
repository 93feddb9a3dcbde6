/* Elements of a table, which is much larger than the L2 cache of a GPU, at many places
   that are far apart. One by one each takes a sector of memory that the next ones do not
   need. So places are sorted roughly: each tile of some ten thousand by bins, parts of
   the table that shared memory holds; a block takes all tiles' elements of a bin from
   there; and tiles put their elements in order. Where places that follow each other are
   neighbours, or come back soon, that would only cost: the first blocks look whether they
   do, others wait for them, and where they do elements are taken one by one. */
#ifndef PYCUDA_BINNED_GATHER_CUH
#define PYCUDA_BINNED_GATHER_CUH

#include "async_copy.cuh"
#include "tables.cuh"
#include "warp.cuh"

namespace pycuda
{

/* The launcher has these numbers, too. */
enum {
    gather_watched_threads = 256,
    gather_watched_turns = 2,
    gather_most_sampled = 1 << 20, /* places */
    gather_threads = 1024, /* of a tile's block, and of a bin's */
    gather_most_read = 16, /* slots, by a thread at once */
    gather_most_large = 256, /* bins that have a large share of a tile */
};

/* Of tiles, as many as a multiprocessor has threads for. */
#if defined __CUDA_ARCH__ && \
    (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ / 100 == 10)
enum { gather_blocks = 2 };
#else
enum { gather_blocks = 1 };
#endif

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
/* What the last launch was told, many times: its number, doubled, and 1 more if it is to
   give up. Millions of reads of one sector of the L2 cache would take longer than all
   else. */
enum { gather_copies = 64, gather_apart = 16 };
__device__ volatile unsigned long long gather_told[gather_copies * gather_apart];
enum { gather_patience = 40 }; /* reads of that, by a block that waits for it */

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
    if (threadIdx.x < gather_copies)
        gather_told[threadIdx.x * gather_apart] = call * 2 + is_enough;
    for (unsigned k = threadIdx.x; k < gather_bits / 32; k += gather_watched_threads)
        gather_seen[k] = 0;
    if (threadIdx.x == 0) {
        gather_found = 0;
        if (is_enough)
            *is_given_up = 1;
    }
}

/* Whether launch number `call` is to give up, for a block; false if nothing is said of it
   for long, as where another launch was told something meanwhile. */
PYCUDA_DEVICE bool gather_wait(const volatile unsigned long long *told,
                               unsigned long long call)
{
    __shared__ bool is_over;
    if (threadIdx.x == 0) {
        unsigned long long said = *told;
        for (int k = 1; k < gather_patience && said / 2 != call; k++)
            said = *told;
        is_over = said == call * 2 + 1;
    }
    __syncthreads();
    return is_over;
}

/* Takes elements unless the places of the first blocks, `samplers`, turn out to be far
   apart. The blocks that run beside these wait to hear of that, `waiting` in all: what
   they would take makes memory a slow one, for samplers, too. */
template <class T, class I>
PYCUDA_DEVICE void gather_watched(T *to, const I *places, const T *from, size_t count,
                                  long long n, unsigned samplers, unsigned waiting,
                                  unsigned long long call, int *is_wrong,
                                  int *is_given_up)
{
    enum {
        each = 16 / (sizeof(T) < sizeof(I) ? sizeof(I) : sizeof(T)),
        step = gather_watched_threads * each,
        turns = gather_watched_turns,
    };
    size_t begin = size_t(blockIdx.x) * (turns * step), i = begin + threadIdx.x;
    bool wrong = false;
    if (count - begin >= turns * step) {
        const volatile unsigned long long *told =
            &gather_told[blockIdx.x % gather_copies * gather_apart];
        bool is_over = blockIdx.x >= waiting && *told == call * 2 + 1;
        gather_pack<I, each> place[turns];
        gather_pack<T, each> element[turns];
        unsigned at[turns][each], found = 0;
        i = begin + threadIdx.x * each;
#pragma unroll
        for (int t = 0; t < turns; t++)
            place[t] = gather_read<each>(&places[i + t * step]);
        if (is_over)
            return;
#pragma unroll
        for (int t = 0; t < turns; t++)
#pragma unroll
            for (int k = 0; k < each; k++)
                at[t][k] = gather_place(place[t].of[k], n, wrong);
        if (blockIdx.x < samplers) {
#pragma unroll
            for (int t = 0; t < turns; t++)
#pragma unroll
                for (int k = 0; k < each; k++)
                    found += gather_look<T>(at[t][k], at[t][k ^ 1]);
            gather_decide(found, turns * step, samplers, call, is_given_up);
        }
        if (blockIdx.x < waiting && gather_wait(told, call))
            return;
#pragma unroll
        for (int t = 0; t < turns; t++)
#pragma unroll
            for (int k = 0; k < each; k++)
                element[t].of[k] = from[at[t][k]];
#pragma unroll
        for (int t = 0; t < turns; t++)
            *(gather_pack<T, each> *)&to[i + t * step] = element[t];
    } else
        for (; i < count; i += gather_watched_threads)
            to[i] = from[gather_place(places[i], n, wrong)];
    if (wrong)
        *is_wrong = 1;
}

/* -- By bins ---------------------------------------------------------------------- */

/* Counts become sums of those before them; for a block. */
PYCUDA_DEVICE void gather_sum(unsigned *counts, unsigned bins)
{
    __shared__ unsigned sums[gather_threads / 32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = 0;
    unsigned each = (bins + gather_threads - 1) / gather_threads * 32;
    unsigned begin = warp * each + lane, end = (warp + 1) * each;
    for (unsigned b = begin; b < end; b += 32) {
        unsigned own = b < bins ? counts[b] : 0, upto = sum_to_lane(own);
        if (b < bins)
            counts[b] = sum + upto - own;
        sum += __shfl_sync(~0u, upto, 31);
    }
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    unsigned before = lane < warp ? sums[lane] : 0;
#pragma unroll
    for (unsigned k = 16; k > 0; k /= 2)
        before += __shfl_xor_sync(~0u, before, k);
    for (unsigned b = begin; b < end && b < bins; b += 32)
        counts[b] += before;
    __syncthreads();
}

/* Of a place: its bin, each of `size` elements, and in the lower half of the word how
   many of these lie before it. By a product with the reciprocal, that of 2^32. */
struct gather_parts {
    long long n;
    unsigned size, reciprocal;
    int *is_wrong;
    template <class I> PYCUDA_DEVICE unsigned operator()(I a) const
    {
        bool wrong = false;
        unsigned place = gather_place(a, n, wrong);
        unsigned bin = __umulhi(place, reciprocal), rest = place - bin * size;
        bool is_one_less = rest >= size;
        if (wrong)
            *is_wrong = 1;
        return (bin + is_one_less) << 16 | (rest - (is_one_less ? size : 0));
    }
};

/* f(i, parts of places from number i on) for those of a tile that are the thread's: some
   loads are under way at once. */
template <int tile, class I, class F>
PYCUDA_DEVICE void gather_each(const I *places, unsigned here, const gather_parts &part,
                               F f)
{
    enum {
        pack = sizeof(I) < 4 ? 4 : 16 / sizeof(I),
        step = pack * gather_threads,
        turns = tile / step % 3 ? (tile / step % 4 ? 2 : 4) : 3,
    };
    unsigned i = threadIdx.x;
    if (here < tile) {
        for (; i < here; i += gather_threads)
            f(i, gather_pack<unsigned, 1>{{part(places[i])}});
        return;
    }
    for (i *= pack; i < tile; i += turns * step) {
        gather_pack<I, pack> place[turns];
#pragma unroll
        for (int t = 0; t < turns; t++)
            place[t] = gather_read<pack>(&places[i + t * step]);
#pragma unroll
        for (int t = 0; t < turns; t++) {
            gather_pack<unsigned, pack> parts;
#pragma unroll
            for (int j = 0; j < pack; j++)
                parts.of[j] = part(place[t].of[j]);
            f(i + t * step, parts);
        }
    }
}

/* A tile's places, less where their bin begins, in the order of bins; where each went;
   and, for each bin, one after the last too, those of its tiles in turn: where it
   begins. Of a bin that has more than `most` of them, elements are put there. */
template <int tile, class T, class I>
PYCUDA_DEVICE void gather_partition(T *elements, const I *places, const T *from,
                                    unsigned short *binned, unsigned short *slots,
                                    unsigned short *begins, size_t count,
                                    gather_parts part, unsigned bins, unsigned most,
                                    unsigned short *ordered)
{
    enum { pack = 8 };
    __shared__ unsigned large[gather_most_large], larges;
    unsigned *ends = (unsigned *)(ordered + tile);
    size_t base = size_t(blockIdx.x) * tile;
    unsigned here = count - base < tile ? count - base : tile;
    for (unsigned b = threadIdx.x; b < bins; b += gather_threads)
        ends[b] = 0;
    if (threadIdx.x == 0)
        larges = 0;
    __syncthreads();
    gather_each<tile>(places + base, here, part, [&](unsigned, const auto &parts) {
        for (unsigned own : parts.of)
            atomicAdd(&ends[own >> 16], 1);
    });
    __syncthreads();
    gather_sum(ends, bins);
    gather_each<tile>(places + base, here, part, [&](unsigned i, const auto &parts) {
        enum { some = sizeof parts / sizeof *parts.of };
        gather_pack<unsigned short, some> slot;
#pragma unroll
        for (int j = 0; j < some; j++) {
            slot.of[j] = atomicAdd(&ends[parts.of[j] >> 16], 1);
            ordered[slot.of[j]] = parts.of[j];
        }
        *(gather_pack<unsigned short, some> *)&slots[base + i] = slot;
    });
    if (here < tile && threadIdx.x < gather_most_read) /* there is memory for them */
        slots[base + here + threadIdx.x] = 0;
    __syncthreads();
    for (unsigned b = threadIdx.x; b <= bins; b += gather_threads) {
        unsigned begin = b > 0 ? ends[b - 1] : 0;
        begins[size_t(b) * gridDim.x + blockIdx.x] = begin;
        if (b < bins && ends[b] - begin > most)
            large[atomicAdd(&larges, 1)] = b;
    }
    for (unsigned i = threadIdx.x * pack; i < here; i += gather_threads * pack)
        *(gather_pack<unsigned short, pack> *)&binned[base + i] =
            gather_read<pack>(&ordered[i]);
    __syncthreads();
    for (unsigned k = 0; k < larges; k++) {
        unsigned b = large[k], i = (b > 0 ? ends[b - 1] : 0) + threadIdx.x;
        for (; i < ends[b]; i += gather_threads)
            elements[base + i] = from[size_t(b) * part.size + ordered[i]];
    }
}

/* Elements of a bin, for 32 tiles, whose shares of it begin at `begins`: each by some
   lanes of a warp, a pack each, in turns that are under way at once; and what is left of
   a share by all of them. */
template <int tile, class T>
PYCUDA_DEVICE void gather_shares(T *elements, const unsigned short *binned,
                                 const unsigned short *begins, const T *part,
                                 unsigned here, unsigned tiles, unsigned most)
{
    enum { pack = 4, lanes = 16, turns = 4 };
    unsigned lane = threadIdx.x % 32, begin = 0, end = 0;
    if (lane < here) {
        begin = begins[lane];
        end = begins[tiles + lane];
    }
    if (end - begin > most) /* gather_partition has put them */
        end = begin;
    for (unsigned k = 0; k < lanes; k += turns) {
        unsigned at[turns], size[turns], skipped[turns];
        gather_pack<unsigned short, pack> place[turns];
#pragma unroll
        for (int t = 0; t < turns; t++) {
            unsigned share = ((k + t) * 32 + lane) / lanes;
            unsigned from = __shfl_sync(~0u, begin, share);
            unsigned i = from / pack * pack + lane % lanes * pack;
            size[t] = __shfl_sync(~0u, end, share) - from;
            skipped[t] = i - from; /* of the first one, below zero */
            at[t] = share * tile + i;
            if (int(skipped[t]) < int(size[t]))
                place[t] = gather_read<pack>(&binned[at[t]]);
        }
#pragma unroll
        for (int t = 0; t < turns; t++) {
            gather_pack<T, pack> element;
            bool are_all = skipped[t] < size[t] && skipped[t] + pack <= size[t];
#pragma unroll
            for (int j = 0; j < pack; j++)
                if (skipped[t] + j < size[t])
                    element.of[j] = part[place[t].of[j]];
            if (are_all)
                *(gather_pack<T, pack> *)&elements[at[t]] = element;
            else
#pragma unroll
                for (int j = 0; j < pack; j++)
                    if (skipped[t] + j < size[t])
                        elements[at[t] + j] = element.of[j];
        }
    }
    unsigned done = (begin / pack + lanes) * pack;
    unsigned left = __ballot_sync(~0u, end > done);
    for (; left != 0; left &= left - 1) {
        unsigned share = __ffs(left) - 1, upto = __shfl_sync(~0u, end, share);
        unsigned i = __shfl_sync(~0u, done, share) + lane;
        for (; i < upto; i += 32)
            elements[share * tile + i] = part[binned[share * tile + i]];
    }
}

/* Elements of a bin, as many as there are, to shared memory; for a block. */
template <class T>
PYCUDA_DEVICE void gather_load(T *part, const T *bin, unsigned here)
{
    unsigned i = threadIdx.x;
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
    enum { pack = 16 / sizeof(T) };
    if (size_t(bin) % 16 == 0 && here % pack == 0) {
        for (i *= pack; i < here; i += gather_threads * pack)
            copy_async<16>(&part[i], &bin[i], 16);
        copies_commit();
        copies_wait<0>();
        return;
    }
#endif
#pragma unroll 8
    for (; i < here; i += gather_threads)
        part[i] = bin[i];
}

/* Puts elements where the places in the order of bins are, a bin at a time, which is in
   shared memory meanwhile. */
template <int tile, class T>
PYCUDA_DEVICE void gather_bins(T *elements, const unsigned short *binned,
                               const unsigned short *begins, const T *from, long long n,
                               unsigned size, unsigned tiles, unsigned bins,
                               unsigned most, T *part)
{
    for (unsigned b = blockIdx.x; b < bins; b += gridDim.x) {
        size_t begin = size_t(b) * size;
        gather_load(part, from + begin, n - begin < size ? n - begin : size);
        __syncthreads();
        unsigned first = threadIdx.x / 32 * 32;
        for (; first < tiles; first += gather_threads)
            gather_shares<tile>(elements + size_t(first) * tile,
                                binned + size_t(first) * tile,
                                begins + size_t(b) * tiles + first, part, tiles - first,
                                tiles, most);
        __syncthreads();
    }
}

/* A tile's elements in their order, by way of shared memory for all of them. */
template <int tile, class T>
PYCUDA_DEVICE void gather_order(T *elements, const unsigned short *slots, size_t count,
                                T *shared)
{
    enum { pack = 16 / sizeof(T), packs = tile / pack / gather_threads };
    size_t base = size_t(blockIdx.x) * tile;
    unsigned here = count - base < tile ? count - base : tile, i;
    gather_pack<unsigned short, pack> slot[packs];
    elements += base;
#pragma unroll
    for (int k = 0; k < packs; k++) {
        i = (k * gather_threads + threadIdx.x) * pack;
        if (i < here)
            slot[k] = gather_read<pack>(&slots[base + i]);
    }
    for (i = threadIdx.x * pack; i + pack <= here; i += gather_threads * pack)
        *(gather_pack<T, pack> *)&shared[i] = gather_read<pack>(&elements[i]);
    for (; i < here; i++)
        shared[i] = elements[i];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < packs; k++) {
        gather_pack<T, pack> result;
        i = (k * gather_threads + threadIdx.x) * pack;
        if (i >= here)
            break;
#pragma unroll
        for (int j = 0; j < pack; j++)
            result.of[j] = shared[slot[k].of[j]];
        if (i + pack <= here)
            *(gather_pack<T, pack> *)&elements[i] = result;
        else
#pragma unroll
            for (int j = 0; j < pack; j++)
                if (i + j < here)
                    elements[i + j] = result.of[j];
    }
}

} // namespace pycuda

#endif
