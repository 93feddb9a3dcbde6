/* Races on global memory: of the blocks of a launch, and of a block's threads. */
#ifndef HOSTCUDA_GLOBAL_RACES_H
#define HOSTCUDA_GLOBAL_RACES_H

#include "shared_races.h"

/* The launch of which a frame runs blocks. */
typedef struct {
    uint32_t since, number; /* of hd_races_launch; since 0: nothing is looked at */
    unsigned shift;         /* granules are 1 << shift bytes */
    const char *variables, *variables_end; /* of its module */
} hd_raced_launch;

/* A launch begins: fills since and number in. Under the lock. */
void hd_races_launch(hd_raced_launch *);
/* The frame is laid out for it. */
void hd_races_watch(hc_races *, const hd_raced_launch *);
/* The memory is new: nobody has accessed it. */
void hd_races_forget(hc_races *, const void *address, size_t bytes);

/* As hd_races_check, hd_races_check_each and hd_races_check_thread, for memory of the
 * device. */
void hd_races_check_global(hc_frame *, const char *first, int64_t stride,
                           uint32_t lanes, uint32_t thread, const hc_access *site,
                           uint32_t access, const uint64_t *values);
void hd_races_check_global_each(hc_frame *, const char *const *address, uint32_t lanes,
                                uint32_t thread, const hc_access *site, uint32_t access,
                                const uint64_t *values);
void hd_races_check_global_thread(hc_frame *, const char *at, uint64_t bytes,
                                  uint32_t thread, const hc_access *site,
                                  uint32_t access, uint64_t value);

#endif
