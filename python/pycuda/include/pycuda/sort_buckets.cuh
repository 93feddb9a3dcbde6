/* Sorting one long array of words of 32 or 64 bits on the host device. What it takes is
   how often memory is read and written, so a first pass, of all cores, sends elements
   to some hundreds or thousands of buckets, ranges of keys one after the other, so that
   a bucket fits into what a core has for itself; then blocks take bucket after bucket
   and sort it there. A sample tells where keys are many, so that buckets are of about
   one size: of floating-point numbers between 0 and 1 half have the same exponent. All
   is scalar code of thread 0 (sort_host.cuh says why). */
#ifndef PYCUDA_SORT_BUCKETS_CUH
#define PYCUDA_SORT_BUCKETS_CUH

#include "sort_codes.cuh"
#include "sort_host.cuh"
#include "sort_lines.cuh"

namespace pycuda
{

/* A part of a key: so many bits from bit `low` on. */
struct key_window {
    unsigned low, bits;
};
/* CUDA defines shifts by all bits and more, which takes instructions here. */
template <class W> PYCUDA_DEVICE W shifted(W x, unsigned by)
{
    return x >> (by & (8 * sizeof(W) - 1));
}
template <class W> PYCUDA_DEVICE unsigned digit_in(W key, key_window window)
{
    return unsigned(shifted(key, window.low)) & ((1u << (window.bits & 31)) - 1);
}

/* -- Buckets ----------------------------------------------------------------------- */

/* How keys are told apart: a table of even ranges between the ends of a sample, and for
   each of them how many buckets it is cut into, again evenly, or which one it shares
   with its neighbours. `entry` is the number of a range's first bucket and, in its low
   6 bits, how far keys are shifted for the number of one of its own. Written by the
   first launch; src/kernels/sort.c computes its size, too. */
struct bucket_plan {
    enum { range_bits = 11, ranges = 1 << range_bits };
    word64 low, span;        /* code of the start of range 0; to the end of the last */
    unsigned shift, last;    /* bits of a code in a range; number of the last bucket */
    unsigned arrived, taken; /* blocks that have counted; buckets that are sorted */
    unsigned entry[ranges];
    unsigned char bits[most_buckets]; /* in which codes of a bucket may differ */
};
template <class Order> struct bucket_of {
    typedef typename Order::element E;
    E low, span;
    unsigned shift;
    const unsigned *entry;
    PYCUDA_DEVICE bucket_of(const bucket_plan *plan)
        : low(E(plan->low)), span(E(plan->span)), shift(plan->shift), entry(plan->entry)
    {
    }
    PYCUDA_DEVICE E offset(E rank) const
    {
        E x = rank > low ? rank - low : 0;
        return x < span ? x : span;
    }
    /* Up to `span`. */
    PYCUDA_DEVICE unsigned at(E offset) const
    {
        E inside = offset & ((E(1) << shift) - 1);
        unsigned range = entry[shifted(offset, shift)];
        return (range >> 6) + unsigned(shifted(inside, range & 63));
    }
    PYCUDA_DEVICE unsigned operator()(E code) const
    {
        return at(offset(rank_of<Order>(code)));
    }
};

/* f(rank) of so many elements, one at random of each stretch of the array. */
template <class Order, class F>
PYCUDA_DEVICE void with_sample(const typename Order::element *from, size_t n,
                               unsigned sample, F f)
{
    unsigned random = 1;
    size_t each = n / sample;
    for (unsigned i = 0; i < sample; i++) {
        random = random * 1664525 + 1013904223;
        f(rank_of<Order>(sort_code<Order>::of(from[i * each + (random >> 8) % each])));
    }
}

/* The ranges: of a sample without its few least and greatest, and a little more, so that
   where keys are spread evenly none lie beyond. Zeros are in one range, and bucket, and
   so are NaNs, in the last. */
template <class Order>
PYCUDA_DEVICE void plan_ranges(const typename Order::element *from, size_t n,
                               bucket_plan *plan)
{
    typedef typename Order::element E;
    typedef sort_code<Order> code;
    enum { sample = 1024, beyond = 8 };
    E least[beyond], greatest[beyond], most = E(~E(0));
    if constexpr (code::is_ordered && !code::is_key)
        most = code::most;
    for (int k = 0; k < beyond; k++) {
        least[k] = most;
        greatest[k] = 0;
    }
    with_sample<Order>(from, n, sample, [&](E x) {
        E y = x = x < most ? x : most;
        for (int k = 0; k < beyond; k++) {
            E other = least[k];
            least[k] = x < other ? x : other;
            x = x < other ? other : x;
            other = greatest[k];
            greatest[k] = y > other ? y : other;
            y = y > other ? other : y;
        }
    });
    E low = least[beyond - 1], high = greatest[beyond - 1];
    E more = high > low ? (high - low) >> 5 : 0;
    low = low > more ? low - more : 0;
    high = high < most - more ? high + more : most;
    unsigned shift = code::is_ordered && !code::is_key; /* `zero` is even */
    while (((high >> shift) - (low >> shift)) >> bucket_plan::range_bits)
        shift++;
    plan->low = low >> shift << shift;
    plan->span = high - E(plan->low);
    plan->shift = shift;
}

/* Buckets of about `each` elements of the sample, of which count[range] are in a range;
   false: these were too many. Ranges that share a bucket begin where their number has
   zeros for those that tell them apart; those with many elements are no more than two
   passes sort, nor so few that a pass waits for its own counters. */
template <class Order>
PYCUDA_DEVICE bool cut_ranges(bucket_plan *plan, const unsigned *count, unsigned each,
                              unsigned most)
{
    typedef sort_code<Order> code;
    enum { few_bits = 5 };
    unsigned shift = plan->shift, start = code::is_ordered && !code::is_key;
    unsigned ranges = unsigned(plan->span >> shift) + 1, bucket = 0;
    word64 low = plan->low >> shift;
    for (unsigned r = 0, together; r < ranges; r += together) {
        unsigned sum = count[r], cuts = 0, joined = 0;
        while (cuts < shift - start && sum > (each + each / 2) << cuts)
            cuts++;
        for (together = 1;
             !cuts && !((low + r) & together) && r + together < ranges; joined++) {
            unsigned all = sum;
            for (unsigned k = together; k < 2 * together && r + k < ranges; k++)
                all += count[r + k];
            unsigned bits = shift + joined;
            if (all > (bits >= few_bits && bits < 2 * window_bits ? each : each / 8))
                break;
            sum = all;
            together *= 2;
        }
        if (bucket + (1u << cuts) > most)
            return false;
        together = together < ranges - r ? together : ranges - r;
        for (unsigned k = 0; k < together; k++)
            plan->entry[r + k] = bucket << 6 | (shift - cuts);
        for (unsigned k = 0; k < 1u << cuts; k++)
            plan->bits[bucket++] = (unsigned char)(shift - cuts + joined);
    }
    return true;
}

/* Up to twice `wanted` buckets, and `most_buckets`. count: for all ranges. */
template <class Order>
__device__ void plan_buckets(const typename Order::element *from, size_t n,
                             unsigned wanted, bucket_plan *plan, unsigned *count)
{
    typedef typename Order::element E;
    enum { each = 16 }; /* of the sample, for a bucket */
    unsigned most = 2 * wanted < most_buckets ? 2 * wanted : most_buckets;
    size_t sample = each * wanted < 16384 ? each * wanted : 16384;
    sample = sample < n / 8 ? sample : n / 8;
    plan_ranges<Order>(from, n, plan);
    for (unsigned r = 0; r < bucket_plan::ranges; r++)
        count[r] = 0;
    bucket_of<Order> bucket(plan);
    with_sample<Order>(from, n, unsigned(sample), [&](E rank) {
        count[shifted(bucket.offset(rank), bucket.shift)]++;
    });
    unsigned held = unsigned(sample / wanted);
    held = held ? held : 1;
    while (!cut_ranges<Order>(plan, count, held, most))
        held += held / 8 + 1;
    plan->last = bucket.at(bucket.span);
    plan->arrived = plan->taken = 0;
}

/* table[bucket][block]: how many of the block's stretch are in it; at last, by the
   block that arrives last, how many are before those. */
template <class Order>
__device__ void count_buckets(const typename Order::element *from, size_t *table,
                              bucket_plan *plan, size_t n, size_t each,
                              unsigned *count)
{
    enum { all = most_buckets };
    size_t block = blockIdx.x, blocks = gridDim.x, first = block * each;
    size_t end = first + each < n ? first + each : n, i = first;
    bucket_of<Order> bucket(plan);
    typedef sort_code<Order> code;
    unsigned used = plan->last + 1;
    for (unsigned k = 0; k < 2 * all; k++)
        count[k] = 0;
#pragma unroll 4
    for (; i + 2 <= end; i += 2) {
        fetch_ahead<2>(from + i);
        count[bucket(code::of(from[i]))]++;
        count[all + bucket(code::of(from[i + 1]))]++;
    }
    if (i < end)
        count[bucket(code::of(from[i]))]++;
    for (unsigned b = 0; b < used; b++)
        table[b * blocks + block] = (size_t)count[b] + count[all + b];
    __threadfence();
    if (atomicAdd(&plan->arrived, 1u) + 1 < blocks)
        return;
    __threadfence();
    replace_by_sums(table, blocks * used);
}

/* A stretch goes to its buckets. */
template <class Order, class I, bool has_places>
__device__ void spread(const typename Order::element *from, const size_t *table,
                       const bucket_plan *plan, typename Order::element *to, I *places,
                       size_t n, size_t each, sort_desk<Order, I, has_places> *desk)
{
    typedef typename Order::element E;
    size_t block = blockIdx.x, blocks = gridDim.x, first = block * each;
    size_t end = first + each < n ? first + each : n;
    unsigned used = plan->last + 1;
    if (first >= end)
        return;
    for (unsigned b = 0; b < used; b++)
        desk->next[b] = table[b * blocks + block];
    send_lines(
        desk, from + first, end - first, own_places(), first, to,
        places_choice<I, has_places>::of(places), used,
        [](E x) { return sort_code<Order>::of(x); }, bucket_of<Order>(plan));
}

/* -- A bucket ---------------------------------------------------------------------- */

/* Codes of elements at `from`, and places, which become elements and places of 64 bits
   at `to` and `result`. */
template <class E, class I> struct bucket {
    E *from, *to, *tile; /* tile: for elements while they change places; or null */
    I *places_from, *tile_places;
    long long *result;
    size_t n;
    E differ; /* bits in which keys may differ */
};

template <class Order, class Key, class I, bool has_places>
struct bucket_sort : bucket<typename Order::element, I> {
    typedef typename Order::element E;
    typedef bucket<E, I> base;
    typedef places_choice<I, has_places> choice;
    typedef sort_code<Order> code;
    using base::from, base::to, base::tile, base::places_from, base::tile_places;
    using base::result, base::n, base::differ;

