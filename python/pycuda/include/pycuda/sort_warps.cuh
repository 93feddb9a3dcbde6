/* Sorting short rows on a GPU, several by a warp or one by a warp or a block: a bitonic
   network of words in registers, among the elements of a lane, and between lanes by
   shuffles. */
#ifndef PYCUDA_SORT_WARPS_CUH
#define PYCUDA_SORT_WARPS_CUH

#include "sort_codes.cuh"
#include "sort_network.cuh"
#include "warp.cuh"

namespace pycuda
{

/* -- What is sorted: keys and, below them, places in the row, which make it stable - */

/* In parts, also 64 bits: of a minimum and a maximum of whole ones compilers make two
   comparisons. */
template <class K> struct sorted_word {
    K high;
    unsigned low;
};
PYCUDA_DEVICE word64 whole(sorted_word<unsigned> x)
{
    return word64(x.high) << 32 | x.low;
}

/* Rows are shorter than 2^16. */
PYCUDA_DEVICE unsigned key_at(unsigned char key, unsigned place)
{
    return unsigned(key) << 16 | place;
}
PYCUDA_DEVICE unsigned key_at(unsigned short key, unsigned place)
{
    return unsigned(key) << 16 | place;
}
template <class K> PYCUDA_DEVICE sorted_word<K> key_at(K key, unsigned place)
{
    return {key, place};
}
PYCUDA_DEVICE unsigned place_of(unsigned x) { return x & 0xffff; }
template <class K> PYCUDA_DEVICE unsigned place_of(sorted_word<K> x) { return x.low; }

PYCUDA_DEVICE bool comes_before(sorted_word<unsigned> a, sorted_word<unsigned> b)
{
    return whole(a) < whole(b);
}
PYCUDA_DEVICE bool comes_before(sorted_word<word64> a, sorted_word<word64> b)
{
    return (a.high < b.high) | ((a.high == b.high) & (a.low < b.low));
}
PYCUDA_DEVICE bool comes_before(sorted_word<two_words> a, sorted_word<two_words> b)
{
    word64 high = a.high.high, other = b.high.high;
    sorted_word<word64> low = {a.high.low, a.low}, other_low = {b.high.low, b.low};
    return (high < other) | ((high == other) & comes_before(low, other_low));
}

/* Part by part, of which compilers make selections and no branches. */
PYCUDA_DEVICE two_words chosen(bool is_first, two_words a, two_words b)
{
    return {chosen(is_first, a.low, b.low), chosen(is_first, a.high, b.high)};
}
template <class K>
PYCUDA_DEVICE sorted_word<K> chosen(bool is_first, sorted_word<K> a, sorted_word<K> b)
{
    return {chosen(is_first, a.high, b.high), chosen(is_first, a.low, b.low)};
}

PYCUDA_DEVICE unsigned of_lane_xor(unsigned x, unsigned lanes)
{
    return shuffle<lane_xor>(x, lanes);
}
template <class K>
PYCUDA_DEVICE sorted_word<K> of_lane_xor(sorted_word<K> x, unsigned lanes)
{
    return {shuffle<lane_xor>(x.high, lanes), shuffle<lane_xor>(x.low, lanes)};
}

/* Words with a place, from which elements are found where they were read; or, where
   equal keys are equal elements and nobody asks for places, codes of elements alone. */
template <class Order, bool has_place> struct short_word {
    typedef typename Order::element E;
    typedef decltype(key_at(E(), 0)) type;
    static PYCUDA_DEVICE type of(E x, unsigned place)
    {
        return key_at(Order::key(x), place);
    }
};
template <class E> struct code_word {
    typedef unsigned type;
    static PYCUDA_DEVICE unsigned of(E code) { return code; }
    static PYCUDA_DEVICE E code(unsigned x) { return E(x); }
};
template <> struct code_word<word64> {
    typedef sorted_word<unsigned> type;
    static PYCUDA_DEVICE type of(word64 x) { return {unsigned(x >> 32), unsigned(x)}; }
    static PYCUDA_DEVICE word64 code(type x) { return whole(x); }
};
template <class Order> struct short_word<Order, false> {
    typedef typename Order::element E;
    typedef code_word<E> word;
    typedef typename word::type type;
    static PYCUDA_DEVICE type of(E x, unsigned)
    {
        return word::of(sort_code<Order>::of(x));
    }
    static PYCUDA_DEVICE E element(type x)
    {
        return sort_code<Order>::element(word::code(x));
    }
};

/* -- The network: a lane has `items` neighbours of a row ------------------------- */

enum { short_threads = 128 }; /* of a block */

template <class W> PYCUDA_DEVICE void keep_one(W &own, W other, bool is_lower)
{
    own = chosen(comes_before(other, own) == is_lower, other, own);
}

/* Each lane with that whose number differs in the bits `by`: it keeps the first or the
   last of each two elements. is_turned: the other's are read backwards. */
template <bool is_turned, int items, class W>
PYCUDA_DEVICE void meet_in_warp(W (&word)[items], unsigned by, bool is_lower)
{
#pragma unroll
    for (int k = 0; k < items / 2; k++) {
        W &one = word[k], &last = word[items - 1 - k];
        W others = of_lane_xor(one, by), others_last = of_lane_xor(last, by);
        keep_one(one, is_turned ? others_last : others, is_lower);
        keep_one(last, is_turned ? others : others_last, is_lower);
    }
}

/* The same beyond a warp: four elements at a time pass through shared memory. */
template <bool is_turned, int items, class W>
PYCUDA_DEVICE void meet_in_block(W (&word)[items], unsigned by, bool is_lower,
                                 W *passed)
{
    unsigned own = threadIdx.x, other = own ^ by;
#pragma unroll
    for (int k = 0; k < items / 2; k += 2) {
        const int at[] = {k, k + 1, items - 1 - k, items - 2 - k};
#pragma unroll
        for (int j = 0; j < 4; j++)
            passed[short_threads * j + own] = word[at[j]];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 4; j++)
            keep_one(word[at[j]],
                     passed[short_threads * (is_turned ? j ^ 2 : j) + other], is_lower);
        __syncthreads();
    }
}

