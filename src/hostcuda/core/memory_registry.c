/* Allocations: where each is placed, and what their ends take along.

   Up to 64 KiB they are slots of a region, larger ones have a region each
   (memory_regions.c). A slot stays accessible when it is free, so that the next
   allocation costs no system call; a region of one allocation is given back when that
   is freed, and its addresses fault until they are used again, which the range of
   addresses puts off as long as it can.

   The system bounds the number of mappings in a process, and each piece of memory with
   pages around it that fault takes two. Where there are many, slots side by side take
   their place, first for the small, at last for all up to 2 MiB. They serve what no
   kernel indexes, too: the device heap, textures and arrays behind them. */
#include <sys/mman.h>

#include "memory_regions.h"
#include "written_memory.h"

#define CLASS_PAGE 4 /* the smallest class of slots apart: 4 KiB */

/* -- Allocations ------------------------------------------------------------------- */

static char *place_in_slot(const hd_region *region, unsigned slot, size_t size)
{
    char *base = region->base + ((size_t)slot << region->shift);

    return region->place == HD_APART
               ? base + HD_CLASS_SIZE(region->class) - hd_round_up(size, HD_ALIGNMENT)
               : base;
}

static hd_allocation *occupy(hd_region *region, unsigned slot, hd_memory_kind kind,
                             size_t size, unsigned flags)
{
    hd_allocation *allocation = &region->slots[slot];
    hd_memory_owner *owner = region->owner;
    char *base = region->nslots > 1 ? place_in_slot(region, slot, size) : region->base;

    region->vacant &= ~(UINT64_C(1) << slot);
    __atomic_store_n(&allocation->used, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&allocation->kind, kind, __ATOMIC_RELAXED);
    allocation->flags = flags;
    allocation->owner = owner;
    allocation->id = ++hd.serial;
    allocation->advice = (hd_advice){.preferred = HD_NOWHERE, .prefetched = HD_NOWHERE};
    allocation->free_pending = false;
    allocation->ends = NULL;
    allocation->pool = NULL;
    allocation->freed = NULL;
    allocation->next_idle = NULL;
    allocation->graph = NULL;
    __atomic_store_n(&allocation->base, base, __ATOMIC_RELAXED);
    __atomic_store_n(&allocation->size, size, __ATOMIC_RELEASE);
    owner->device->memory_used += hd_memory_is_counted(kind) ? size : 0;
    hd.live[HD_MEMORY] += hd_memory_is_object(kind);
    hd.host_memory += hd_memory_is_on_host(kind);
    return allocation;
}

/* Whether one more slot of that class may stand apart: each is a page at least, and two
   of the mappings that the process may have. */
static bool may_stand_apart(size_t size)
{
    size_t most = hd.registry.pieces_most / 6;

    return hd.registry.slot_pieces <
           (size <= HD_CLASS_SIZE(CLASS_PAGE) / 2 ? most / 4 : most);
}

/* A free slot of the region that may be accessed; -1: there is none. Slots are made
   accessible when they are first used. */
static int slot_find(hd_region *region, size_t size)
{
    if (region->place != HD_APART)
        return __builtin_ctzll(region->vacant);
    if (region->vacant & region->made)
        return __builtin_ctzll(region->vacant & region->made);
    unsigned slot = __builtin_ctzll(region->vacant);
    char *start = region->base + ((size_t)slot << region->shift);
    if (!may_stand_apart(size) ||
        !hd_region_open(region, slot, start, HD_CLASS_SIZE(region->class)))
        return -1;
    hd.registry.slot_pieces++;
    return slot;
}

/* A slot for that size; NULL: there is none. */
static hd_allocation *slot_create(hd_memory_owner *owner, hd_place place,
                                  hd_memory_kind kind, size_t size, unsigned flags)
{
    unsigned class = place == HD_APART ? CLASS_PAGE : 0;

    while (class < HD_CLASSES && HD_CLASS_SIZE(class) < size)
        class ++;
    if (class == HD_CLASSES ||
        (place == HD_APART && hd.page > HD_CLASS_SIZE(CLASS_PAGE)))
        return NULL;
    hd_region **roomy = &owner->roomy[place][class], *region = *roomy;
    if (!region && (place != HD_APART || may_stand_apart(size)))
        *roomy = region = hd_region_create(owner, place, class);
    if (!region)
        return NULL;
    int slot = slot_find(region, size);
    if (slot < 0)
        return NULL;
    hd_allocation *allocation = occupy(region, slot, kind, size, flags);
    if (region->vacant == 0)
        *roomy = region->next_roomy;
    return allocation;
}

static hd_allocation *create_alone(hd_memory_owner *owner, hd_place place,
                                   hd_memory_kind kind, size_t size, unsigned flags)
{
    hd_region *region = hd.registry.pieces < hd.registry.pieces_most ||
                                size > HD_CLASS_SIZE(HD_CLASSES - 1)
                            ? hd_region_create_alone(owner, place, size)
                            : NULL;

    return region ? occupy(region, 0, kind, size, flags) : NULL;
}

