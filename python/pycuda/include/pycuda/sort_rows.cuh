/* Sorting rows on a GPU, a block each: rows that fit into a tile stay in shared memory
   from the first digit to the last. Most of these have the kernel of sort_warps.cuh. */
#ifndef PYCUDA_SORT_ROWS_CUH
#define PYCUDA_SORT_ROWS_CUH

#include "sort_digits.cuh"

namespace pycuda
{

/* Bytes of elements that a thread has of a tile; tests take fewer, which compile soon. */
#ifndef PYCUDA_SORT_BYTES
#define PYCUDA_SORT_BYTES 64
#endif

/* The launcher has these numbers, too. A digit is a thread's, where digits are counted.
 */
template <class E> struct sort_shape {
    enum {
        threads = 256,
        warps = threads / 32,
        items = PYCUDA_SORT_BYTES / (sizeof(E) < 4 ? 4 : sizeof(E)), /* of a thread */
        tile = threads * items,
    };
};

struct sort_counts {
    unsigned of_warp[8][256];
    unsigned start[256]; /* of each digit, in the tile */
    unsigned of_all[8];
};

/* Where each of the thread's elements goes in the tile, whose order is: warps, an
   element each of its lanes, the next of its lanes ... Returns how many have the digit
   that is the thread's number. */
template <int items>
PYCUDA_DEVICE unsigned sort_rank(const unsigned (&digit)[items],
                                 unsigned (&rank)[items], unsigned used,
                                 sort_counts *counts)
{
    unsigned t = threadIdx.x, lane = t % 32, *mine = counts->of_warp[t / 32];
    for (unsigned d = lane; d < 256; d += 32)
        mine[d] = 0;
    __syncwarp();
#pragma unroll
    for (int i = 0; i < items; i++)
        if (i < used) {
            unsigned peers = peers_of(digit[i]);
            unsigned before = __popc(peers & ((1u << lane) - 1));
            unsigned so_far = mine[digit[i]];
            rank[i] = so_far + before;
            __syncwarp();
            if (before == 0)
                mine[digit[i]] = so_far + __popc(peers);
            __syncwarp();
        }
    __syncthreads();
    unsigned sum = 0;
    for (int w = 0; w < sort_shape<unsigned>::warps; w++) {
        unsigned count = counts->of_warp[w][t];
        counts->of_warp[w][t] = sum;
        sum += count;
    }
    counts->start[t] = sum_before(sum, counts->of_all);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; i++)
        if (i < used)
            rank[i] += counts->start[digit[i]] + mine[digit[i]];
    return sum;
}

/* Where the thread's first element of a tile is; others are 32 apart. */
PYCUDA_DEVICE unsigned sort_first(unsigned used)
{
    return threadIdx.x / 32 * 32 * used + threadIdx.x % 32;
}

/* Sorts `count` elements by a digit, those of a tile, and sends them where they go:
   base[d] + rank of those with digit d. What is beyond the end has digit 255, and comes
   last there. */
template <class Order, class I> struct sort_room {
    typedef typename Order::element E;
    enum { wide = sizeof(E) > sizeof(I) ? sizeof(E) : sizeof(I) };
    sort_counts counts;
    word64 base[256];
    __align__(16) char elements[wide * sort_shape<E>::tile];
};

template <class Order, class I>
PYCUDA_DEVICE void
sort_send(const sorted_pair<typename Order::element, I> &pass, size_t first,
          unsigned count, unsigned place, sort_room<Order, I> *room,
          const typename Order::element (&x)[sort_shape<typename Order::element>::items],
          const unsigned (&rank)[sort_shape<typename Order::element>::items])
{
    typedef typename Order::element E;
    typedef sort_shape<E> shape;
    E *elements = (E *)room->elements;
    word64 to[shape::items];
    unsigned t = threadIdx.x, at = sort_first(shape::items);
#pragma unroll
    for (int i = 0; i < shape::items; i++)
        elements[rank[i]] = x[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < shape::items; i++) {
        unsigned k = t + i * shape::threads;
        if (k < count) {
            E mine = elements[k];
            to[i] = room->base[digit_of<Order>(mine, place)] + k;
            pass.to[to[i]] = mine;
        }
    }
    if (!pass.places_to && !pass.result)
        return;
    I *places = (I *)room->elements;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < shape::items; i++) {
        size_t k = first + at + 32 * i;
        if (at + 32 * i < count)
            places[rank[i]] = pass.places_from ? pass.places_from[k] : I(k);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < shape::items; i++) {
        unsigned k = t + i * shape::threads;
        if (k < count) {
            if (pass.places_to)
                pass.places_to[to[i]] = places[k];
            else
                pass.result[to[i]] = places[k];
        }
    }
}

