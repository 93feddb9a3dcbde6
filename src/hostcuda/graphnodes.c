/* Nodes added one by one, their parameters, and a picture of a graph. Parameters are
   checked when they are given; what may be gone by the time of a launch (functions and
   events) is looked up by its handle again then. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "contexts.h"
#include "events.h"
#include "graphs.h"
#include "launches.h"

/* -- Prototypes -------------------------------------------------------------------- */

CUresult hd_work_clone(const hd_work *work, hd_work **clone)
{
    HD_TRY(hd_work_create(work->size, NULL, 0, clone));
    memcpy(*clone, work, work->size);
    if (work->node == CU_GRAPH_NODE_TYPE_KERNEL)
        hd_launch_settle((hd_launch *)*clone);
    return CUDA_SUCCESS;
}

CUresult hd_kernel_create(const CUDA_KERNEL_NODE_PARAMS *params, hd_work **work,
                          void **handle)
{
    hd_function *function = NULL;
    HD_TRY(hd_function_find(
        params->func != NULL ? (void *)params->func : (void *)params->kern, &function));
    *handle = function->object.handle;
    const hd_geometry geometry = {
        .grid = {params->gridDimX, params->gridDimY, params->gridDimZ},
        .block = {params->blockDimX, params->blockDimY, params->blockDimZ},
        .shared = params->sharedMemBytes,
        .params = params->kernelParams,
        .extra = params->extra};
    return hd_launch_create(function, &geometry, (hd_launch **)work);
}

/* -- Adding ------------------------------------------------------------------------ */

CUresult hd_node_add(CUgraphNode *handle, CUgraph graph_handle,
                     const CUgraphNode *after, size_t count, CUgraphNodeType type,
                     CUresult status, hd_work *work, hd_node **made)
{
    hd_graph *graph = NULL;
    hd_nodes before = {0};

    if (status == CUDA_SUCCESS && handle == NULL)
        status = CUDA_ERROR_INVALID_VALUE;
    if (status == CUDA_SUCCESS)
        status = hd_handle_find(HD_GRAPH, graph_handle, &graph);
    if (status == CUDA_SUCCESS)
        status = hd_nodes_find(&before, graph, after, count);
    if (status == CUDA_SUCCESS)
        status = hd_node_create(graph, type, &before, made);
    hd_nodes_clear(&before);
    if (status != CUDA_SUCCESS) {
        if (work != NULL)
            hd_work_discard(work);
        return status;
    }
    (*made)->work = work;
    *handle = (*made)->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode *handle, CUgraph graph,
                                 const CUgraphNode *after, size_t count,
                                 const CUDA_KERNEL_NODE_PARAMS *params)
{
    hd_node *node = NULL;
    hd_work *work = NULL;
    void *function = NULL;
    HD_ENTER();
    HD_NEED(params != NULL);
    CUresult status = hd_kernel_create(params, &work, &function);
    HD_TRY(hd_node_add(handle, graph, after, count, CU_GRAPH_NODE_TYPE_KERNEL, status,
                       work, &node));
    node->subject = function;
    return CUDA_SUCCESS;
}

/* Nodes whose work is made of one struct. A context may be named, which the host device
   has no use for: its devices are one memory. */
#define ADD(name, kind, create, type, ...)                                         \
    CUresult name(CUgraphNode *handle, CUgraph graph, const CUgraphNode *after,    \
                  size_t count, const type *params __VA_ARGS__)                    \
    {                                                                              \
        hd_node *node = NULL;                                                      \
        hd_work *work = NULL;                                                      \
        HD_ENTER();                                                                \
        HD_NEED(params != NULL);                                                   \
        CUresult status = create(params, &work);                                   \
        return hd_node_add(handle, graph, after, count, CU_GRAPH_NODE_TYPE_##kind, \
                           status, work, &node);                                   \
    }
#define IN_CONTEXT , CUcontext context
ADD(cuGraphAddMemcpyNode, MEMCPY, hd_copy_create, CUDA_MEMCPY3D, IN_CONTEXT)
ADD(cuGraphAddMemsetNode, MEMSET, hd_fill_create, CUDA_MEMSET_NODE_PARAMS, IN_CONTEXT)
ADD(cuGraphAddHostNode, HOST, hd_call_create, CUDA_HOST_NODE_PARAMS)

