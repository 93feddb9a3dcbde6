/* Memory that device code and copies may touch, and the question every copy asks: which
   allocation does this address lie in? Small allocations share a region of equal slots,
   large ones have a region each; regions stand apart by pages that fault. Memory of the
   device lies in one range of addresses (address_range.h). */
#ifndef HOSTCUDA_MEMORY_REGISTRY_H
#define HOSTCUDA_MEMORY_REGISTRY_H

#include <stdbool.h>

#include "cuda/types.h"

struct hd_context;
struct hd_device;
typedef struct hd_region hd_region;

#define HD_CLASSES 14     /* slots of 256 << class bytes: up to 2 MiB */
#define HD_SLOTTED 9      /* classes that have slots at first: up to 64 KiB */
#define HD_FREED_KEPT 256 /* freed allocations that are remembered */

/* How slots lie in a region. */
typedef enum {
    HD_APART,   /* each ends where a page begins that faults */
    HD_DENSE,   /* side by side */
    HD_ON_HOST, /* likewise, outside of the device's range of addresses */
    HD_PLACES
} hd_place;

/* The owner of allocations: a context, which frees them at its end. */
typedef struct {
    struct hd_context *context; /* borrowed: it holds this */
    struct hd_device *device; /* borrowed: the device that the memory counts against */
    hd_region *roomy[HD_PLACES][HD_CLASSES]; /* borrowed: with a free slot */
    size_t heap_used;                        /* bytes that kernels have allocated */
    unsigned frees_pending; /* allocations that hd_memory_free_pending frees */
} hd_memory_owner;

typedef enum {
    HD_MEMORY_DEVICE,
    HD_MEMORY_MANAGED,
    HD_MEMORY_GLOBAL,  /* a variable of a module */
    HD_MEMORY_ARRAY,   /* behind a CUarray: not reachable by address */
    HD_MEMORY_HEAP,    /* malloc in a kernel: likewise */
    HD_MEMORY_TEXTURE, /* a texture or surface object: likewise */
    HD_MEMORY_HOST,    /* pagelocked */
    HD_MEMORY_REGISTERED,
} hd_memory_kind;

/* Advice on managed memory, see managed_memory.c. */
typedef struct {
    bool read_mostly;
    int preferred, prefetched; /* ordinals, CU_DEVICE_CPU or HD_NOWHERE */
    uint64_t accessed;         /* a bit for each device; the highest: the host */
} hd_advice;

#define HD_NOWHERE (-2)

typedef struct hd_allocation hd_allocation;
struct hd_allocation {
    char *base;
    size_t size; /* 0: a free slot */
    size_t used_from;
    size_t used; /* by the program, if it keeps the rest for later; 0: all */
    hd_memory_kind kind;
    unsigned flags;
    hd_memory_owner *owner; /* borrowed: frees it at its end */
    uint64_t id;
    hd_advice advice;  /* of managed memory */
    bool free_pending; /* freed by the user, while work that was given up may still use
                          it */
    /* Belong to mempools.c. `ends` is called before the memory is freed; or NULL */
    void (*ends)(hd_allocation *);
    struct hd_mempool *pool;  /* borrowed: lives as long as this */
    struct hd_point *freed;   /* counted: where a stream freed it: idle in the pool */
    hd_allocation *next_idle; /* of the pool, freed longer ago */
    struct hd_graph_memory *graph; /* borrowed: nodes that have it; or NULL */
};

/* Records are kept for later regions when theirs is gone, so that who looks one up
   without the lock reads a record in any case. */
struct hd_region {
    char *base; /* where slots begin; of an allocation by itself its own base */
    size_t size;
    unsigned nslots, shift; /* from slot to slot: 1 << shift bytes */
    unsigned class;
    hd_place place;
    hd_memory_owner *owner; /* borrowed */
    char *map;              /* owned; NULL where the memory is not ours */
    size_t units; /* of the device's range; 0: a map of its own of so many bytes */
    size_t map_size;
    struct hd_region *next_roomy; /* regions of an owner and class with a free slot */
    uint64_t vacant, made; /* bits for free slots; for those that may be accessed */
    hd_allocation slots[];
};

/* Memory that was freed: it faults since then, or is a slot for others. */
typedef struct {
    const char *base;
    size_t size;
    hd_memory_kind kind;
} hd_freed;

typedef struct {
    hd_region **regions; /* owned, ordered by base */
    size_t count, capacity;
    hd_region *spare[2]; /* owned: records of one slot, and of many */
    /* Stretches of the range that may be accessed, each of which costs the system two
       mappings: now, those of them that are slots, and how many there may be. */
    size_t pieces, slot_pieces, pieces_most;
    hd_freed freed[HD_FREED_KEPT]; /* a ring */
    size_t freed_count;
} hd_registry;

/* What an address in no allocation may have been meant for. */
typedef struct {
    const char *base; /* NULL: nothing is near */
    size_t size;
    hd_memory_kind kind;
    bool is_freed; /* the address was in it */
    uint64_t id;   /* of what is not freed */
} hd_near;

/* Where an allocation begins and how many bytes it has. */
typedef struct {
    char *base;
    size_t size;
} hd_bounds;

/* Reads the limits of the system. */
void hd_memory_start(void);
CUresult hd_memory_create(hd_memory_owner *owner, hd_memory_kind kind, size_t size,
                          unsigned flags, hd_allocation **allocation);
/* Registers memory that we did not allocate. Fails if it overlaps registered memory. */
CUresult hd_memory_adopt(hd_memory_owner *owner, hd_memory_kind kind, void *base,
                         size_t size, unsigned flags);
/* Drops the lock while memory is given back to the system. */
void hd_memory_destroy(hd_allocation *allocation);
void hd_memory_destroy_all(hd_memory_owner *owner);
/* Destroys it when the work that may use it is done. */
void hd_memory_free_later(hd_allocation *allocation);
/* Does the frees that are pending. Drops the lock. */
void hd_memory_free_pending(hd_memory_owner *owner);
/* Returns the allocation that contains the address, or NULL. */
hd_allocation *hd_memory_find(const void *address);
/* What checks hold an access against (hd_memory_used) of the allocation in the device's
   range that contains the address; false: none does. Needs no lock; what is freed or
   changed meanwhile may be found or not, or as it was never. */
bool hd_memory_bounds_unlocked(const void *address, hd_bounds *bounds,
                               hd_memory_kind *kind);
/* What checks hold accesses against. */
static inline hd_bounds hd_memory_used(const hd_allocation *allocation)
{
    return allocation->used
               ? (hd_bounds){allocation->base + allocation->used_from, allocation->used}
               : (hd_bounds){allocation->base, allocation->size};
}
/* Whether it is pagelocked memory of the host. */
static inline bool hd_memory_is_host(const hd_allocation *allocation)
{
    return allocation->kind >= HD_MEMORY_HOST;
}
/* Whether device code may see this allocation by address. */
bool hd_memory_is_mapped(const hd_allocation *allocation);
/* Fails unless the bytes are inside that allocation and device code may access it. */
CUresult hd_memory_check(const hd_allocation *allocation, const char *address,
                         size_t bytes);
hd_near hd_memory_near(const char *address);
/* Writes the end of a sentence about an address: "16 bytes past the end of ...". */
void hd_memory_describe(const char *address, char *text, size_t size);

#endif
