/* What can be said of an address that is in no allocation: for the texts of faults, and
   of copies that are refused. What was freed last is remembered for that. */
#include "memory_regions.h"

#define FAR (1 << 20) /* bytes to an allocation that has nothing to do with it */

void hd_memory_remember_freed(const hd_allocation *allocation)
{
    hd_registry *list = &hd.registry;

    list->freed[list->freed_count++ % HD_FREED_KEPT] = (hd_freed){
        .base = allocation->base, .size = allocation->size, .kind = allocation->kind};
}

/* The freed allocation that had the address last; NULL: none of those remembered. */
static const hd_freed *freed_find(const char *address)
{
    const hd_registry *list = &hd.registry;
    size_t kept = list->freed_count < HD_FREED_KEPT ? list->freed_count : HD_FREED_KEPT;

    for (size_t i = 1; i <= kept; i++) {
        const hd_freed *freed = &list->freed[(list->freed_count - i) % HD_FREED_KEPT];
        if ((uintptr_t)address - (uintptr_t)freed->base < freed->size)
            return freed;
    }
    return NULL;
}

/* The allocation before the address, or the first behind it; NULL: a free slot is
   there, or nothing. */
static const hd_allocation *neighbour(const char *address, bool behind)
{
    size_t index = hd_region_rank(address);

    if (index > 0) {
        hd_region *region = hd.registry.regions[index - 1];
        const hd_allocation *near = hd_slot_near(region, address),
                            *last = &region->slots[region->nslots - 1];
        if (address < near->base) { /* it ends its slot */
            if (behind || near == region->slots)
                return behind ? near : NULL;
            near--;
        } else if (behind) {
            near = near < last ? near + 1 : NULL;
        }
        if (near)
            return near->size != 0 ? near : NULL;
    }
    if (!behind || index == hd.registry.count)
        return NULL;
    const hd_allocation *first = hd.registry.regions[index]->slots;
    return first->size != 0 ? first : NULL;
}

hd_near hd_memory_near(const char *address)
{
    const hd_freed *freed = freed_find(address);
    const hd_allocation *before = neighbour(address, false),
                        *behind = neighbour(address, true), *nearest = NULL;

    /* Part of it may be another's by now. */
    if (freed && before && before->base + before->size > freed->base)
        freed = NULL;
    if (freed && behind && behind->base < freed->base + freed->size)
        freed = NULL;
    if (freed)
        return (hd_near){freed->base, freed->size, freed->kind, true, 0};
    /* Unless it is too far away to have to do with it. */
    size_t past = before ? (size_t)(address - before->base) - before->size : SIZE_MAX;
    size_t short_of = behind ? (size_t)(behind->base - address) : SIZE_MAX;
    if (before && past <= short_of && past < 2 * before->size + FAR)
        nearest = before;
    else if (behind && short_of < past && short_of < behind->size + FAR)
        nearest = behind;
    return nearest ? (hd_near){nearest->base, nearest->size, nearest->kind, false,
                               nearest->id}
                   : (hd_near){0};
}

void hd_memory_describe(const char *address, char *text, size_t size)
{
    const hd_allocation *allocation = hd_memory_find(address);
    hd_near near = allocation ? (hd_near){0} : hd_memory_near(address);

    if (allocation)
        snprintf(text, size, "%zu bytes into the allocation of %zu bytes at %p",
                 (size_t)(address - allocation->base), allocation->size,
                 (void *)allocation->base);
    else if (near.is_freed)
        snprintf(text, size, "%zu bytes into a freed allocation of %zu bytes at %p",
                 (size_t)(address - near.base), near.size, (void *)near.base);
    else if (near.base && near.base < address)
        snprintf(
            text, size, "%zu bytes past the end of the allocation of %zu bytes at %p",
            (size_t)(address - near.base) - near.size, near.size, (void *)near.base);
    else if (near.base)
        snprintf(text, size, "%zu bytes before the allocation of %zu bytes at %p",
                 (size_t)(near.base - address), near.size, (void *)near.base);
    else
        snprintf(text, size, "in no allocation%s",
                 hd_range_contains_unlocked(address) ? ", but among the addresses of "
                                                       "device memory"
                                                     : "");
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
