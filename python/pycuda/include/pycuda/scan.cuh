/* Scans (running sums and the like). Elements are folded in their order: the operation
   has to be associative, not commutative; the grouping depends on n alone, so that the
   same scan gives the same bits again. On a GPU it is one launch that reads each
   element once; on the host three, of blocks that are one warp each and take a long
   stretch. */
#ifndef PYCUDA_SCAN_CUH
#define PYCUDA_SCAN_CUH

#include "warp.cuh"

namespace pycuda
{

#ifndef __HOSTCC__

/* A block scans tiles, one after the other; a warp a stretch of the tile, in rows of
   which each lane has neighbours. What is before a tile is folded of sums that blocks
   publish: of the tiles before it in its group of 32 tiles, of the groups before that
   in its group of 32 groups, and so on; the last tile of a group publishes the group's
   sum, having waited for 31 neighbours. Tiles are taken in order, so whatever is waited
   for is under way. A tile that is scanned by itself is kept in shared memory and
   finished with what is before it only when the block has published the sums of its
   next ones: by then it seldom waits. */

/* The launcher has these numbers, too. */
template <class T> struct scan_shape {
    enum {
        size = sizeof(T),
        threads = size <= 128 ? 128 : 32,
        warps = threads / 32,
        each = size <= 8    ? 16 / (size & -size)
               : size == 16 ? 2
                            : 1, /* neighbours */
        fit = 160 / (each * size),
        most = 64 / each,
        rows = fit < 1      ? 1
               : fit < most ? fit
                            : most,
        items = each * rows, /* of a thread */
        tile = items * threads,
        vectors = each * size % 16 ? 0 : each * size / 16, /* of 16 bytes, of a row */
        row_words = (each * size + 3) / 4,
        kept = size <= 640 ? 2 : 1, /* tiles */
        turns = kept + 2,           /* whose sums are there */
        levels = 7,
        words = (size + 3) / 4
    };
};

/* Sums of tiles, of groups, and so on: each four bytes in a word that says so. */
template <class T> struct scan_sums {
    enum { words = scan_shape<T>::words, last = sizeof(T) - 4 * (words - 1) };
    volatile unsigned long long *word;

    PYCUDA_DEVICE void publish(unsigned at, T sum)
    {
        for (int k = 0; k < words; k++) {
            unsigned part = 0;
            memcpy(&part, (char *)&sum + 4 * k, k < words - 1 ? 4 : last);
            word[at * words + k] = 1ull << 32 | part;
        }
    }
    PYCUDA_DEVICE T wait_for(unsigned at)
    {
        T sum;
        for (bool is_there = false; !is_there;) {
            is_there = true;
            for (int k = 0; k < words; k++) {
                unsigned long long part = word[at * words + k];
                is_there &= part >> 32 != 0;
                memcpy((char *)&sum + 4 * k, &part, k < words - 1 ? 4 : last);
            }
        }
        return sum;
    }
};

/* Publishes what tile `at` of `count` is the last of, given its sum; for one warp. */
template <class Op, class T>
PYCUDA_DEVICE void scan_publish(scan_sums<T> sums, unsigned at, unsigned count, T sum)
{
    unsigned lane = threadIdx.x % 32;
    for (bool is_last = true; is_last; at /= 32, count = (count + 31) / 32) {
        if (lane == 0)
            sums.publish(at, sum);
        is_last = at % 32 == 31;
        if (is_last) {
            T x = lane < 31 ? sums.wait_for(at - 31 + lane) : sum;
            sum = shuffle<lane_at>(scan_warp<Op>(x), 31);
        }
        sums.word += (size_t)count * sums.words;
    }
}

/* Folds what is before tile `at` at each level. Warps share the levels. */
template <class Op, class T>
PYCUDA_DEVICE void scan_before(scan_sums<T> sums, unsigned at, unsigned count,
                               T *before)
{
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (unsigned level = 0; at > 0; level++, at /= 32, count = (count + 31) / 32) {
        unsigned r = at % 32;
        if (r > 0 && level % scan_shape<T>::warps == warp) {
            T x = sums.wait_for(at - r + (lane < r ? lane : 0));
            x = shuffle<lane_at>(scan_warp<Op>(x), r - 1);
            if (lane == 0)
                before[level] = x;
        }
        sums.word += (size_t)count * sums.words;
    }
}

/* Where the thread's first elements of a tile are, and how many there are from there on
   to the end of the tile. */
template <class T>
PYCUDA_DEVICE size_t scan_first(unsigned number, size_t n, int *count)
{
    using shape = scan_shape<T>;
    unsigned t = threadIdx.x;
    size_t start = (size_t)number * shape::tile;
    int at = t / 32 * (32 * shape::items) + t % 32 * shape::each;
    *count = (n - start < shape::tile ? (int)(n - start) : shape::tile) - at;
    return start + at;
}

/* What the thread has of a tile, as words that nobody has to wait for yet; beyond the
   end bytes of 0, which nobody gets to see. What is read and written passes by the
   caches. */
template <class T>
PYCUDA_DEVICE void scan_load(unsigned *raw, const T *input, size_t n, unsigned number,
                             bool is_aligned)
{
    constexpr int each = scan_shape<T>::each, row = 32 * each;
    int count;
    input += scan_first<T>(number, n, &count);
#pragma unroll
    for (int r = 0; r < scan_shape<T>::rows; r++) {
        const T *from = input + r * row;
        unsigned *to = raw + r * scan_shape<T>::row_words;
        if (scan_shape<T>::vectors && is_aligned && r * row + each <= count) {
#pragma unroll
            for (int v = 0; v < scan_shape<T>::vectors; v++) {
                uint4 part = __ldcs((const uint4 *)from + v);
                memcpy(to + 4 * v, &part, 16);
            }
        } else {
            T x[each];
            memset((void *)x, 0, sizeof x);
#pragma unroll
            for (int k = 0; k < each; k++)
                if (r * row + k < count)
                    x[k] = from[k];
            memcpy(to, x, sizeof x);
        }
    }
}

/* x: the running sums of the warp's stretch; returns the last. */
template <class Op, class T> PYCUDA_DEVICE T scan_rows(T *x, const unsigned *raw)
{
    constexpr int each = scan_shape<T>::each;
    int lane = threadIdx.x % 32;
    T all;
#pragma unroll
    for (int r = 0; r < scan_shape<T>::rows; r++) {
        T *row = x + r * each, *last = row + each - 1;
        memcpy((void *)row, raw + r * scan_shape<T>::row_words, each * sizeof(T));
#pragma unroll
        for (int k = 1; k < each; k++)
            row[k] = Op::of(row[k - 1], row[k]);
        *last = scan_warp<Op>(*last);
        if constexpr (each > 1) {
            T left = shuffle<lane_up>(*last, 1);
            if (lane > 0)
#pragma unroll
                for (int k = 0; k < each - 1; k++)
                    row[k] = Op::of(left, row[k]);
        }
        if (r > 0)
#pragma unroll
            for (int k = 0; k < each; k++)
                row[k] = Op::of(all, row[k]);
        all = shuffle<lane_at>(*last, 31);
    }
    return all;
}

/* Folds what is before the warp's stretch into its running sums, and writes them. */
template <class Op, bool exclusive, class T>
PYCUDA_DEVICE void scan_finish(const T *kept, const T *sum, const T *before,
                               unsigned number, T *output, size_t n, bool is_aligned)
{
    using shape = scan_shape<T>;
    constexpr int each = shape::each, row = 32 * each;
    unsigned lane = threadIdx.x % 32;
    T lead, left; /* of the stretch, of the row */
    bool has = false;
    for (int level = shape::levels; level-- > 0;)
        if (number >> 5 * level & 31) {
            lead = has ? Op::of(lead, before[level]) : before[level];
            has = true;
        }
    for (unsigned w = 0; w < threadIdx.x / 32; w++, has = true)
        lead = has ? Op::of(lead, sum[w]) : sum[w];
    left = lead;
    int count;
    output += scan_first<T>(number, n, &count);
#pragma unroll
    for (int r = 0; r < shape::rows; r++) {
        T x[each], *to = output + r * row;
        memcpy((void *)x, kept + r * shape::threads * each, sizeof x);
        if (has)
#pragma unroll
            for (int k = 0; k < each; k++)
                x[k] = Op::of(lead, x[k]);
        if constexpr (exclusive) {
            T last = x[each - 1], one = shuffle<lane_up>(last, 1);
            one = lane > 0 ? one : left;
#pragma unroll
            for (int k = each - 1; k > 0; k--)
                x[k] = Op::of(Op::neutral(), x[k - 1]);
            x[0] =
                has || r > 0 || lane > 0 ? Op::of(Op::neutral(), one) : Op::neutral();
            left = shuffle<lane_at>(last, 31);
        }
        if (shape::vectors && is_aligned && r * row + each <= count) {
#pragma unroll
            for (int v = 0; v < shape::vectors; v++) {
                uint4 part;
                memcpy(&part, (uint4 *)x + v, 16);
                __stcs((uint4 *)to + v, part);
            }
        } else
#pragma unroll
            for (int k = 0; k < each; k++)
                if (r * row + k < count)
                    to[k] = x[k];
    }
}

/* scratch, where there are several tiles: how often blocks have asked for one; from
   byte 16 the sums. */
template <class Op, bool exclusive, class T>
PYCUDA_DEVICE void scan(const T *input, T *output, T *scratch, size_t n, size_t)
{
    using shape = scan_shape<T>;
    constexpr unsigned none = ~0u;
    __shared__ __align__(16) char memory[shape::kept * shape::tile * sizeof(T)],
        sums_of_warps[(shape::turns * shape::warps + shape::levels) * sizeof(T)];
    __shared__ unsigned taken;
    unsigned *asked = (unsigned *)scratch, t = threadIdx.x, number = none;
    scan_sums<T> sums = {(unsigned long long *)(asked + 4)};
    T *sum = (T *)sums_of_warps, *before = sum + shape::turns * shape::warps;
    T x[shape::items];
    unsigned next[shape::rows * shape::row_words], old[shape::kept];
    unsigned tiles = (n + shape::tile - 1) / shape::tile;
    bool is_aligned = ((size_t)input | (size_t)output) % 16 == 0;
    for (int k = 0; k < shape::kept; k++)
        old[k] = none;
    for (unsigned turn = 0, left = shape::kept; left > 0; turn++) {
        T *kept = (T *)memory + turn % shape::kept * shape::tile + t * shape::each;
        T *mine = sum + turn % shape::turns * shape::warps;
        unsigned oldest = old[shape::kept - 1], following = none;
        if (turn == 0 || number < tiles) {
            if (t == 0)
                following = tiles > 1 ? atomicAdd(asked, 1u) : turn;
            if (number < tiles) {
                T all = scan_rows<Op>(x, next);
                if (t % 32 == 0)
                    mine[t / 32] = all;
            }
            if (t == 0)
                taken = following;
            __syncthreads();
            following = taken;
            if (following < tiles)
                scan_load(next, input, n, following, is_aligned);
            if (t < 32 && number < tiles && tiles > 1) {
                T all = mine[0];
                for (int w = 1; w < shape::warps; w++)
                    all = Op::of(all, mine[w]);
                scan_publish<Op>(sums, number, tiles, all);
            }
        } else
            left--;
        if (oldest < tiles)
            scan_before<Op>(sums, oldest, tiles, before);
        __syncthreads();
        if (oldest < tiles)
            scan_finish<Op, exclusive>(
                kept, sum + (turn - shape::kept) % shape::turns * shape::warps, before,
                oldest, output, n, is_aligned);
#pragma unroll
        for (int r = 0; r < shape::rows; r++)
            memcpy((void *)(kept + r * shape::threads * shape::each),
                   x + r * shape::each, shape::each * sizeof(T));
        for (int k = shape::kept - 1; k > 0; k--)
            old[k] = old[k - 1];
        old[0] = number;
        number = following;
    }
}

#else

/* The lane's element of 32; beyond the end bytes of 0, which nobody gets to see. */
template <class T> PYCUDA_DEVICE T load32(const T *x, size_t at, size_t n)
{
    T value;
    memset(&value, 0, sizeof value);
    if (at + threadIdx.x < n)
        value = x[at + threadIdx.x];
    return value;
}

/* What lanes cannot share well goes one after the other. Folds elements from `first` to
   `end`; writes the running sums, those before `first` folded in, if there is an
   output. */
template <class Op, bool exclusive, class T>
PYCUDA_DEVICE T scan_along(const T *input, T *output, size_t first, size_t end,
                           const T *before)
{
    T sum = before ? *before : input[first];
    for (size_t at = first; at < end; at++) {
        bool has = before || at > first;
        T x = input[at], result = has ? Op::of(sum, x) : x;
        if constexpr (exclusive)
            output[at] = has ? Op::of(Op::neutral(), sum) : Op::neutral();
        else if (output)
            output[at] = result;
        sum = result;
    }
    return sum;
}

/* `sums` folds the stretches, `carry` scans those sums with one warp, `scan` goes over
   the elements again with what is before each stretch. With one stretch alone `scan` is
   enough. */
template <class Op, class T>
PYCUDA_DEVICE void scan_sums(const T *input, T *sums, size_t n, size_t each)
{
    size_t first = blockIdx.x * each, end = first + each < n ? first + each : n;
    if constexpr (sizeof(T) > 24) {
        if (threadIdx.x == 0)
            sums[blockIdx.x] = scan_along<Op, false>(input, (T *)0, first, end, (T *)0);
        return;
    }
    T sum = shuffle<lane_at>(scan_warp<Op>(load32(input, first, n)), 31);
    for (size_t at = first + 32; at < end; at += 32)
        sum = shuffle<lane_at>(Op::of(sum, scan_warp<Op>(load32(input, at, n))), 31);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

/* sums: of all stretches up to each; exclusive: results lack their own element. */
template <class Op, bool exclusive, class T>
PYCUDA_DEVICE void scan(const T *input, T *output, const T *sums, size_t n, size_t each)
{
    size_t first = blockIdx.x * each, end = first + each < n ? first + each : n;
    if constexpr (sizeof(T) > 24) {
        if (threadIdx.x == 0)
            scan_along<Op, exclusive>(input, output, first, end,
                                      blockIdx.x > 0 ? sums + blockIdx.x - 1 : 0);
        return;
    }
    T x = scan_warp<Op>(load32(input, first, n)), sum = x; /* of all before x's 32 */
    if (blockIdx.x > 0) {
        sum = sums[blockIdx.x - 1];
        x = Op::of(sum, x);
    }
    for (size_t at = first;;) {
        T result = x;
        if constexpr (exclusive) {
            result = shuffle<lane_up>(x, 1);
            result = threadIdx.x == 0 ? sum : result;
            result =
                at + threadIdx.x > 0 ? Op::of(Op::neutral(), result) : Op::neutral();
        }
        if (at + threadIdx.x < n)
            output[at + threadIdx.x] = result;
        sum = shuffle<lane_at>(x, 31);
        at += 32;
        if (at >= end)
            return;
        x = Op::of(sum, scan_warp<Op>(load32(input, at, n)));
    }
}

#endif

} // namespace pycuda

#endif
