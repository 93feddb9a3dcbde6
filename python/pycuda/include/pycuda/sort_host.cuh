/* Sorting on the host device, by digits of a byte from the lowest on. A block is one
   warp. What is scalar by nature, counting digits and sending elements where the next
   one with their digit goes, is a function that thread 0 calls by way of a pointer:
   hostcc inlines all others, and makes vector code under masks of them. A pass over a
   long array is three launches: blocks count the digits of a stretch each, one adds the
   counts up, and blocks send their elements. Where the array is larger than caches, they
   order a tile in a small memory of their own first and copy what has the same digit: 256 places that grow cost a miss of the TLB an element, stretches
   one each. */
#ifndef PYCUDA_SORT_HOST_CUH
#define PYCUDA_SORT_HOST_CUH

#include "sort_order.cuh"

namespace pycuda
{

/* f(...), of thread 0 alone and not inlined. */
template <class F, class... A> PYCUDA_DEVICE void by_thread_0(F *f, A... arguments)
{
    F *volatile pointer = f;
    if (threadIdx.x == 0)
        pointer(arguments...);
}

PYCUDA_DEVICE void clear(unsigned *count, unsigned n)
{
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
        count[i] = 0;
    __syncthreads();
}

/* Neighbours are counted apart: equal ones would wait for each other's sums. */
template <class Order>
__device__ void count_digits(const typename Order::element *from, size_t n,
                             unsigned place, unsigned *count)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
#pragma unroll
        for (int k = 0; k < 4; k++)
            count[256 * k + digit_of<Order>(from[i + k], place)]++;
    for (; i < n; i++)
        count[digit_of<Order>(from[i], place)]++;
}

/* f(write) with what writes the place of element i of a pass to place `at` of its array.
   One loop for each, so that none asks at each element which it is. */
template <class E, class I, class F>
PYCUDA_DEVICE void with_places(const sorted_pair<E, I> &pass, F f)
{
    const I *from = pass.places_from;
    I *to = pass.places_to;
    long long *result = pass.result;
    if (result && from)
        f([=](size_t i, size_t at) { result[at] = from[i]; });
    else if (result)
        f([=](size_t i, size_t at) { result[at] = i; });
    else if (to && from)
        f([=](size_t i, size_t at) { to[at] = from[i]; });
    else if (to)
        f([=](size_t i, size_t at) { to[at] = I(i); });
    else
        f([](size_t, size_t) {});
}

/* Elements from `first` on go where the next one with their digit goes. */
template <class Order, class I, class N>
__device__ void send_digits(const sorted_pair<typename Order::element, I> *pass,
                            size_t first, size_t end, unsigned place, N *next)
{
    typedef typename Order::element E;
    const E *from = pass->from;
    E *to = pass->to;
    with_places(*pass, [=](auto write) {
        for (size_t i = first; i < end; i++) {
            E x = from[i];
            size_t at = next[digit_of<Order>(x, place)]++;
            to[at] = x;
            write(i, at);
        }
    });
}

/* -- One long array --------------------------------------------------------------- */

/* table[digit][block]: how often the block's stretch has it. */
template <class Order>
PYCUDA_DEVICE void sort_count(const typename Order::element *from, size_t *table,
                              size_t n, size_t each, unsigned place)
{
    __shared__ unsigned count[4 * 256];
    size_t first = blockIdx.x * each, end = first + each < n ? first + each : n;
    clear(count, 4 * 256);
    if (first < end)
        by_thread_0(count_digits<Order>, from + first, end - first, place,
                    (unsigned *)count);
    __syncthreads();
    for (unsigned d = threadIdx.x; d < 256; d += blockDim.x)
        table[(size_t)d * gridDim.x + blockIdx.x] =
            (size_t)count[d] + count[256 + d] + count[512 + d] + count[768 + d];
}

__device__ void replace_by_sums(size_t *table, size_t n)
{
    size_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        size_t mine = table[i];
        table[i] = sum;
        sum += mine;
    }
}

