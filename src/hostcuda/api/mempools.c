/* Pools of stream-ordered memory. An allocation is there at once, whatever its stream
   still does; only freeing waits. What was freed is idle: it is given to a request of
   the same size at once in the same stream, whose later work comes after that point
   anyway, and in one that waits for an event recorded after it; in others once the
   point was reached, or when memory is short with a wait for it. Synchronizing gives
   idle memory above the pool's threshold back.

   A device owns its pools. Memory belongs to the context of the stream it was asked for
   in, and goes with that.

   Graphs allocate from the device's current pool, too. The address is told when the
   node is made, so the memory is there from then on: nodes that allocate or free it,
   and their copies in executable graphs, share it. A user who has it when the last node
   goes keeps it as memory of that pool. */
#include "captures.h"
#include "hostcuda/run/context_state.h"

typedef struct hd_mempool hd_mempool;

struct hd_mempool {
    hd_object object;
    hd_mempool *next;    /* owned: in hd_device.pools */
    hd_device *device;   /* borrowed: owns it */
    hd_allocation *idle; /* borrowed: tell us when they end */
    bool destroyed;      /* by the user: goes with the last allocation */
    uint64_t attributes[CU_MEMPOOL_ATTR_USED_MEM_HIGH + 1];
    uint64_t most;   /* bytes in all; 0: no limit */
    uint64_t access; /* a bit for each other device that was granted it */
};

/* -- Books ------------------------------------------------------------------------- */

/* What may be reused when */
#define FOLLOW CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES
#define CHANCE CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC
#define WAIT CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES
#define RESERVED(pool) ((pool)->attributes[CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT])

/* One of the two counters, behind which its high mark lies. */
static void count(hd_mempool *pool, CUmemPool_attribute counter, int64_t bytes)
{
    uint64_t *now = &pool->attributes[counter];

    *now += bytes;
    if (*now > now[1])
        now[1] = *now;
}

static void pool_free_if_done(hd_mempool *pool)
{
    if (!pool->destroyed || RESERVED(pool) > 0)
        return;
    HD_UNLINK(pool->device->pools, pool, next);
    free(pool);
}

/* An idle allocation is in use again. */
static void take(hd_allocation *allocation)
{
    HD_UNLINK(allocation->pool->idle, allocation, next_idle);
    hd_point_release(allocation->freed);
    allocation->freed = NULL;
    hd.live[HD_MEMORY]++;
    count(allocation->pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, allocation->size);
}

void hd_mempool_forget(hd_allocation *allocation)
{
    hd_mempool *pool = allocation->pool;

    if (allocation->freed != NULL)
        take(allocation);
    count(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, -(int64_t)allocation->size);
    count(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, -(int64_t)allocation->size);
    allocation->pool = NULL;
    pool_free_if_done(pool);
}

CUmemoryPool hd_mempool_handle(const hd_allocation *allocation)
{
    return allocation->pool != NULL ? allocation->pool->object.handle : NULL;
}

/* An idle allocation that nobody uses any more, if the pool has more than it keeps. */
static hd_allocation *surplus(const hd_mempool *pool, uint64_t keep)
{
    hd_allocation *found = RESERVED(pool) > keep ? pool->idle : NULL;

    while (found != NULL && !found->freed->reached)
        found = found->next_idle;
    return found;
}

bool hd_mempools_trim(hd_device *device, const hd_mempool *only, uint64_t keep)
{
    hd_mempool *pool = device->pools;
    bool some = false;

    while (pool != NULL) {
        uint64_t limit = pool->destroyed ? 0
                         : keep == UINT64_MAX
                             ? pool->attributes[CU_MEMPOOL_ATTR_RELEASE_THRESHOLD]
                             : keep;
        hd_allocation *block =
            only == NULL || only == pool ? surplus(pool, limit) : NULL;
        if (block == NULL) {
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
    for (int reuse = FOLLOW; reuse <= WAIT; reuse++)
        pool->attributes[reuse] = 1;
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
            HD_ENTER_DEVICE(ordinal, device), device->default_pool->object.handle)
HD_QUESTION(cuDeviceGetMemPool, (CUmemoryPool * answer, CUdevice ordinal),
            HD_ENTER_DEVICE(ordinal, device), device->current_pool->object.handle)

CUresult cuDeviceSetMemPool(CUdevice ordinal, CUmemoryPool handle)
{
    HD_ENTER_DEVICE(ordinal, device);
    HD_FIND(hd_mempool, pool, HD_MEMPOOL, handle);
    HD_REFUSE_IF(pool->device != device, "the pool belongs to device %d, not to %d",
                 pool->device->ordinal, ordinal);
    device->current_pool = pool;
    return CUDA_SUCCESS;
}

/* The same with a place in the stead of a device. */
static CUresult check_place(const CUmemLocation *place, CUmemAllocationType type)
{
    HD_NEED(place != NULL && type == CU_MEM_ALLOCATION_TYPE_PINNED);
    HD_FAIL_IF(place->type != CU_MEM_LOCATION_TYPE_DEVICE, CUDA_ERROR_NOT_SUPPORTED,
               "pools of the host device are on a device");
    return CUDA_SUCCESS;
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool *handle, CUmemLocation *place,
                                CUmemAllocationType type)
{
    HD_TRY(check_place(place, type));
    return cuDeviceGetDefaultMemPool(handle, place->id);
}

CUresult cuMemGetMemPool(CUmemoryPool *handle, CUmemLocation *place,
                         CUmemAllocationType type)
{
    HD_TRY(check_place(place, type));
    return cuDeviceGetMemPool(handle, place->id);
}

CUresult cuMemSetMemPool(CUmemLocation *place, CUmemAllocationType type,
                         CUmemoryPool handle)
{
    HD_TRY(check_place(place, type));
    return cuDeviceSetMemPool(place->id, handle);
}

CUresult cuMemPoolCreate(CUmemoryPool *handle, const CUmemPoolProps *wanted)
{
    hd_device *device = NULL;
    hd_mempool *pool = NULL;
    HD_ENTER();
    HD_NEED(handle != NULL && wanted != NULL);
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
    pool_free_if_done(pool);
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

#define HD_ENTER_ATTRIBUTE(handle, pool, attribute, value)                     \
    HD_ENTER_FIND(hd_mempool, pool, HD_MEMPOOL, handle);                       \
    HD_NEED(value != NULL);                                                    \
    HD_REFUSE_IF(attribute<FOLLOW || attribute> CU_MEMPOOL_ATTR_USED_MEM_HIGH, \
                 "%d is not an attribute of a memory pool", (int)attribute)

/* What may be reused is an int, all others have 64 bits. */
CUresult cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute,
                               void *value)
{
    HD_ENTER_ATTRIBUTE(handle, pool, attribute, value);
    memcpy(value, &pool->attributes[attribute], attribute <= WAIT ? 4 : 8);
    return CUDA_SUCCESS;
}

CUresult cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute,
                               void *value)
{
    HD_ENTER_ATTRIBUTE(handle, pool, attribute, value);
    uint64_t *kept = &pool->attributes[attribute];
    if (attribute <= WAIT) {
        *kept = *(const int *)value != 0;
    } else if (attribute == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) {
        *kept = *(const cuuint64_t *)value;
    } else {
        HD_REFUSE_IF(*(const cuuint64_t *)value != 0 ||
                         (attribute != CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH &&
                          attribute != CU_MEMPOOL_ATTR_USED_MEM_HIGH),
                     "high marks can be set to 0, other counts not at all");
        *kept = kept[-1];
    }
    return CUDA_SUCCESS;
}

CUresult cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc *wanted,
                            size_t n)
{
    HD_ENTER_FIND(hd_mempool, pool, HD_MEMPOOL, handle);
    HD_NEED(n == 0 || wanted != NULL);
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
    HD_NEED(location != NULL && location->type == CU_MEM_LOCATION_TYPE_DEVICE);
    HD_TRY(hd_device_find(location->id, &device));
    bool granted = device == pool->device || (pool->access >> device->ordinal & 1);
    HD_ANSWER(flags, granted ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                             : CU_MEM_ACCESS_FLAGS_PROT_NONE);
}

/* -- Memory ------------------------------------------------------------------------ */

/* An idle allocation that the stream may have; `wait`: also by waiting for it. */
static hd_allocation *reuse(hd_mempool *pool, hd_stream *stream, size_t size, bool wait)
{
    bool by_event = pool->attributes[FOLLOW], by_chance = pool->attributes[CHANCE];

    for (hd_allocation *idle = pool->idle; idle != NULL; idle = idle->next_idle) {
        if (idle->size != size || idle->context != stream->object.context)
            continue;
        if (idle->freed->stream == stream->id || (by_chance && idle->freed->reached) ||
            (by_event && hd_stream_follows(stream, idle->freed)) ||
            (wait && hd_submit_wait(stream, idle->freed) == CUDA_SUCCESS)) {
            take(idle);
            return idle;
        }
    }
    return NULL;
}

/* New memory; CUDA_ERROR_OUT_OF_MEMORY also where the pool may not grow so far. */
static CUresult grow(hd_mempool *pool, hd_context *context, size_t size,
                     hd_allocation **made)
{
    HD_FAIL_IF(pool->most != 0 &&
                   (size > pool->most || RESERVED(pool) > pool->most - size),
               CUDA_ERROR_OUT_OF_MEMORY,
               "%zu bytes asked for, the pool has %zu of at most %zu", size,
               (size_t)RESERVED(pool), (size_t)pool->most);
    HD_TRY(hd_memory_create(context, HD_MEMORY_DEVICE, size, 0, made));
    (*made)->pool = pool;
    count(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, size);
    count(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, size);
    return CUDA_SUCCESS;
}

/* -- Memory of graphs: launches only keep books of who has it ---------------------- */

void hd_graph_memory_release(hd_graph_memory *memory)
{
    if (--memory->refs > 0)
        return;
    if (memory->allocation != NULL) {
        memory->allocation->graph = NULL;
        if (!memory->allocated)
            hd_memory_doom(memory->allocation); /* a launch may still use it */
    }
    free(memory);
}

CUresult hd_graph_memory_create(hd_context *context, size_t size,
                                hd_graph_memory **made)
{
    hd_graph_memory *memory = calloc(1, sizeof *memory);
    HD_FAIL_IF(memory == NULL, CUDA_ERROR_OUT_OF_MEMORY, "no memory for a node");
    HD_TRY_OR(grow(context->device->current_pool, context, size, &memory->allocation),
              free(memory));
    memory->allocation->graph = memory;
    memory->refs = 1;
    *made = memory;
    return CUDA_SUCCESS;
}

CUresult hd_graph_memory_find(CUdeviceptr address, hd_graph_memory **memory)
{
    void *base = (void *)(uintptr_t)address;
    const hd_allocation *allocation = hd_memory_find(base);

    HD_REFUSE_IF(allocation == NULL || allocation->base != base ||
                     allocation->graph == NULL,
                 "%p is not the start of an allocation that a graph made", base);
    *memory = allocation->graph;
    (*memory)->refs++;
    return CUDA_SUCCESS;
}

CUresult hd_graph_memory_check(const hd_node *node, bool freed_by_launch)
{
    const hd_graph_memory *memory = node->task.memory;

    HD_REFUSE_IF(memory->allocation == NULL,
                 "memory of the graph went with its context");
    HD_REFUSE_IF(node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && memory->allocated &&
                     !freed_by_launch,
                 "memory that the last launch of the graph allocated at %p was not "
                 "freed",
                 (void *)memory->allocation->base);
    return CUDA_SUCCESS;
}

