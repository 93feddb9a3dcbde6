/* One range of addresses for all device memory. A kernel's wild address, which began as
   one of an array, then meets a fault or other device memory, never the heap of the
   program: units are handed out of the middle half alone, so that this holds for as
   many bytes as a quarter of the range in front of and behind any array.

   Reserved addresses without access cost nothing but figures: the system counts them as
   virtual memory, which a limit of the process (RLIMIT_AS) may not allow, so smaller
   ranges are tried. Without any, the registry maps memory as any program does.

   Units are handed out in the order of their addresses and begin again at the end, so
   those of freed memory stay unused, and fault, as long as possible. Units that come
   back are mapped anew as a whole, which frees their page tables, too. */
#include <sys/mman.h>
#include <sys/resource.h>

#include "process.h"

#define SIZE_MOST ((size_t)16 << 40)
#define SIZE_LEAST ((size_t)1 << 30)
#define RESERVED (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)

/* A quarter of what the process may map is for device memory: the rest, where memory of
   the device is mapped, too, once the range is full, is for the program. */
static size_t allowed(void)
{
    struct rlimit limit;
    size_t most = SIZE_MOST;

    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur / 4 < most)
        most = limit.rlim_cur / 4;
    return most;
}

void hd_range_reserve(void)
{
    hd_address_range *range = &hd.range;
    size_t size = SIZE_MOST, most = allowed();
    char *base = MAP_FAILED;

    while (size > most)
        size /= 4;
    for (; size >= SIZE_LEAST && base == MAP_FAILED; size /= 4) {
        base = mmap(NULL, size, PROT_NONE, RESERVED, -1, 0);
        range->size = size;
    }
    if (base == MAP_FAILED) {
        range->size = 0;
        return;
    }
    uintptr_t first = ((uintptr_t)base + range->size / 4 + HD_UNIT - 1) & -HD_UNIT;
    range->units = range->size / 2 / HD_UNIT;
    range->owners = mmap(NULL, range->units * sizeof *range->owners,
                         PROT_READ | PROT_WRITE, RESERVED, -1, 0);
    if (range->owners == MAP_FAILED) {
        munmap(base, range->size);
        *range = (hd_address_range){0};
        return;
    }
    range->base = base;
    range->first = (char *)first;
}

/* -- Units ------------------------------------------------------------------------- */

/* Relaxed: who uses an allocation was told of it under the lock, and so after this. */
void hd_range_assign(const char *start, size_t units, struct hd_region *region)
{
    size_t index = (size_t)(start - hd.range.first) >> HD_UNIT_SHIFT;

    for (size_t i = 0; i < units; i++)
        atomic_store_explicit(&hd.range.owners[index + i], region,
                              memory_order_relaxed);
}

char *hd_range_take(size_t units, struct hd_region *region)
{
    hd_address_range *range = &hd.range;
    size_t at = range->cursor, run = 0;

    for (size_t seen = 0; run < units; seen++, at++) {
        if (units > range->units || seen > range->units + units)
            return NULL;
        if (at == range->units)
            at = run = 0;
        run = atomic_load_explicit(&range->owners[at], memory_order_relaxed) ? 0
                                                                             : run + 1;
    }
    range->cursor = at;
    char *start = range->first + ((at - units) << HD_UNIT_SHIFT);
    hd_range_assign(start, units, region);
    return start;
}

bool hd_range_clear_unlocked(char *start, size_t bytes)
{
    if (mmap(start, bytes, PROT_NONE, RESERVED | MAP_FIXED, -1, 0) != MAP_FAILED)
        return true;
    madvise(start, bytes, MADV_DONTNEED);
    return mprotect(start, bytes, PROT_NONE) == 0;
}

struct hd_region *hd_range_owner_unlocked(const void *address)
{
    size_t index = (uintptr_t)address - (uintptr_t)hd.range.first;

    index >>= HD_UNIT_SHIFT;
    return index < hd.range.units
               ? atomic_load_explicit(&hd.range.owners[index], memory_order_acquire)
               : NULL;
}

bool hd_range_contains_unlocked(const void *address)
{
    return (uintptr_t)address - (uintptr_t)hd.range.base < hd.range.size;
}
