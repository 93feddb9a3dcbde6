/* Races on shared memory: what is remembered of a running block's accesses, and which
   two of them conflict. One thread of the machine runs the whole block, so nothing here
   is ever touched by two of them; a block that migrates takes it along, since it lies
   in its worker's memory. */
#ifndef HOSTCUDA_SHARED_RACES_H
#define HOSTCUDA_SHARED_RACES_H

#include <stdbool.h>

#include "abi/frame.h"

/* Two accesses that nothing orders. */
typedef struct {
    const hc_access *site, *other_site;
    uint32_t thread, other_thread; /* numbers in the block; `other` came first */
    uint32_t other_block;          /* its number in the grid, where is_apart */
    uint32_t access, other_access; /* HC_RACE_... */
    uint32_t bytes;                /* of this access */
    const char *at;
    uint32_t start;  /* of its variable in shared memory */
    bool is_global;  /* not in shared memory */
    bool is_apart;   /* of two blocks */
    bool same_value; /* both write what is there */
    bool in_warp;    /* volatile accesses of one warp */
} hd_race;

typedef struct hd_shared_races hd_shared_races;
typedef void hd_race_reporter(hc_frame *, const hd_race *);

/* `meeting`: threads whose warps use __syncwarp, in whole warps; 0: none.
   Bytes that a frame with `bytes` of shared memory takes for this; a granule of it is
   1 << shift bytes. */
size_t hd_races_size(size_t bytes, unsigned shift, unsigned meeting);
/* Lays it out in that memory. */
hd_shared_races *hd_races_place(char *memory, size_t bytes, unsigned shift,
                                unsigned meeting, hd_race_reporter *);
/* What generated code sees of it: hc_frame.races. */
hc_races *hd_races_seen(hd_shared_races *);

/* The block of that number begins. */
void hd_races_begin(hc_races *, uint32_t block);
/* All living threads of the block have come to a barrier. */
void hd_races_barrier(hc_races *);
/* The lanes of the warp that begins with `thread` are in __syncwarp together, each with
   its mask. */
void hd_races_sync_warp(hc_races *, uint32_t thread, uint32_t lanes,
                        const uint32_t *masks);
/* The warp of the thread does what other threads may take as a sign, or sees such a
   sign: an atomic operation, a volatile access or a fence. */
void hd_races_sign(hc_races *, uint32_t thread, bool fence);

/* `lanes` of a vector access shared memory, lane l at first + stride * l. `thread` is
   the number of lane 0, `access` HC_RACE_... `values` are what they write, in
   the low bytes of each, or NULL. */
void hd_races_check(hc_frame *, const char *first, int64_t stride, uint32_t lanes,
                    uint32_t thread, const hc_access *site, uint32_t access,
                    const uint64_t *values);
/* The same for lanes anywhere; those outside of shared memory are none of it. */
void hd_races_check_each(hc_frame *, const char *const *address, uint32_t lanes,
                         uint32_t thread, const hc_access *site, uint32_t access,
                         const uint64_t *values);
/* The same for one thread, and any number of bytes. */
void hd_races_check_thread(hc_frame *, const char *at, uint64_t bytes, uint32_t thread,
                           const hc_access *site, uint32_t access, uint64_t value);

#endif