    sort_desk<Order, I, has_places> *desk;
    key_window window[most_windows];
    unsigned *counts[most_windows], windows;

    PYCUDA_DEVICE bucket_sort(const base &b, sort_desk<Order, I, has_places> *desk)
        : base(b), desk(desk)
    {
    }

    PYCUDA_DEVICE void look_for_differences()
    {
        E first = Key::of(from[0]), all = 0;
        for (size_t i = 0; i < n; i++) {
            fetch_ahead(from + i);
            all |= Key::of(from[i]) ^ first;
        }
        differ = all;
    }

    /* Windows of up to `widest` bits for what may differ from bit `low` on. */
    PYCUDA_DEVICE void cut(unsigned low, unsigned top, unsigned cuts)
    {
        unsigned bits = cuts ? (top - low + cuts - 1) / cuts : 0;
        windows = 0;
        for (; low < top; low += bits)
            window[windows++] = {low, bits};
    }

    /* Of each line: what is read next, and where results go, which a last pass that
       writes here and there would wait for. */
    PYCUDA_DEVICE static void ask_ahead(const E *source, E *goal, long long *places,
                                        size_t i)
    {
        if ((size_t)(source + i) % 64 >= sizeof(E))
            return;
        __builtin_prefetch((const char *)(source + i) + 2048);
        __builtin_prefetch(goal + i, 1);
        if constexpr (has_places)
            for (int k = 0; k < int(64 / sizeof(E)); k += 8)
                __builtin_prefetch(places + i + k, 1);
    }

