/* Elements on their way to many places at once are gathered by cache lines, which are
   written past the caches as a whole: otherwise each line is read first, and takes a
   way out of the cache later. */
#ifndef PYCUDA_SORT_LINES_CUH
#define PYCUDA_SORT_LINES_CUH

#include "sort_order.cuh"

namespace pycuda
{

/* Of each line, for loops that take so many elements a turn, of memory that is read in
   order: processors look less far ahead, and a line would take longer than all that is
   done with it. */
template <int elements = 1, class T> PYCUDA_DEVICE void fetch_ahead(const T *at)
{
    if ((size_t)at % 64 < elements * sizeof(T))
        __builtin_prefetch((const char *)at + 2048);
}

/* 64 bytes past the caches, to a multiple of 8 bytes. */
PYCUDA_DEVICE void stream_line(void *to, const void *from)
{
#pragma unroll
    for (int k = 0; k < 8; k++)
        __builtin_nontemporal_store(((const word64 *)from)[k], (word64 *)to + k);
}
template <int together, class T> PYCUDA_DEVICE void stream_lines(T *to, const T *from)
{
    static_assert(together * sizeof(T) % 64 == 0, "lines as a whole");
    if ((size_t)to % 8 == 0)
#pragma unroll
        for (int k = 0; k < together; k += 64 / sizeof(T))
            stream_line(to + k, from + k);
    else
        memcpy((void *)to, (const void *)from, together * sizeof(T));
}

/* Where elements of a stretch of memory, and their places, are or go. Places are an
   array, the elements' own numbers, or not asked for. */
struct no_places {
    PYCUDA_DEVICE unsigned get(size_t) const { return 0; }
    PYCUDA_DEVICE void put(size_t, word64) const {}
};
struct own_places {
    PYCUDA_DEVICE size_t get(size_t i) const { return i; }
};
template <class I> struct places_at {
    I *at;
    PYCUDA_DEVICE I get(size_t i) const { return at[i]; }
    PYCUDA_DEVICE void put(size_t i, word64 place) const { at[i] = I(place); }
};
template <class I, bool has_places> struct places_choice {
    typedef places_at<I> some;
    typedef places_at<long long> result;
    static PYCUDA_DEVICE some of(I *at) { return {at}; }
    static PYCUDA_DEVICE result of_result(long long *at) { return {at}; }
};
template <class I> struct places_choice<I, false> {
    typedef no_places some, result;
    static PYCUDA_DEVICE some of(I *) { return {}; }
    static PYCUDA_DEVICE result of_result(long long *) { return {}; }
};

/* -- Memory ------------------------------------------------------------------------ */

enum {
    most_buckets = 4096,
    window_bits = 11, /* of a digit: counters and ends of 2048 places are in caches */
    window_counts = 6 << window_bits, /* for all digits of a word of 64 bits */
    most_windows = 16,
};

/* Of a block; src/kernels/sort.c computes its size, too. */
template <class Order, class I, bool has_places> struct sort_desk {
    typedef typename Order::element E;
    enum {
        narrow = has_places && sizeof(I) < sizeof(E) ? sizeof(I) : sizeof(E),
        together = 64 / narrow, /* elements: whole lines, and of places, too */
    };
    __align__(64) E line[most_buckets * together];
    __align__(64) I line_places[has_places ? most_buckets * together : 1];
    unsigned next[most_buckets], start[most_buckets], count[window_counts + 1];
};

/* Elements go, by lines, where the next one with their digit does. desk->next: where
   the first ones go. */
template <class Desk, class E, class Change, class Digit, class From, class To>
PYCUDA_DEVICE void send_lines(Desk *desk, const E *from, size_t n, From places_from,
                              size_t first_place, E *to, To places_to, unsigned digits,
                              Change change, Digit digit)
{
    enum { together = Desk::together, has_places = !__is_same(To, no_places) };
    const unsigned skew = (size_t)to % 64 / sizeof(E); /* lines of memory begin at 0 */
    auto write = [=](unsigned d, unsigned first, unsigned end) {
        for (unsigned i = first; i < end; i++) {
            unsigned k = d * together + i % together;
            to[i - skew] = desk->line[k];
            if constexpr (has_places)
                places_to.put(i - skew, desk->line_places[k]);
        }
    };
    for (unsigned d = 0; d < digits; d++)
        desk->start[d] = desk->next[d] += skew;
    auto place = [=](size_t i, E x, unsigned d) {
        unsigned at = desk->next[d]++;
        unsigned in_line = at % together, k = d * together + in_line;
        desk->line[k] = x;
        if constexpr (has_places)
            desk->line_places[k] = places_from.get(first_place + i);
        if (in_line < together - 1)
            return;
        unsigned first = at - (together - 1);
        if (first < desk->start[d]) {
            write(d, desk->start[d], at + 1);
            return;
        }
        stream_lines<together>(to + (first - skew), desk->line + d * together);
        if constexpr (has_places)
            stream_lines<together>(places_to.at + (first - skew),
                                   desk->line_places + d * together);
    };
    /* Digits of some elements first: of vectors of them, and branches that are guessed
       wrong, one a line, wait for less. */
    enum { ahead = 128 };
    size_t i = 0;
    for (; i + ahead <= n; i += ahead) {
        E code[ahead];
        unsigned digit_of[ahead];
        for (unsigned k = 0; k < ahead * sizeof(E); k += 64)
            __builtin_prefetch((const char *)(from + i) + k + 2048);
        for (unsigned k = 0; k < ahead; k++) {
            code[k] = change(from[i + k]);
            digit_of[k] = digit(code[k]);
        }
        for (unsigned k = 0; k < ahead; k++)
            place(i + k, code[k], digit_of[k]);
    }
    for (; i < n; i++) {
        E x = change(from[i]);
        place(i, x, digit(x));
    }
    for (unsigned d = 0; d < digits; d++) {
        unsigned end = desk->next[d], first = end / together * together;
        write(d, first < desk->start[d] ? desk->start[d] : first, end);
    }
    __threadfence(); /* what went past the caches is there before other blocks go on */
}

} // namespace pycuda

#endif
