/* Regions and the list of them: for the files of the memory registry alone. */
#ifndef HOSTCUDA_MEMORY_REGIONS_H
#define HOSTCUDA_MEMORY_REGIONS_H

#include "process.h"

#define HD_ALIGNMENT 256
#define HD_CLASS_SHIFT(class) (8 + (class))
#define HD_CLASS_SIZE(class) ((size_t)1 << HD_CLASS_SHIFT(class))

static inline size_t hd_round_up(size_t size, size_t to)
{
    return (size + to - 1) & -to;
}

/* Whether the memory counts against the device's total. */
bool hd_memory_is_counted(hd_memory_kind kind);
/* Whether the memory is an object to the user, beside arrays and modules. */
bool hd_memory_is_object(hd_memory_kind kind);
/* Whether the host may write to the memory at any time. */
bool hd_memory_is_on_host(hd_memory_kind kind);
/* The allocation is no more; its slot is free. */
void hd_memory_vacate(hd_allocation *allocation);
/* Its memory faults from now on. */
void hd_memory_remember_freed(const hd_allocation *allocation);

/* A record for a region of that many slots; NULL: there is no memory. */
hd_region *hd_region_record_create(hd_memory_owner *owner, hd_place place,
                                   unsigned class, unsigned slots);
void hd_region_record_destroy(hd_region *region);
/* Puts the region on the list. Fails if it would overlap another one, unless that is
   registered memory of the user at addresses that the system has just mapped for us:
   the user has unmapped it, so its record is dropped. */
CUresult hd_region_insert(hd_region *region);
/* The number of regions that begin at or before the address. */
size_t hd_region_rank(const char *address);
void hd_region_remove_at(size_t index);
/* The region whose slots or units the address lies in; NULL: none. */
hd_region *hd_region_of(const void *address);
/* The slot whose addresses, or those that fault behind them, have this one; the last
   one of the region for any other. */
hd_allocation *hd_slot_near(hd_region *region, const void *address);

/* A region for an allocation of that size by itself, on the list; NULL: the system has
   no memory. */
hd_region *hd_region_create_alone(hd_memory_owner *owner, hd_place place, size_t size);
/* A region of slots of a class, likewise. */
hd_region *hd_region_create(hd_memory_owner *owner, hd_place place, unsigned class);
/* Makes memory of a slot accessible. */
bool hd_region_open(hd_region *region, unsigned slot, char *start, size_t bytes);
/* Gives regions chained by next_roomy, which no list knows any more, back to the
   system. Drops the lock meanwhile. */
void hd_regions_free(hd_region *region);

#endif
