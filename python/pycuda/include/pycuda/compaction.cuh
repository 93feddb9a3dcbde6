/* Which elements of an array are not zero, or between two others, and those elements, or
   their places, one after the other. Elements are read once: `mark` makes a bit of each,
   and counts those of a tile of 256 words of bits. How many results there are, and so
   where those of a tile begin, is known from the running sums of the counts, which one
   block makes, before anything is written. On a GPU a block of 256 threads has a tile,
   a word each; on the host a warp goes through it word by word. */
#ifndef PYCUDA_COMPACTION_CUH
#define PYCUDA_COMPACTION_CUH

#include "elementwise.cuh"
#include "warp.cuh"

namespace pycuda
{

/* The launcher has these numbers, too. */
enum { mark_words = 256, mark_tile = 32 * mark_words };

/* What elements are asked, each once. */
struct is_not_zero {
    enum { is_of_bytes = 1 }; /* elements of a byte need not be told apart */
    template <class M> PYCUDA_DEVICE bool operator()(M x) { return truth(x); }
};
/* Whether they lie from low to high, compared as C; besides, in 16 bits each, how many
   are below and how many NaN. */
template <class C> struct is_between {
    enum { is_of_bytes = 0 };
    C low, high;
    unsigned others;
    template <class M> PYCUDA_DEVICE bool operator()(M x)
    {
        C v = convert<C>(x);
        others += (v < low) + ((unsigned)(v != v) << 16);
        return v >= low && v <= high;
    }
};

/* A bit of each element of word number `at` of which the test holds; for a whole warp.
 */
template <class M, class Test>
PYCUDA_DEVICE unsigned mark_word(const M *x, size_t at, size_t n, unsigned lane,
                                 Test &test)
{
    size_t i = 32 * at + lane;
    return __ballot_sync(~0u, i < n ? test(x[i]) : false);
}

#ifdef PYCUDA_GPU_SHAPE

/* What the threads before this one have; total: what all have. */
PYCUDA_DEVICE unsigned count_before(unsigned mine, unsigned *total)
{
    __shared__ unsigned of_warp[mark_words / 32];
    unsigned warp = threadIdx.x / 32, sum = sum_to_lane(mine), before = 0;
    if (threadIdx.x % 32 == 31)
        of_warp[warp] = sum;
    __syncthreads();
    *total = 0;
#pragma unroll
    for (unsigned w = 0; w < mark_words / 32; w++) {
        before += w < warp ? of_warp[w] : 0;
        *total += of_warp[w];
    }
    return before + sum - mine;
}

/* Bits of 16 bytes that are not zero. */
PYCUDA_DEVICE unsigned mark_bytes(uint4 bytes)
{
    unsigned words[4] = {bytes.x, bytes.y, bytes.z, bytes.w}, bits = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        unsigned tops = ((words[k] & 0x7f7f7f7f) + 0x7f7f7f7f) | words[k];
        bits |= (((tops & 0x80808080) * 0x00204081u) >> 28) << 4 * k;
    }
    return bits;
}

/* Word number `lane` of the 32 from `at` on, where all elements of them are there. */
template <class M, class Test>
PYCUDA_DEVICE unsigned mark_words_of_warp(const M *x, size_t at, unsigned lane,
                                          Test &test)
{
    unsigned mine = 0;
    x += 32 * at;
    if (Test::is_of_bytes && sizeof(M) == 1 && (size_t)x % 16 == 0) { /* 16 neighbours a thread, twice */
        const uint4 *from = (const uint4 *)x;
        uint4 part[2] = {from[lane], from[32 + lane]};
        unsigned low = mark_bytes(part[0]), high = mark_bytes(part[1]);
        low |= __shfl_down_sync(~0u, low, 1) << 16;
        high |= __shfl_down_sync(~0u, high, 1) << 16;
        low = __shfl_sync(~0u, low, 2 * lane % 32);
        high = __shfl_sync(~0u, high, 2 * lane % 32);
        return lane < 16 ? low : high;
    }
    enum { together = 8 }; /* loads that are under way */
#pragma unroll 1
    for (unsigned k = 0; k < 32; k += together) {
        M part[together];
#pragma unroll
        for (unsigned r = 0; r < together; r++)
            part[r] = x[32 * (k + r) + lane];
#pragma unroll
        for (unsigned r = 0; r < together; r++) {
            unsigned bits = __ballot_sync(~0u, test(part[r]));
            mine = lane == k + r ? bits : mine;
        }
    }
    return mine;
}

/* From the last tile to the first: what was written last, by whoever made the elements,
   is still in the cache, and so are the first ones when they are read again. */
template <class M, class Test>
PYCUDA_DEVICE void mark(const M *x, unsigned *marks, long long *counts, size_t n,
                        Test &test)
{
    unsigned lane = threadIdx.x % 32, mine = 0, tile = gridDim.x - 1 - blockIdx.x, total;
    size_t word = (size_t)tile * mark_words + threadIdx.x, first = word - lane;
    if (32 * (first + 32) <= n)
        mine = mark_words_of_warp(x, first, lane, test);
    else
        for (unsigned k = 0; k < 32; k++) {
            unsigned bits = mark_word(x, first + k, n, lane, test);
            mine = lane == k ? bits : mine;
        }
    marks[word] = mine;
    count_before(__popc(mine), &total);
    if (threadIdx.x == 0)
        counts[tile] = total;
}

