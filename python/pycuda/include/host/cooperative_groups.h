/* Cooperative groups: blocks, grids, tiles of 1 to 512 threads, groups of converged
   threads and their partitions; reduce, scans, invoke_one, memcpy_async. A part of a
   warp is its mask of lanes; what it does are the warp functions under that mask. */
#ifndef HOSTCC_COOPERATIVE_GROUPS_H
#define HOSTCC_COOPERATIVE_GROUPS_H
#include "../pycuda/letters_aside.cuh"

/* In a namespace of CUDA's name, so that headers may declare groups before. */
namespace cooperative_groups
{
namespace __v1
{

/* Nobody waits before all have arrived, so arriving may be part of waiting. */
template <class Group> struct __hc_barrier {
    struct arrival_token {
    };
    __device__ arrival_token barrier_arrive() const { return {}; }
    __device__ void barrier_wait(arrival_token &&) const { Group::sync(); }
};

struct thread_block : __hc_barrier<thread_block> {
    __device__ static void sync() { __syncthreads(); }
    __device__ static void barrier_sync() { __syncthreads(); }
    __device__ static dim3 group_index() { return blockIdx; }
    __device__ static dim3 thread_index() { return threadIdx; }
    __device__ static dim3 group_dim() { return blockDim; }
    __device__ static dim3 dim_threads() { return blockDim; }
    __device__ static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    __device__ static unsigned num_threads() { return size(); }
    __device__ static unsigned thread_rank()
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
};
__HC_DEVICE thread_block this_thread_block() { return thread_block(); }

/* Kernels are launched without clusters here, so that each block is one. */
struct cluster_group : thread_block {
    __device__ static void barrier_arrive() {}
    __device__ static void barrier_wait() { __syncthreads(); }
    __device__ static unsigned block_rank() { return 0; }
    __device__ static unsigned num_blocks() { return 1; }
    __device__ static dim3 block_index() { return dim3(0, 0, 0); }
    __device__ static dim3 dim_blocks() { return dim3(1, 1, 1); }
    __device__ static dim3 dim_threads() { return blockDim; }
    template <class T> __device__ static T *map_shared_rank(T *p, int) { return p; }
    __device__ static unsigned query_shared_rank(const void *) { return 0; }
};
__HC_DEVICE cluster_group this_cluster() { return cluster_group(); }

struct grid_group : __hc_barrier<grid_group> {
    __device__ static dim3 group_dim() { return gridDim; }
    __device__ static dim3 dim_blocks() { return gridDim; }
    __device__ static dim3 dim_threads() { return blockDim; }
    __device__ static dim3 block_index() { return blockIdx; }
    __device__ static dim3 thread_index() { return threadIdx; }
    __device__ static unsigned long long num_blocks()
    {
        return (__hc_ull)gridDim.x * gridDim.y * gridDim.z;
    }
    __device__ static unsigned long long block_rank()
    {
        return ((__hc_ull)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __device__ static unsigned long long size()
    {
        return num_blocks() * thread_block::size();
    }
    __device__ static unsigned long long num_threads() { return size(); }
    __device__ static unsigned long long thread_rank()
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    __device__ static bool is_valid() { return __hostcc_grid_arrived() != nullptr; }
    /* One thread of each block adds to the counter, whose highest bit turns over when
       all have: the first block's part is what the others' leave to that. */
    __device__ static void sync()
    {
        __syncthreads();
        if (thread_block::thread_rank() == 0) {
            unsigned *arrived = __hostcc_grid_arrived();
            if (!arrived)
                __trap();
            unsigned others = (unsigned)num_blocks() - 1;
            __threadfence();
            unsigned before =
                atomicAdd(arrived, block_rank() == 0 ? 0x80000000u - others : 1u);
            while (((before ^ *(volatile unsigned *)arrived) & 0x80000000u) == 0)
                __hostcc_pause();
            __threadfence();
        }
        __syncthreads();
    }
};
__HC_DEVICE grid_group this_grid() { return grid_group(); }

/* -- Lanes of a warp -- */

/* What shuffles do not take goes from lane to lane word by word. */
template <class T> struct __hc_words {
    static constexpr bool is_one =
        sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8;
    unsigned word[(sizeof(T) + 3) / 4];
    __device__ explicit __hc_words(const T &v)
    {
        word[(sizeof(T) - 1) / 4] = 0;
        __builtin_memcpy(word, &v, sizeof(T));
    }
    __device__ T value(T v) const
    {
        __builtin_memcpy(&v, word, sizeof(T));
        return v;
    }
};
#define __HC_SHUFFLED(T, v, shuffle)       \
    if constexpr (__hc_words<T>::is_one) { \
        return shuffle(v);                 \
    } else {                               \
        __hc_words<T> all(v);              \
        for (unsigned &word : all.word)    \
            word = shuffle(word);          \
        return all.value(v);               \
    }

/* Any set of lanes of a warp, of which this thread is one: ranks count from the lowest.
   It may be one of several groups that another was parted into. */
class coalesced_group
{
    unsigned lanes, group, groups;

    __device__ unsigned by_rank(unsigned some) const
    {
        unsigned packed = 0, rest = lanes;
        for (unsigned i = 0; rest; i++, rest &= rest - 1)
            packed |= (some >> (__ffs(rest) - 1) & 1) << i;
        return packed;
    }

  public:
    static constexpr unsigned __hc_most = 32; /* members */
    __device__ explicit coalesced_group(unsigned mask, unsigned rank = 0,
                                        unsigned of = 1)
        : lanes(mask), group(rank), groups(of)
    {
    }
    __device__ unsigned mask() const { return lanes; }
    __device__ void sync() const { __syncwarp(lanes); }
    __device__ unsigned size() const { return __popc(lanes); }
    __device__ unsigned num_threads() const { return size(); }
    __device__ unsigned thread_rank() const
    {
        return __popc(lanes & ((1u << __hostcc_lane()) - 1));
    }
    __device__ unsigned meta_group_rank() const { return group; }
    __device__ unsigned meta_group_size() const { return groups; }
    template <class T> __device__ T shfl(T v, int rank) const
    {
        unsigned lane = __hc_member(lanes, rank);
#define __HC_FROM_LANE(x) __shfl_sync(lanes, x, lane)
        __HC_SHUFFLED(T, v, __HC_FROM_LANE)
#undef __HC_FROM_LANE
    }
    template <class T> __device__ T shfl_up(T v, unsigned d) const
    {
        return shfl(v, thread_rank() < d ? thread_rank() : thread_rank() - d);
    }
    template <class T> __device__ T shfl_down(T v, unsigned d) const
    {
        return shfl(v, d < size() - thread_rank() ? thread_rank() + d : thread_rank());
    }
    __device__ int any(int predicate) const { return __any_sync(lanes, predicate); }
    __device__ int all(int predicate) const
    {
        return __ballot_sync(lanes, predicate) == lanes;
    }
    __device__ unsigned ballot(int predicate) const
    {
        return by_rank(__ballot_sync(lanes, predicate));
    }
    template <class T> __device__ unsigned match_any(T v) const
    {
        return by_rank(__match_any_sync(lanes, v));
    }
    template <class T> __device__ unsigned match_all(T v, int &all_match) const
    {
        return by_rank(__match_all_sync(lanes, v, &all_match));
    }
};
__HC_DEVICE coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

/* Tiles of n members by rank, n a power of two up to 32; the last may be shorter. */
__HC_DEVICE coalesced_group __hc_tile_of_block(unsigned n)
{
    if (n == 0 || n > 32 || (n & (n - 1)))
        __trap();
    unsigned rank = thread_block::thread_rank(), all = thread_block::size();
    unsigned most = all - (rank & -n), count = n < most ? n : most;
    return coalesced_group(~0u >> (32 - count) << (__hostcc_lane() & -n), rank / n,
                           (all + n - 1) / n);
}
__HC_DEVICE coalesced_group tiled_partition(const coalesced_group &g, unsigned n)
{
    if (n == 0 || n > 32 || (n & (n - 1)))
        __trap();
    if (g.size() <= n)
        return g;
    unsigned rank = g.thread_rank(), first = rank & -n;
    unsigned end = first + n < g.size() ? first + n : g.size();
    unsigned from = ~0u << __hc_member(g.mask(), first);
    unsigned upto = ~0u >> (31 - __hc_member(g.mask(), end - 1));
    return coalesced_group(g.mask() & from & upto, rank / n, (g.size() + n - 1) / n);
}

/* Any group, known at run time alone. */
class thread_group
{
    enum { GRID, BLOCK, LANES } kind;
    unsigned mask, group, groups;
    __hc_ull count, rank;

  protected:
    __device__ thread_group(unsigned lanes, unsigned of_group, unsigned of_groups,
                            unsigned threads, unsigned thread)
        : kind(LANES), mask(lanes), group(of_group), groups(of_groups), count(threads),
          rank(thread)
    {
    }
    __device__ unsigned __hc_group() const { return group; }
    __device__ unsigned __hc_groups() const { return groups; }

  public:
    __device__ thread_group(const grid_group &g)
        : kind(GRID), mask(0), group(0), groups(1), count(g.size()),
          rank(g.thread_rank())
    {
    }
    __device__ thread_group(const thread_block &b)
        : kind(BLOCK), mask(0), group(0), groups(1), count(b.size()),
          rank(b.thread_rank())
    {
    }
    __device__ thread_group(const coalesced_group &g)
        : thread_group(g.mask(), g.meta_group_rank(), g.meta_group_size(), g.size(),
                       g.thread_rank())
    {
    }
    __device__ void sync() const
    {
        if (kind == GRID)
            grid_group::sync();
        else if (kind == BLOCK)
            __syncthreads();
        else
            __syncwarp(mask);
    }
    __device__ __hc_ull size() const { return count; }
    __device__ __hc_ull num_threads() const { return count; }
    __device__ __hc_ull thread_rank() const { return rank; }
    __device__ thread_group __hc_tiled(unsigned n) const
    {
        if (kind == GRID)
            __trap();
        return kind == BLOCK ? __hc_tile_of_block(n)
                             : tiled_partition(coalesced_group(mask, group, groups), n);
    }
};

/* N consecutive lanes, N a power of two up to 32. */
template <unsigned N> struct __hc_tile {
    static_assert(N && N <= 32 && (N & (N - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");
    static constexpr unsigned __hc_most = N;
    __device__ static unsigned first() { return __hostcc_lane() & ~(N - 1); }
    __device__ static unsigned mask() { return ~0u >> (32 - N) << first(); }
    __device__ static void sync() { __syncwarp(mask()); }
    __device__ static constexpr unsigned size() { return N; }
    __device__ static constexpr unsigned num_threads() { return N; }
    __device__ static unsigned thread_rank() { return __hostcc_lane() & (N - 1); }
#define __HC_TILE(name)                                     \
    template <class T> __device__ static T name(T v, int i) \
    {                                                       \
        __HC_SHUFFLED(T, v, __HC_##name)                    \
    }
#define __HC_shfl(x) __shfl_sync(mask(), x, i, N)
#define __HC_shfl_up(x) __shfl_up_sync(mask(), x, i, N)
#define __HC_shfl_down(x) __shfl_down_sync(mask(), x, i, N)
#define __HC_shfl_xor(x) __shfl_xor_sync(mask(), x, i, N)
    __HC_TILE(shfl)
    __HC_TILE(shfl_up)
    __HC_TILE(shfl_down)
    __HC_TILE(shfl_xor)
#undef __HC_TILE
#undef __HC_shfl
#undef __HC_shfl_up
#undef __HC_shfl_down
#undef __HC_shfl_xor
    __device__ static int any(int predicate) { return __any_sync(mask(), predicate); }
    __device__ static int all(int predicate)
    {
        return __ballot_sync(mask(), predicate) == mask();
    }
    __device__ static unsigned ballot(int p)
    {
        return __ballot_sync(mask(), p) >> first();
    }
    template <class T> __device__ static unsigned match_any(T v)
    {
        return __match_any_sync(mask(), v) >> first();
    }
    template <class T> __device__ static unsigned match_all(T v, int &all_match)
    {
        return __match_all_sync(mask(), v, &all_match) >> first();
    }
};
template <unsigned N, class Parent = void> class thread_block_tile : public __hc_tile<N>
{
  public:
    __device__ static unsigned meta_group_rank() { return Parent::thread_rank() / N; }
    __device__ static unsigned meta_group_size()
    {
        return (Parent::size() + N - 1) / N;
    }
    __device__ operator thread_block_tile<N>() const
    {
        return {meta_group_rank(), meta_group_size()};
    }
};
/* Whose parent is known at run time alone. */
template <unsigned N>
class thread_block_tile<N, void> : public __hc_tile<N>, public thread_group
{
    typedef __hc_tile<N> tile;
    __device__ thread_block_tile(unsigned group, unsigned groups)
        : thread_group(tile::mask(), group, groups, N, tile::thread_rank())
    {
    }
    template <unsigned, class> friend class thread_block_tile;

  public:
    using tile::mask;
    using tile::num_threads;
    using tile::size;
    using tile::sync;
    using tile::thread_rank;
    __device__ unsigned meta_group_rank() const { return __hc_group(); }
    __device__ unsigned meta_group_size() const { return __hc_groups(); }
};
#include "hostcc/wide_tiles.h"
template <class Group> struct __hc_has_tiles {
    static constexpr bool value = false;
};
template <> struct __hc_has_tiles<thread_block> {
    static constexpr bool value = true;
};
template <unsigned N, class P> struct __hc_has_tiles<thread_block_tile<N, P>> {
    static constexpr bool value = true;
};
template <unsigned N, class Parent>
__HC_DEVICE thread_block_tile<N, Parent> tiled_partition(const Parent &)
{
    static_assert(__hc_has_tiles<Parent>::value,
                  "blocks and their tiles have tiles of a constant size; give other "
                  "groups' as an argument: tiled_partition(group, size)");
    return thread_block_tile<N, Parent>();
}
__HC_DEVICE thread_block_tile<1> this_thread()
{
    return thread_block_tile<1, thread_block_tile<1, thread_block>>();
}

/* Those of a group that agree: in a predicate, in a label. */
template <class Group>
__HC_DEVICE coalesced_group __hc_parted(const Group &g, bool predicate)
{
    unsigned all = g.mask(), yes = __ballot_sync(all, predicate);
    if (yes == all || !yes)
        return coalesced_group(all);
    return coalesced_group(predicate ? yes : all & ~yes, predicate, 2);
}
template <class Group, class T>
__HC_DEVICE coalesced_group __hc_parted(const Group &g, T label)
{
    unsigned all = g.mask(), mine = __match_any_sync(all, label), first = mine & -mine;
    unsigned leaders = __ballot_sync(all, first >> __hostcc_lane() & 1);
    return coalesced_group(mine, __popc(leaders & (first - 1)), __popc(leaders));
}
template <class Group>
__HC_DEVICE coalesced_group binary_partition(const Group &g, bool predicate)
{
    return __hc_parted(g, predicate);
}
template <class Group, class T>
__HC_DEVICE coalesced_group labeled_partition(const Group &g, T label)
{
    return __hc_parted(g, label);
}

__HC_DEVICE thread_group tiled_partition(const thread_group &g, unsigned n)
{
    return g.__hc_tiled(n);
}
__HC_DEVICE thread_group tiled_partition(const thread_block &, unsigned n)
{
    return __hc_tile_of_block(n);
}

template <class Group> __HC_DEVICE void sync(const Group &g) { g.sync(); }
template <class Group>
__HC_DEVICE auto thread_rank(const Group &g) -> decltype(g.thread_rank())
{
    return g.thread_rank();
}
template <class Group> __HC_DEVICE auto group_size(const Group &g) -> decltype(g.size())
{
    return g.size();
}

/* One thread of the group calls f; all may have what it gives. */
template <class Group, class F, class... A>
__HC_DEVICE void invoke_one(const Group &g, F &&f, A &&...arguments)
{
    if (g.thread_rank() == 0)
        f(static_cast<A &&>(arguments)...);
}
template <class Group, class F, class... A>
__HC_DEVICE auto invoke_one_broadcast(const Group &g, F &&f, A &&...arguments)
    -> decltype(f(static_cast<A &&>(arguments)...))
{
    decltype(f(static_cast<A &&>(arguments)...)) result;
    if (g.thread_rank() == 0)
        result = f(static_cast<A &&>(arguments)...);
    return g.shfl(result, 0);
}

#define __HC_OPERATION(name, result)                               \
    template <class T> struct name {                               \
        __device__ T operator()(T a, T b) const { return result; } \
    };
__HC_OPERATION(plus, a + b)
__HC_OPERATION(less, b < a ? b : a)
__HC_OPERATION(greater, a < b ? b : a)
__HC_OPERATION(bit_and, a &b)
__HC_OPERATION(bit_or, a | b)
__HC_OPERATION(bit_xor, a ^ b)

/* -- Scans: the sum of those before, with this thread's value or without -- */

/* As many steps whatever the group's size, so that lanes of several groups stay in
 * step. */
template <class Group, class T, class F>
__HC_DEVICE T inclusive_scan(const Group &g, T v, F f)
{
    if constexpr (Group::__hc_most > 32) {
        return g.__hc_scan(v, f);
    } else {
#pragma unroll 1
        for (unsigned d = 1; d < Group::__hc_most; d *= 2) {
            T before = g.shfl_up(v, d);
            v = g.thread_rank() >= d ? f(before, v) : v;
        }
        return v;
    }
}
template <class Group, class T, class F>
__HC_DEVICE T exclusive_scan(const Group &g, T v, F f)
{
    T before = g.shfl_up(inclusive_scan(g, v, f), 1);
    return g.thread_rank() ? before : T();
}
template <class Group, class T> __HC_DEVICE T inclusive_scan(const Group &g, T v)
{
    return inclusive_scan(g, v, plus<T>());
}
template <class Group, class T> __HC_DEVICE T exclusive_scan(const Group &g, T v)
{
    return exclusive_scan(g, v, plus<T>());
}

/* -- Reductions -- */

template <unsigned N, class P, class T, class F>
__HC_DEVICE T reduce(const thread_block_tile<N, P> &g, T v, F f)
{
    if constexpr (N > 32) {
        return g.__hc_reduce(v, f);
    } else {
        for (unsigned d = N / 2; d; d /= 2)
            v = f(v, g.shfl_xor(v, d));
        return v;
    }
}
template <class T, class F> __HC_DEVICE T reduce(const coalesced_group &g, T v, F f)
{
    return g.shfl(inclusive_scan(g, v, f), g.size() - 1);
}
template <class Group, class T, class F>
__HC_DEVICE void reduce_store_async(const Group &g, T *to, T v, F f)
{
    T sum = reduce(g, v, f);
    if (g.thread_rank() == 0)
        *to = sum;
}

/* Copies by all threads of the group, done when wait() returns. */
template <class Group, class T>
__HC_DEVICE void memcpy_async(const Group &g, T *to, const T *from, size_t bytes)
{
    size_t words = ((size_t)to | (size_t)from) & 3 ? 0 : bytes / 4;
    for (size_t k = g.thread_rank(); k < words; k += g.size())
        ((unsigned *)to)[k] = ((const unsigned *)from)[k];
    for (size_t k = 4 * words + g.thread_rank(); k < bytes; k += g.size())
        ((char *)to)[k] = ((const char *)from)[k];
}
/* As many elements as both have. */
template <class Group, class T>
__HC_DEVICE void memcpy_async(const Group &g, T *to, size_t room, const T *from,
                              size_t n)
{
    memcpy_async(g, to, from, (n < room ? n : room) * sizeof(T));
}
template <class Group> __HC_DEVICE void wait(const Group &g) { g.sync(); }
template <unsigned behind, class Group> __HC_DEVICE void wait_prior(const Group &g)
{
    g.sync();
}

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#include "../pycuda/letters_back.cuh"

#endif
