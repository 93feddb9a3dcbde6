/* Adding, querying and changing nodes. A form that takes any type of node does the
   work, and those of one type are rows of macros. Parameters are checked when they are
   given; what may be gone by the time of a launch (functions and events) is looked up
   by its handle again then. And a picture of a graph. */
#include "copies.h"
#include "entry.h"
#include "events.h"
#include "fills.h"
#include "graph_launches.h"
#include "graph_memory.h"
#include "host_functions.h"
#include "launches.h"
#include "modules.h"

/* -- Tasks ------------------------------------------------------------------------- */

static CUresult make_kernel(const CUDA_KERNEL_NODE_PARAMS *params, hd_task *task)
{
    hd_function *function = NULL;
    HD_TRY(hd_function_find(
        params->func != NULL ? (void *)params->func : (void *)params->kern, &function));
    task->subject = function->object.handle;
    const hd_geometry geometry = {
        .grid = {params->gridDimX, params->gridDimY, params->gridDimZ},
        .block = {params->blockDimX, params->blockDimY, params->blockDimZ},
        .shared = params->sharedMemBytes,
        .params = params->kernelParams,
        .extra = params->extra};
    HD_TRY(hd_function_load_for(geometry.block, task->subject, &function));
    return hd_launch_create(function, &geometry, (hd_launch **)&task->work);
}

static CUresult make_event(CUevent handle, hd_task *task)
{
    HD_FIND(hd_event, event, HD_EVENT, handle);
    task->subject = event->object.handle;
    return CUDA_SUCCESS;
}

static CUresult make_child(CUgraph handle, hd_task *task)
{
    HD_FIND(hd_graph, child, HD_GRAPH, handle);
    return hd_graph_copy(child, child->object.context, HD_NODE, &task->child);
}

static CUresult make_memory(CUgraph graph_handle, CUDA_MEM_ALLOC_NODE_PARAMS *params,
                            hd_task *task)
{
    HD_FIND(hd_graph, graph, HD_GRAPH, graph_handle);
    HD_NEED(params->bytesize != 0);
    HD_FAIL_IF(params->poolProps.handleTypes != CU_MEM_HANDLE_TYPE_NONE ||
                   params->poolProps.location.type != CU_MEM_LOCATION_TYPE_DEVICE,
               CUDA_ERROR_NOT_SUPPORTED,
               "graphs of the host device allocate memory of a device, and share it "
               "with no other process");
    HD_TRY(
        hd_graph_memory_create(graph->object.context, params->bytesize, &task->memory));
    params->dptr = (uintptr_t)task->memory->allocation->base;
    return CUDA_SUCCESS;
}

static CUresult unknown(CUgraphNodeType type)
{
    return hd_fail(CUDA_ERROR_NOT_SUPPORTED,
                   "nodes of type %d are not supported by the host device", (int)type);
}

/* Creates the task of a node. Looking up a library's kernel may drop the lock. */
static CUresult make(CUgraph graph, CUgraphNodeParams *params, hd_task *task)
{
    switch (params->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return make_kernel(&params->kernel, task);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return hd_copy_create(&params->memcpy.copyParams, &task->work);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return hd_fill_create(&params->memset, &task->work);
    case CU_GRAPH_NODE_TYPE_HOST:
        return hd_call_create(&params->host, &task->work);
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return make_child(params->graph.graph, task);
    case CU_GRAPH_NODE_TYPE_EMPTY:
        return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        return make_event(params->eventWait.event, task);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return make_event(params->eventRecord.event, task);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        return make_memory(graph, &params->alloc, task);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return hd_graph_memory_find(params->free.dptr, &task->memory);
    default:
        return unknown(params->type);
    }
}

/* -- Any type of node -------------------------------------------------------------- */

CUresult cuGraphAddNode_v2(CUgraphNode *handle, CUgraph graph_handle,
                           const CUgraphNode *after, const CUgraphEdgeData *edges,
                           size_t count, CUgraphNodeParams *params)
{
    hd_graph *graph = NULL;
    hd_node *node = NULL;
    hd_nodes before = {0};
    hd_task task = {0};
    HD_ENTER();
    HD_NEED(handle && params);
    HD_TRY(hd_edges_check(edges, count));
    HD_TRY(make(graph_handle, params, &task));
    CUresult status = hd_handle_find(HD_GRAPH, graph_handle, &graph);
    if (status == CUDA_SUCCESS)
        status = hd_nodes_find(&before, graph, after, count);
    if (status == CUDA_SUCCESS)
        status = hd_node_create(graph, params->type, &before, &node);
    hd_nodes_clear(&before);
    HD_TRY_OR(status, hd_task_clear(&task));
    node->task = task;
    *handle = node->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                        size_t count, CUgraphNodeParams *params)
{
    return cuGraphAddNode_v2(node, graph, after, NULL, count, params);
}

/* The node behind a handle, or the executable graph's copy of it, of that type. */
static CUresult find(const CUgraphExec *exec, CUgraphNode handle, CUgraphNodeType type,
                     hd_node **node)
{
    HD_TRY(exec ? hd_exec_node(*exec, handle, node)
                : hd_handle_find(HD_NODE, handle, node));
    HD_REFUSE_IF((*node)->type != type, "the node is of another type: %d",
                 (int)(*node)->type);
    return CUDA_SUCCESS;
}

static CUresult change(const CUgraphExec *exec, CUgraphNode handle,
                       CUgraphNodeParams *params)
{
    hd_node *node = NULL;
    hd_task task = {0};
    HD_ENTER();
    HD_NEED(params);
    if (params->type == CU_GRAPH_NODE_TYPE_GRAPH ||
        params->type == CU_GRAPH_NODE_TYPE_EMPTY ||
        params->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC ||
        params->type == CU_GRAPH_NODE_TYPE_MEM_FREE)
        return unknown(params->type);
    HD_TRY(make(NULL, params, &task));
    HD_TRY_OR(find(exec, handle, params->type, &node), hd_task_clear(&task));
    hd_task_clear(&node->task);
    node->task = task;
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params)
{
    return change(NULL, node, params);
}

CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                  CUgraphNodeParams *params)
{
    if (params && params->type == CU_GRAPH_NODE_TYPE_GRAPH)
        return cuGraphExecChildGraphNodeSetParams(exec, node, params->graph.graph);
    return change(&exec, node, params);
}

/* -- One type of node -------------------------------------------------------------- */

/* Adds a node that is one value, which comes as the variable argument. */
#define ADD_NODE(name, kind, field, value, ...)                                    \
    CUresult cuGraphAdd##name(CUgraphNode *node, CUgraph graph,                    \
                              const CUgraphNode *after, size_t count, __VA_ARGS__) \
    {                                                                              \
        CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_##kind,             \
                                    .field = value};                               \
        return cuGraphAddNode_v2(node, graph, after, NULL, count, &params);        \
    }

/* Declares `params` for a node made of *given; returns if that is NULL. */
#define DECLARE_PARAMS(kind, field)                                 \
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_##kind}; \
    HD_NEED(given);                                                 \
    params.field = *given

/* A node that a struct describes: added and changed. The variable argument is a
   parameter that means nothing here. */
#define NODE_OF_STRUCT(name, suffix, kind, given_type, field, ...)                  \
    CUresult cuGraphAdd##name##Node##suffix(CUgraphNode *node, CUgraph graph,       \
                                            const CUgraphNode *after, size_t count, \
                                            const given_type *given __VA_ARGS__)    \
    {                                                                               \
        DECLARE_PARAMS(kind, field);                                                \
        return cuGraphAddNode_v2(node, graph, after, NULL, count, &params);         \
    }                                                                               \
    CUresult cuGraph##name##NodeSetParams##suffix(CUgraphNode node,                 \
                                                  const given_type *given)          \
    {                                                                               \
        DECLARE_PARAMS(kind, field);                                                \
        return change(NULL, node, &params);                                         \
    }                                                                               \
    CUresult cuGraphExec##name##NodeSetParams##suffix(                              \
        CUgraphExec exec, CUgraphNode node, const given_type *given __VA_ARGS__)    \
    {                                                                               \
        DECLARE_PARAMS(kind, field);                                                \
        return change(&exec, node, &params);                                        \
    }
