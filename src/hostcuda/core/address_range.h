/* The addresses of device memory: one range of the process, reserved at the start,
   where nothing else ever lies. Units of it are handed out and come back; memory that
   is not handed out, or not made accessible since, faults. */
#ifndef HOSTCUDA_ADDRESS_RANGE_H
#define HOSTCUDA_ADDRESS_RANGE_H

#include <stdbool.h>
#include <stddef.h>

struct hd_region;

#define HD_UNIT_SHIFT 21 /* a huge page */
#define HD_UNIT ((size_t)1 << HD_UNIT_SHIFT)

typedef struct {
    char *base;  /* owned; NULL: the system has refused it */
    size_t size; /* bytes, of which the middle half is handed out */
    char *first; /* the first unit */
    size_t units;
    size_t cursor; /* where the search for free units goes on */
    /* Owned: who has the unit; NULL: nobody. Written under the lock. */
    struct hd_region *_Atomic *owners;
} hd_address_range;

/* Reserves the range, as much as the system allows: perhaps none. */
void hd_range_reserve(void);
/* So many units in a row for the region; NULL: there are none. */
char *hd_range_take(size_t units, struct hd_region *region);
/* Units change hands; NULL: they are free. */
void hd_range_assign(const char *start, size_t units, struct hd_region *region);
/* Makes memory of the range fault and gives its pages back. False: the system refuses
   that, and the addresses must not be used again. */
bool hd_range_clear_unlocked(char *start, size_t bytes);
/* Whether the address is one of the range, in an allocation or not; for any thread. */
bool hd_range_contains_unlocked(const void *address);
/* Who has that address; for any thread, without the lock. */
struct hd_region *hd_range_owner_unlocked(const void *address);

#endif
