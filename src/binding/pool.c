/* Memory pools: blocks that were freed are held, sorted into bins, and handed out again
   without a driver call. A bin holds blocks of one size; sixteen bins a power of two
   keep the waste under a sixteenth. When the driver has no more, garbage is collected,
   then held blocks are freed one by one, the largest first. Under check a pool has no
   bins: each block has exactly the size asked for and goes back to the driver, so that
   an access one byte behind it, or after its end, is one to memory of nobody. On the
   host device, where memory ends at a page that faults, the end of a block is handed
   out, so that an overrun is seen without check, too. A pool is
   a plain struct, owned by a DeviceMemoryPool, a PageLockedMemoryPool or a Context; its
   blocks keep that owner alive. Another thread may end the owner while a driver call is
   made without the GIL, so who makes one holds the pool. */
#include <string.h>
#include "context.h"
#include "pool.h"

#define ALIGNMENT 256 /* of all memory of the device */
#define ROUND_UP(bytes) ((((bytes) - 1) | (ALIGNMENT - 1)) + 1)

/* -- Bins ----------------------------------------------------------------------- */

unsigned bd_pool_log2(uint64_t n)
{
    return 63 ^ (unsigned)__builtin_clzll(n | 1);
}

unsigned bd_pool_bin(uint64_t size)
{
    unsigned exponent = bd_pool_log2(size);
    uint64_t top = size << (63 - exponent) >> (63 - BD_POOL_MANTISSA);
    return exponent << BD_POOL_MANTISSA | (top & ((1 << BD_POOL_MANTISSA) - 1));
}

/* The last size in the bin that a size, not 0, falls into. */
static uint64_t last_in_bin(uint64_t size)
{
    return size | ((1ull << bd_pool_log2(size)) - 1) >> BD_POOL_MANTISSA;
}

/* The last size that falls into the bin. */
uint64_t bd_pool_bin_size(unsigned bin)
{
    unsigned exponent = bin >> BD_POOL_MANTISSA;
    uint64_t head = (1u << BD_POOL_MANTISSA) | (bin & ((1 << BD_POOL_MANTISSA) - 1));
    if (exponent < BD_POOL_MANTISSA)
        return head >> (BD_POOL_MANTISSA - exponent);
    unsigned shift = exponent - BD_POOL_MANTISSA;
    return head << shift | ((1ull << shift) - 1);
}

__attribute__((noinline)) static int bin_grow(struct bin *at)
{
    uint32_t capacity = at->capacity ? 2 * at->capacity : 8;
    uint64_t *blocks = PyMem_Realloc(at->blocks, capacity * sizeof *blocks);
    if (!blocks)
        return -1;
    at->blocks = blocks;
    at->capacity = capacity;
    return 0;
}

static int bin_push(bd_pool *pool, unsigned bin, uint64_t block)
{
    struct bin *at = &pool->bins[bin];
    if (at->count == at->capacity && bin_grow(at))
        return -1;
    at->blocks[at->count++] = block;
    pool->held_blocks++;
    return 0;
}

static int bin_pop(bd_pool *pool, unsigned bin, uint64_t *block)
{
    struct bin *at = &pool->bins[bin];
    if (!at->count)
        return 0;
    pool->held_blocks--;
    *block = at->blocks[--at->count];
    return 1;
}

static void pool_drop(bd_pool *pool)
{
    if (--pool->holders)
        return;
    for (int bin = 0; bin < BD_POOL_BINS; bin++)
        PyMem_Free(pool->bins[bin].blocks);
    PyMem_Free(pool);
}

/* -- Blocks; the context is current and the pool held --------------------------- */

/* Whether blocks are larger than what is handed out of them, which is their end. */
static int ends_count(const bd_pool *pool)
{
    return pool->at_end && !pool->is_exact;
}

/* What a block has room for: 0 bytes are 1. */
static uint64_t at_least(size_t bytes)
{
    return bytes + (bytes == 0);
}

/* Bytes from the start of a block to what is handed out of it. */
static uint64_t offset_in_block(const bd_pool *pool, size_t bytes)
{
    uint64_t size = at_least(bytes);
    return ends_count(pool) ? ROUND_UP(last_in_bin(size)) - ROUND_UP(size) : 0;
}

