/* Pools of memory, as plain structs; the classes are in pool_type.c. */
#ifndef PYCUDA_BINDING_POOL_H
#define PYCUDA_BINDING_POOL_H

#include "object.h"

#define BD_POOL_MANTISSA \
    4 /* bits of a size below the leading one that tell bins apart */
#define BD_POOL_BINS (64 << BD_POOL_MANTISSA)

struct bd_pool {
    struct bin {
        uint64_t *blocks; /* owned */
        uint32_t count, capacity;
    } bins[BD_POOL_BINS];
    int holders; /* its owner, and calls under way */
    int on_host;
    int stopped;  /* blocks that come back are freed */
    int is_exact; /* for good: blocks have the size asked for */
    int at_end;   /* what is handed out is the end of a block */
    unsigned flags;
    int64_t held_blocks, active_blocks, managed_bytes, active_bytes;
};

/* The instances of both classes. */
typedef struct {
    py_object base;
    bd_pool *pool; /* owned */
} bd_pool_object;

/* From now on a pool of device memory has no bins: memory is checked. */
void bd_pool_measure(bd_pool *pool, bd_context *context);
/* A new pool, for one owner; NULL: MemoryError. */
bd_pool *bd_pool_create(int on_host, unsigned flags);
/* A block of at least that many bytes; -1 and MemoryError when there is none. */
int bd_pool_allocate(bd_pool *pool, bd_context *context, size_t bytes, uint64_t *block);
/* Takes a block back; frees it if the pool does not hold blocks any more. */
CUresult bd_pool_put(bd_pool *pool, bd_context *context, uint64_t block, size_t bytes);
/* Frees idle blocks. */
void bd_pool_free_held(bd_pool *pool, bd_context *context);
/* What that would give back to the driver. */
uint64_t bd_pool_held_bytes(const bd_pool *pool);
/* Ends a pool, which may be NULL, for its owner. entered: its context is current, and
 * idle blocks are freed; else they went with that. */
void bd_pool_destroy(bd_pool *pool, int entered);

/* floor(log2(n)), and 0 of 0; the bin for that many bytes; the last size that falls
   into a bin. */
unsigned bd_pool_log2(uint64_t n);
unsigned bd_pool_bin(uint64_t size);
uint64_t bd_pool_bin_size(unsigned bin);

#endif