/* What is before each. */
PYCUDA_DEVICE void sort_add_up(size_t *table, size_t n)
{
    by_thread_0(replace_by_sums, table, n);
}

/* As many at once as registers hold. */
template <int bytes, class T>
PYCUDA_DEVICE unsigned copy_by(T *to, const T *from, unsigned i, unsigned n)
{
    enum { each = bytes / sizeof(T) };
    for (; i + each <= n; i += each)
        memcpy((void *)(to + i), (const void *)(from + i), bytes);
    return i;
}
template <class T> PYCUDA_DEVICE void copy_all(T *to, const T *from, unsigned n)
{
    unsigned i = copy_by<64>(to, from, 0, n);
    i = copy_by<16>(to, from, i, n);
    copy_by<sizeof(T)>(to, from, i, n);
}

/* Elements from `first` on, by tiles that are ordered by digit in `room`, and copied from
   there. count: for 5 * 256. */
template <class Order, class I>
__device__ void send_tiles(const sorted_pair<typename Order::element, I> *pass,
                           size_t first, size_t end, unsigned place, size_t *next,
                           typename Order::element *room, I *places, unsigned tile,
                           unsigned *count)
{
    typedef typename Order::element E;
    const bool has_places = pass->places_to || pass->result;
    unsigned *at = count + 4 * 256;
    for (; first < end; first += tile) {
        unsigned n = end - first < tile ? unsigned(end - first) : tile, sum = 0;
        for (unsigned d = 0; d < 4 * 256; d++)
            count[d] = 0;
        count_digits<Order>(pass->from + first, n, place, count);
        for (unsigned d = 0; d < 256; d++) {
            at[d] = sum;
            sum += count[d] + count[256 + d] + count[512 + d] + count[768 + d];
        }
        sorted_pair<E, I> own = {pass->from, pass->places_from, room,
                                 has_places ? places : (I *)0, 0};
        send_digits<Order, I, unsigned>(&own, first, first + n, place, at);
        unsigned begin = 0;
        for (unsigned d = 0; d < 256; d++) {
            unsigned length = at[d] - begin;
            size_t to = next[d];
            next[d] += length;
            copy_all(pass->to + to, room + begin, length);
            if (pass->places_to)
                copy_all(pass->places_to + to, places + begin, length);
            else if (pass->result)
                for (unsigned i = 0; i < length; i++)
                    pass->result[to + i] = places[begin + i];
            begin = at[d];
        }
    }
}

/* table: of sort_add_up. room: of each block, for as many elements as a tile has, and
   behind those of all blocks for their places; tile 0: without. */
template <class Order, class I>
PYCUDA_DEVICE void sort_pass(sorted_pair<typename Order::element, I> pass,
                             const size_t *table, typename Order::element *room,
                             size_t n, size_t each, unsigned tile, unsigned place)
{
    typedef sorted_pair<typename Order::element, I> pair;
    __shared__ size_t next[256];
    __shared__ unsigned count[5 * 256];
    size_t first = blockIdx.x * each, end = first + each < n ? first + each : n;
    for (unsigned d = threadIdx.x; d < 256; d += blockDim.x)
        next[d] = table[(size_t)d * gridDim.x + blockIdx.x];
    __syncthreads();
    if (tile)
        by_thread_0(send_tiles<Order, I>, (const pair *)&pass, first, end, place,
                    (size_t *)next, room + (size_t)blockIdx.x * tile,
                    (I *)(room + (size_t)gridDim.x * tile) + (size_t)blockIdx.x * tile,
                    tile, (unsigned *)count);
    else
        by_thread_0(send_digits<Order, I, size_t>, (const pair *)&pass, first, end, place,
                    (size_t *)next);
}

/* -- Rows ------------------------------------------------------------------------- */

enum { tiny_row = 32 };

