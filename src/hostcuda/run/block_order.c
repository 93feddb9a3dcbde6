/* Permutations by a seed, without a table of their size: a Feistel network over the
   next even number of bits is a bijection of those numbers, and one that lands outside
   of the wanted range goes through it again until it is inside (cycle walking), four
   times on average at most. */
#include "block_order.h"

#define ROUNDS 4

/* The finalizer of SplitMix64: every bit of the result depends on every bit. */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

uint64_t hd_order_at(uint64_t seed, uint64_t place, uint64_t count)
{
    unsigned half = 1;

    while (half < 32 && (count - 1) >> (2 * half) != 0)
        half++;
    uint64_t mask = (UINT64_C(1) << half) - 1;
    do {
        uint64_t left = place >> half, right = place & mask;
        for (uint64_t round = 1; round <= ROUNDS; round++) {
            uint64_t key = mixed(seed + round * UINT64_C(0x9e3779b97f4a7c15));
            uint64_t next = left ^ (mixed(right ^ key) & mask);
            left = right;
            right = next;
        }
        place = left << half | right;
    } while (place >= count);
    return place;
}