    /* Digits of all windows; those in which no keys differ are dropped. */
    PYCUDA_DEVICE void count()
    {
        unsigned *mine = desk->count, w = 0, left = 0;
        E first = Key::of(from[0]), all = 0;
        for (unsigned k = 0; k < windows; k++) {
            counts[k] = mine;
            mine += 1u << window[k].bits;
        }
        for (unsigned *at = desk->count; at < mine; at++)
            *at = 0;
        for (; w + 2 <= windows; w += 2) {
            key_window a = window[w], b = window[w + 1];
            unsigned *of_a = counts[w], *of_b = counts[w + 1];
            const E *source = from;
            E *goal = to;
            long long *places = result;
            size_t size = n;
#pragma unroll 4
            for (size_t i = 0; i < size; i++) {
                ask_ahead(source, goal, places, i);
                E key = Key::of(source[i]);
                of_a[digit_in(key, a)]++;
                of_b[digit_in(key, b)]++;
                all |= key ^ first;
            }
        }
        if (w < windows) {
            key_window a = window[w];
            unsigned *of_a = counts[w];
            for (size_t i = 0; i < n; i++) {
                ask_ahead(from, to, result, i);
                E key = Key::of(from[i]);
                of_a[digit_in(key, a)]++;
                all |= key ^ first;
            }
        }
        differ = windows ? all : differ;
        for (w = 0; w < windows; w++)
            if (digit_in(differ, window[w])) {
                window[left] = window[w];
                counts[left++] = counts[w];
            }
        windows = left;
        if (!tile && windows % 2 == 1) { /* codes would be at `to`: one more pass */
            window[windows] = {0, 0};
            counts[windows] = desk->count + window_counts;
            *counts[windows++] = n;
        }
    }

