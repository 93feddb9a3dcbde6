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

/* A block scans tiles, one after the other. What is before a tile is folded of sums
   that blocks publish: of the tiles before it in its group of 32 tiles, of the groups
   before that in its group of 32 groups, and so on; the last tile of a group publishes
   the group's sum, having waited for 31 neighbours. Tiles are taken in order, so
   whatever is waited for is under way. A block reads its next tile, and publishes the
   sum of that, before it asks what is before the last one: by then it seldom waits. */

/* The launcher has these numbers, too. */
template <class T> struct scan_shape {
    enum {
        size = sizeof(T),
        threads = size <= 128 ? 128 : 32,
        warps = threads / 32,
        items = size <= 4    ? 32
                : size <= 8  ? 16
                : size <= 16 ? 8
                : size <= 32 ? 4
                             : 1, /* of a thread */
        tile = items * threads,
        stride = items > 1 ? items + 1 : 1, /* in shared memory, without conflicts */
        room = stride * threads,
        levels = 7,
        words = (size + 3) / 4
    };
    static PYCUDA_DEVICE unsigned place(unsigned at)
    {
        return at / items * stride + at % items;
    }
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
            sum = shuffle(scan_warp<Op>(x), 31, false);
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
            x = shuffle(scan_warp<Op>(x), r - 1, false);
            if (lane == 0)
                before[level] = x;
        }
        sums.word += (size_t)count * sums.words;
    }
}

/* What thread t brings of a tile; beyond the end bytes of 0, which nobody gets to see.
 */
template <class T>
PYCUDA_DEVICE void scan_load(T (&x)[scan_shape<T>::items], const T *input, size_t n,
                             unsigned number)
{
    constexpr int items = scan_shape<T>::items, threads = scan_shape<T>::threads;
    size_t first = (size_t)number * scan_shape<T>::tile + threadIdx.x;
    if (first + (items - 1) * threads < n) {
#pragma unroll
        for (int k = 0; k < items; k++)
            x[k] = input[first + k * threads];
        return;
    }
#pragma unroll
    for (int k = 0; k < items; k++)
        if (first + k * threads < n)
            x[k] = input[first + k * threads];
        else
            memset((void *)&x[k], 0, sizeof x[k]);
}

/* Scans a tile whose sums of warps are there, the thread's lead being what is before it
   in its warp, and writes it. */
template <class Op, bool exclusive, class T>
PYCUDA_DEVICE void scan_finish(T *tile, const T *sum, const T *before, T lead,
                               unsigned number, T *output, size_t n)
{
    constexpr int items = scan_shape<T>::items, threads = scan_shape<T>::threads;
    unsigned t = threadIdx.x;
    bool has = t % 32 > 0; /* a lead */
    for (unsigned w = t / 32; w-- > 0; has = true)
        lead = has ? Op::of(sum[w], lead) : sum[w];
    for (int level = 0; level < scan_shape<T>::levels; level++)
        if (number >> 5 * level & 31) {
            lead = has ? Op::of(before[level], lead) : before[level];
            has = true;
        }
    T *mine = tile + scan_shape<T>::place(t * items);
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
    size_t first = (size_t)number * scan_shape<T>::tile;
    for (unsigned k = 0, at = t; k < items && first + at < n; k++, at += threads)
        output[first + at] = tile[scan_shape<T>::place(at)];
}

/* scratch, where there are several tiles: how often blocks have asked for one; from
   byte 16 the sums. Two tiles are in shared memory, the newer one and the one to be
   finished. */
template <class Op, bool exclusive, class T>
PYCUDA_DEVICE void scan(const T *input, T *output, T *scratch, size_t n, size_t)
{
    using shape = scan_shape<T>;
    constexpr unsigned none = ~0u;
    __shared__ __align__(16) char memory[2 * shape::room * sizeof(T)],
        sums_of_warps[(2 * shape::warps + shape::levels) * sizeof(T)];
    __shared__ unsigned taken;
    unsigned *asked = (unsigned *)scratch, t = threadIdx.x;
    scan_sums<T> sums = {(unsigned long long *)(asked + 4)};
    T *before = (T *)sums_of_warps + 2 * shape::warps, next[shape::items], lead,
      old_lead;
    unsigned tiles = (n + shape::tile - 1) / shape::tile, number = 0, old = none;
    if (tiles > 1) {
        if (t == 0)
            taken = atomicAdd(asked, 1u);
        __syncthreads();
        number = taken;
        __syncthreads();
    }
    if (number < tiles)
        scan_load(next, input, n, number);
    for (unsigned half = 0; number < tiles || old < tiles; half ^= 1) {
        T *tile = (T *)memory + half * shape::room;
        T *sum = (T *)sums_of_warps + half * shape::warps;
        unsigned following = none;
        if (number < tiles) {
#pragma unroll
            for (unsigned k = 0; k < shape::items; k++)
                tile[shape::place(k * shape::threads + t)] = next[k];
            if (t == 0 && tiles > 1)
                taken = atomicAdd(asked, 1u);
            __syncthreads();
            if (tiles > 1)
                following = taken;
            const T *mine = tile + shape::place(t * shape::items);
            lead = mine[0];
#pragma unroll
            for (int k = 1; k < shape::items; k++)
                lead = Op::of(lead, mine[k]);
            lead = scan_warp<Op>(lead);
            if (t % 32 == 31)
                sum[t / 32] = lead;
            lead = shuffle(lead, 1, true);
            __syncthreads();
            if (following < tiles)
                scan_load(next, input, n, following);
            if (t < 32 && tiles > 1) {
                T all = sum[0];
                for (int w = 1; w < shape::warps; w++)
                    all = Op::of(all, sum[w]);
                scan_publish<Op>(sums, number, tiles, all);
            }
        }
        if (old < tiles) {
            scan_before<Op>(sums, old, tiles, before);
            __syncthreads();
            scan_finish<Op, exclusive>((T *)memory + (half ^ 1) * shape::room,
                                       (T *)sums_of_warps + (half ^ 1) * shape::warps,
                                       before, old_lead, old, output, n);
        }
        __syncthreads();
        old = number;
        old_lead = lead;
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