/* Sorts what each `lanes` neighbours have; lanes: a power of two. passed: of lanes of
   more than one warp. */
template <bool is_block, int items, class W>
PYCUDA_DEVICE void sort_in_lanes(W (&word)[items], unsigned lanes, W *passed)
{
    unsigned lane = threadIdx.x;
    sort_in_lane<items>(word);
#pragma unroll 1
    for (unsigned size = 2; size <= lanes; size *= 2) {
        bool is_lower = !(lane & size / 2);
        if (is_block && size > 32)
            meet_in_block<true>(word, size - 1, is_lower, passed);
        else
            meet_in_warp<true>(word, size - 1, is_lower);
#pragma unroll 1
        for (unsigned apart = size / 4; apart; apart /= 2) {
            is_lower = !(lane & apart);
            if (is_block && apart >= 32)
                meet_in_block<false>(word, apart, is_lower, passed);
            else
                meet_in_warp<false>(word, apart, is_lower);
        }
        merge_in_lane<items / 2>(word);
    }
}

/* -- Rows -------------------------------------------------------------------------- */

/* Of up to 32 * items elements, or threads * items with is_block, where warps go
   through rows together. The launcher has these numbers, too: threads, and that a row
   has as few lanes, a power of two, as its length asks for. */
template <class Order, int items, bool has_places, bool is_block> struct short_rows {
    typedef typename Order::element E;
    typedef sorted_pair<E, unsigned> pair;
    enum {
        threads = short_threads,
        team = is_block ? threads : 32,
        by_place = has_places || !sort_code<Order>::is_key,
        slots = team * (items + 1), /* a gap after each lane's, for other banks */
    };
    typedef short_word<Order, by_place> words;
    typedef typename words::type W;
    enum {
        registers = items * sizeof(W) / 4,
        blocks = 512 / (registers + 64), /* of a multiprocessor, which has 2^16 */
    };
    struct team_room {
        __align__(16) E elements[slots];
        unsigned short places[by_place ? slots : 1];
        __align__(16) W passed[is_block ? 4 * threads : 1];
    };
    static PYCUDA_DEVICE void wait()
    {
        if (is_block)
            __syncthreads();
        else
            __syncwarp();
    }

    /* The rows of a team, one after the other, as they are in memory. */
    static PYCUDA_DEVICE void load(const E *from, unsigned count, unsigned lane, E *to)
    {
        E x[items];
#pragma unroll
        for (int k = 0; k < items; k++)
            x[k] = lane + team * k < count ? from[lane + team * k] : E();
#pragma unroll
        for (int k = 0; k < items; k++)
            to[lane + team * k] = x[k];
    }

    /* first: of `count` elements, the first one. at / n is exact: at is below 1024, or
       4096 and n above 32. */
    static PYCUDA_DEVICE void store(const pair &all, size_t first, unsigned count,
                                    unsigned n, unsigned lane, unsigned lanes,
                                    const team_room *room)
    {
        const int bits = is_block ? 25 : 22;
        unsigned inverse = (1u << bits) / n + 1, gap = lanes * items - n;
#pragma unroll
        for (int k = 0; k < items; k++) {
            unsigned at = lane + team * k;
            if (at >= count)
                continue;
            unsigned row = at * inverse >> bits, slot = at + row * gap;
            slot += slot / items;
            if constexpr (by_place) {
                unsigned place = room->places[slot];
                all.to[first + at] = room->elements[row * n + place];
                if (has_places)
                    all.result[first + at] = place;
            } else
                all.to[first + at] = room->elements[slot];
        }
    }

    static PYCUDA_DEVICE void sort(pair all, size_t rows, unsigned n)
    {
        __shared__ team_room rooms[threads / team];
        unsigned lane = threadIdx.x % team, lanes = 1;
        team_room *room = &rooms[threadIdx.x / team];
        while (lanes * items < n)
            lanes *= 2;
        unsigned each = team / lanes, own = lane / lanes, first = lane % lanes;
        size_t step = size_t(gridDim.x) * (threads / lanes);
        for (size_t r =
                 size_t(blockIdx.x) * (threads / lanes) + threadIdx.x / team * each;
             r < rows; r += step) {
            unsigned here = rows - r < each ? unsigned(rows - r) : each;
            unsigned length = own < here ? n : 0;
            W word[items];
            load(all.from + r * n, here * n, lane, room->elements);
            wait();
#pragma unroll
            for (int k = 0; k < items; k++) {
                unsigned place = first + lanes * k; /* any order will do */
                bool is_there = place < length;
                E x = is_there ? room->elements[own * n + place] : Order::last();
                word[k] = words::of(x, is_there ? place : ~0u);
            }
            sort_in_lanes<is_block>(word, lanes, room->passed);
            wait();
#pragma unroll
            for (int k = 0; k < items; k++)
                if constexpr (by_place)
                    room->places[lane * (items + 1) + k] = place_of(word[k]);
                else
                    room->elements[lane * (items + 1) + k] = words::element(word[k]);
            wait();
            store(all, r * n, here * n, n, lane, lanes, room);
            wait();
        }
    }
};

} // namespace pycuda

#endif
