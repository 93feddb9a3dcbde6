/* Sorting many short rows on the host device: each lane of a vector has a row, whose
   words lie `row_lanes` apart in a room of the block's, and a bitonic network of minima
   and maxima sorts all of them at once. Nothing in it depends on what rows hold: no
   branch, no digit that is counted. Rows of 1,000 words of 32 bits took a quarter of
   what passes over their digits do. */
#ifndef PYCUDA_SORT_LANES_CUH
#define PYCUDA_SORT_LANES_CUH

#include "sort_codes.cuh"
#include "sort_network.cuh"

namespace pycuda
{

/* The launcher has these numbers, too. */
enum {
    row_lanes = 16, /* threads of a block: a vector */
    row_items = 8,  /* that are sorted in registers; rows are filled up to a multiple */
};

/* -- Words of a row: signed, if they have 64 bits, as AVX2 compares these ------------ */

template <class W> PYCUDA_DEVICE W sign_turned(W x)
{
    return W(x ^ W(W(1) << (8 * sizeof(W) - 1)));
}

/* An element or its key, and its place; in the order of both. */
template <class E, int size = sizeof(E)> struct placed_word {
    typedef unsigned type;
    static PYCUDA_DEVICE type of(E x, unsigned place)
    {
        return unsigned(x) << 16 | place;
    }
    static PYCUDA_DEVICE E element(type word) { return E(word >> 16); }
    static PYCUDA_DEVICE unsigned place(type word) { return word & 0xffff; }
};
template <class E> struct placed_word<E, 4> {
    typedef long long type;
    static PYCUDA_DEVICE type of(E x, unsigned place)
    {
        return (long long)(word64(sign_turned(x)) << 32 | place);
    }
    static PYCUDA_DEVICE E element(type word)
    {
        return sign_turned(unsigned(word64(word) >> 32));
    }
    static PYCUDA_DEVICE unsigned place(type word) { return unsigned(word); }
};

/* An element's code alone. */
template <class E, int size = sizeof(E)> struct bare_word {
    typedef E type;
    static PYCUDA_DEVICE type of(E code) { return code; }
    static PYCUDA_DEVICE E code(type word) { return word; }
};
template <class E> struct bare_word<E, 8> {
    typedef long long type;
    static PYCUDA_DEVICE type of(E code) { return (long long)sign_turned(code); }
    static PYCUDA_DEVICE E code(type word) { return sign_turned(word64(word)); }
};

/* A word that none comes after. */
template <class W> constexpr W last_word = W(~W(0));
template <> constexpr long long last_word<long long> = ~0ull >> 1;

/* Those of a lane in the block's shared memory. */
template <class W> struct lane_words {
    W *first;
    PYCUDA_DEVICE W operator[](unsigned i) const { return first[i * row_lanes]; }
    PYCUDA_DEVICE void put(unsigned i, W word) const { first[i * row_lanes] = word; }
};

/* -- The network -------------------------------------------------------------------- */

/* f(word) of each row_items words. */
template <class Words, class F>
PYCUDA_DEVICE void in_registers(Words words, unsigned slots, F f)
{
    for (unsigned i = 0; i < slots; i += row_items) {
        decltype(words[0]) word[row_items];
#pragma unroll
        for (int k = 0; k < row_items; k++)
            word[k] = words[i + k];
        f(word);
#pragma unroll
        for (int k = 0; k < row_items; k++)
            words.put(i + k, word[k]);
    }
}

/* Of stretches of `size` words, whose second half is read backwards if is_turned: each
   word of the one half with one of the other. Stretches that end behind the row lack
   their last words, which would stay where they are. */
template <bool is_turned, class Words>
PYCUDA_DEVICE void meet(Words words, unsigned slots, unsigned size)
{
    unsigned half = size / 2;
    for (unsigned begin = 0; begin + half < slots; begin += size) {
        unsigned first = is_turned && begin + size > slots ? begin + size - slots : 0;
        unsigned end = is_turned || begin + size <= slots ? half : slots - begin - half;
        for (unsigned k = first; k < end; k++) {
            unsigned i = begin + k, j = is_turned ? begin + size - 1 - k : i + half;
            auto a = words[i], b = words[j];
            put_in_order(a, b);
            words.put(i, a);
            words.put(j, b);
        }
    }
}

/* Both that and, of half the size, what follows on it, with words read once. */
template <bool is_turned, class Words>
PYCUDA_DEVICE void meet_twice(Words words, unsigned slots, unsigned size)
{
    unsigned quarter = size / 4, begin = 0;
    for (; begin + size <= slots; begin += size)
        for (unsigned k = begin; k < begin + quarter; k++) {
            unsigned last = 2 * begin + size - 1 - k;
            const unsigned at[] = {k, k + quarter,
                                   is_turned ? last - quarter : k + 2 * quarter,
                                   is_turned ? last : k + 3 * quarter};
            decltype(words[0]) word[4];
#pragma unroll
            for (int m = 0; m < 4; m++)
                word[m] = words[at[m]];
            put_in_order(word[0], word[is_turned ? 3 : 2]);
            put_in_order(word[1], word[is_turned ? 2 : 3]);
            put_in_order(word[0], word[1]);
            put_in_order(word[2], word[3]);
#pragma unroll
            for (int m = 0; m < 4; m++)
                words.put(at[m], word[m]);
        }
    if (begin < slots) { /* the stretch that ends behind the row */
        Words rest = {words.first + begin * row_lanes};
        meet<is_turned>(rest, slots - begin, size);
        meet<false>(rest, slots - begin, size / 2);
    }
}

template <class Words> PYCUDA_DEVICE void sort_words(Words words, unsigned slots)
{
    in_registers(words, slots, [](auto &word) { sort_in_lane<row_items>(word); });
    bool is_odd = true; /* how often words of a stretch meet in memory */
    for (unsigned size = 2 * row_items; size < 2 * slots; size *= 2) {
        unsigned left = size / 2;
        if (is_odd)
            meet<true>(words, slots, size);
        else {
            meet_twice<true>(words, slots, size);
            left /= 2;
        }
        for (; left > row_items; left /= 4)
            meet_twice<false>(words, slots, left);
        in_registers(words, slots,
                     [](auto &word) { merge_in_lane<row_items / 2>(word); });
        is_odd = !is_odd;
    }
}

/* -- Rows --------------------------------------------------------------------------- */

/* Words of elements with their places. */
template <class Order, bool has_places> struct row_words {
    typedef typename Order::element E;
    typedef placed_word<E> word;
    typedef typename word::type W;

    PYCUDA_DEVICE W of(E x, unsigned place) { return word::of(Order::key(x), place); }
    /* Elements instead of their keys, while they are where they were. */
    PYCUDA_DEVICE void finish(lane_words<W> words, const E *row, unsigned n)
    {
        for (unsigned i = 0; i < n; i++) {
            unsigned place = word::place(words[i]);
            words.put(i, word::of(row[place], place));
        }
    }
    static PYCUDA_DEVICE E element(W word) { return placed_word<E>::element(word); }
    static PYCUDA_DEVICE long long place(W word) { return placed_word<E>::place(word); }
};

/* Words of codes alone. */
template <class Order> struct row_words<Order, false> {
    typedef typename Order::element E;
    typedef sort_code<Order> code;
    typedef bare_word<E> word;
    typedef typename word::type W;
    bool is_plain = true; /* without -0.0, and NaNs but the usual one */

    PYCUDA_DEVICE W of(E x, unsigned)
    {
        if constexpr (!code::is_key) {
            const E sign = sign_turned(E(0)), infinity = E(~(code::least | sign));
            const E nan = infinity | infinity >> 1;
            bool is_other = E(x & E(~sign)) > infinity && x != nan;
            is_plain &= !(is_other | (x == sign));
        }
        return word::of(code::of(x));
    }
    /* Zeros, and NaNs, in the order in which they were. */
    PYCUDA_DEVICE void finish(lane_words<W> words, const E *row, unsigned n)
    {
        if constexpr (!code::is_key) {
            if (is_plain)
                return;
            unsigned zeros = 0, nans = 0;
            for (unsigned i = 0; i < n; i++) {
                E own = word::code(words[i]);
                zeros += own < code::zero;
                nans += own <= code::most;
            }
            for (unsigned i = 0; i < n; i++) {
                E own = code::of(row[i]);
                if (E(own & ~1) == code::zero)
                    words.put(zeros++, word::of(own));
                else if (own > code::most)
                    words.put(nans++, word::of(own));
            }
        }
    }
    static PYCUDA_DEVICE E element(W word)
    {
        return code::element(bare_word<E>::code(word));
    }
};

/* A block for row_lanes rows, with shared memory for the words of as many of n elements
   and more, up to a multiple of row_items. */
template <class Order, bool has_places>
PYCUDA_DEVICE void sort_by_lanes(sorted_pair<typename Order::element, unsigned> all,
                                 size_t rows, unsigned n)
{
    typedef typename Order::element E;
    typedef row_words<Order, has_places> kind;
    typedef typename kind::W W;
    enum { each = sizeof(E) < 4 ? 16 : 64 / sizeof(E) }; /* a line, of elements or so */
    extern __shared__ word64 room[];
    __shared__ E line[row_lanes][each];
    __shared__ long long places[row_lanes][has_places ? each : 1];
    unsigned t = threadIdx.x, i = 0;
    size_t first = size_t(blockIdx.x) * row_lanes, at = (first + t) * n;
    bool are_all = first + row_lanes <= rows, is_there = first + t < rows;
    unsigned slots = (n + row_items - 1) / row_items * row_items;
    lane_words<W> words = {(W *)room + t};
    const E *from = all.from + at;
    E *to = all.to + at;
    long long *result = all.result + at;
    kind own;
    if (are_all)
        for (; i + each <= n; i += each) {
            E x[each];
#pragma unroll
            for (int k = 0; k < each; k++)
                x[k] = from[i + k];
#pragma unroll
            for (int k = 0; k < each; k++)
                words.put(i + k, own.of(x[k], i + k));
        }
    for (; i < slots; i++)
        words.put(i, i < n && is_there ? own.of(from[i], i) : last_word<W>);
    sort_words(words, slots);
    if (is_there)
        own.finish(words, from, n);
    i = 0;
    if (are_all) /* whole lines: if rows are pages apart, their lines share few places */
        for (; i + each <= n; i += each) {
#pragma unroll
            for (int k = 0; k < each; k++) {
                line[t][k] = kind::element(words[i + k]);
                if constexpr (has_places)
                    places[t][k] = kind::place(words[i + k]);
            }
            memcpy(to + i, line[t], sizeof line[t]);
            if constexpr (has_places)
                memcpy(result + i, places[t], sizeof places[t]);
        }
    for (; i < n; i++)
        if (is_there) {
            to[i] = kind::element(words[i]);
            if constexpr (has_places)
                result[i] = kind::place(words[i]);
        }
}

} // namespace pycuda

#endif