CUresult hd_graph_memory_free(hd_graph_memory *memory)
{
    HD_REFUSE_IF(!memory->allocated,
                 "no launch of the graph allocated the memory at %p",
                 (void *)memory->allocation->base);
    memory->allocated = false;
    return CUDA_SUCCESS;
}

static CUresult capture(hd_stream *stream, CUgraphNodeType type,
                        hd_graph_memory *memory)
{
    hd_node *node = NULL;

    HD_TRY_OR(hd_capture_node(stream, type, &node), hd_graph_memory_release(memory));
    node->task.memory = memory;
    return CUDA_SUCCESS;
}

static CUresult capture_allocate(hd_stream *stream, size_t size, CUdeviceptr *address)
{
    hd_graph_memory *memory = NULL;

    HD_TRY(hd_graph_memory_create(stream->object.context, size, &memory));
    HD_TRY(capture(stream, CU_GRAPH_NODE_TYPE_MEM_ALLOC, memory));
    *address = (uintptr_t)memory->allocation->base;
    return CUDA_SUCCESS;
}

static CUresult capture_free(hd_stream *stream, CUdeviceptr address)
{
    hd_graph_memory *memory = NULL;

    HD_TRY(hd_graph_memory_find(address, &memory));
    return capture(stream, CU_GRAPH_NODE_TYPE_MEM_FREE, memory);
}

/* -- Memory of streams ------------------------------------------------------------- */

static CUresult allocate(CUdeviceptr *address, size_t size, CUmemoryPool handle,
                         CUstream stream_handle, bool current)
{
    hd_stream *stream = NULL;
    hd_mempool *pool = NULL;
    HD_ENTER();
    HD_NEED(address != NULL && size != 0);
    for (int attempt = 0;; attempt++) {
        HD_TRY(hd_stream_find(stream_handle, &stream));
        if (stream->captured != NULL)
            return capture_allocate(stream, size, address);
        hd_context *context = stream->object.context;
        pool = context->device->current_pool;
        if (!current)
            HD_TRY(hd_handle_find(HD_MEMPOOL, handle, &pool));
        hd_allocation *allocation = reuse(pool, stream, size, false);
        CUresult status =
            allocation != NULL ? CUDA_SUCCESS : grow(pool, context, size, &allocation);
        if (status == CUDA_ERROR_OUT_OF_MEMORY && attempt == 0 &&
            hd_mempools_trim(context->device, NULL, 0))
            continue; /* the lock was dropped */
        if (status == CUDA_ERROR_OUT_OF_MEMORY && pool->attributes[WAIT])
            allocation = reuse(pool, stream, size, true);
        if (allocation == NULL)
            return status;
        *address = (uintptr_t)allocation->base;
        return CUDA_SUCCESS;
    }
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream)
{
    return allocate(address, size, NULL, stream, true);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t size, CUmemoryPool pool,
                                 CUstream stream)
{
    return allocate(address, size, pool, stream, false);
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream_handle)
{
    void *base = (void *)(uintptr_t)address;
    HD_ENTER_STREAM(stream_handle, stream);
    if (stream->captured != NULL)
        return capture_free(stream, address);
    HD_TRY(hd_capture_allows(stream));
    hd_allocation *allocation = hd_memory_find(base);
    if (allocation != NULL && allocation->base == base && allocation->graph != NULL)
        return hd_graph_memory_free(allocation->graph);
    HD_REFUSE_IF(allocation == NULL || allocation->base != base ||
                     allocation->pool == NULL || allocation->freed != NULL ||
                     allocation->doomed,
                 "%p is not the start of an allocation from a memory pool", base);
    hd_point *point = NULL;
    CUresult status = hd_point_record(&point, stream);
    if (status != CUDA_SUCCESS) {
        if (point != NULL)
            hd_point_release(point);
        return status;
    }
    allocation->freed = point;
    allocation->next_idle = allocation->pool->idle;
    allocation->pool->idle = allocation;
    count(allocation->pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT,
          -(int64_t)allocation->size);
    hd.live[HD_MEMORY]--;
    return CUDA_SUCCESS;
}