/* The thread's elements of a tile and their digits. */
template <class Order, int items>
PYCUDA_DEVICE void sort_load(const typename Order::element *from, unsigned count,
                             unsigned place, unsigned used,
                             typename Order::element (&x)[items],
                             unsigned (&digit)[items])
{
    unsigned first = sort_first(used);
#pragma unroll
    for (int i = 0; i < items; i++)
        if (i < used) {
            digit[i] = 255;
            if (first + 32 * i < count) {
                x[i] = from[first + 32 * i];
                digit[i] = digit_of<Order>(x[i], place);
            }
        }
}

/* A row in a tile. */
template <class Order, class I>
PYCUDA_DEVICE void sort_short_row(const sorted_pair<typename Order::element, I> &row,
                                  unsigned n, sort_room<Order, I> *room,
                                  unsigned short *places)
{
    typedef typename Order::element E;
    typedef sort_shape<E> shape;
    E x[shape::items], *elements = (E *)room->elements;
    unsigned digit[shape::items], rank[shape::items], p[shape::items];
    unsigned t = threadIdx.x, used = (n + shape::threads - 1) / shape::threads;
    unsigned at = sort_first(used);
#pragma unroll
    for (int i = 0; i < shape::items; i++)
        p[i] = at + 32 * i;
    for (unsigned place = 0; place < sizeof(E); place++) {
        const E *from = place ? elements : row.from;
        sort_load<Order>(from, n, place, used, x, digit);
#pragma unroll
        for (int i = 0; i < shape::items; i++)
            if (place && row.result && at + 32 * i < n)
                p[i] = places[at + 32 * i];
        sort_rank(digit, rank, used, &room->counts);
#pragma unroll
        for (int i = 0; i < shape::items; i++)
            if (at + 32 * i < n && i < used) {
                elements[rank[i]] = x[i];
                places[rank[i]] = p[i];
            }
        __syncthreads();
    }
    for (unsigned k = t; k < n; k += shape::threads) {
        row.to[k] = elements[k];
        if (row.result)
            row.result[k] = places[k];
    }
    __syncthreads();
}

/* One pass over a long row, tile after tile. */
template <class Order, class I>
PYCUDA_DEVICE void sort_row_pass(const sorted_pair<typename Order::element, I> &pass,
                                 size_t n, unsigned place, sort_room<Order, I> *room)
{
    typedef typename Order::element E;
    typedef sort_shape<E> shape;
    __shared__ word64 next[256];
    unsigned t = threadIdx.x, *count = room->counts.start;
    E x[shape::items];
    unsigned digit[shape::items], rank[shape::items];
    count[t] = 0;
    __syncthreads();
    for (size_t i = t; i < n; i += shape::threads)
        atomicAdd(&count[digit_of<Order>(pass.from[i], place)], 1u);
    __syncthreads();
    next[t] = sum_before(count[t], room->counts.of_all);
    __syncthreads();
    for (size_t first = 0; first < n; first += shape::tile) {
        unsigned here = n - first < shape::tile ? (unsigned)(n - first) : shape::tile;
        sort_load<Order>(pass.from + first, here, place, shape::items, x, digit);
        unsigned own = sort_rank(digit, rank, shape::items, &room->counts);
        room->base[t] = next[t] - room->counts.start[t];
        next[t] += own;
        sort_send(pass, first, here, place, room, x, rank);
        __syncthreads();
    }
}

/* A block takes row after row. spare, spare_places: as much again for what passes over
   long rows are not yet done with. */
template <class Order, class I>
PYCUDA_DEVICE void sort_rows(sorted_pair<typename Order::element, I> all,
                             typename Order::element *spare, I *spare_places,
                             size_t rows, size_t n)
{
    typedef typename Order::element E;
    enum { digits = sizeof(E) };
    __shared__ sort_room<Order, I> room;
    __shared__ unsigned short places[sort_shape<E>::tile];
    for (size_t r = blockIdx.x; r < rows; r += gridDim.x) {
        size_t at = r * n;
        sorted_pair<E, I> row = {all.from + at, 0, all.to + at, 0,
                                 all.result ? all.result + at : (long long *)0};
        if (n <= sort_shape<E>::tile)
            sort_short_row(row, n, &room, places);
        else
            for (unsigned place = 0; place < digits; place++) {
                bool is_own = (digits - place) % 2, is_last = place == digits - 1;
                sorted_pair<E, I> pass = {row.from, row.places_from, row.to, 0, 0};
                if (!is_own)
                    pass.to = spare + at;
                if (row.result && !is_last)
                    pass.places_to = is_own ? (I *)row.result : spare_places + at;
                else
                    pass.result = row.result;
                sort_row_pass(pass, n, place, &room);
                __syncthreads();
                row.from = pass.to;
                row.places_from = pass.places_to;
            }
    }
}

} // namespace pycuda

#endif