/* What a thread has of `rows` rows of a warp's stretch, in each of which it takes
   neighbours, as many as To says. */
template <class To> struct marked_rows {
    typedef typename To::element element;
    enum { each = To::each, rows = each < 8 ? 4 : 32 / each, group = rows * each };
    element x[rows][each];
    unsigned bits[rows], at[rows]; /* which of them; the word they are in */

    /* k: the first of their `group` words; i: of the stretch's first element */
    PYCUDA_DEVICE void load(const To &to, unsigned mine, unsigned k, size_t i)
    {
        unsigned lane = threadIdx.x % 32, shift = lane * each % 32;
#pragma unroll
        for (int r = 0; r < rows; r++) {
            at[r] = k + r * each + lane * each / 32;
            bits[r] = __shfl_sync(~0u, mine, at[r]) >> shift & ((1ull << each) - 1);
            if (bits[r])
                to.load(x[r], i, 32 * (k + r * each) + lane * each, bits[r]);
        }
    }
    /* Next to each other; before: in front of word number `lane` */
    PYCUDA_DEVICE void keep(element *kept, unsigned mine, unsigned before,
                            unsigned first) const
    {
        unsigned lane = threadIdx.x % 32, below = (1u << lane * each % 32) - 1;
#pragma unroll
        for (int r = 0; r < rows; r++) {
            unsigned place = __shfl_sync(~0u, before, at[r]) - first +
                             __popc(__shfl_sync(~0u, mine, at[r]) & below);
#pragma unroll
            for (int e = 0; e < each; e++)
                if (bits[r] >> e & 1)
                    kept[place++] = x[r][e];
        }
    }
};

/* Counts become sums of those up to each; returns the last. For a block. A thread takes
   pairs of neighbours, the loads of which are under way together. */
PYCUDA_DEVICE long long sum_counts(long long *counts, size_t tiles)
{
    enum { pairs = 8, most = 1024 };
    __shared__ unsigned of_warp[most / 32];
    size_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = 2 * pairs * blockDim.x;
    long long before = 0; /* of this row */
    for (size_t begin = 0; begin < tiles; begin += row) {
        size_t first = begin + 64 * pairs * warp + 2 * lane;
        unsigned x[pairs][2], own = 0; /* of the warp */
#pragma unroll
        for (size_t k = 0; k < 2 * pairs; k++)
            x[k / 2][k % 2] = first + 64 * (k / 2) + k % 2 < tiles
                                  ? (unsigned)counts[first + 64 * (k / 2) + k % 2]
                                  : 0;
#pragma unroll
        for (int k = 0; k < pairs; k++) {
            x[k][1] += x[k][0];
            unsigned upto = own + sum_to_lane(x[k][1]);
            x[k][0] += upto - x[k][1];
            x[k][1] = upto;
            own = __shfl_sync(~0u, upto, 31);
        }
        of_warp[warp] = own;
        __syncthreads();
        unsigned sum = sum_to_lane(lane < blockDim.x / 32 ? of_warp[lane] : 0);
        unsigned left = __shfl_sync(~0u, sum, warp) - own;
#pragma unroll
        for (size_t k = 0; k < 2 * pairs; k++)
            if (first + 64 * (k / 2) + k % 2 < tiles)
                counts[first + 64 * (k / 2) + k % 2] = before + left + x[k / 2][k % 2];
        before += __shfl_sync(~0u, sum, 31);
        __syncthreads();
    }
    return before;
}

/* to.put(at, ...) for each element that is marked, with what to.load() gave. Those of a
   warp's rows go through shared memory, and out together. */
template <class To>
PYCUDA_DEVICE void for_each_mark(const unsigned *marks, const long long *sums, To to)
{
    typedef marked_rows<To> rows;
    typedef typename To::element element;
    __shared__ __align__(16) char memory[8 * 32 * rows::group * sizeof(element)];
    element *kept = (element *)memory + threadIdx.x / 32 * 32 * rows::group;
    unsigned lane = threadIdx.x % 32, total;
    size_t word = (size_t)blockIdx.x * mark_words + threadIdx.x, i = 32 * (word - lane);
    unsigned mine = marks[word];
    size_t start = sums[blockIdx.x];
    rows all;
    all.load(to, mine, 0, i);
    unsigned before = count_before(__popc(mine), &total), end = before + __popc(mine);
    start -= total;
#pragma unroll 1
    for (unsigned k = 0; k < 32; k += rows::group) {
        unsigned first = __shfl_sync(~0u, before, k);
        unsigned over = __shfl_sync(~0u, end, k + rows::group - 1);
        all.keep(kept, mine, before, first);
        __syncwarp();
        if (k + rows::group < 32)
            all.load(to, mine, k + rows::group, i);
        for (unsigned at = first + lane; at < over; at += 32)
            to.put(start + at, i, kept[at - first]);
        __syncwarp();
    }
}