    /* By one digit; counts of it become places. */
    template <bool to_tile, class Change, class From, class To>
    PYCUDA_DEVICE void pass(const E *source, From source_places, E *goal,
                            To goal_places, unsigned *next, key_window by,
                            Change change)
    {
        unsigned digits = 1u << by.bits, sum = 0;
        for (unsigned d = 0; d < digits; d++) {
            unsigned mine = next[d];
            (to_tile ? next : desk->next)[d] = sum;
            sum += mine;
        }
        size_t size = n;
        if constexpr (to_tile)
#pragma unroll 4
            for (size_t i = 0; i < size; i++) {
                E x = source[i];
                unsigned at = next[digit_in(Key::of(x), by)]++;
                goal[at] = change(x);
                goal_places.put(at, source_places.get(i));
            }
        else
            send_lines(desk, source, n, source_places, 0, goal, goal_places, digits,
                       change, [=](E x) { return digit_in(Key::of(x), by); });
    }

    /* By the windows, from the lowest on; false: codes and places are where `source`
       and `source_places` say then, not at `to`. */
    PYCUDA_DEVICE bool passes(bool is_last, E *&source, I *&source_places)
    {
        source = from;
        source_places = places_from;
        for (unsigned w = 0; w < windows; w++) {
            unsigned left = windows - 1 - w;
            bool is_to = tile ? left % 2 != is_last : w % 2 == 0;
            if (left == 0 && is_last && tile) {
                pass<true>(source, choice::of(source_places), to,
                           choice::of_result(result), counts[w], window[w],
                           [](E x) { return code::element(x); });
                return true;
            }
            E *goal = is_to ? to : tile ? tile : from;
            I *goal_places = is_to ? (I *)result : tile ? tile_places : places_from;
            auto as_it_is = [](E x) { return x; };
            if (tile)
                pass<true>(source, choice::of(source_places), goal,
                           choice::of(goal_places), counts[w], window[w], as_it_is);
            else
                pass<false>(source, choice::of(source_places), goal,
                            choice::of(goal_places), counts[w], window[w], as_it_is);
            source = goal;
            source_places = goal_places;
        }
        return false;
    }

    /* Elements and places, to where they go; by insertion, where little is out of
       order. false: there was more. */
    PYCUDA_DEVICE bool insert(const E *source, const I *source_places, size_t most)
    {
        E last = 0;
        size_t moves = 0;
        for (size_t i = 0; i < n; i++) {
            fetch_ahead(source + i);
            E x = source[i], key = Key::of(x);
            size_t at = i;
            if (key >= last)
                last = key;
            else
                for (; at > 0 && Key::of(code::of(to[at - 1])) > key; at--)
                    to[at] = to[at - 1];
            to[at] = code::element(x);
            if constexpr (has_places) {
                for (size_t k = i; k > at; k--)
                    result[k] = result[k - 1];
                result[at] = source_places[i];
            }
            moves += i - at;
            if (moves > most)
                return false;
        }
        return true;
    }

    /* Few elements need no more bits than tell most of them apart: those that differ in
       others only are put in order by insertion. */
    PYCUDA_DEVICE void run()
    {
        enum { few = 24 };
        if (n <= few) {
            insert(from, places_from, ~size_t(0));
            return;
        }
        if (!tile || !differ)
            look_for_differences();
        unsigned log = 63 - __builtin_clzll(n), widest = log > 12  ? 11
                                                         : log > 6 ? log - 1
                                                                   : 5;
        unsigned top = differ ? 64 - __builtin_clzll(word64(differ)) : 0;
        unsigned low = differ ? __builtin_ctzll(word64(differ)) : 0, needed = log + 4;
        unsigned cuts = (needed + widest - 1) / widest;
        unsigned all_cuts = (top - low + widest - 1) / widest;
        if (!tile) { /* passes there take much longer than insertion, in pairs */
            cuts = log < 2 * window_bits ? 2 : 4;
            needed = cuts * widest;
        }
        bool is_part = all_cuts > cuts;
        E *source;
        I *source_places;
        if (is_part)
            cut(top - needed, top, cuts);
        else
            cut(low, top, all_cuts);
        count();
        is_part = is_part && (differ & ((E(1) << (top - needed)) - 1));
        if (passes(!is_part, source, source_places) ||
            insert(source, source_places, is_part ? 4 * n : 0))
            return;
        for (size_t i = 0; source != from && i < n; i++) {
            from[i] = source[i];
            if constexpr (has_places)
                places_from[i] = source_places[i];
        }
        cut(low, top, all_cuts);
        count();
        if (!passes(true, source, source_places))
            insert(source, source_places, 0);
    }
};

/* A block takes bucket after bucket. */
template <class Order, class I, bool has_places>
__device__ void sort_each_bucket(const sorted_pair<typename Order::element, I> *all,
                                 typename Order::element *spare, I *spare_places,
                                 const size_t *table, bucket_plan *plan, size_t n,
                                 sort_desk<Order, I, has_places> *desk,
                                 typename Order::element *tile, size_t tile_size)
{
    typedef typename Order::element E;
    typedef sort_code<Order> code;
    I *tile_places = (I *)(tile + tile_size);
    unsigned last = plan->last, zeros = 0;
    if constexpr (code::is_ordered && !code::is_key)
        zeros = bucket_of<Order>(plan)(code::zero);
    for (;;) {
        unsigned b = atomicAdd(&plan->taken, 1u);
        if (b > last)
            return;
        b = b ? b - 1 : last; /* the one without an end may be large */
        size_t first = table[(size_t)b * gridDim.x];
        size_t end = b < last ? table[(b + size_t(1)) * gridDim.x] : n;
        if (first == end)
            continue;
        bool is_tiled = end - first <= tile_size, has_ends = b > 0 && b < last;
        bucket<E, I> one = {
            spare + first,
            all->to + first,
            is_tiled ? tile : 0,
            has_places ? spare_places + first : 0,
            has_places ? tile_places : 0,
            has_places ? all->result + first : 0,
            end - first,
            has_ends ? (E(1) << (plan->bits[b] & (8 * sizeof(E) - 1))) - 1 : 0,
        };
        if constexpr (code::is_ordered) {
            if (code::is_key || (has_ends && b != zeros)) {
                bucket_sort<Order, by_code<Order>, I, has_places>(one, desk).run();
                continue;
            }
        }
        if constexpr (!code::is_key) {
            one.differ = 0;
            bucket_sort<Order, by_key<Order>, I, has_places>(one, desk).run();
        }
    }
}

/* -- Kernels ----------------------------------------------------------------------- */

template <class Order>
PYCUDA_DEVICE void sort_plan_buckets(const typename Order::element *from,
                                     bucket_plan *plan, size_t n, unsigned wanted)
{
    __shared__ unsigned count[bucket_plan::ranges];
    by_thread_0(plan_buckets<Order>, from, n, wanted, plan, (unsigned *)count);
}

template <class Order>
PYCUDA_DEVICE void sort_count_buckets(const typename Order::element *from,
                                      size_t *table, bucket_plan *plan, size_t n,
                                      size_t each)
{
    __shared__ unsigned count[2 * most_buckets];
    by_thread_0(count_buckets<Order>, from, table, plan, n, each, (unsigned *)count);
}

template <class Order, class I, bool has_places>
PYCUDA_DEVICE void sort_spread(const typename Order::element *from, const size_t *table,
                               const bucket_plan *plan, typename Order::element *to,
                               I *places, char *room, size_t room_bytes, size_t n,
                               size_t each)
{
    typedef sort_desk<Order, I, has_places> desk;
    by_thread_0(spread<Order, I, has_places>, from, table, plan, to, places, n, each,
                (desk *)(room + blockIdx.x * room_bytes));
}

template <class Order, class I, bool has_places>
PYCUDA_DEVICE void sort_buckets(sorted_pair<typename Order::element, I> all,
                                typename Order::element *spare, I *spare_places,
                                const size_t *table, bucket_plan *plan, char *room,
                                size_t room_bytes, size_t n, size_t tile_size)
{
    typedef typename Order::element E;
    typedef sort_desk<Order, I, has_places> desk;
    typedef sorted_pair<E, I> pair;
    char *own = room + blockIdx.x * room_bytes;
    by_thread_0(sort_each_bucket<Order, I, has_places>, (const pair *)&all, spare,
                spare_places, table, plan, n, (desk *)own, (E *)(own + sizeof(desk)),
                tile_size);
}

} // namespace pycuda

#endif
