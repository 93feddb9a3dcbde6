/* Memory of graphs. Its address is answered when the node is made, so the memory is
   allocated then, from the device's current pool: nodes that allocate or free it, and
   their copies in executable graphs, share it, and launches only keep account of
   whether it is allocated. Memory that is allocated when the last node goes stays the
   user's, as memory of that pool. */
#include "graph_memory.h"
#include "mempools.h"

void hd_graph_memory_release(hd_graph_memory *memory)
{
    if (--memory->refs > 0)
        return;
    if (memory->allocation) {
        memory->allocation->graph = NULL;
        if (!memory->allocated)
            hd_memory_free_later(memory->allocation); /* a launch may still use it */
    }
    free(memory);
}

CUresult hd_graph_memory_create(hd_context *context, size_t size,
                                hd_graph_memory **made)
{
    hd_graph_memory *memory = calloc(1, sizeof *memory);
    HD_FAIL_IF(!memory, CUDA_ERROR_OUT_OF_MEMORY, "no memory for a node");
    HD_TRY_OR(hd_mempool_grow(context->device->current_pool, context, size,
                              &memory->allocation),
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

    HD_REFUSE_IF(!allocation || allocation->base != base || !allocation->graph,
                 "%p is not the start of an allocation that a graph made", base);
    *memory = allocation->graph;
    (*memory)->refs++;
    return CUDA_SUCCESS;
}

CUresult hd_graph_memory_check(const hd_graph_memory *memory, bool allocates,
                               bool freed_by_launch)
{
    HD_REFUSE_IF(!memory->allocation, "memory of the graph went with its context");
    HD_REFUSE_IF(allocates && memory->allocated && !freed_by_launch,
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