/* The bytes that a block needs for so many. */
static uint64_t room_for(const bd_pool *pool, size_t bytes)
{
    uint64_t size = at_least(bytes);
    return pool->is_exact ? size : last_in_bin(size);
}

/* What the driver is asked for, for a block of so many bytes. */
static uint64_t asked_for(const bd_pool *pool, uint64_t room)
{
    return ends_count(pool) ? ROUND_UP(room) : room;
}

static CUresult block_create(bd_state *state, bd_pool *pool, uint64_t room,
                             uint64_t *block)
{
    const uint64_t on_host[] = {(uintptr_t)block, asked_for(pool, room), pool->flags};
    return BD_BRIEFLY(state, pool->on_host ? bd_invoke_cuMemHostAlloc(on_host)
                                           : bd_invoke_cuMemAlloc(on_host));
}

static CUresult block_destroy(bd_pool *pool, uint64_t room, uint64_t block)
{
    int on_host = pool->on_host;
    pool->managed_bytes -= (int64_t)room;
    return BD_UNLOCKED(on_host ? bd_invoke_cuMemFreeHost(&block)
                               : bd_invoke_cuMemFree(&block));
}

/* Frees the largest held block: 0 if there is none. */
static int free_largest(bd_pool *pool)
{
    uint64_t block;
    for (int bin = BD_POOL_BINS - 1; pool->held_blocks && bin >= 0; bin--)
        if (bin_pop(pool, bin, &block)) {
            block_destroy(pool, bd_pool_bin_size(bin), block);
            return 1;
        }
    return 0;
}

/* Counted in managed_bytes when it succeeds. */
static CUresult create_with_ladder(bd_state *state, bd_pool *pool, size_t bytes,
                                   uint64_t *block)
{
    uint64_t room = room_for(pool, bytes);
    CUresult status = block_create(state, pool, room, block);
    if (status == CUDA_ERROR_OUT_OF_MEMORY) {
        bd_collect_garbage(state);
        if (bin_pop(pool, bd_pool_bin(bytes),
                    block)) /* blocks of collected objects came back */
            return CUDA_SUCCESS;
        do
            status = block_create(state, pool, room, block);
        while (status == CUDA_ERROR_OUT_OF_MEMORY && free_largest(pool));
    }
    if (status == CUDA_SUCCESS)
        pool->managed_bytes += (int64_t)room;
    return status;
}

/* -- Pools ---------------------------------------------------------------------- */

void bd_pool_free_held(bd_pool *pool, bd_context *context)
{
    int entered = pool && pool->held_blocks ? bd_context_enter(context) : -1;
    if (entered < 0)
        return;
    pool->holders++;
    while (free_largest(pool))
        ;
    pool_drop(pool);
    bd_context_leave(context, entered);
}

uint64_t bd_pool_held_bytes(const bd_pool *pool)
{
    uint64_t bytes = 0;
    for (unsigned bin = 0; pool && pool->held_blocks && bin < BD_POOL_BINS; bin++)
        bytes += pool->bins[bin].count * asked_for(pool, bd_pool_bin_size(bin));
    return bytes;
}

void bd_pool_measure(bd_pool *pool, bd_context *context)
{
    if (!pool || pool->is_exact || pool->on_host)
        return;
    bd_pool_free_held(pool, context);
    pool->is_exact = pool->stopped = 1;
    pool->managed_bytes = pool->active_bytes; /* as if those had been exact, too */
}

void bd_pool_destroy(bd_pool *pool, int entered)
{
    while (pool && entered && free_largest(pool))
        ;
    if (pool)
        pool_drop(pool);
}

/* MemoryError with the sizes that tell whose memory it is that is missing. */
static void raise_full(bd_state *state, const bd_pool *pool, const char *routine,
                       size_t bytes)
{
    size_t left = 0, all = 0;
    if (cu.cuMemGetInfo(&left, &all)) /* no figures then */
        left = all = 0;
    bd_raise_because(state, CUDA_ERROR_OUT_OF_MEMORY, routine,
                     "failed to free memory for allocation of %zu bytes: the pool has "
                     "%zu in use and %zu in all, the device %zu of %zu free",
                     bytes, (size_t)pool->active_bytes, (size_t)pool->managed_bytes,
                     left, all);
}

