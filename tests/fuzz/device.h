// The device functions that random kernels call, for emulate.h: shuffles, votes,
// atomics, bits.
#pragma once
#include "emulate.h"

static unsigned emulated_lane()
{
    return emulated::current % 32;
}
template <class T> static T emulated_read(unsigned mask, T value, unsigned from)
{
    uint64_t shown = 0;
    emulated::collect(mask, value, [&](uint64_t v, unsigned i) {
        shown = i == from ? v : shown;
        return 0;
    });
    memcpy(&value, &shown, sizeof value);
    return value;
}
template <class T>
static T __shfl_sync(unsigned mask, T value, int lane, int width = 32)
{
    unsigned first = emulated_lane() & ~(width - 1);
    return emulated_read(mask, value, first | (lane & (width - 1)));
}
template <class T>
static T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32)
{
    unsigned lane = emulated_lane(), room = lane & (width - 1);
    return emulated_read(mask, value, by > room ? lane : lane - by);
}
template <class T>
static T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32)
{
    unsigned lane = emulated_lane(), room = width - 1 - (lane & (width - 1));
    return emulated_read(mask, value, by > room ? lane : lane + by);
}
template <class T>
static T __shfl_xor_sync(unsigned mask, T value, int by, int width = 32)
{
    unsigned lane = emulated_lane(), other = lane ^ by;
    return emulated_read(mask, value, other > (lane | (width - 1)) ? lane : other);
}
static unsigned __ballot_sync(unsigned mask, int predicate)
{
    return emulated::collect(mask, predicate != 0,
                             [](uint64_t v, unsigned) { return v; });
}
static int __any_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, predicate) != 0;
}
static int __all_sync(unsigned mask, int predicate)
{
    return __ballot_sync(mask, !predicate) == 0;
}
template <class T> static unsigned __match_any_sync(unsigned mask, T value)
{
    uint64_t own = 0;
    memcpy(&own, &value, sizeof value);
    return emulated::collect(mask, value,
                             [=](uint64_t v, unsigned) { return v == own; });
}
static void __syncwarp(unsigned mask = 0xffffffff)
{
    emulated::meet(mask);
}

template <class T> static unsigned __match_all_sync(unsigned mask, T value, int *all)
{
    unsigned alive = __ballot_sync(mask, 1);
    *all = __match_any_sync(mask, value) == alive;
    return *all ? alive : 0;
}
template <class T, class F> static T emulated_reduce(unsigned mask, T value, F f)
{
    T sum = 0;
    bool first = true;
    emulated::collect(mask, value, [&](uint64_t v, unsigned) {
        sum = first ? (T)v : f(sum, (T)v);
        first = false;
        return 0;
    });
    return sum;
}
#define REDUCE(name, expression)                                                       \
    template <class T> static T __reduce_##name##_sync(unsigned mask, T value)         \
    {                                                                                  \
        return emulated_reduce(mask, value, [](T a, T b) -> T { return expression; }); \
    }
REDUCE(add, (unsigned)a + (unsigned)b)
REDUCE(min, b < a ? b : a)
REDUCE(max, a < b ? b : a)
REDUCE(and, a &b)
REDUCE(or, a | b)
REDUCE(xor, a ^ b)

static int __syncthreads_count(int yes)
{
    return emulated::count(yes);
}
static int __syncthreads_or(int yes)
{
    return emulated::count(yes) != 0;
}
static int __syncthreads_and(int yes)
{
    return emulated::count(!yes) == 0;
}

template <class T> struct same {
    typedef T type;
};
#define ATOMIC(name, expression)                                              \
    template <class T> static T atomic##name(T *to, typename same<T>::type v) \
    {                                                                         \
        T old = *to;                                                          \
        *to = expression;                                                     \
        return old;                                                           \
    }
ATOMIC(Add, (T)((uint64_t)old + v))
ATOMIC(Sub, (T)((uint64_t)old - v))
ATOMIC(Min, old < v ? old : v)
ATOMIC(Max, old > v ? old : v)
ATOMIC(And, old &v)
ATOMIC(Or, old | v)
ATOMIC(Xor, old ^ v)
ATOMIC(Exch, v)
ATOMIC(Inc, old >= v ? 0 : old + 1)
ATOMIC(Dec, old == 0 || old > v ? v : old - 1)
template <class T>
static T atomicCAS(T *to, typename same<T>::type from, typename same<T>::type v)
{
    T old = *to;
    *to = old == from ? v : old;
    return old;
}

// Numbers that an integer type does not hold become the nearest that it does; NaNs of
// float become 0, those of double the highest bit (PTX, cvt).
template <class I, class F> static I cut(F v)
{
    F low = (I)-1 < 0 ? -2147483648.0 : 0.0,
      high = (I)-1 < 0 ? 2147483648.0 : 4294967296.0;
    if (v != v)
        return sizeof(F) == 8 ? (I)0x80000000u : 0;
    return v <= low ? (I)low : v >= high ? (I)((double)high - 1.0) : (I)v;
}
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(8) uint2 {
    unsigned x, y;
};
struct alignas(4) uchar4 {
    unsigned char x, y, z, w;
};
struct alignas(4) short2 {
    short x, y;
};

static int __popc(unsigned v)
{
    return __builtin_popcount(v);
}
static int __clz(int v)
{
    return v ? __builtin_clz(v) : 32;
}
static int __ffs(int v)
{
    return __builtin_ffs(v);
}
static unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((uint64_t)a * b >> 32);
}
template <class T> static T min(T a, T b)
{
    return b < a ? b : a;
}
template <class T> static T max(T a, T b)
{
    return a < b ? b : a;
}

