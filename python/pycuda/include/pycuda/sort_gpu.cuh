/* Sorting one long array on a GPU, by digits of a byte from the lowest on. The digits of
   all places are counted first; then a launch for each place reads and writes each
   element once, by tiles: a block orders its tile by digit in shared memory, tells
   others how many of each digit it has, and adds up what the blocks before it tell
   ("onesweep", Adinets and Merrill 2022). Tiles are taken in order, so whatever is waited
   for is under way. A place where all elements have the same digit is passed over: the
   device itself plans which launches do something, so nobody waits for it. */
#ifndef PYCUDA_SORT_GPU_CUH
#define PYCUDA_SORT_GPU_CUH

#include "sort_digits.cuh"

namespace pycuda
{

/* -- Before the first pass --------------------------------------------------------- */

/* total[place][digit]: how often it is there. Zero at first. */
template <class Order>
PYCUDA_DEVICE void sort_count(const typename Order::element *from, word64 *total,
                              size_t n)
{
    typedef typename Order::element E;
    enum { digits = sizeof(E), together = 16 / sizeof(E) };
    struct __align__(16) vector {
        E x[together];
    };
    __shared__ unsigned count[digits * 256];
    size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;
    auto add = [&](E x) {
        auto key = Order::key(x);
#pragma unroll
        for (unsigned place = 0; place < digits; place++)
            atomicAdd(&count[place * 256 + byte_of(key, place)], 1u);
    };
    for (unsigned i = threadIdx.x; i < digits * 256; i += blockDim.x)
        count[i] = 0;
    __syncthreads();
    size_t lone = (0 - (size_t)from) % 16 / sizeof(E); /* before the first vector */
    lone = lone < n ? lone : n;
    size_t vectors = (n - lone) / together, end = lone + vectors * together;
    const vector *at = (const vector *)(from + lone);
    for (size_t i = t; i < vectors; i += step) {
        vector v = at[i];
#pragma unroll
        for (int k = 0; k < together; k++)
            add(v.x[k]);
    }
    if (t < lone)
        add(from[t]);
    if (t < n - end)
        add(from[end + t]);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < digits * 256; i += blockDim.x)
        if (count[i])
            atomicAdd(&total[i], (word64)count[i]);
}

/* What a pass does; of 48 bytes, as the launcher knows. */
template <class E, class I> struct sort_step {
    sorted_pair<E, I> pass; /* from: null if it is left out */
    unsigned turn;          /* its number among those that are not */
};

/* What is before each digit, instead of how often it is there; and what each pass does:
   the last one writes where `all` says, those before it in turn to the spare memory and
   there. If a sort in place reads and writes the same memory first, it takes one pass
   more than it has to. For one block of 256. */
template <class Order, class I>
PYCUDA_DEVICE void
sort_plan(sorted_pair<typename Order::element, I> all, typename Order::element *spare,
          I *spare_places, word64 *total,
          sort_step<typename Order::element, I> *step, size_t n)
{
    typedef typename Order::element E;
    enum { digits = sizeof(E) };
    __shared__ word64 count[256];
    unsigned t = threadIdx.x, needed = 0, passes = 0;
    for (unsigned place = 0; place < digits; place++) {
        word64 *mine = total + 256 * place, sum = 0;
        count[t] = mine[t];
        bool is_same = __syncthreads_or(count[t] == n);
        needed |= is_same ? 0 : 1u << place;
        passes += !is_same;
        for (unsigned d = 0; d < t; d++)
            sum += count[d];
        mine[t] = sum;
        __syncthreads();
    }
    if (t > 0)
        return;
    bool is_more = passes == 0 || (all.from == all.to && passes % 2 == 1);
    for (unsigned place = 0; place < digits && is_more; place++)
        if (!(needed >> place & 1)) {
            needed |= 1u << place;
            passes++;
            is_more = passes % 2 == 1 && all.from == all.to;
        }
    const E *from = all.from;
    const I *places_from = 0;
    unsigned turn = 0;
    for (unsigned place = 0; place < digits; place++) {
        sort_step<E, I> mine = {{0, 0, 0, 0, 0}, turn};
        if (needed >> place & 1) {
            unsigned left = passes - 1 - turn++;
            mine.pass.from = from;
            mine.pass.places_from = places_from;
            mine.pass.to = left % 2 ? spare : all.to;
            if (all.result && left)
                mine.pass.places_to = left % 2 ? spare_places : (I *)all.result;
            else
                mine.pass.result = all.result;
            from = mine.pass.to;
            places_from = mine.pass.places_to;
        }
        step[place] = mine;
    }
}

/* -- A pass ------------------------------------------------------------------------- */

/* threads, items: a block's, of which at least 256, and a thread's of a tile. S: numbers
   of which a quarter count all elements. */
template <class Order, class I, class S, int threads, int items, bool has_places>
struct sort_sweep {
    typedef typename Order::element E;
    enum { warps = threads / 32, tile = threads * items };

    struct room {
        union {
            unsigned of_warp[warps][256]; /* of each digit; then where the next goes */
            E elements[tile];
            I places[has_places ? tile : 1];
        };
        S base[256]; /* elements k of the ordered tile with a digit go to base + k */
        unsigned of_all[8], tile_taken;
    };

    /* What blocks tell of their tiles, 256 words for each: how many of a digit are in
       the tile, or in all tiles up to it. Which of those says a mark, another one in
       each turn: what an earlier pass told is no news. */
    enum { flags = 8 * sizeof(S) - 2, own_tile = 3, at_once = 4 };
    static PYCUDA_DEVICE unsigned all_up_to(unsigned turn) { return 1 + turn % 2; }
    static PYCUDA_DEVICE S told_as(unsigned mark, S count) { return S(mark) << flags | count; }

