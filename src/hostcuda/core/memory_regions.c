/* Regions: stretches of addresses with the records of the allocations in them, and the
   ordered list of them. A region is 64 slots of one size, or one allocation by itself;
   the records lie apart from the memory, so that a kernel that writes past its end does
   not hurt us.

   Memory of the device ends where a page begins that faults: the last byte of an
   allocation, its size rounded up to 256, is that page's neighbour. A region of one
   allocation ends with a unit of the range of addresses, and as many units behind it
   stay without access; slots that stand apart have 8 times the addresses that they use.
   From 2 MiB on an allocation is aligned for huge pages.

   The list is for questions about order, and for memory outside of the range; in it the
   owner of a unit is looked up. */
#include <sys/mman.h>

#include "memory_regions.h"
#include "race_memory.h"

#define SLOTS 64
#define APART_SHIFT 3  /* slots apart have 8 times their size, the rest faults */
#define MAPPINGS 65530 /* that Linux allows a process unless told otherwise */

bool hd_memory_is_counted(hd_memory_kind kind)
{
    return kind == HD_MEMORY_DEVICE || kind == HD_MEMORY_MANAGED ||
           kind == HD_MEMORY_ARRAY || kind == HD_MEMORY_HEAP || kind == HD_MEMORY_HOST;
}

bool hd_memory_is_object(hd_memory_kind kind)
{
    return kind != HD_MEMORY_GLOBAL && kind != HD_MEMORY_HEAP &&
           kind != HD_MEMORY_ARRAY;
}

bool hd_memory_is_on_host(hd_memory_kind kind)
{
    return kind == HD_MEMORY_MANAGED || kind >= HD_MEMORY_HOST;
}

bool hd_memory_is_mapped(const hd_allocation *allocation)
{
    return allocation->kind != HD_MEMORY_ARRAY && allocation->kind != HD_MEMORY_HEAP &&
           allocation->kind != HD_MEMORY_TEXTURE;
}

void hd_memory_vacate(hd_allocation *allocation)
{
    if (allocation->ends)
        allocation->ends(allocation);
    if (hd_memory_is_counted(allocation->kind))
        allocation->owner->device->memory_used -= allocation->size;
    hd.live[HD_MEMORY] -= hd_memory_is_object(allocation->kind);
    hd.host_memory -= hd_memory_is_on_host(allocation->kind);
    allocation->owner->frees_pending -= allocation->free_pending;
    allocation->free_pending = false;
    __atomic_store_n(&allocation->size, 0, __ATOMIC_RELAXED);
}

/* -- Records ----------------------------------------------------------------------- */

hd_region *hd_region_record_create(hd_memory_owner *owner, hd_place place,
                                   unsigned class, unsigned slots)
{
    hd_region **spare = &hd.registry.spare[slots > 1], *region = *spare;

    if (region)
        *spare = region->next_roomy;
    else
        region = calloc(1, sizeof *region + slots * sizeof *region->slots);
    if (region) {
        region->nslots = slots;
        region->owner = owner;
        region->place = place;
        region->class = class;
        region->map = NULL;
        region->units = region->map_size = 0;
        region->made = 0;
        region->next_roomy = NULL;
    }
    return region;
}

void hd_region_record_destroy(hd_region *region)
{
    hd_region **spare = &hd.registry.spare[region->nslots > 1];

    region->next_roomy = *spare;
    *spare = region;
}

/* -- The ordered list -------------------------------------------------------------- */

size_t hd_region_rank(const char *address)
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

void hd_region_remove_at(size_t index)
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
    size_t index = hd_region_rank(region->base);

    if (index > 0 &&
        list->regions[index - 1]->base + list->regions[index - 1]->size > region->base)
        return index - 1;
    if (index < list->count && list->regions[index]->base < region->base + region->size)
        return index;
    return list->count;
}