// Integers of odd widths, kept as wider ones.
template <class Kept, unsigned bits> struct odd {
    Kept kept;
    odd() = default;
    odd(Kept v)
        : kept((Kept)(v << (8 * sizeof(Kept) - bits)) >> (8 * sizeof(Kept) - bits))
    {
    }
    operator Kept() const
    {
        return kept;
    }
};
typedef odd<unsigned, 24> u24;
typedef odd<unsigned long long, 40> u40;
typedef odd<int, 17> i17;
typedef odd<long long, 56> i56;

// Cooperative groups: a group is its lanes, and which part it is of what was parted.
namespace cg
{
struct thread_block {
};
static thread_block this_thread_block()
{
    return {};
}
struct group {
    unsigned mask, part, parts;
    unsigned size() const
    {
        return __builtin_popcount(mask);
    }
    unsigned thread_rank() const
    {
        return __builtin_popcount(mask & ((1u << emulated_lane()) - 1));
    }
    unsigned meta_group_rank() const
    {
        return part;
    }
    unsigned meta_group_size() const
    {
        return parts;
    }
    unsigned lane(unsigned rank) const
    {
        for (unsigned i = 0; i < 32; i++)
            if (mask >> i & 1 && rank-- == 0)
                return i;
        return 31;
    }
    unsigned by_rank(unsigned lanes) const
    {
        unsigned packed = 0;
        for (unsigned rank = 0; rank < size(); rank++)
            packed |= (lanes >> lane(rank) & 1) << rank;
        return packed;
    }
    template <class T> T shfl(T v, unsigned rank) const
    {
        return emulated_read(mask, v, lane(rank));
    }
    template <class T> T shfl_up(T v, unsigned by) const
    {
        unsigned rank = thread_rank();
        return shfl(v, rank < by ? rank : rank - by);
    }
    template <class T> T shfl_down(T v, unsigned by) const
    {
        unsigned rank = thread_rank();
        return shfl(v, rank + by < size() ? rank + by : rank);
    }
    template <class T> T shfl_xor(T v, unsigned by) const
    {
        return shfl(v, thread_rank() ^ by);
    }
    unsigned ballot(int predicate) const
    {
        return by_rank(__ballot_sync(mask, predicate));
    }
    int any(int predicate) const
    {
        return __any_sync(mask, predicate);
    }
    int all(int predicate) const
    {
        return __all_sync(mask, predicate);
    }
    template <class T> unsigned match_any(T v) const
    {
        return by_rank(__match_any_sync(mask, v));
    }
};
template <unsigned n> static group tiled_partition(thread_block)
{
    unsigned all = blockDim.x * blockDim.y * blockDim.z;
    return {~0u >> (32 - n) << (emulated_lane() & ~(n - 1)), emulated::current / n,
            all / n};
}
static group tiled_partition(const group &g, unsigned n)
{
    unsigned first = g.thread_rank() / n * n, mask = 0;
    if (g.size() <= n)
        return g;
    for (unsigned k = first; k < first + n && k < g.size(); k++)
        mask |= 1u << g.lane(k);
    return {mask, first / n, (g.size() + n - 1) / n};
}
static group binary_partition(const group &g, bool predicate)
{
    unsigned yes = __ballot_sync(g.mask, predicate);
    if (!yes || yes == g.mask)
        return {g.mask, 0, 1};
    return {predicate ? yes : g.mask & ~yes, predicate, 2};
}
template <class T> static group labeled_partition(const group &g, T label)
{
    unsigned mine = __match_any_sync(g.mask, label), before = 0;
    unsigned leaders =
        __ballot_sync(g.mask, __builtin_ctz(mine) == (int)emulated_lane());
    for (int i = 0; i < __builtin_ctz(mine); i++)
        before += leaders >> i & 1;
    return {mine, before, (unsigned)__builtin_popcount(leaders)};
}

template <class T> struct plus {
    T operator()(T a, T b) const
    {
        return a + b;
    }
};
template <class T> struct less {
    T operator()(T a, T b) const
    {
        return b < a ? b : a;
    }
};
template <class T> struct greater {
    T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};
template <class T> struct bit_and {
    T operator()(T a, T b) const
    {
        return a & b;
    }
};
template <class T> struct bit_or {
    T operator()(T a, T b) const
    {
        return a | b;
    }
};
template <class T> struct bit_xor {
    T operator()(T a, T b) const
    {
        return a ^ b;
    }
};
// The values of the lanes below `end`, put together.
template <class T, class F> static T sum(const group &g, T v, F f, unsigned end)
{
    T all = T();
    bool first = true;
    emulated::collect(g.mask, v, [&](uint64_t shown, unsigned i) {
        if (i < end) {
            all = first ? (T)shown : f(all, (T)shown);
            first = false;
        }
        return 0;
    });
    return all;
}
template <class T, class F> static T reduce(const group &g, T v, F f)
{
    return sum(g, v, f, 32);
}
template <class T, class F> static T inclusive_scan(const group &g, T v, F f)
{
    return sum(g, v, f, emulated_lane() + 1);
}
template <class T> static T exclusive_scan(const group &g, T v)
{
    return sum(g, v, plus<T>(), emulated_lane());
}
} // namespace cg