#define IN_CONTEXT , CUcontext context
NODE_OF_STRUCT(Kernel, _v2, KERNEL, CUDA_KERNEL_NODE_PARAMS, kernel)
NODE_OF_STRUCT(Memcpy, , MEMCPY, CUDA_MEMCPY3D, memcpy.copyParams, IN_CONTEXT)
NODE_OF_STRUCT(Memset, , MEMSET, CUDA_MEMSET_NODE_PARAMS, memset, IN_CONTEXT)
NODE_OF_STRUCT(Host, , HOST, CUDA_HOST_NODE_PARAMS, host)

#define NODE_OF_EVENT(name, kind)                                                \
    ADD_NODE(name##Node, kind, eventWait.event, event, CUevent event)            \
    CUresult cuGraph##name##NodeSetEvent(CUgraphNode node, CUevent event)        \
    {                                                                            \
        CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_##kind,           \
                                    .eventWait.event = event};                   \
        return change(NULL, node, &params);                                      \
    }                                                                            \
    CUresult cuGraphExec##name##NodeSetEvent(CUgraphExec exec, CUgraphNode node, \
                                             CUevent event)                      \
    {                                                                            \
        CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_##kind,           \
                                    .eventWait.event = event};                   \
        return change(&exec, node, &params);                                     \
    }
NODE_OF_EVENT(EventRecord, EVENT_RECORD)
NODE_OF_EVENT(EventWait, WAIT_EVENT)

ADD_NODE(ChildGraphNode, GRAPH, graph.graph, child, CUgraph child)
ADD_NODE(MemFreeNode, MEM_FREE, free.dptr, address, CUdeviceptr address)

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                             size_t count)
{
    CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
    return cuGraphAddNode_v2(node, graph, after, NULL, count, &params);
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph,
                                const CUgraphNode *after, size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS *given)
{
    DECLARE_PARAMS(MEM_ALLOC, alloc);
    HD_TRY(cuGraphAddNode_v2(node, graph, after, NULL, count, &params));
    given->dptr = params.alloc.dptr;
    return CUDA_SUCCESS;
}

/* -- What a node does -------------------------------------------------------------- */

/* The values that kernelParams points at are the node's own, until it changes. */
static CUresult kernel_params(hd_node *node, CUDA_KERNEL_NODE_PARAMS *params)
{
    HD_FIND(hd_function, function, HD_FUNCTION, node->task.subject); /* or it is gone */
    const hc_kernel *kernel = function->kernel;
    hd_launch *launch = (hd_launch *)node->task.work;
    const hc_launch *asked = &launch->launch;
    void **values = realloc(node->values, (kernel->nparams + 1) * sizeof *values);
    if (!values)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < kernel->nparams; i++)
        values[i] = launch->params + kernel->params[i].offset;
    node->values = values;
    *params = (CUDA_KERNEL_NODE_PARAMS){.func = function->object.handle,
                                        .gridDimX = asked->grid[0],
                                        .gridDimY = asked->grid[1],
                                        .gridDimZ = asked->grid[2],
                                        .blockDimX = asked->block[0],
                                        .blockDimY = asked->block[1],
                                        .blockDimZ = asked->block[2],
                                        .sharedMemBytes = asked->dynamic_shared,
                                        .kernelParams = values};
    return CUDA_SUCCESS;
}

static CUresult alloc_params(const hd_node *node, CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    const hd_allocation *allocation = node->task.memory->allocation;

    HD_TRY(hd_graph_memory_check(node->task.memory, false, true));
    *params = (CUDA_MEM_ALLOC_NODE_PARAMS){
        .poolProps = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                      .location = {CU_MEM_LOCATION_TYPE_DEVICE,
                                   allocation->owner->device->ordinal}},
        .bytesize = allocation->size,
        .dptr = (uintptr_t)allocation->base};
    return CUDA_SUCCESS;
}

