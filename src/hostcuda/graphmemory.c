/* Memory that graphs allocate. Its address is told when the node is made, so the memory
   is there from then on, taken from the device's current pool: nodes that allocate or
   free it, and their copies in executable graphs, share it. Launches only keep books of
   who has it, and a user who has it when the last node goes keeps it as memory of that
   pool. */
#include <stdlib.h>

#include "captures.h"
#include "contexts.h"
#include "graphs.h"
#include "mempools.h"

typedef struct hd_graph_memory {
    unsigned refs;             /* nodes */
    bool allocated;            /* by a launch, and not freed since */
    hd_allocation *allocation; /* owned; NULL: it went with its context */
} hd_graph_memory;

/* -- Life -------------------------------------------------------------------------- */

hd_graph_memory *hd_graph_memory_share(hd_graph_memory *memory)
{
    memory->refs++;
    return memory;
}

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

void hd_graph_memory_forget(hd_graph_memory *memory)
{
    memory->allocation = NULL;
}

static CUresult memory_create(hd_context *context, size_t size, hd_graph_memory **made)
{
    hd_graph_memory *memory = calloc(1, sizeof *memory);

    HD_FAIL_IF(memory == NULL, CUDA_ERROR_OUT_OF_MEMORY, "no memory for a node");
    HD_TRY_OR(hd_mempool_allocate(context, size, &memory->allocation), free(memory));
    memory->allocation->graph = memory;
    memory->refs = 1;
    *made = memory;
    return CUDA_SUCCESS;
}

static CUresult memory_find(CUdeviceptr address, hd_graph_memory **memory)
{
    void *base = (void *)(uintptr_t)address;
    const hd_allocation *allocation = hd_memory_find(base);

    HD_REFUSE_IF(allocation == NULL || allocation->base != base ||
                     allocation->graph == NULL,
                 "%p is not the start of an allocation that a graph made", base);
    *memory = allocation->graph;
    return CUDA_SUCCESS;
}

/* -- Launches ---------------------------------------------------------------------- */

CUresult hd_graph_memory_check(const hd_node *node, bool freed_by_launch)
{
    const hd_graph_memory *memory = node->memory;

    HD_REFUSE_IF(memory->allocation == NULL,
                 "memory of the graph went with its context");
    HD_REFUSE_IF(node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && memory->allocated &&
                     !freed_by_launch,
                 "memory that the last launch of the graph allocated at %p was not "
                 "freed",
                 (void *)memory->allocation->base);
    return CUDA_SUCCESS;
}

void hd_graph_memory_take(hd_graph_memory *memory, bool allocated)
{
    memory->allocated = allocated;
}

CUresult hd_graph_memory_free(hd_graph_memory *memory)
{
    HD_REFUSE_IF(!memory->allocated,
                 "no launch of the graph allocated the memory at %p",
                 (void *)memory->allocation->base);
    memory->allocated = false;
    return CUDA_SUCCESS;
}

/* -- Nodes ------------------------------------------------------------------------- */

CUresult hd_graph_memory_capture(hd_stream *stream, size_t size, CUdeviceptr *address)
{
    hd_graph_memory *memory = NULL;
    hd_node *node = NULL;

    HD_TRY(memory_create(stream->object.context, size, &memory));
    HD_TRY_OR(hd_capture_node(stream, CU_GRAPH_NODE_TYPE_MEM_ALLOC, &node),
              hd_graph_memory_release(memory));
    node->memory = memory;
    *address = (uintptr_t)memory->allocation->base;
    return CUDA_SUCCESS;
}

CUresult hd_graph_memory_capture_free(hd_stream *stream, CUdeviceptr address)
{
    hd_graph_memory *memory = NULL;
    hd_node *node = NULL;

    HD_TRY(memory_find(address, &memory));
    HD_TRY(hd_capture_node(stream, CU_GRAPH_NODE_TYPE_MEM_FREE, &node));
    node->memory = hd_graph_memory_share(memory);
    return CUDA_SUCCESS;
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *handle, CUgraph graph_handle,
                                const CUgraphNode *after, size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    hd_graph_memory *memory = NULL;
    hd_node *node = NULL;
    HD_ENTER();
    HD_FIND(hd_graph, graph, HD_GRAPH, graph_handle);
    HD_NEED(params != NULL && params->bytesize != 0);
    HD_FAIL_IF(params->poolProps.handleTypes != CU_MEM_HANDLE_TYPE_NONE ||
                   params->poolProps.location.type != CU_MEM_LOCATION_TYPE_DEVICE,
               CUDA_ERROR_NOT_SUPPORTED,
               "graphs of the host device allocate memory of a device, and share it "
               "with no other process");
    HD_TRY(memory_create(graph->object.context, params->bytesize, &memory));
    HD_TRY_OR(hd_node_add(handle, graph_handle, after, count,
                          CU_GRAPH_NODE_TYPE_MEM_ALLOC, CUDA_SUCCESS, NULL, &node),
              hd_graph_memory_release(memory));
    node->memory = memory;
    params->dptr = (uintptr_t)memory->allocation->base;
    return CUDA_SUCCESS;
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *handle, CUgraph graph,
                               const CUgraphNode *after, size_t count,
                               CUdeviceptr address)
{
    hd_graph_memory *memory = NULL;
    hd_node *node = NULL;
    HD_ENTER();
    HD_TRY(memory_find(address, &memory));
    HD_TRY(hd_node_add(handle, graph, after, count, CU_GRAPH_NODE_TYPE_MEM_FREE,
                       CUDA_SUCCESS, NULL, &node));
    node->memory = hd_graph_memory_share(memory);
    return CUDA_SUCCESS;
}

static CUresult allocation_of(CUgraphNode handle, CUgraphNodeType type,
                              const hd_allocation **allocation)
{
    hd_node *node = NULL;

    HD_TRY(hd_node_find(handle, type, &node));
    *allocation = node->memory->allocation;
    HD_REFUSE_IF(*allocation == NULL, "memory of the graph went with its context");
    return CUDA_SUCCESS;
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode handle,
                                      CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    const hd_allocation *allocation = NULL;
    HD_ENTER();
    HD_NEED(params != NULL);
    HD_TRY(allocation_of(handle, CU_GRAPH_NODE_TYPE_MEM_ALLOC, &allocation));
    *params = (CUDA_MEM_ALLOC_NODE_PARAMS){
        .poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                      .location = {CU_MEM_LOCATION_TYPE_DEVICE,
                                   allocation->context->device->ordinal}},
        .bytesize = allocation->size,
        .dptr = (uintptr_t)allocation->base};
    return CUDA_SUCCESS;
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode handle, CUdeviceptr *address)
{
    const hd_allocation *allocation = NULL;
    HD_ENTER();
    HD_TRY(allocation_of(handle, CU_GRAPH_NODE_TYPE_MEM_FREE, &allocation));
    HD_ANSWER(address, (uintptr_t)allocation->base);
}