CUresult hd_region_insert(hd_region *region)
{
    hd_registry *list = &hd.registry;

    for (size_t other = overlapping(region); other < list->count;
         other = overlapping(region)) {
        hd_region *old = list->regions[other];
        if (!region->map || old->map)
            return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
        hd_memory_vacate(&old->slots[0]);
        hd_region_remove_at(other);
        hd_region_record_destroy(old);
    }
    size_t index = hd_region_rank(region->base);
    HD_TRY(hd_array_grow(&list->regions, sizeof *list->regions, list->count,
                         &list->capacity));
    memmove(list->regions + index + 1, list->regions + index,
            (list->count - index) * sizeof *list->regions);
    list->regions[index] = region;
    list->count++;
    return CUDA_SUCCESS;
}

/* Has units of the range while their memory is given back. */
static hd_region leaving;

hd_region *hd_region_of(const void *address)
{
    hd_region *region = hd_range_owner_unlocked(address);

    if (region || hd_range_contains_unlocked(address))
        return region != &leaving ? region : NULL;
    size_t index = hd_region_rank(address);
    region = index > 0 ? hd.registry.regions[index - 1] : NULL;
    return region && (const char *)address < region->base + region->size ? region
                                                                         : NULL;
}

/* -- Mapping ----------------------------------------------------------------------- */

void hd_memory_start(void)
{
    FILE *file = fopen("/proc/sys/vm/max_map_count", "re");
    size_t mappings = MAPPINGS;

    if (file && fscanf(file, "%zu", &mappings) != 1)
        mappings = MAPPINGS;
    if (file)
        fclose(file);
    hd.registry.pieces_most = mappings / 8 * 3;
    hd_range_reserve();
}

/* Addresses that fault: units of the device's range, or `size` bytes with a page on
   each side, wherever the system maps them. */
