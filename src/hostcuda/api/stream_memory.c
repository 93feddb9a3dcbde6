/* Stream-ordered memory: allocated and freed in streams, or by nodes of a graph where
   the stream is being captured. Memory is allocated at once, also while earlier work of
   its stream is pending; only freeing waits for the stream. */
#include "captures.h"
#include "entry.h"
#include "graph_memory.h"
#include "mempools.h"

/* -- In captured streams ----------------------------------------------------------- */

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
    HD_NEED(address && size != 0);
    for (int attempt = 0;; attempt++) {
        HD_TRY(hd_stream_find(stream_handle, &stream));
        if (stream->captured)
            return capture_allocate(stream, size, address);
        hd_context *context = stream->object.context;
        pool = context->device->current_pool;
        if (!current)
            HD_TRY(hd_handle_find(HD_MEMPOOL, handle, &pool));
        hd_allocation *allocation = hd_mempool_reuse(pool, stream, size, false);
        CUresult status = allocation
                              ? CUDA_SUCCESS
                              : hd_mempool_grow(pool, context, size, &allocation);
        if (status == CUDA_ERROR_OUT_OF_MEMORY && attempt == 0 &&
            hd_mempools_trim(context->device, NULL, 0))
            continue; /* the lock was dropped */
        if (status == CUDA_ERROR_OUT_OF_MEMORY)
            allocation = hd_mempool_reuse(pool, stream, size, true);
        if (!allocation)
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
    HD_ENTER_WITH(hd_stream, stream, hd_stream_find(stream_handle, &stream));
    if (stream->captured)
        return capture_free(stream, address);
    HD_TRY(hd_capture_allows(stream));
    hd_allocation *allocation = hd_memory_find(base);
    if (allocation && allocation->base == base && allocation->graph)
        return hd_graph_memory_free(allocation->graph);
    HD_REFUSE_IF(!allocation || allocation->base != base || !allocation->pool ||
                     allocation->freed || allocation->free_pending,
                 "%p is not the start of an allocation from a memory pool", base);
    hd_point *point = NULL;
    CUresult status = hd_point_record(&point, stream);
    if (status != CUDA_SUCCESS) {
        if (point)
            hd_point_release(point);
        return status;
    }
    hd_mempool_retire(allocation, point);
    return CUDA_SUCCESS;
}