CUresult cuGraphAddEmptyNode(CUgraphNode *handle, CUgraph graph,
                             const CUgraphNode *after, size_t count)
{
    hd_node *node = NULL;
    HD_ENTER();
    return hd_node_add(handle, graph, after, count, CU_GRAPH_NODE_TYPE_EMPTY,
                       CUDA_SUCCESS, NULL, &node);
}

static CUresult add_event(CUgraphNode *handle, CUgraph graph, const CUgraphNode *after,
                          size_t count, CUgraphNodeType type, CUevent event_handle)
{
    hd_node *node = NULL;
    HD_ENTER();
    HD_FIND(hd_event, event, HD_EVENT, event_handle);
    HD_TRY(hd_node_add(handle, graph, after, count, type, CUDA_SUCCESS, NULL, &node));
    node->subject = event->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *handle, CUgraph graph,
                                   const CUgraphNode *after, size_t count,
                                   CUevent event)
{
    return add_event(handle, graph, after, count, CU_GRAPH_NODE_TYPE_EVENT_RECORD,
                     event);
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *handle, CUgraph graph,
                                 const CUgraphNode *after, size_t count, CUevent event)
{
    return add_event(handle, graph, after, count, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event);
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *handle, CUgraph graph,
                                  const CUgraphNode *after, size_t count,
                                  CUgraph child_handle)
{
    hd_node *node = NULL;
    hd_graph *copy = NULL;
    HD_ENTER();
    HD_FIND(hd_graph, child, HD_GRAPH, child_handle);
    HD_TRY(hd_graph_copy(child, child->object.context, true, &copy));
    HD_TRY_OR(hd_node_add(handle, graph, after, count, CU_GRAPH_NODE_TYPE_GRAPH,
                          CUDA_SUCCESS, NULL, &node),
              hd_graph_destroy(copy));
    node->child = copy;
    return CUDA_SUCCESS;
}

/* -- Parameters -------------------------------------------------------------------- */

CUresult hd_node_find(CUgraphNode handle, CUgraphNodeType type, hd_node **node)
{
    HD_TRY(hd_handle_find(HD_NODE, handle, node));
    HD_REFUSE_IF((*node)->type != type, "the node is of another type: %d",
                 (int)(*node)->type);
    return CUDA_SUCCESS;
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode handle, CUgraph *graph)
{
    hd_node *node = NULL;
    HD_ENTER();
    HD_TRY(hd_node_find(handle, CU_GRAPH_NODE_TYPE_GRAPH, &node));
    HD_ANSWER(graph, node->child->object.handle);
}

/* The values that kernelParams points at are the node's own, until it changes. */
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode handle,
                                       CUDA_KERNEL_NODE_PARAMS *params)
{
    hd_node *node = NULL;
    HD_ENTER();
    HD_NEED(params != NULL);
    HD_TRY(hd_node_find(handle, CU_GRAPH_NODE_TYPE_KERNEL, &node));
    HD_FIND(hd_function, function, HD_FUNCTION, node->subject); /* or it is unloaded */
    hd_launch *launch = (hd_launch *)node->work;
    HD_TRY(hd_launch_list(launch, &node->values));
    const hc_launch *asked = &launch->launch;
    *params = (CUDA_KERNEL_NODE_PARAMS){.func = function->object.handle,
                                        .gridDimX = asked->grid[0],
                                        .gridDimY = asked->grid[1],
                                        .gridDimZ = asked->grid[2],
                                        .blockDimX = asked->block[0],
                                        .blockDimY = asked->block[1],
                                        .blockDimZ = asked->block[2],
                                        .sharedMemBytes = asked->dynamic_shared,
                                        .kernelParams = node->values};
    return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode handle,
                                       const CUDA_KERNEL_NODE_PARAMS *params)
{
    hd_node *node = NULL;
    hd_work *work = NULL;
    HD_ENTER();
    HD_NEED(params != NULL);
    HD_TRY(hd_node_find(handle, CU_GRAPH_NODE_TYPE_KERNEL, &node));
    HD_TRY(hd_kernel_create(params, &work, &node->subject));
    hd_work_discard(node->work);
    node->work = work;
    return CUDA_SUCCESS;
}

