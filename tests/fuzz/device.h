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

// Numbers that an integer type does not hold become the nearest that it does, no number
// 0.
template <class I, class F> static I cut(F v)
{
    F low = (I)-1 < 0 ? -2147483648.0 : 0.0,
      high = (I)-1 < 0 ? 2147483648.0 : 4294967296.0;
    return v != v ? 0 : v <= low ? (I)low : v >= high ? (I)((double)high - 1.0) : (I)v;
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