static bool reserve(hd_region *region, size_t units, size_t size)
{
    region->map = region->place == HD_ON_HOST ? NULL : hd_range_take(units, region);
    if (region->map) {
        region->units = units;
        return true;
    }
    region->map_size = size + 2 * hd.page;
    region->map = mmap(NULL, region->map_size, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (region->map == MAP_FAILED)
        region->map = NULL;
    return region->map != NULL;
}

/* The three steps by which a region that no list knows any more goes: of these the
   second takes long. */
static void leave(hd_region *region)
{
    unsigned pieces = __builtin_popcountll(region->made);

    hd.registry.pieces -= pieces;
    if (region->place == HD_APART && region->nslots > 1)
        hd.registry.slot_pieces -= pieces;
    if (region->units > 0)
        hd_range_assign(region->map, region->units, &leaving);
}

static void unmap_unlocked(hd_region *region)
{
    if (!region->map)
        return;
    size_t used = region->nslots > 1 ? region->units : region->units / 2;
    if (region->units == 0)
        munmap(region->map, region->map_size);
    else if (!hd_range_clear_unlocked(region->map, used << HD_UNIT_SHIFT))
        region->units = 0; /* lost: `leaving` keeps them */
    else
        hd_race_forget_unlocked(region->map, used << HD_UNIT_SHIFT);
}

static void finish(hd_region *region)
{
    if (region->units > 0)
        hd_range_assign(region->map, region->units, NULL);
    hd_region_record_destroy(region);
}

/* One that was not used yet. Keeps the lock. */
static void discard(hd_region *region)
{
    leave(region);
    unmap_unlocked(region);
    finish(region);
}

void hd_regions_free(hd_region *region)
{
    for (hd_region *one = region; one; one = one->next_roomy)
        leave(one);
    hd_unlock();
    for (hd_region *one = region; one; one = one->next_roomy)
        unmap_unlocked(one);
    hd_lock();
    while (region) {
        hd_region *next = region->next_roomy;
        finish(region);
        region = next;
    }
}

bool hd_region_open(hd_region *region, unsigned slot, char *start, size_t bytes)
{
    if (mprotect(start, bytes, PROT_READ | PROT_WRITE) != 0)
        return false;
    region->made |= UINT64_C(1) << slot;
    hd.registry.pieces++;
    return true;
}

/* In the range as many units follow as it has, and one, so that twice its length leads
   to none of another's. */
hd_region *hd_region_create_alone(hd_memory_owner *owner, hd_place place, size_t size)
{
    hd_region *region = hd_region_record_create(owner, place, HD_CLASSES, 1);
    size_t pages = hd_round_up(size, hd.page), huge = size >= HD_UNIT ? HD_UNIT : 0;
    size_t units = hd_round_up(size, HD_UNIT) >> HD_UNIT_SHIFT;

    if (!region)
        return NULL;
    if (!reserve(region, 2 * units + (huge != 0), pages + huge)) {
        hd_region_record_destroy(region);
        return NULL;
    }
    char *end = region->units > 0 ? region->map + (units << HD_UNIT_SHIFT)
                                  : region->map + region->map_size - hd.page;
    if (huge)
        end = (char *)((uintptr_t)end & -HD_UNIT);
    char *base = end - (place == HD_ON_HOST ? pages : hd_round_up(size, HD_ALIGNMENT));
    __atomic_store_n(&region->base, base, __ATOMIC_RELAXED);
    region->size = size;
    region->shift = 63;
    region->vacant = 1;
    if (!hd_region_open(region, 0, end - pages, pages) ||
        hd_region_insert(region) != CUDA_SUCCESS) {
        discard(region);
        return NULL;
    }
    if (huge)
        madvise(end - pages, pages, MADV_HUGEPAGE); /* only a hint */
    return region;
}

hd_region *hd_region_create(hd_memory_owner *owner, hd_place place, unsigned class)
{
    hd_region *region = hd_region_record_create(owner, place, class, SLOTS);

    if (!region)
        return NULL;
    region->shift = HD_CLASS_SHIFT(class) + (place == HD_APART ? APART_SHIFT : 0);
    region->size = (size_t)SLOTS << region->shift;
    region->vacant = UINT64_MAX;
    size_t pages = hd_round_up(region->size, hd.page);
    if (!reserve(region, (pages + hd.page + HD_UNIT - 1) >> HD_UNIT_SHIFT, pages)) {
        hd_region_record_destroy(region);
        return NULL;
    }
    char *base = region->map + (region->units > 0 ? 0 : hd.page);
    __atomic_store_n(&region->base, base, __ATOMIC_RELAXED);
    if ((place != HD_APART && !hd_region_open(region, 0, base, pages)) ||
        hd_region_insert(region) != CUDA_SUCCESS) {
        discard(region);
        return NULL;
    }
    return region;
}

/* -- Which allocation has an address ----------------------------------------------- */

hd_allocation *hd_slot_near(hd_region *region, const void *address)
{
    const char *base = __atomic_load_n(&region->base, __ATOMIC_RELAXED);
    size_t slot = ((uintptr_t)address - (uintptr_t)base) >> region->shift;

    return &region->slots[slot < region->nslots ? slot : region->nslots - 1];
}

bool hd_memory_bounds_unlocked(const void *address, hd_bounds *bounds,
                               hd_memory_kind *kind)
{
    hd_region *region = hd_range_owner_unlocked(address);

    if (!region || region == &leaving)
        return false;
    const hd_allocation *allocation = hd_slot_near(region, address);
    bounds->size = __atomic_load_n(&allocation->size, __ATOMIC_ACQUIRE);
    bounds->base = __atomic_load_n(&allocation->base, __ATOMIC_RELAXED);
    *kind = __atomic_load_n(&allocation->kind, __ATOMIC_RELAXED);
    size_t used = __atomic_load_n(&allocation->used, __ATOMIC_RELAXED);
    if (used != 0) {
        bounds->base += __atomic_load_n(&allocation->used_from, __ATOMIC_RELAXED);
        bounds->size = used;
    }
    return (uintptr_t)address - (uintptr_t)bounds->base < bounds->size;
}

hd_allocation *hd_memory_find(const void *address)
{
    hd_region *region = hd_region_of(address);
    hd_allocation *allocation = region ? hd_slot_near(region, address) : NULL;

    return allocation &&
                   (uintptr_t)address - (uintptr_t)allocation->base < allocation->size
               ? allocation
               : NULL;
}
