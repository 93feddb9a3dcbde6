/* Cooperative groups: blocks, tiles of 1 to 32 threads, groups of converged threads,
   and reduce. A tile is its mask of lanes; what it does are the warp functions under
   that mask. */
#ifndef HOSTCC_COOPERATIVE_GROUPS_H
#define HOSTCC_COOPERATIVE_GROUPS_H

/* In a namespace of CUDA's name, so that headers may declare groups before. */
namespace cooperative_groups
{
namespace __v1
{

struct thread_block {
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
__HC_DEVICE thread_block this_thread_block() { return {}; }

struct grid_group {
    __device__ static dim3 group_dim() { return gridDim; }
    __device__ static dim3 dim_blocks() { return gridDim; }
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
__HC_DEVICE grid_group this_grid() { return {}; }

/* Any set of lanes of a warp, of which this thread is one: ranks count from the lowest.
 */
struct coalesced_group {
    unsigned mask;
    __device__ void sync() const { __syncwarp(mask); }
    __device__ unsigned size() const { return __popc(mask); }
    __device__ unsigned num_threads() const { return size(); }
    __device__ unsigned thread_rank() const
    {
        return __popc(mask & ((1u << __hostcc_lane()) - 1));
    }
    template <class T> __device__ T shfl(T v, unsigned rank) const
    {
        unsigned rest =
            mask; /* without its lowest `rank` bits, the lane is its lowest */
        for (unsigned i = 0; i < rank; i++)
            rest &= rest - 1;
        return __shfl_sync(mask, v, __ffs(rest) - 1);
    }
    template <class T> __device__ T shfl_up(T v, unsigned d) const
    {
        return shfl(v, thread_rank() < d ? thread_rank() : thread_rank() - d);
    }
    template <class T> __device__ T shfl_down(T v, unsigned d) const
    {
        return shfl(v, thread_rank() + d < size() ? thread_rank() + d : thread_rank());
    }
    __device__ int any(int predicate) const { return __any_sync(mask, predicate); }
    __device__ int all(int predicate) const { return __all_sync(mask, predicate); }
    __device__ unsigned by_rank(unsigned lanes) const
    {
        unsigned packed = 0, rest = mask;
        for (unsigned i = 0; rest; i++, rest &= rest - 1)
            packed |= (lanes >> (__ffs(rest) - 1) & 1) << i;
        return packed;
    }
    __device__ unsigned ballot(int predicate) const
    {
        return by_rank(__ballot_sync(mask, predicate));
    }
    template <class T> __device__ unsigned match_any(T v) const
    {
        return by_rank(__match_any_sync(mask, v));
    }
};
__HC_DEVICE coalesced_group coalesced_threads() { return {__activemask()}; }

/* N consecutive lanes, N a power of two up to 32. */
template <unsigned N, class Parent = thread_block> struct thread_block_tile {
    __device__ static unsigned first() { return __hostcc_lane() & ~(N - 1); }
    __device__ static unsigned mask() { return ~0u >> (32 - N) << first(); }
    __device__ static void sync() { __syncwarp(mask()); }
    __device__ static unsigned size() { return N; }
    __device__ static unsigned num_threads() { return N; }
    __device__ static unsigned thread_rank() { return __hostcc_lane() & (N - 1); }
    __device__ static unsigned meta_group_rank() { return Parent::thread_rank() / N; }
    __device__ static unsigned meta_group_size()
    {
        return (Parent::size() + N - 1) / N;
    }
#define __HC_TILE(name)                                  \
    template <class T> __device__ static T name(T v, int i) \
    {                                                       \
        return __##name##_sync(mask(), v, i, N);            \
    }
    __HC_TILE(shfl)
    __HC_TILE(shfl_up)
    __HC_TILE(shfl_down)
    __HC_TILE(shfl_xor)
#undef __HC_TILE
    __device__ static int any(int predicate) { return __any_sync(mask(), predicate); }
    __device__ static int all(int predicate) { return __all_sync(mask(), predicate); }
    __device__ static unsigned ballot(int p)
    {
        return __ballot_sync(mask(), p) >> first();
    }
    template <class T> __device__ static unsigned match_any(T v)
    {
        return __match_any_sync(mask(), v) >> first();
    }
};
template <unsigned N, class Parent>
__HC_DEVICE thread_block_tile<N, Parent> tiled_partition(const Parent &)
{
    static_assert(N <= 32 && (N & (N - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");
    return {};
}

/* Those of a group that agree: in a predicate, in a label. */
__HC_DEVICE unsigned __hc_lanes(const coalesced_group &g) { return g.mask; }
template <unsigned N, class Parent>
__HC_DEVICE unsigned __hc_lanes(const thread_block_tile<N, Parent> &g)
{
    return g.mask();
}
template <class Group>
__HC_DEVICE coalesced_group binary_partition(const Group &g, bool predicate)
{
    unsigned all = __hc_lanes(g), yes = __ballot_sync(all, predicate);
    return {predicate ? yes : all & ~yes};
}
template <class Group, class T>
__HC_DEVICE coalesced_group labeled_partition(const Group &g, T label)
{
    return {__match_any_sync(__hc_lanes(g), label)};
}

/* Any of the groups above, known at run time alone: the block, or lanes of a warp. */
class thread_group
{
    unsigned mask, count, rank;
    bool block;

  public:
    __device__ thread_group(thread_block b)
        : mask(0), count(b.size()), rank(b.thread_rank()), block(true)
    {
    }
    __device__ thread_group(coalesced_group g)
        : mask(g.mask), count(g.size()), rank(g.thread_rank()), block(false)
    {
    }
    template <unsigned N, class Parent>
    __device__ thread_group(thread_block_tile<N, Parent> t)
        : thread_group(coalesced_group{t.mask()})
    {
    }
    __device__ void sync() const
    {
        if (block)
            __syncthreads();
        else
            __syncwarp(mask);
    }
    __device__ unsigned size() const { return count; }
    __device__ unsigned num_threads() const { return count; }
    __device__ unsigned thread_rank() const { return rank; }
};
/* n: a power of two up to 32. */
__HC_DEVICE thread_group tiled_partition(const thread_group &, unsigned n)
{
    return coalesced_group{~0u >> (32 - n) << (__hostcc_lane() & ~(n - 1))};
}

template <class Group> __HC_DEVICE void sync(const Group &g) { g.sync(); }

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
template <unsigned N, class P, class T, class F>
__HC_DEVICE T reduce(const thread_block_tile<N, P> &g, T v, F f)
{
    for (unsigned d = N / 2; d; d /= 2)
        v = f(v, g.shfl_xor(v, d));
    return v;
}
template <class T, class F> __HC_DEVICE T reduce(const coalesced_group &g, T v, F f)
{
    T sum = g.shfl(v, 0);
    for (unsigned i = 1; i < g.size(); i++)
        sum = f(sum, g.shfl(v, i));
    return sum;
}

/* -- Scans: the sum of those before, with this thread's value or without -- */

template <class Group, class T, class F>
__HC_DEVICE T inclusive_scan(const Group &g, T v, F f)
{
    for (unsigned d = 1; d < g.size(); d *= 2) {
        T before = g.shfl_up(v, d);
        v = g.thread_rank() >= d ? f(before, v) : v;
    }
    return v;
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

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif
