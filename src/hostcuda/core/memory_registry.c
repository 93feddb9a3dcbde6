/* Where memory comes from, and the ordered list of it.

   Allocations up to 64 KiB are slots of a region: 64 slots of one size, the record of
   each kept apart from the memory so that a kernel that writes past its end does not
   hurt us. Larger ones are mapped alone; from 2 MiB on they are aligned for huge pages.
   Each mapping begins and ends with a page that faults. */
#include <sys/mman.h>

#include "process.h"

#define HUGE (2u << 20)
#define SLOTS 64
#define CLASS_SIZE(class) ((size_t)256 << (class))

/* Whether the memory counts against the device's total. */
static bool is_counted(hd_memory_kind kind)
{
    return kind == HD_MEMORY_DEVICE || kind == HD_MEMORY_MANAGED ||
           kind == HD_MEMORY_ARRAY || kind == HD_MEMORY_HEAP || kind == HD_MEMORY_HOST;
}

/* Whether the memory is an object to the user, beside arrays and modules. */
static bool is_object(hd_memory_kind kind)
{
    return kind != HD_MEMORY_GLOBAL && kind != HD_MEMORY_HEAP &&
           kind != HD_MEMORY_ARRAY;
}

/* Whether the host may write to the memory at any time. */
static bool is_on_host(hd_memory_kind kind)
{
    return kind == HD_MEMORY_MANAGED || kind >= HD_MEMORY_HOST;
}

static void vacate(hd_allocation *allocation)
{
    if (allocation->ends)
        allocation->ends(allocation);
    if (is_counted(allocation->kind))
        allocation->owner->device->memory_used -= allocation->size;
    hd.live[HD_MEMORY] -= is_object(allocation->kind);
    hd.host_memory -= is_on_host(allocation->kind);
    allocation->owner->frees_pending -= allocation->free_pending;
    allocation->free_pending = false;
    allocation->size = 0;
}

/* -- The ordered list -------------------------------------------------------------- */

/* The number of regions that begin at or before the address. */
static size_t rank(const char *address)
{
    size_t low = 0, high = hd.registry.count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (hd.registry.regions[middle]->base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void remove_at(size_t index)
{
    hd_registry *list = &hd.registry;

    memmove(list->regions + index, list->regions + index + 1,
            (list->count - index - 1) * sizeof *list->regions);
    list->count--;
}

/* The index of a region that overlaps, or list->count. */
static size_t overlapping(const hd_region *region)
{
    const hd_registry *list = &hd.registry;
    size_t index = rank(region->base);

    if (index > 0 &&
        list->regions[index - 1]->base + list->regions[index - 1]->size > region->base)
        return index - 1;
    if (index < list->count && list->regions[index]->base < region->base + region->size)
        return index;
    return list->count;
}

/* Inserts the region in order. Fails if it would overlap another one, unless that is
   registered memory of the user at addresses that the system has just mapped for us:
   the user has unmapped it, so its record is dropped. */
static CUresult insert(hd_region *region)
{
    hd_registry *list = &hd.registry;

    for (size_t other = overlapping(region); other < list->count;
         other = overlapping(region)) {
        hd_region *old = list->regions[other];
        if (!region->map || old->map)
            return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
        vacate(&old->slots[0]);
        remove_at(other);
        free(old);
    }
    size_t index = rank(region->base);
    HD_TRY(hd_array_grow(&list->regions, sizeof *list->regions, list->count,
                         &list->capacity));
    memmove(list->regions + index + 1, list->regions + index,
            (list->count - index) * sizeof *list->regions);
    list->regions[index] = region;
    list->count++;
    return CUDA_SUCCESS;
}

static hd_region *region_of(const char *address)
{
    size_t index = rank(address);
    hd_region *region = index > 0 ? hd.registry.regions[index - 1] : NULL;
    return region && address < region->base + region->size ? region : NULL;
}

/* Gives regions chained by next_roomy, which no list knows any more, back to the
   system. Drops the lock meanwhile. */
static void regions_free(hd_region *region)
{
    hd_unlock();
    while (region) {
        hd_region *next = region->next_roomy;
        if (region->map)
            munmap(region->map, region->map_size);
        free(region);
        region = next;
    }
    hd_lock();
}

/* -- Mapping ----------------------------------------------------------------------- */

/* A region of that many bytes with memory of its own, on the list. */
static hd_region *region_create(size_t size, size_t slot_size, unsigned slots)
{
    hd_region *region = calloc(1, sizeof *region + slots * sizeof *region->slots);
    size_t usable = (size + hd.page - 1) & ~(hd.page - 1);
    size_t slack = size >= HUGE ? HUGE : 0;

    if (!region)
        return NULL;
    region->map_size = usable + slack + 2 * hd.page;
    region->map = mmap(NULL, region->map_size, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (region->map == MAP_FAILED) {
        free(region);
        return NULL;
    }
    uintptr_t base = (uintptr_t)region->map + hd.page;
    if (slack != 0)
        base = (base + HUGE - 1) & ~(uintptr_t)(HUGE - 1);
    region->base = (char *)base;
    region->size = size;
    region->slot_size = slot_size;
    region->vacant = slots == SLOTS ? UINT64_MAX : 1;
    if (mprotect(region->base, usable, PROT_READ | PROT_WRITE) != 0 ||
        insert(region) != CUDA_SUCCESS) {
        munmap(region->map, region->map_size);
        free(region);
        return NULL;
    }
    if (slack != 0)
        madvise(region->base, usable, MADV_HUGEPAGE); /* only a hint */
    return region;
}

/* -- Allocations ------------------------------------------------------------------- */

static hd_allocation *occupy(hd_region *region, unsigned slot, hd_memory_owner *owner,
                             hd_memory_kind kind, size_t size, unsigned flags)
{
    hd_allocation *allocation = &region->slots[slot];

    region->vacant &= ~(UINT64_C(1) << slot);
    *allocation =
        (hd_allocation){.base = region->base + slot * region->slot_size,
                        .size = size,
                        .kind = kind,
                        .flags = flags,
                        .owner = owner,
                        .id = ++hd.serial,
                        .advice = {.preferred = HD_NOWHERE, .prefetched = HD_NOWHERE}};
    owner->device->memory_used += is_counted(kind) ? size : 0;
    hd.live[HD_MEMORY] += is_object(kind);
    hd.host_memory += is_on_host(kind);
    return allocation;
}

CUresult hd_memory_create(hd_memory_owner *owner, hd_memory_kind kind, size_t size,
                          unsigned flags, hd_allocation **allocation)
{
    hd_region *region = NULL;
    unsigned class = 0;

    HD_FAIL_IF(is_counted(kind) && size > hd.memory - owner->device->memory_used,
               CUDA_ERROR_OUT_OF_MEMORY,
               "%zu bytes asked for, %zu of %zu are free on device %d", size,
               hd.memory - owner->device->memory_used, hd.memory,
               owner->device->ordinal);
    while (class < HD_CLASSES && CLASS_SIZE(class) < size)
        class ++;
    if (class == HD_CLASSES) {
        if (size <= (SIZE_MAX >> 1))
            region = region_create(size, size, 1);
    } else {
        region = owner->roomy[class];
        if (!region) {
            region = region_create(SLOTS * CLASS_SIZE(class), CLASS_SIZE(class), SLOTS);
            owner->roomy[class] = region;
        }
    }
    HD_FAIL_IF(!region, CUDA_ERROR_OUT_OF_MEMORY, "the system has no %zu bytes to map",
               size);
    *allocation =
        occupy(region, __builtin_ctzll(region->vacant), owner, kind, size, flags);
    if (class < HD_CLASSES && region->vacant == 0)
        owner->roomy[class] = region->next_roomy;
    return CUDA_SUCCESS;
}

CUresult hd_memory_adopt(hd_memory_owner *owner, hd_memory_kind kind, void *base,
                         size_t size, unsigned flags)
{
    hd_region *region = calloc(1, sizeof *region + sizeof *region->slots);

    if (!region)
        return CUDA_ERROR_OUT_OF_MEMORY;
    region->base = base;
    region->size = region->slot_size = size;
    HD_TRY_OR(insert(region), free(region));
    occupy(region, 0, owner, kind, size, flags);
    return CUDA_SUCCESS;
}

void hd_memory_destroy(hd_allocation *allocation)
{
    hd_region *region = region_of(allocation->base);
    hd_memory_owner *owner = allocation->owner;
    bool was_full = region->vacant == 0;

    vacate(allocation);
    if (region->slot_size == region->size) {
        remove_at(rank(region->base) - 1);
        regions_free(region);
        return;
    }
    region->vacant |= UINT64_C(1) << (allocation - region->slots);
    if (was_full) {
        unsigned class = __builtin_ctzll(region->slot_size / CLASS_SIZE(0));
        region->next_roomy = owner->roomy[class];
        owner->roomy[class] = region;
    }
}

void hd_memory_destroy_all(hd_memory_owner *owner)
{
    hd_registry *list = &hd.registry;
    hd_region *gone = NULL;
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++) {
        hd_region *region = list->regions[i];
        if (region->slots[0].owner != owner) {
            list->regions[kept++] = region;
            continue;
        }
        for (size_t slot = 0; slot < region->size / region->slot_size; slot++) {
            if (region->slots[slot].size != 0)
                vacate(&region->slots[slot]);
        }
        region->next_roomy = gone;
        gone = region;
    }
    list->count = kept;
    memset(owner->roomy, 0, sizeof owner->roomy);
    owner->heap_used = 0;
    regions_free(gone);
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
        for (size_t slot = 0; slot < region->size / region->slot_size; slot++) {
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

/* -- Questions --------------------------------------------------------------------- */

hd_allocation *hd_memory_find(const void *address)
{
    hd_region *region = region_of(address);

    if (!region)
        return NULL;
    size_t offset = (const char *)address - region->base;
    hd_allocation *allocation = &region->slots[offset / region->slot_size];
    return offset % region->slot_size < allocation->size ? allocation : NULL;
}

bool hd_memory_is_mapped(const hd_allocation *allocation)
{
    return allocation->kind != HD_MEMORY_ARRAY && allocation->kind != HD_MEMORY_HEAP &&
           allocation->kind != HD_MEMORY_TEXTURE;
}

void hd_memory_describe(const char *address, char *text, size_t size)
{
    const hd_allocation *allocation = hd_memory_find(address);
    size_t index = rank(address);

    if (allocation) {
        snprintf(text, size, "%zu bytes into the allocation of %zu bytes at %p",
                 (size_t)(address - allocation->base), allocation->size,
                 (void *)allocation->base);
        return;
    }
    /* The nearest one in front, unless it is too far away to have to do with it. */
    if (index > 0) {
        const hd_region *region = hd.registry.regions[index - 1];
        size_t slot = (address - region->base) / region->slot_size;
        size_t last = region->size / region->slot_size - 1;
        const hd_allocation *near = &region->slots[slot < last ? slot : last];
        if (near->size != 0 &&
            (size_t)(address - near->base) < 2 * near->size + (1 << 20)) {
            snprintf(text, size,
                     "%zu bytes past the end of the allocation of %zu bytes at %p",
                     (size_t)(address - near->base) - near->size, near->size,
                     (void *)near->base);
            return;
        }
    }
    snprintf(text, size, "in no allocation");
}

CUresult hd_memory_check(const hd_allocation *allocation, const char *address,
                         size_t bytes)
{
    char where[160];

    if (allocation && hd_memory_is_mapped(allocation) &&
        bytes <= allocation->size - (size_t)(address - allocation->base))
        return CUDA_SUCCESS;
    hd_memory_describe(address, where, sizeof where);
    return hd_fail(CUDA_ERROR_INVALID_VALUE,
                   "%zu bytes at %p are not inside one allocation: the address is %s",
                   bytes, (const void *)address, where);
}
