/* See race_memory.h. The range of device addresses is larger than what three times
   eight bytes of records for each of its bytes leave of the process's addresses, so it
   is laid over a window again and again. A unit of memory is given the place of one
   that is in use no more; where both are in use, the second goes unrecorded. The system
   gives pages to records as they are touched, all zeros, which say nothing. */
#include <sys/mman.h>

#include "process.h"
#include "race_memory.h"

#define WINDOW HD_RACE_WINDOW
#define VARIABLES ((size_t)1 << 28) /* behind that: the variables of modules */
#define SIZE ((WINDOW + VARIABLES) * sizeof(uint64_t))
#define LINES_SIZE (((WINDOW + VARIABLES) >> HD_LINE_SHIFT) * sizeof(hd_race_line))
#define SHIFTS 5 /* granules have 1 to 16 bytes */
#define UNITS (WINDOW / HD_UNIT)

struct hd_race_memory hd_race_memory;

/* By place: the number of the unit that has it, from 1. */
static _Atomic uint32_t holders[UNITS];

static void *reserve(size_t size)
{
    void *base = mmap(NULL, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return base == MAP_FAILED ? NULL : base;
}

bool hd_race_memory_begin(void)
{
    struct hd_race_memory *all = &hd_race_memory;

    if (!hd.range.base)
        return false;
    if (!all->again)
        all->again = reserve(SIZE);
    if (all->again && !all->read)
        all->read = reserve(SIZE);
    if (all->read && !all->written)
        all->written = reserve(SIZE);
    if (all->written && !all->lines)
        all->lines = reserve(LINES_SIZE);
    return all->lines;
}

void hd_race_memory_clear(void)
{
    madvise(hd_race_memory.written, SIZE, MADV_DONTNEED);
    madvise(hd_race_memory.read, SIZE, MADV_DONTNEED);
    madvise(hd_race_memory.again, SIZE, MADV_DONTNEED);
    madvise(hd_race_memory.lines, LINES_SIZE, MADV_DONTNEED);
}

/* Whether the unit has its place, by now. */
static bool holds(size_t unit)
{
    _Atomic uint32_t *place = &holders[unit % UNITS];
    uint32_t holder = atomic_load_explicit(place, memory_order_relaxed);

    if (holder == unit + 1)
        return true;
    if (holder != 0 &&
        atomic_load_explicit(&hd.range.owners[holder - 1], memory_order_acquire))
        return false;
    return atomic_compare_exchange_strong(place, &holder, (uint32_t)unit + 1) ||
           holder == unit + 1;
}

size_t hd_race_place_unlocked(const void *address, size_t bytes)
{
    size_t offset = (uintptr_t)address - (uintptr_t)hd.range.first;
    size_t size = hd.range.units << HD_UNIT_SHIFT;

    if (offset >= size || bytes > size - offset)
        return HD_NO_PLACE;
    size_t unit = offset >> HD_UNIT_SHIFT;
    size_t last = (offset + bytes - 1) >> HD_UNIT_SHIFT;
    if (!holds(unit) || (last != unit && (last != unit + 1 || !holds(last))))
        return HD_NO_PLACE;
    return bytes > WINDOW - offset % WINDOW ? HD_NO_PLACE : offset % WINDOW;
}

size_t hd_race_place_of_variable_unlocked(const void *address, size_t bytes,
                                          const char *start, const char *end)
{
    size_t offset = (uintptr_t)address - (uintptr_t)start;
    size_t size = (size_t)(end - start);

    if (offset >= size || bytes > size - offset || size > VARIABLES)
        return HD_NO_PLACE;
    offset = (uintptr_t)address % VARIABLES;
    return bytes > VARIABLES - offset ? HD_NO_PLACE : WINDOW + offset;
}

/* The pages that lie in there as a whole. */
static void give_back(void *from, size_t bytes)
{
    uintptr_t start = ((uintptr_t)from + hd.page - 1) & -hd.page;
    uintptr_t end = ((uintptr_t)from + bytes) & -hd.page;

    if (start < end)
        madvise((void *)start, end - start, MADV_DONTNEED);
}

void hd_race_forget_unlocked(const void *address, size_t bytes)
{
    const struct hd_race_memory *all = &hd_race_memory;
    size_t offset = (uintptr_t)address - (uintptr_t)hd.range.first;

    if (!all->lines || offset >= hd.range.units << HD_UNIT_SHIFT)
        return;
    offset %= WINDOW;
    for (unsigned shift = 0; shift < SHIFTS; shift++) {
        size_t g = offset >> shift, n = bytes >> shift;
        give_back(all->written + g, n * sizeof *all->written);
        give_back(all->read + g, n * sizeof *all->read);
        give_back(all->again + g, n * sizeof *all->again);
        give_back(all->lines + (g >> HD_LINE_SHIFT),
                  (n >> HD_LINE_SHIFT) * sizeof *all->lines);
    }
}