    /* How many of digit t are in the tiles before this one; four words are under way at
       once. */
    static PYCUDA_DEVICE S look_back(const volatile S *told, size_t at, unsigned turn)
    {
        S sum = 0;
        while (at > 0) {
            S word[at_once];
#pragma unroll
            for (int k = 0; k < at_once; k++)
                word[k] = k < at ? told[(at - 1 - k) * 256 + threadIdx.x] : 0;
#pragma unroll
            for (int k = 0; k < at_once; k++) {
                unsigned mark = unsigned(word[k] >> flags);
                if (mark != own_tile && mark != all_up_to(turn))
                    break;
                sum += word[k] & ((S(1) << flags) - 1);
                at = mark == own_tile ? at - 1 : 0;
                if (at == 0)
                    break;
            }
        }
        return sum;
    }

    /* Where the elements of the tile go in it: those of a warp are 32 neighbours, the
       next 32 ... What is beyond the end comes last, and counts as the last digit. */
    static PYCUDA_DEVICE void rank(const E (&x)[items], unsigned place, unsigned *next,
                                   unsigned (&to)[items])
    {
        unsigned lane = threadIdx.x % 32;
#pragma unroll
        for (int i = 0; i < items; i++) {
            unsigned digit = digit_of<Order>(x[i], place), peers = peers_of(digit);
            unsigned before = __popc(peers & ((1u << lane) - 1));
            unsigned so_far = next[digit];
            to[i] = so_far + before;
            __syncwarp();
            if (before == 0)
                next[digit] = so_far + __popc(peers);
            __syncwarp();
        }
    }

    /* f(i, k) of the thread's elements: number k of the tile, all but those beyond the
       end. first, apart: of k. */
    template <class F>
    static PYCUDA_DEVICE void each(unsigned first, unsigned apart, unsigned count, F f)
    {
        if (count == tile) {
#pragma unroll
            for (int i = 0; i < items; i++)
                f(i, first + i * apart);
        } else {
#pragma unroll
            for (int i = 0; i < items; i++)
                if (first + i * apart < count)
                    f(i, first + i * apart);
        }
    }

    /* step, total, taken: of this place; taken: how many tiles are, 0 at first. told: 0
       before the first pass. */
    static PYCUDA_DEVICE void pass(const sort_step<E, I> *step, const word64 *total,
                                   unsigned *taken, volatile S *told, size_t n,
                                   unsigned place)
    {
        __shared__ room room;
        const sorted_pair<E, I> pass = step->pass;
        unsigned t = threadIdx.x, lane = t % 32, *mine = room.of_warp[t / 32];
        if (!pass.from)
            return;
        if (t == 0)
            room.tile_taken = atomicAdd(taken, 1u);
#pragma unroll
        for (int d = 0; d < 256; d += 32)
            mine[d + lane] = 0;
        __syncthreads();
        size_t number = room.tile_taken, start = number * tile;
        unsigned count = n - start < tile ? (unsigned)(n - start) : tile;
        unsigned first = t / 32 * 32 * items + lane, to[items];

        E x[items];
#pragma unroll
        for (int i = 0; i < items; i++)
            x[i] = Order::last();
        each(first, 32, count, [&](int i, unsigned k) { x[i] = pass.from[start + k]; });
#pragma unroll
        for (int i = 0; i < items; i++)
            atomicAdd(&mine[digit_of<Order>(x[i], place)], 1u);
        __syncthreads();

        unsigned own = 0;
        if (t < 256) {
            for (int w = 0; w < warps; w++)
                own += room.of_warp[w][t];
            told[number * 256 + t] =
                told_as(number ? own_tile : all_up_to(step->turn), own);
        }
        unsigned before = sum_before(own, room.of_all), at = before;
        if (t < 256)
            for (int w = 0; w < warps; w++) {
                unsigned here = room.of_warp[w][t];
                room.of_warp[w][t] = at;
                at += here;
            }
        __syncthreads();
        rank(x, place, mine, to);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < items; i++)
            room.elements[to[i]] = x[i];

        I p[has_places ? items : 1];
        if constexpr (has_places)
            each(first, 32, count, [&](int i, unsigned k) {
                p[i] = pass.places_from ? pass.places_from[start + k] : I(start + k);
            });
        if (t < 256) {
            S earlier = look_back(told, number, step->turn);
            if (number)
                told[number * 256 + t] =
                    told_as(all_up_to(step->turn), S(earlier + own));
            room.base[t] = S(total[t]) + earlier - before;
        }
        __syncthreads();
        S out[has_places ? items : 1];
        each(t, threads, count, [&](int i, unsigned k) {
            E mine = room.elements[k];
            S at = room.base[digit_of<Order>(mine, place)] + k;
            pass.to[at] = mine;
            out[has_places ? i : 0] = at;
        });
        if constexpr (has_places) {
            __syncthreads();
#pragma unroll
            for (int i = 0; i < items; i++)
                room.places[to[i]] = p[i];
            __syncthreads();
            if (pass.places_to)
                each(t, threads, count,
                     [&](int i, unsigned k) { pass.places_to[out[i]] = room.places[k]; });
            else
                each(t, threads, count,
                     [&](int i, unsigned k) { pass.result[out[i]] = room.places[k]; });
        }
    }
};

} // namespace pycuda

#endif