/* An entry point that stores one property of a node by a statement. */
#define NODE_PROPERTY(name, kind, type, statement)                    \
    CUresult cuGraph##name(CUgraphNode handle, type *answer)          \
    {                                                                 \
        hd_node *node = NULL;                                         \
        HD_ENTER();                                                   \
        HD_NEED(answer);                                              \
        HD_TRY(find(NULL, handle, CU_GRAPH_NODE_TYPE_##kind, &node)); \
        statement;                                                    \
        return CUDA_SUCCESS;                                          \
    }
NODE_PROPERTY(KernelNodeGetParams_v2, KERNEL, CUDA_KERNEL_NODE_PARAMS,
              HD_TRY(kernel_params(node, answer)))
NODE_PROPERTY(MemcpyNodeGetParams, MEMCPY, CUDA_MEMCPY3D,
              HD_TRY(hd_copy_params(node->task.work, answer)))
NODE_PROPERTY(MemsetNodeGetParams, MEMSET, CUDA_MEMSET_NODE_PARAMS,
              hd_fill_params(node->task.work, answer))
NODE_PROPERTY(HostNodeGetParams, HOST, CUDA_HOST_NODE_PARAMS,
              hd_call_params(node->task.work, answer))
NODE_PROPERTY(ChildGraphNodeGetGraph, GRAPH, CUgraph,
              *answer = node->task.child->object.handle)
NODE_PROPERTY(EventRecordNodeGetEvent, EVENT_RECORD, CUevent,
              *answer = node->task.subject)
NODE_PROPERTY(EventWaitNodeGetEvent, WAIT_EVENT, CUevent, *answer = node->task.subject)
NODE_PROPERTY(MemAllocNodeGetParams, MEM_ALLOC, CUDA_MEM_ALLOC_NODE_PARAMS,
              HD_TRY(alloc_params(node, answer)))
NODE_PROPERTY(MemFreeNodeGetParams, MEM_FREE, CUdeviceptr,
              HD_TRY(hd_graph_memory_check(node->task.memory, false, true));
              *answer = (uintptr_t)node->task.memory->allocation->base)

/* -- A picture --------------------------------------------------------------------- */

static const char *const type_names[] = {
    [CU_GRAPH_NODE_TYPE_KERNEL] = "kernel",
    [CU_GRAPH_NODE_TYPE_MEMCPY] = "memcpy",
    [CU_GRAPH_NODE_TYPE_MEMSET] = "memset",
    [CU_GRAPH_NODE_TYPE_HOST] = "host",
    [CU_GRAPH_NODE_TYPE_GRAPH] = "graph",
    [CU_GRAPH_NODE_TYPE_EMPTY] = "empty",
    [CU_GRAPH_NODE_TYPE_WAIT_EVENT] = "event wait",
    [CU_GRAPH_NODE_TYPE_EVENT_RECORD] = "event record",
    [CU_GRAPH_NODE_TYPE_MEM_ALLOC] = "allocation",
    [CU_GRAPH_NODE_TYPE_MEM_FREE] = "free",
    [CU_GRAPH_NODE_TYPE_BATCH_MEM_OP] = "memory operation",
};

static void draw(FILE *file, const hd_graph *graph, const char *indent)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const hd_node *node = graph->nodes.list[i];
        const hd_function *function = hd_handle_object(HD_FUNCTION, node->task.subject);
        fprintf(file, "%sn%llu [label=\"%s%s%s\"];\n", indent,
                (unsigned long long)(uintptr_t)node->object.handle,
                type_names[node->type], function ? " " : "",
                function ? function->kernel->name : "");
        for (size_t k = 0; k < node->dependencies.count; k++)
            fprintf(file, "%sn%llu -> n%llu;\n", indent,
                    (unsigned long long)(uintptr_t)node->dependencies.list[k]
                        ->object.handle,
                    (unsigned long long)(uintptr_t)node->object.handle);
        if (!node->task.child)
            continue;
        fprintf(file, "%ssubgraph cluster_%llu {\n", indent,
                (unsigned long long)(uintptr_t)node->object.handle);
        draw(file, node->task.child, "        ");
        fprintf(file, "%s}\n", indent);
    }
}

CUresult cuGraphDebugDotPrint(CUgraph handle, const char *path, unsigned int flags)
{
    HD_ENTER_FIND(hd_graph, graph, HD_GRAPH, handle);
    HD_NEED(path);
    FILE *file = fopen(path, "w");
    HD_FAIL_IF(!file, CUDA_ERROR_INVALID_VALUE, "%s: %s", path, strerror(errno));
    fprintf(file, "digraph {\n");
    draw(file, graph, "    ");
    fprintf(file, "}\n");
    return fclose(file) == 0 ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}
