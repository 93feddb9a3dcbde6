/* Records of accesses, by which races are found: for shared_races.c and global_races.c
   alone. */
#ifndef HOSTCUDA_RACE_RECORDS_H
#define HOSTCUDA_RACE_RECORDS_H

#include "race_time.h"
#include "shared_races.h"

/* A record, from the top: 32 bits of time, 20 of site, 2 of kind, 10 of thread. */
#define THREAD UINT64_C(0x3ff)
#define ATOMIC (UINT64_C(1) << 10)
#define VOLATILE (UINT64_C(1) << 11)
#define SITE_AT 12
#define SITES 0xfffffu
#define TIME_AT 32
#define WARPS 32

struct hd_shared_races {
    hc_races seen;                    /* the first member */
    uint64_t *written, *read, *again; /* by granule; again: of another thread */
    char *records;                    /* all of them, with seen.many */
    size_t size;
    size_t bytes; /* of shared memory */
    unsigned shift;
    uint64_t apart; /* bits of threads by which two readers count as many */
    hd_race_reporter *report;
    uint32_t sign[WARPS]; /* when the warp last did an atomic operation or a fence */
    /* By thread and lane of its warp: when both last came out of one __syncwarp; NULL:
       nobody does. */
    uint32_t (*met)[HC_LANES];

    /* Of memory that blocks share; since 0: not looked at. */
    uint32_t since;            /* when the launch began */
    hd_race_owner owner;       /* the block that runs */
    uint32_t look;             /* when it last may have heard of others; 0: never */
    uint32_t next, end;        /* numbers that it has taken */
    bool over;                 /* there are none left: nothing is looked at any more */
    unsigned global_shift;     /* of its granules */
    size_t unit;               /* of device memory: a place was found in it last */
    const char *from, *behind; /* the variables of the launch's module */
};

#if defined __x86_64__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define WIDE \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define WIDE
#endif

/* What lanes of a vector do. */
typedef struct {
    hc_frame *frame;
    hd_shared_races *races;
    uint64_t now;    /* record of thread 0 */
    uint32_t thread; /* of lane 0 */
    uint32_t lanes, access, bytes;
    const hc_access *site;
    const uint64_t *values;
    bool global;
} hd_vector_access;

static inline uint32_t time_of(uint64_t record)
{
    return (uint32_t)(record >> TIME_AT);
}

/* The sites of an image lie within 4 MiB of each other. */
static inline uint64_t site_number(const hc_access *site)
{
    return (uintptr_t)site / sizeof(uint64_t) & SITES;
}

/* Of such an access by thread 0, now. */
static inline uint64_t record_of(const hd_shared_races *races, const hc_access *site,
                                 uint32_t access)
{
    return (uint64_t)races->seen.clock << TIME_AT | site_number(site) << SITE_AT |
           (access & HC_RACE_ATOMIC ? ATOMIC : 0) |
           (access & HC_RACE_VOLATILE ? VOLATILE : 0);
}

hd_vector_access hd_race_begin(hc_frame *frame, uint32_t lanes, uint32_t thread,
                               const hc_access *site, uint32_t access,
                               const uint64_t *values);
/* What a lane does at `at` against what was done there. Returns whether it is a race,
   which is reported. */
bool hd_race_compare(const hd_vector_access *, uint64_t record, bool wrote,
                     uint32_t lane, const char *at);

#endif
