/* See race_time.h. Who has a number stands in a ring, so old numbers are forgotten:
   what bears one then counts as done by another launch. When blocks did their last
   fence stands in a table where several blocks may share a place. Both are generous,
   as they must be: no right program is accused for what is not known. */
#include <stdatomic.h>
#include <stdlib.h>

#include "race_time.h"

#define OWNERS (UINT32_C(1) << 22)
#define FENCES (UINT32_C(1) << 20)
#define LATE UINT32_C(0x40000000) /* no launch begins behind it */

static struct {
    _Atomic uint64_t next; /* wider, so that it never turns over */
    _Atomic uint64_t *owners;
    _Atomic uint32_t *fences;
} counted = {.next = 1};

bool hd_race_time_begin(void)
{
    if (counted.fences)
        return true;
    if (!counted.owners)
        counted.owners = calloc(OWNERS, sizeof *counted.owners);
    if (counted.owners)
        counted.fences = calloc(FENCES, sizeof *counted.fences);
    return counted.fences;
}

bool hd_race_time_again(void)
{
    if (hd_race_now_unlocked() < LATE)
        return false;
    for (uint32_t i = 0; i < FENCES; i++)
        atomic_store_explicit(&counted.fences[i], 0, memory_order_relaxed);
    atomic_store(&counted.next, 1);
    return true;
}

uint32_t hd_race_now_unlocked(void)
{
    uint64_t next = atomic_load(&counted.next);
    return next < UINT32_MAX ? (uint32_t)next : UINT32_MAX;
}

uint32_t hd_race_take_unlocked(uint32_t n)
{
    uint64_t first = atomic_fetch_add(&counted.next, n);
    return first < UINT32_MAX - n ? (uint32_t)first : 0;
}

void hd_race_own_unlocked(uint32_t time, hd_race_owner owner)
{
    atomic_store_explicit(&counted.owners[time % OWNERS],
                          (uint64_t)owner.launch << 32 | owner.block,
                          memory_order_release);
}

bool hd_race_owner_unlocked(uint32_t time, hd_race_owner *owner)
{
    uint64_t what =
        atomic_load_explicit(&counted.owners[time % OWNERS], memory_order_acquire);
    *owner = (hd_race_owner){(uint32_t)(what >> 32), (uint32_t)what};
    /* Read before: nobody has the place for another number by now. */
    return time != 0 && hd_race_now_unlocked() - time < OWNERS / 2;
}

static _Atomic uint32_t *fence_of(hd_race_owner owner)
{
    return &counted.fences[(owner.block + owner.launch * 0x9e3779b1u) % FENCES];
}

void hd_race_fence_unlocked(hd_race_owner owner, uint32_t time)
{
    _Atomic uint32_t *fence = fence_of(owner);
    uint32_t before = atomic_load(fence);

    while (before < time && !atomic_compare_exchange_weak(fence, &before, time)) {
    }
}

uint32_t hd_race_fenced_unlocked(hd_race_owner owner)
{
    return atomic_load(fence_of(owner));
}
