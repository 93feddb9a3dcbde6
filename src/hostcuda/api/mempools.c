/* Pools of stream-ordered memory: what they own, keep and give back. What was freed in
   a stream is idle: it is given to a request of the same size at once in the same
   stream, whose later work comes after that point anyway, and in one that waits for an
   event recorded after it; in others once the point was reached, or when memory is
   short with a wait for it. Synchronizing gives idle memory above the pool's threshold
   back.

   A device owns its pools. Memory belongs to the context of the stream it was asked for
   in, and goes with that. */
#include "devices.h"
#include "entry.h"
#include "graph_memory.h"
#include "mempools.h"

/* Bytes now, and at most since the mark was last set. */
typedef struct {
    uint64_t now, high;
} hd_usage;

struct hd_mempool {
    hd_object object;
    hd_mempool *next;    /* owned: in hd_device.pools */
    hd_device *device;   /* borrowed: owns it */
    hd_allocation *idle; /* borrowed: call hd_allocation.ends */
    bool destroyed;      /* by the user: freed with the last allocation */
    hd_usage reserved, used;
    /* Who may get idle memory beside the stream that freed it: streams that wait for an
       event behind the point; any stream, once the point is reached; any stream, by
       making it wait. */
    bool follows_events, opportunistic, internal_waits;
    uint64_t threshold; /* bytes of idle memory that synchronizing leaves it */
    uint64_t most;      /* bytes in all; 0: no limit */
    uint64_t access;    /* a bit for each other device that was granted it */
};

/* -- Usage ------------------------------------------------------------------------- */

static void usage_add(hd_usage *usage, int64_t bytes)
{
    usage->now += bytes;
    if (usage->now > usage->high)
        usage->high = usage->now;
}

static void free_if_unused(hd_mempool *pool)
{
    if (!pool->destroyed || pool->reserved.now > 0)
        return;
    HD_UNLINK(pool->device->pools, pool, next);
    free(pool);
}

/* An idle allocation is in use again. */
static void reactivate(hd_allocation *allocation)
{
    HD_UNLINK(allocation->pool->idle, allocation, next_idle);
    hd_point_release(allocation->freed);
    allocation->freed = NULL;
    hd.live[HD_MEMORY]++;
    usage_add(&allocation->pool->used, allocation->size);
}

/* hd_allocation.ends */
static void forget(hd_allocation *allocation)
{
    hd_mempool *pool = allocation->pool;

    if (allocation->graph)
        allocation->graph->allocation = NULL;
    if (allocation->freed)
        reactivate(allocation);
    usage_add(&pool->used, -(int64_t)allocation->size);
    usage_add(&pool->reserved, -(int64_t)allocation->size);
    allocation->pool = NULL;
    free_if_unused(pool);
}

CUmemoryPool hd_mempool_handle(const hd_allocation *allocation)
{
    return allocation->pool ? allocation->pool->object.handle : NULL;
}

/* -- Memory ------------------------------------------------------------------------ */

CUresult hd_mempool_grow(hd_mempool *pool, hd_context *context, size_t size,
                         hd_allocation **made)
{
    HD_FAIL_IF(pool->most != 0 &&
                   (size > pool->most || pool->reserved.now > pool->most - size),
               CUDA_ERROR_OUT_OF_MEMORY,
               "%zu bytes asked for, the pool has %zu of at most %zu", size,
               (size_t)pool->reserved.now, (size_t)pool->most);
    HD_TRY(hd_memory_create(&context->memory, HD_MEMORY_DEVICE, size, 0, made));
    (*made)->pool = pool;
    (*made)->ends = forget;
    usage_add(&pool->reserved, size);
    usage_add(&pool->used, size);
    return CUDA_SUCCESS;
}

hd_allocation *hd_mempool_reuse(hd_mempool *pool, hd_stream *stream, size_t size,
                                bool wait)
{
    for (hd_allocation *idle = pool->idle; idle; idle = idle->next_idle) {
        if (idle->size != size || idle->owner != &stream->object.context->memory)
            continue;
        if (idle->freed->stream == stream->id ||
            (pool->opportunistic && idle->freed->reached) ||
            (pool->follows_events && hd_stream_follows(stream, idle->freed)) ||
            (wait && pool->internal_waits &&
             hd_submit_wait(stream, idle->freed) == CUDA_SUCCESS)) {
            reactivate(idle);
            return idle;
        }
    }
    return NULL;
}

void hd_mempool_retire(hd_allocation *allocation, hd_point *freed)
{
    hd_mempool *pool = allocation->pool;

    allocation->freed = freed;
    allocation->next_idle = pool->idle;
    pool->idle = allocation;
    usage_add(&pool->used, -(int64_t)allocation->size);
    hd.live[HD_MEMORY]--;
}

/* An idle allocation whose work is done, if the pool has more than `keep` bytes. */
static hd_allocation *surplus(const hd_mempool *pool, uint64_t keep)
{
    hd_allocation *found = pool->reserved.now > keep ? pool->idle : NULL;

    while (found && !found->freed->reached)
        found = found->next_idle;
    return found;
}

bool hd_mempools_trim(hd_device *device, const hd_mempool *only, uint64_t keep)
{
    hd_mempool *pool = device->pools;
    bool some = false;

    while (pool) {
        uint64_t limit = pool->destroyed      ? 0
                         : keep == UINT64_MAX ? pool->threshold
                                              : keep;
        hd_allocation *block = !only || only == pool ? surplus(pool, limit) : NULL;
        if (!block) {
            pool = pool->next;
            continue;
        }
        hd_memory_destroy(block);
        some = true;
        pool = device->pools; /* the lock was dropped */
    }
    return some;
}

/* -- Pools ------------------------------------------------------------------------- */

static CUresult pool_create(hd_device *device, hd_mempool **made)
{
    hd_mempool *pool = NULL;

    HD_TRY(hd_object_create(HD_MEMPOOL, NULL, sizeof *pool, &pool));
    pool->device = device;
    pool->follows_events = pool->opportunistic = pool->internal_waits = true;
    pool->next = device->pools;
    device->pools = pool;
    *made = pool;
    return CUDA_SUCCESS;
}

CUresult hd_mempools_start(hd_device *device)
{
    HD_TRY(pool_create(device, &device->default_pool));
    device->current_pool = device->default_pool;
    return CUDA_SUCCESS;
}

HD_QUESTION(cuDeviceGetDefaultMemPool, (CUmemoryPool * answer, CUdevice ordinal),
            HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device)),
            device->default_pool->object.handle)
HD_QUESTION(cuDeviceGetMemPool, (CUmemoryPool * answer, CUdevice ordinal),
            HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device)),
            device->current_pool->object.handle)

CUresult cuDeviceSetMemPool(CUdevice ordinal, CUmemoryPool handle)
{
    HD_ENTER_WITH(hd_device, device, hd_device_find(ordinal, &device));
    HD_FIND(hd_mempool, pool, HD_MEMPOOL, handle);
    HD_REFUSE_IF(pool->device != device, "the pool belongs to device %d, not to %d",
                 pool->device->ordinal, ordinal);
    device->current_pool = pool;
    return CUDA_SUCCESS;
}

/* The forms with a location in place of an ordinal. */
static CUresult check_location(const CUmemLocation *location, CUmemAllocationType type)
{
    HD_NEED(location && type == CU_MEM_ALLOCATION_TYPE_PINNED);
    HD_FAIL_IF(location->type != CU_MEM_LOCATION_TYPE_DEVICE, CUDA_ERROR_NOT_SUPPORTED,
               "pools of the host device are on a device");
    return CUDA_SUCCESS;
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool *handle, CUmemLocation *location,
                                CUmemAllocationType type)
{
    HD_TRY(check_location(location, type));
    return cuDeviceGetDefaultMemPool(handle, location->id);
}

CUresult cuMemGetMemPool(CUmemoryPool *handle, CUmemLocation *location,
                         CUmemAllocationType type)
{
    HD_TRY(check_location(location, type));
    return cuDeviceGetMemPool(handle, location->id);
}

CUresult cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType type,
                         CUmemoryPool handle)
{
    HD_TRY(check_location(location, type));
    return cuDeviceSetMemPool(location->id, handle);
}

CUresult cuMemPoolCreate(CUmemoryPool *handle, const CUmemPoolProps *wanted)
{
    hd_device *device = NULL;
    hd_mempool *pool = NULL;
    HD_ENTER();
    HD_NEED(handle && wanted);
    HD_REFUSE_IF(wanted->allocType != CU_MEM_ALLOCATION_TYPE_PINNED,
                 "%d is not a type of memory that pools have", (int)wanted->allocType);
    HD_FAIL_IF(wanted->handleTypes != CU_MEM_HANDLE_TYPE_NONE ||
                   wanted->location.type != CU_MEM_LOCATION_TYPE_DEVICE,
               CUDA_ERROR_NOT_SUPPORTED,
               "pools of the host device are on a device, and not shared with "
               "other processes");
    HD_TRY(hd_device_find(wanted->location.id, &device));
    HD_TRY(pool_create(device, &pool));
    pool->most = wanted->maxSize;
    hd.live[HD_MEMPOOL]++;
    *handle = pool->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuMemPoolDestroy(CUmemoryPool handle)
{
    HD_ENTER_FIND(hd_mempool, pool, HD_MEMPOOL, handle);
    hd_device *device = pool->device;
    HD_REFUSE_IF(pool == device->default_pool,
                 "the default pool of a device is not destroyed");
    if (device->current_pool == pool)
        device->current_pool = device->default_pool;
    hd_handle_retire(&pool->object);
    pool->object.handle = NULL;
    hd.live[HD_MEMPOOL]--;
    pool->destroyed = true;
    free_if_unused(pool);
    hd_mempools_trim(device, NULL, UINT64_MAX);
    return CUDA_SUCCESS;
}

CUresult cuMemPoolTrimTo(CUmemoryPool handle, size_t keep)
{
    HD_ENTER_FIND(hd_mempool, pool, HD_MEMPOOL, handle);
    hd_mempools_trim(pool->device, pool, keep < UINT64_MAX ? keep : UINT64_MAX - 1);
    return CUDA_SUCCESS;
}

/* -- Attributes -------------------------------------------------------------------- */

static CUresult unknown_attribute(CUmemPool_attribute attribute)
{
    return hd_fail(CUDA_ERROR_INVALID_VALUE, "%d is not an attribute of a memory pool",
                   (int)attribute);
}

/* The attributes on reuse are an int, all others have 64 bits. */
CUresult cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute,
                               void *value)
{
    HD_ENTER_FIND(hd_mempool, pool, HD_MEMPOOL, handle);
    HD_NEED(value);
    switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
        HD_ANSWER((int *)value, pool->follows_events);
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
        HD_ANSWER((int *)value, pool->opportunistic);
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        HD_ANSWER((int *)value, pool->internal_waits);
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        HD_ANSWER((cuuint64_t *)value, pool->threshold);
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
        HD_ANSWER((cuuint64_t *)value, pool->reserved.now);
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        HD_ANSWER((cuuint64_t *)value, pool->reserved.high);
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
        HD_ANSWER((cuuint64_t *)value, pool->used.now);
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        HD_ANSWER((cuuint64_t *)value, pool->used.high);
    default:
        return unknown_attribute(attribute);
    }
}

static CUresult reset_high(hd_usage *usage, cuuint64_t value)
{
    HD_REFUSE_IF(value != 0, "high marks can be set to 0 alone");
    usage->high = usage->now;
    return CUDA_SUCCESS;
}

CUresult cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute,
                               void *value)
{
    HD_ENTER_FIND(hd_mempool, pool, HD_MEMPOOL, handle);
    HD_NEED(value);
    switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
        pool->follows_events = *(const int *)value != 0;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
        pool->opportunistic = *(const int *)value != 0;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
        pool->internal_waits = *(const int *)value != 0;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        pool->threshold = *(const cuuint64_t *)value;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        return reset_high(&pool->reserved, *(const cuuint64_t *)value);
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        return reset_high(&pool->used, *(const cuuint64_t *)value);
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
        return hd_fail(CUDA_ERROR_INVALID_VALUE, "counts of bytes cannot be set");
    default:
        return unknown_attribute(attribute);
    }
}

CUresult cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc *wanted,
                            size_t n)
{
    HD_ENTER_FIND(hd_mempool, pool, HD_MEMPOOL, handle);
    HD_NEED(n == 0 || wanted);
    for (size_t i = 0; i < n; i++) {
        hd_device *device = NULL;
        HD_NEED(wanted[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
                (wanted[i].flags == CU_MEM_ACCESS_FLAGS_PROT_NONE ||
                 wanted[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
        HD_TRY(hd_device_find(wanted[i].location.id, &device));
        uint64_t bit = UINT64_C(1) << device->ordinal;
        HD_REFUSE_IF(device == pool->device && wanted[i].flags == 0,
                     "the pool's own device keeps its access");
        pool->access = wanted[i].flags != 0 ? pool->access | bit : pool->access & ~bit;
    }
    return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool handle,
                            CUmemLocation *location)
{
    hd_device *device = NULL;
    HD_ENTER_FIND(hd_mempool, pool, HD_MEMPOOL, handle);
    HD_NEED(location && location->type == CU_MEM_LOCATION_TYPE_DEVICE);
    HD_TRY(hd_device_find(location->id, &device));
    bool granted = device == pool->device || (pool->access >> device->ordinal & 1);
    HD_ANSWER(flags, granted ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                             : CU_MEM_ACCESS_FLAGS_PROT_NONE);
}