static hd_place place_of(hd_memory_kind kind)
{
    return kind == HD_MEMORY_HOST                                  ? HD_ON_HOST
           : kind == HD_MEMORY_DEVICE || kind == HD_MEMORY_MANAGED ? HD_APART
                                                                   : HD_DENSE;
}

CUresult hd_memory_create(hd_memory_owner *owner, hd_memory_kind kind, size_t size,
                          unsigned flags, hd_allocation **allocation)
{
    hd_place place = place_of(kind);
    hd_allocation *made = NULL;

    HD_FAIL_IF(
        hd_memory_is_counted(kind) && size > hd.memory - owner->device->memory_used,
        CUDA_ERROR_OUT_OF_MEMORY,
        "%zu bytes asked for, %zu of %zu are free on device %d", size,
        hd.memory - owner->device->memory_used, hd.memory, owner->device->ordinal);
    if (size > HD_CLASS_SIZE(HD_SLOTTED - 1) && size <= SIZE_MAX >> 1)
        made = create_alone(owner, place, kind, size, flags);
    else if (place == HD_APART)
        made = slot_create(owner, place, kind, size, flags);
    if (!made)
        made =
            slot_create(owner, place == HD_APART ? HD_DENSE : place, kind, size, flags);
    HD_FAIL_IF(!made, CUDA_ERROR_OUT_OF_MEMORY, "the system has no %zu bytes to map",
               size);
    if (kind == HD_MEMORY_DEVICE || kind == HD_MEMORY_HEAP)
        hd_written_clear_unlocked(made->base, made->size);
    else
        hd_written_set_unlocked(made->base, made->size);
    *allocation = made;
    return CUDA_SUCCESS;
}

CUresult hd_memory_adopt(hd_memory_owner *owner, hd_memory_kind kind, void *base,
                         size_t size, unsigned flags)
{
    HD_FAIL_IF(hd_range_contains_unlocked(base),
               CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
               "%p is an address of the device", base);
    hd_region *region = hd_region_record_create(owner, HD_ON_HOST, HD_CLASSES, 1);
    if (!region)
        return CUDA_ERROR_OUT_OF_MEMORY;
    region->base = base;
    region->size = size;
    region->shift = 63;
    HD_TRY_OR(hd_region_insert(region), hd_region_record_destroy(region));
    occupy(region, 0, kind, size, flags);
    return CUDA_SUCCESS;
}

void hd_memory_destroy(hd_allocation *allocation)
{
    hd_region *region = hd_region_of(allocation->base);
    hd_memory_owner *owner = allocation->owner;
    bool was_full = region->vacant == 0;
    char *base = allocation->base;

    if (region->units > 0)
        hd_memory_remember_freed(allocation);
    hd_memory_vacate(allocation);
    if (region->nslots == 1) {
        hd_region_remove_at(hd_region_rank(region->base) - 1);
        hd_regions_free(region);
        return;
    }
    if (region->class >= HD_SLOTTED)
        madvise(base, HD_CLASS_SIZE(region->class), MADV_DONTNEED);
    region->vacant |= UINT64_C(1) << (allocation - region->slots);
    if (was_full) {
        hd_region **roomy = &owner->roomy[region->place][region->class];
        region->next_roomy = *roomy;
        *roomy = region;
    }
}

void hd_memory_destroy_all(hd_memory_owner *owner)
{
    hd_registry *list = &hd.registry;
    hd_region *gone = NULL;
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++) {
        hd_region *region = list->regions[i];
        if (region->owner != owner) {
            list->regions[kept++] = region;
            continue;
        }
        for (size_t slot = 0; slot < region->nslots; slot++) {
            if (region->slots[slot].size == 0)
                continue;
            if (region->units > 0)
                hd_memory_remember_freed(&region->slots[slot]);
            hd_memory_vacate(&region->slots[slot]);
        }
        region->next_roomy = gone;
        gone = region;
    }
    list->count = kept;
    memset(owner->roomy, 0, sizeof owner->roomy);
    owner->heap_used = 0;
    hd_regions_free(gone);
}

void hd_memory_free_later(hd_allocation *allocation)
{
    allocation->owner->frees_pending += !allocation->free_pending;
    allocation->free_pending = true;
}

static hd_allocation *pending_of(const hd_memory_owner *owner)
{
    for (size_t i = 0; i < hd.registry.count; i++) {
        hd_region *region = hd.registry.regions[i];
        for (size_t slot = 0; slot < region->nslots; slot++) {
            hd_allocation *allocation = &region->slots[slot];
            if (allocation->size != 0 && allocation->free_pending &&
                allocation->owner == owner)
                return allocation;
        }
    }
    return NULL;
}

void hd_memory_free_pending(hd_memory_owner *owner)
{
    while (owner->frees_pending > 0)
        hd_memory_destroy(pending_of(owner));
}