static void hand_out(bd_pool *pool, size_t bytes, uint64_t *block)
{
    pool->active_blocks++;
    pool->active_bytes += bytes;
    *block += offset_in_block(pool, bytes);
}

/* A new block for that many bytes; -1 and MemoryError when there is none. */
__attribute__((noinline)) static int create(bd_pool *pool, bd_context *context,
                                            size_t bytes, uint64_t *block)
{
    static const char routine[] = "memory_pool::allocate";
    pool->holders++;
    int entered = bd_context_enter(context);
    if (context->state->keeps_freed)
        bd_pool_measure(pool, context);
    int possible = bytes <= SIZE_MAX / 2;
    CUresult status = entered < 0 ? CUDA_ERROR_INVALID_CONTEXT
                      : possible
                          ? create_with_ladder(context->state, pool, bytes, block)
                          : CUDA_ERROR_OUT_OF_MEMORY;
    if (status == CUDA_ERROR_OUT_OF_MEMORY && possible &&
        bd_pool_held_bytes(context->pool)) {
        bd_pool_free_held(context->pool, context); /* what freed arrays left */
        status = create_with_ladder(context->state, pool, bytes, block);
    }
    if (status == CUDA_ERROR_OUT_OF_MEMORY)
        raise_full(context->state, pool, routine, bytes);
    else if (status)
        bd_raise(context->state, status, routine);
    else
        hand_out(pool, bytes, block);
    bd_context_leave(context, entered);
    pool_drop(pool);
    return status ? -1 : 0;
}

int bd_pool_allocate(bd_pool *pool, bd_context *context, size_t bytes, uint64_t *block)
{
    if (context->dead) /* held blocks went with it */
        return bd_context_check(context);
    unsigned bin = bd_pool_bin(bytes);
    if (!bin_pop(pool, bin, block))
        return create(pool, context, bytes, block);
    hand_out(pool, bytes, block);
    return 0;
}

/* Of a pool on the host, one that holds no more, or one without room in the bin. */
__attribute__((noinline)) static CUresult put_in_context(bd_pool *pool,
                                                         bd_context *context,
                                                         uint64_t block, size_t bytes)
{
    unsigned bin = bd_pool_bin(bytes);
    CUresult status = CUDA_SUCCESS;
    int entered = bd_context_enter(context);
    if (entered < 0)
        return CUDA_SUCCESS;
    /* Copies may still read host memory, and its next owner writes at once. Who frees
     * it waits without spoiling captures. */
    int captured = pool->on_host && context->captures;
    pool->holders++;
    if (pool->at_end && pool->is_exact) /* it may not have been when this was made */
        cu.cuMemGetAddressRange((CUdeviceptr *)&block, NULL, block);
    if (pool->on_host && !captured)
        status = BD_UNLOCKED(cu.cuCtxSynchronize());
    if (status != CUDA_ERROR_NOT_READY &&
        (pool->stopped || captured || bin_push(pool, bin, block)))
        status = block_destroy(pool, room_for(pool, bytes), block);
    pool_drop(pool);
    bd_context_leave(context, entered);
    return status;
}

CUresult bd_pool_put(bd_pool *pool, bd_context *context, uint64_t block, size_t bytes)
{
    if (context->dead) /* gone with its context, and so may be the pool */
        return CUDA_SUCCESS;
    block -= offset_in_block(pool, bytes);
    pool->active_blocks--;
    pool->active_bytes -= bytes;
    if (!pool->on_host && !pool->stopped &&
        bin_push(pool, bd_pool_bin(bytes), block) == 0)
        return CUDA_SUCCESS;
    return put_in_context(pool, context, block, bytes);
}

bd_pool *bd_pool_create(int on_host, unsigned flags)
{
    bd_pool *pool = PyMem_Calloc(1, sizeof *pool);
    if (!pool) {
        PyErr_NoMemory();
        return NULL;
    }
    pool->holders = 1;
    pool->on_host = on_host;
    pool->at_end = !on_host && drv_get_info()->is_host;
    pool->flags = flags;
    return pool;
}