#else

template <class M, class Test>
PYCUDA_DEVICE void mark(const M *x, unsigned *marks, long long *counts, size_t n,
                        Test &test)
{
    size_t first = (size_t)blockIdx.x * mark_words;
    unsigned count = 0, lane = threadIdx.x;
    for (unsigned k = 0; k < mark_words; k++) {
        unsigned bits = mark_word(x, first + k, n, lane, test);
        if (lane == 0)
            marks[first + k] = bits;
        count += __popc(bits);
    }
    if (lane == 0)
        counts[blockIdx.x] = count;
}

PYCUDA_DEVICE long long sum_counts(long long *counts, size_t tiles)
{
    long long sum = 0;
    if (threadIdx.x == 0)
        for (size_t k = 0; k < tiles; k++)
            counts[k] = sum += counts[k];
    return sum;
}

template <class To>
PYCUDA_DEVICE void for_each_mark(const unsigned *marks, const long long *sums, To to)
{
    unsigned lane = threadIdx.x;
    size_t first = (size_t)blockIdx.x * mark_words;
    size_t at = blockIdx.x ? sums[blockIdx.x - 1] : 0;
    for (unsigned k = 0; k < mark_words; k++) {
        unsigned bits = marks[first + k];
        if (bits >> lane & 1)
            to.copy(at + __popc(bits & ((1u << lane) - 1)), 32 * (first + k) + lane);
        at += __popc(bits);
    }
}

#endif

template <class M>
PYCUDA_DEVICE void mark(const M *x, unsigned *marks, long long *counts, size_t n)
{
    is_not_zero test;
    mark(x, marks, counts, n, test);
}

/* Counts become sums of those up to each; the last goes to `total` as well, and to its
   echo, if there are such. For one block. */
PYCUDA_DEVICE void sum_marks(long long *counts, size_t tiles, long long *total,
                             long long *echo)
{
    long long sum = sum_counts(counts, tiles);
    if (threadIdx.x == 0 && total) {
        *total = sum;
        if (echo)
            *echo = sum;
    }
}

/* totals: elements below low, NaNs, and whether low and high are one number; the first
   two are added to. */
template <class C, class M>
PYCUDA_DEVICE void mark_between(const M *x, unsigned *marks, long long *counts,
                                size_t n, const M *low, const M *high,
                                unsigned long long *totals)
{
    __shared__ unsigned all;
    is_between<C> test = {convert<C>(*low), convert<C>(*high), 0};
    if (threadIdx.x == 0)
        all = 0;
    mark(x, marks, counts, n, test);
    unsigned others = test.others;
#pragma unroll
    for (int k = 16; k > 0; k /= 2)
        others += __shfl_xor_sync(~0u, others, k);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        atomicAdd(&all, others);
    __syncthreads();
    if (threadIdx.x == 0 && all) {
        atomicAdd(totals, (unsigned long long)(all & 0xffff));
        if (all >> 16)
            atomicAdd(totals + 1, (unsigned long long)(all >> 16));
    }
    if (threadIdx.x == 0 && blockIdx.x == 0)
        totals[2] = test.low == test.high;
}

/* Elements of any type of that size. */
template <class T> struct marked_elements {
    typedef T element;
    enum { each = elements_at_once<in<T>>::value };
    const T *from;
    T *to;
    size_t n; /* elements there are */

    /* Those of `each` neighbours, from `k` elements after `i` on, that have a bit. */
    PYCUDA_DEVICE void load(T (&x)[each], size_t i, unsigned k, unsigned bits) const
    {
        const T *first = from + i + k;
        if ((size_t)from % (each * sizeof(T)) == 0 && i + k + each <= n)
            in<T>{first}.load(x, 0);
        else
#pragma unroll
            for (int e = 0; e < each; e++)
                if (bits >> e & 1)
                    x[e] = first[e];
    }
    PYCUDA_DEVICE void put(size_t at, size_t, T x) const { to[at] = x; }
    PYCUDA_DEVICE void copy(size_t at, size_t i) const { to[at] = from[i]; }
};

/* Places: numbers along each axis, of which the last is the fastest. */
enum { place_axes = 32 };
struct axes_of_places {
    unsigned count;
    long long *to[place_axes];
    size_t length[place_axes];
};

template <class I> struct marked_places {
    typedef unsigned short element; /* counts from a warp's first one */
    enum { each = 8 };
    const axes_of_places &axes;

    PYCUDA_DEVICE void load(element (&x)[each], size_t, unsigned k, unsigned) const
    {
#pragma unroll
        for (int e = 0; e < each; e++)
            x[e] = k + e;
    }
    PYCUDA_DEVICE void put(size_t at, size_t i, element x) const { copy(at, i + x); }
    PYCUDA_DEVICE void copy(size_t at, size_t i) const
    {
        I left = I(i);
#pragma unroll 1
        for (unsigned d = axes.count - 1; d > 0; d--) {
            I length = I(axes.length[d]), next = left / length;
            axes.to[d][at] = left - next * length;
            left = next;
        }
        axes.to[0][at] = left;
    }
};

} // namespace pycuda

#endif