#define NODE_PARAMS(name, kind, type, answer, create)                             \
    CUresult cuGraph##name##NodeGetParams(CUgraphNode handle, type *params)       \
    {                                                                             \
        hd_node *node = NULL;                                                     \
        HD_ENTER();                                                               \
        HD_NEED(params != NULL);                                                  \
        HD_TRY(hd_node_find(handle, CU_GRAPH_NODE_TYPE_##kind, &node));           \
        answer;                                                                   \
        return CUDA_SUCCESS;                                                      \
    }                                                                             \
    CUresult cuGraph##name##NodeSetParams(CUgraphNode handle, const type *params) \
    {                                                                             \
        hd_node *node = NULL;                                                     \
        hd_work *work = NULL;                                                     \
        HD_ENTER();                                                               \
        HD_NEED(params != NULL);                                                  \
        HD_TRY(hd_node_find(handle, CU_GRAPH_NODE_TYPE_##kind, &node));           \
        HD_TRY(create(params, &work));                                            \
        hd_work_discard(node->work);                                              \
        node->work = work;                                                        \
        return CUDA_SUCCESS;                                                      \
    }
NODE_PARAMS(Memcpy, MEMCPY, CUDA_MEMCPY3D, HD_TRY(hd_copy_params(node->work, params)),
            hd_copy_create)
NODE_PARAMS(Memset, MEMSET, CUDA_MEMSET_NODE_PARAMS, hd_fill_params(node->work, params),
            hd_fill_create)
NODE_PARAMS(Host, HOST, CUDA_HOST_NODE_PARAMS, hd_call_params(node->work, params),
            hd_call_create)

#define NODE_EVENT(name, kind)                                                     \
    CUresult cuGraph##name##NodeGetEvent(CUgraphNode handle, CUevent *event)       \
    {                                                                              \
        hd_node *node = NULL;                                                      \
        HD_ENTER();                                                                \
        HD_TRY(hd_node_find(handle, CU_GRAPH_NODE_TYPE_##kind, &node));            \
        HD_ANSWER(event, node->subject);                                           \
    }                                                                              \
    CUresult cuGraph##name##NodeSetEvent(CUgraphNode handle, CUevent event_handle) \
    {                                                                              \
        hd_node *node = NULL;                                                      \
        HD_ENTER();                                                                \
        HD_TRY(hd_node_find(handle, CU_GRAPH_NODE_TYPE_##kind, &node));            \
        HD_FIND(hd_event, event, HD_EVENT, event_handle);                          \
        node->subject = event->object.handle;                                      \
        return CUDA_SUCCESS;                                                       \
    }
NODE_EVENT(EventRecord, EVENT_RECORD)
NODE_EVENT(EventWait, WAIT_EVENT)

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
        const hd_function *function = hd_handle_object(HD_FUNCTION, node->subject);
        fprintf(file, "%sn%llu [label=\"%s%s%s\"];\n", indent,
                (unsigned long long)(uintptr_t)node->object.handle,
                type_names[node->type], function != NULL ? " " : "",
                function != NULL ? function->kernel->name : "");
        for (size_t k = 0; k < node->before.count; k++)
            fprintf(file, "%sn%llu -> n%llu;\n", indent,
                    (unsigned long long)(uintptr_t)node->before.list[k]->object.handle,
                    (unsigned long long)(uintptr_t)node->object.handle);
        if (node->child == NULL)
            continue;
        fprintf(file, "%ssubgraph cluster_%llu {\n", indent,
                (unsigned long long)(uintptr_t)node->object.handle);
        draw(file, node->child, "        ");
        fprintf(file, "%s}\n", indent);
    }
}

CUresult cuGraphDebugDotPrint(CUgraph handle, const char *path, unsigned int flags)
{
    HD_ENTER();
    HD_FIND(hd_graph, graph, HD_GRAPH, handle);
    HD_NEED(path != NULL);
    FILE *file = fopen(path, "w");
    HD_FAIL_IF(file == NULL, CUDA_ERROR_INVALID_VALUE, "%s: %s", path, strerror(errno));
    fprintf(file, "digraph {\n");
    draw(file, graph, "    ");
    fprintf(file, "}\n");
    return fclose(file) == 0 ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}
