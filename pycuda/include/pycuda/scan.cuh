/* Scans (running sums and the like). Elements are folded in their order: the operation
   has to be associative, not commutative; the grouping depends on n alone, so that the
   same scan gives the same bits again. On a GPU it is one launch that reads each
   element once; on the host three, of blocks that are one warp each and take a long
   stretch. */
#ifndef PYCUDA_SCAN_CUH
#define PYCUDA_SCAN_CUH

#include "operations.cuh"

namespace pycuda
{

/* The value that another lane has: `from` lanes lower if up, else lane number `from`.
 */
template <class T> PYCUDA_DEVICE T shuffle(T x, unsigned from, bool up)
{
    unsigned words[(sizeof(T) + 3) / 4];
    words[(sizeof(T) - 1) / 4] = 0;
    memcpy(words, &x, sizeof x);
    for (unsigned k = 0; k < (sizeof(T) + 3) / 4; k++)
        words[k] =
            up ? __shfl_up_sync(~0u, words[k], from) : __shfl_sync(~0u, words[k], from);
    memcpy(&x, words, sizeof x);
    return x;
}

/* The elements of the lanes up to this one, folded. */
template <class Op, class T> PYCUDA_DEVICE T scan_warp(T x)
{
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int k = 1; k < 32; k *= 2) {
        T left = shuffle(x, k, true);
        if (lane >= k)
            x = Op::of(left, x);
    }
    return x;
}

#ifndef __HOSTCC__

/* A block scans a tile. What is before the tile is folded of sums that other blocks
   publish: of the tiles before it in its group of 32 tiles, of the groups before that
   in its group of 32 groups, and so on. The last tile of a group publishes the group's
   sum, having waited for 31 neighbours. Tiles are numbered as blocks start, so whatever
   is waited for has started. */

/* What is published: small sums in a word that says so, others beside one. */
template <class T> struct scan_nodes {
    char *words;
    T *sums;
    enum { is_small = sizeof(T) <= 4 };

    PYCUDA_DEVICE void publish(unsigned at, T sum)
    {
        if constexpr (is_small) {
            unsigned long long word = 1ull << 32;
            memcpy(&word, &sum, sizeof sum);
            ((volatile unsigned long long *)words)[at] = word;
        } else {
            sums[at] = sum;
            __threadfence();
            ((volatile unsigned *)words)[at] = 1;
        }
    }
    PYCUDA_DEVICE T wait_for(unsigned at)
    {
        if constexpr (is_small) {
            unsigned long long word;
            while (!((word = ((volatile unsigned long long *)words)[at]) >> 32))
                ;
            T sum;
            memcpy(&sum, &word, sizeof sum);
            return sum;
        } else {
            while (!((volatile unsigned *)words)[at])
                ;
            __threadfence();
            return sums[at];
        }
    }
};

/* Publishes what the tile is the last of, given its sum, and folds what is before it at
   each level. Warps share the levels, and the first one publishes. */
template <class Op, class T>
PYCUDA_DEVICE void scan_levels(unsigned at, T sum, T *before, scan_nodes<T> published)
{
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    unsigned count = gridDim.x, base = 0;
    bool is_last = warp == 0; /* and the tile ends its group at every level so far */
    for (unsigned level = 0; at > 0 || is_last; level++) {
        unsigned r = at % 32;
        bool is_mine = level % warps == warp;
        if (is_last && lane == 0)
            published.publish(base + at, sum);
        is_last &= r == 31;
        if (r > 0 && (is_last || is_mine)) {
            T x = scan_warp<Op>(lane < r ? published.wait_for(base + at - r + lane)
                                         : sum);
            x = shuffle(x, r - 1, false);
            if (is_mine && lane == 0)
                before[level] = x;
            sum = Op::of(x, sum);
        }
        base += count;
        count = (count + 31) / 32;
        at /= 32;
    }
}

/* The launcher has the same numbers of elements of a thread, and of threads. scratch,
   where there are several tiles: how many have started; from byte 16 the words of
   nodes, from byte `offset` their sums. */
