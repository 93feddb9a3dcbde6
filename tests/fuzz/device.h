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

static unsigned atomicAdd(unsigned *to, unsigned v)
{
    unsigned old = *to;
    *to = old + v;
    return old;
}
static unsigned atomicMax(unsigned *to, unsigned v)
{
    unsigned old = *to;
    *to = old > v ? old : v;
    return old;
}
static unsigned atomicXor(unsigned *to, unsigned v)
{
    unsigned old = *to;
    *to = old ^ v;
    return old;
}

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