/* A few elements, by insertion. */
template <class Order, class I>
__device__ void insert_all(const sorted_pair<typename Order::element, I> *row, unsigned n)
{
    typedef typename Order::element E;
    E x[tiny_row];
    unsigned place[tiny_row];
    for (unsigned i = 0; i < n; i++) {
        E mine = row->from[i];
        auto key = Order::key(mine);
        unsigned at = i;
        for (; at > 0 && key_less(key, Order::key(x[at - 1])); at--) {
            x[at] = x[at - 1];
            place[at] = place[at - 1];
        }
        x[at] = mine;
        place[at] = i;
    }
    for (unsigned i = 0; i < n; i++) {
        row->to[i] = x[i];
        if (row->result)
            row->result[i] = place[i];
    }
}

/* A row, digit after digit; digits that all elements share are left out. keys, places:
   where passes put what they are not yet done with, first the result itself. count: for
   256 digits of each byte. */
template <class Order, class I>
__device__ void sort_row(const sorted_pair<typename Order::element, I> *row,
                         typename Order::element *const *keys, I *const *places, size_t n,
                         unsigned *count, size_t *next)
{
    typedef typename Order::element E;
    enum { digits = sizeof(E) };
    sorted_pair<E, I> pass = {row->from, 0, 0, 0, 0};
    unsigned passes = 0;
    for (unsigned i = 0; i < digits * 256; i++)
        count[i] = 0;
    for (size_t i = 0; i < n; i++) {
        auto key = Order::key(row->from[i]);
        for (unsigned place = 0; place < digits; place++)
            count[place * 256 + byte_of(key, place)]++;
    }
    auto is_shared = [&](unsigned place) {
        return count[place * 256 + digit_of<Order>(pass.from[0], place)] == n;
    };
    for (unsigned place = 0; place < digits; place++)
        passes += !is_shared(place);
    if (passes == 0 || (passes % 2 && row->from == row->to)) {
        E *copy = keys[passes ? 1 : 0];
        for (size_t i = 0; i < n; i++)
            copy[i] = row->from[i];
        for (size_t i = 0; i < n && !passes && row->result; i++)
            row->result[i] = i;
        pass.from = copy;
    }
    for (unsigned place = 0; passes; place++) {
        if (is_shared(place))
            continue;
        size_t sum = 0;
        for (unsigned d = 0; d < 256; d++) {
            next[d] = sum;
            sum += count[place * 256 + d];
        }
        passes--;
        pass.to = keys[passes % 2];
        pass.places_to = passes && row->result ? places[passes % 2] : (I *)0;
        pass.result = passes ? (long long *)0 : row->result;
        send_digits<Order, I, size_t>(&pass, 0, n, place, next);
        pass.from = pass.to;
        pass.places_from = pass.places_to;
    }
}

/* Every step-th row from the first on. */
template <class Order, class I>
__device__ void sort_rows_of(const sorted_pair<typename Order::element, I> *all,
                             typename Order::element *spare, I *spare_places,
                             size_t first, size_t rows, size_t step, size_t n,
                             unsigned *count, size_t *next)
{
    typedef typename Order::element E;
    for (size_t r = first; r < rows; r += step) {
        size_t at = r * n;
        sorted_pair<E, I> row = {all->from + at, 0, all->to + at, 0,
                                 all->result ? all->result + at : (long long *)0};
        E *const keys[] = {row.to, spare + at};
        I *const places[] = {(I *)row.result, spare_places + at};
        if (n <= tiny_row)
            insert_all<Order, I>(&row, n);
        else
            sort_row<Order, I>(&row, keys, places, n, count, next);
    }
}

/* A block takes row after row. spare, spare_places: as much again for what passes are not
   yet done with. */
template <class Order, class I>
PYCUDA_DEVICE void sort_rows(sorted_pair<typename Order::element, I> all,
                             typename Order::element *spare, I *spare_places,
                             size_t rows, size_t n)
{
    typedef sorted_pair<typename Order::element, I> pair;
    __shared__ unsigned count[sizeof(typename Order::element) * 256];
    __shared__ size_t next[256];
    by_thread_0(sort_rows_of<Order, I>, (const pair *)&all, spare, spare_places,
                size_t(blockIdx.x), rows, size_t(gridDim.x), n, (unsigned *)count,
                (size_t *)next);
}

} // namespace pycuda

#endif