template <class Op, bool exclusive, class T>
PYCUDA_DEVICE void scan(const T *input, T *output, T *scratch, size_t n, size_t offset)
{
    constexpr int size = sizeof(T), threads = size <= 128 ? 128 : 32,
                  warps = threads / 32;
    constexpr int items = size <= 4    ? 32
                          : size <= 8  ? 16
                          : size <= 16 ? 8
                          : size <= 32 ? 4
                                       : 1;
    constexpr int levels = 7;
    __shared__ __align__(16) char memory[size * (items * threads + items * warps)];
    __shared__ __align__(16) char sums[size * (warps + levels)];
    __shared__ unsigned number;
    T *tile = (T *)memory, *sum = (T *)sums, *before = sum + warps;
    unsigned t = threadIdx.x;
    if (t == 0)
        number = gridDim.x > 1 ? atomicAdd((unsigned *)scratch, 1u) : 0;
    __syncthreads();
    size_t first = (size_t)number * (items * threads);
    input += first;
    output += first;
    n -= first;
#pragma unroll
    for (unsigned k = 0; k < items; k++) {
        unsigned at = k * threads + t;
        if (at < n)
            tile[at + at / 32] = input[at];
        else
            memset((void *)&tile[at + at / 32], 0, size); /* which nobody gets to see */
    }
    __syncthreads();
    T *mine = tile + t * items + t * items / 32, lead = mine[0];
#pragma unroll
    for (int k = 1; k < items; k++)
        lead = Op::of(lead, mine[k]);
    lead = scan_warp<Op>(lead);
    if (t % 32 == 31)
        sum[t / 32] = lead;
    lead = shuffle(lead, 1, true);
    __syncthreads();
    if (gridDim.x > 1) {
        T all = sum[0];
        for (int w = 1; w < warps; w++)
            all = Op::of(all, sum[w]);
        scan_levels<Op>(
            number, all, before,
            scan_nodes<T>{(char *)scratch + 16, (T *)((char *)scratch + offset)});
        __syncthreads();
    }
    bool has = t % 32 > 0; /* a lead: what is before the thread */
    for (unsigned w = t / 32; w-- > 0; has = true)
        lead = has ? Op::of(sum[w], lead) : sum[w];
    for (int level = 0; level < levels; level++)
        if (number >> 5 * level & 31) {
            lead = has ? Op::of(before[level], lead) : before[level];
            has = true;
        }
#pragma unroll
    for (int k = 0; k < items; k++) {
        T x = mine[k];
        if constexpr (exclusive)
            mine[k] = has ? Op::of(Op::neutral(), lead) : Op::neutral();
        lead = has ? Op::of(lead, x) : x;
        has = true;
        if constexpr (!exclusive)
            mine[k] = lead;
    }
    __syncthreads();
    for (unsigned k = 0, at = t; k < items && at < n; k++, at += threads)
        output[at] = tile[at + at / 32];
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

/* `sums` folds the stretches, `carry` scans those sums with one warp, `scan` goes over
   the elements again with what is before each stretch. With one stretch alone `scan` is
   enough. */
template <class Op, class T>
PYCUDA_DEVICE void scan_sums(const T *input, T *sums, size_t n, size_t each)
{
    size_t first = blockIdx.x * each, end = first + each < n ? first + each : n;
    T sum = shuffle(scan_warp<Op>(load32(input, first, n)), 31, false);
    for (size_t at = first + 32; at < end; at += 32)
        sum = shuffle(Op::of(sum, scan_warp<Op>(load32(input, at, n))), 31, false);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

/* sums: of all stretches up to each; exclusive: results lack their own element. */
template <class Op, bool exclusive, class T>
PYCUDA_DEVICE void scan(const T *input, T *output, const T *sums, size_t n, size_t each)
{
    size_t first = blockIdx.x * each, end = first + each < n ? first + each : n;
    T x = scan_warp<Op>(load32(input, first, n)), sum = x; /* of all before x's 32 */
    if (blockIdx.x > 0) {
        sum = sums[blockIdx.x - 1];
        x = Op::of(sum, x);
    }
    for (size_t at = first;;) {
        T result = x;
        if constexpr (exclusive) {
            result = shuffle(x, 1, true);
            result = threadIdx.x == 0 ? sum : result;
            result =
                at + threadIdx.x > 0 ? Op::of(Op::neutral(), result) : Op::neutral();
        }
        if (at + threadIdx.x < n)
            output[at + threadIdx.x] = result;
        sum = shuffle(x, 31, false);
        at += 32;
        if (at >= end)
            return;
        x = Op::of(sum, scan_warp<Op>(load32(input, at, n)));
    }
}

#endif

} // namespace pycuda

#endif
