/* Memory that device code and copies may touch, and the question every copy asks: which
   allocation does this address lie in? Small allocations share a region of equal slots,
   large ones have a region each; regions stand apart by pages that fault. */
#ifndef HOSTCUDA_MEMORY_REGISTRY_H
#define HOSTCUDA_MEMORY_REGISTRY_H

#include <stdbool.h>

#include "cuda/types.h"

struct hd_context;
struct hd_device;
typedef struct hd_region hd_region;

#define HD_CLASSES 9 /* slots of 256 << class bytes: up to 64 KiB */

/* The owner of allocations: a context, which frees them at its end. */
typedef struct {
    struct hd_context *context; /* borrowed: it holds this */
    struct hd_device *device; /* borrowed: the device that the memory counts against */
    hd_region *roomy[HD_CLASSES]; /* borrowed: with a free slot, of each class */
    size_t heap_used;             /* bytes that kernels have allocated */
    unsigned frees_pending;       /* allocations that hd_memory_free_pending frees */
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

struct hd_region {
    char *base;
    size_t size, slot_size;
    void *map; /* owned; NULL where the memory is not ours */
    size_t map_size;
    struct hd_region *next_roomy; /* regions of an owner and class with a free slot */
    uint64_t vacant;              /* a bit for each free slot */
    hd_allocation slots[];
};

typedef struct {
    hd_region **regions; /* owned, ordered by base */
    size_t count, capacity;
} hd_registry;

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
/* Writes the end of a sentence about an address: "16 bytes past the end of ...". */
void hd_memory_describe(const char *address, char *text, size_t size);

#endif
