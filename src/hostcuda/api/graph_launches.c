/* Executable graphs: made, launched, changed. A launch clones all prototypes first, so
   that it happens as a whole or not at all, then submits them one after the other;
   branches of a graph run in turn. */
#include "captures.h"
#include "entry.h"
#include "graph_launches.h"
#include "graph_memory.h"
#include "hostcuda/run/kernel_launch.h"

/* -- Life -------------------------------------------------------------------------- */

CUresult cuGraphInstantiateWithFlags(CUgraphExec *handle, CUgraph graph_handle,
                                     unsigned long long flags)
{
    const unsigned long long known = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
                                     CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
                                     CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
    hd_graph *exec = NULL;
    HD_ENTER_FIND(hd_graph, graph, HD_GRAPH, graph_handle);
    HD_NEED(handle);
    HD_FAIL_IF(flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH,
               CUDA_ERROR_NOT_SUPPORTED,
               "kernels of the host device cannot launch graphs");
    HD_REFUSE_IF((flags & ~known) != 0, "0x%llx are no flags of an executable graph",
                 flags);
    HD_REFUSE_IF(graph->capture, "the graph is being captured");
    HD_TRY(hd_graph_copy(graph, graph->object.context, HD_EXEC, &exec));
    exec->flags = flags;
    *handle = exec->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *handle, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    HD_NEED(params);
    params->hErrNode_out = NULL;
    CUresult status = cuGraphInstantiateWithFlags(handle, graph, params->flags);
    params->result_out = status == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS
                                                : CUDA_GRAPH_INSTANTIATE_ERROR;
    return status;
}

CUresult cuGraphExecDestroy(CUgraphExec handle)
{
    HD_ENTER();
    return hd_child_end(HD_EXEC, handle);
}

HD_QUESTION(cuGraphExecGetFlags, (CUgraphExec handle, cuuint64_t *answer),
            HD_ENTER_FIND(hd_graph, exec, HD_EXEC, handle), exec->flags)

/* -- Launching --------------------------------------------------------------------- */

/* One step of a launch: the task of a node. */
typedef struct step {
    struct step *next; /* owned */
    hd_task task;
    CUgraphNodeType type;
} step;

static void steps_free(step *steps)
{
    while (steps) {
        step *next = steps->next;
        hd_task_clear(&steps->task);
        free(steps);
        steps = next;
    }
}

/* Appends the graph's steps; *end points at the last link of the list. */
static CUresult plan(const hd_graph *graph, bool auto_free, step ***end)
{
    for (size_t i = 0; i < graph->order.count; i++) {
        const hd_node *node = graph->order.list[i];
        const hd_task *task = &node->task;
        void *subject = NULL;
        if (task->child)
            HD_TRY(plan(task->child, auto_free, end));
        if (node->disabled || (!task->work && !task->subject && !task->memory))
            continue;
        if (task->memory)
            HD_TRY(hd_graph_memory_check(
                task->memory, node->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC, auto_free));
        if (task->subject)
            HD_TRY(hd_handle_find(task->work != NULL ? HD_FUNCTION : HD_EVENT,
                                  task->subject, &subject));
        step *made = calloc(1, sizeof *made);
        if (!made)
            return hd_fail(CUDA_ERROR_OUT_OF_MEMORY, "no memory to launch a graph");
        **end = made;
        *end = &made->next;
        made->type = node->type;
        HD_TRY(hd_task_clone(task, &made->task));
    }
    return CUDA_SUCCESS;
}

static CUresult take_step(step *step, hd_stream *stream)
{
    hd_task *task = &step->task;

    if (task->work) {
        hd_work *work = task->work;
        task->work = NULL;
        if (work->node == CU_GRAPH_NODE_TYPE_KERNEL &&
            ((hd_launch *)work)->function->object.context != stream->object.context)
            hd.mixed = true;
        return hd_submit(stream, work, work->kind == HD_PIECES ? HD_BEGIN : HD_QUEUE);
    }
    if (task->memory) {
        task->memory->allocated = step->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC;
        return CUDA_SUCCESS;
    }
    HD_FIND(hd_event, event, HD_EVENT, task->subject);
    if (step->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD)
        return hd_event_record(event, stream);
    return !event->point ? CUDA_SUCCESS : hd_submit_wait(stream, event->point);
}

CUresult cuGraphLaunch(CUgraphExec handle, CUstream stream_handle)
{
    hd_stream *stream = NULL;
    step *steps = NULL, **end = &steps;
    HD_ENTER_FIND(hd_graph, exec, HD_EXEC, handle);
    HD_TRY(hd_stream_find(stream_handle, &stream));
    if (stream->captured)
        return hd_capture_graph(stream, exec);
    HD_TRY(hd_capture_allows(stream));
    CUresult status =
        plan(exec, exec->flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH, &end);
    /* Launches of an executable graph run one after the other. */
    if (status == CUDA_SUCCESS && exec->last && exec->last->stream != stream->id)
        status = hd_submit_wait(stream, exec->last);
    /* Short work runs here, without the lock, so the stream is looked up again. */
    for (step *step = steps; step && status == CUDA_SUCCESS; step = step->next) {
        status = hd_stream_find(stream_handle, &stream);
        if (status == CUDA_SUCCESS)
            status = take_step(step, stream);
    }
    steps_free(steps);
    HD_TRY(status);
    HD_TRY(hd_stream_find(stream_handle, &stream));
    HD_TRY(hd_handle_find(HD_EXEC, handle, &exec));
    return hd_point_record(&exec->last, stream);
}

CUresult cuGraphUpload(CUgraphExec handle, CUstream stream_handle)
{
    hd_stream *stream = NULL;
    HD_ENTER_FIND(hd_graph, exec, HD_EXEC, handle);
    return hd_stream_find(stream_handle, &stream);
}

/* -- Changing ---------------------------------------------------------------------- */

static hd_node *find_origin(const hd_graph *graph, uint64_t origin)
{
    hd_node *found = NULL;

    for (size_t i = 0; !found && i < graph->nodes.count; i++) {
        hd_node *node = graph->nodes.list[i];
        found = node->origin == origin ? node
                : node->task.child     ? find_origin(node->task.child, origin)
                                       : NULL;
    }
    return found;
}

CUresult hd_exec_node(CUgraphExec handle, CUgraphNode node_handle, hd_node **found)
{
    HD_FIND(hd_graph, exec, HD_EXEC, handle);
    HD_FIND(hd_node, node, HD_NODE, node_handle);
    *found = find_origin(exec, node->origin);
    HD_REFUSE_IF(!*found,
                 "the executable graph was not made from a graph with that node");
    return CUDA_SUCCESS;
}

static bool can_be_disabled(const hd_node *node)
{
    return node->type == CU_GRAPH_NODE_TYPE_KERNEL ||
           node->type == CU_GRAPH_NODE_TYPE_MEMCPY ||
           node->type == CU_GRAPH_NODE_TYPE_MEMSET;
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode handle,
                               unsigned int enabled)
{
    hd_node *node = NULL;
    HD_ENTER();
    HD_TRY(hd_exec_node(exec, handle, &node));
    HD_REFUSE_IF(!can_be_disabled(node),
                 "kernels, copies and fills can be disabled, nothing else");
    node->disabled = enabled == 0;
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode handle,
                               unsigned int *enabled)
{
    hd_node *node = NULL;
    HD_ENTER();
    HD_TRY(hd_exec_node(exec, handle, &node));
    HD_NEED(can_be_disabled(node));
    HD_ANSWER(enabled, !node->disabled);
}

/* -- Updates ----------------------------------------------------------------------- */

/* Whether two nodes have the same dependencies; if not, reports the first difference.
 */
static bool same_edges(const hd_node *old, const hd_node *node,
                       CUgraphExecUpdateResultInfo *info)
{
    size_t same = 0;

    while (same < old->dependencies.count && same < node->dependencies.count &&
           old->dependencies.list[same]->index == node->dependencies.list[same]->index)
        same++;
    if (same < node->dependencies.count)
        info->errorFromNode = node->dependencies.list[same]->object.handle;
    return same == old->dependencies.count && same == node->dependencies.count;
}

/* Compares graphs node by node, as they were added. */
static CUgraphExecUpdateResult compare(hd_graph *graph, hd_graph *with,
                                       CUgraphExecUpdateResultInfo *info)
{
    CUgraphExecUpdateResult result = CU_GRAPH_EXEC_UPDATE_SUCCESS;

    if (graph->nodes.count != with->nodes.count)
        return CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    for (size_t i = 0; i < graph->nodes.count; i++)
        graph->nodes.list[i]->index = with->nodes.list[i]->index = i;
    for (size_t i = 0; i < graph->nodes.count && result == 0; i++) {
        const hd_node *one = graph->nodes.list[i], *other = with->nodes.list[i];
        info->errorNode = other->object.handle;
        if (one->type != other->type)
            result = CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
        else if (!same_edges(one, other, info))
            result = CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
        else if (one->task.memory != other->task.memory)
            result = CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
        else if (one->task.child)
            result = compare(one->task.child, other->task.child, info);
    }
    if (result == CU_GRAPH_EXEC_UPDATE_SUCCESS)
        info->errorNode = NULL;
    return result;
}

/* Exchanges the tasks of two graphs of the same structure. */
static void exchange(hd_graph *graph, hd_graph *with)
{
    for (size_t i = 0; i < graph->nodes.count; i++) {
        hd_task *one = &graph->nodes.list[i]->task, *other = &with->nodes.list[i]->task;
        hd_work *work = one->work;
        one->work = other->work;
        other->work = work;
        one->subject = other->subject;
        if (one->child)
            exchange(one->child, other->child);
    }
}

/* Replaces the graph's tasks by copies of the other one's. */
static CUresult update(hd_graph *graph, hd_graph *with,
                       CUgraphExecUpdateResultInfo *info)
{
    hd_graph *copy = NULL;

    *info = (CUgraphExecUpdateResultInfo){0};
    info->result = compare(graph, with, info);
    HD_FAIL_IF(info->result != CU_GRAPH_EXEC_UPDATE_SUCCESS,
               CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
               "the graph has other nodes or dependencies than the one that "
               "was instantiated");
    HD_TRY(hd_graph_copy(with, with->object.context, HD_NODE, &copy));
    exchange(graph, copy);
    hd_graph_destroy(copy);
    return CUDA_SUCCESS;
}

CUresult cuGraphExecUpdate_v2(CUgraphExec handle, CUgraph graph_handle,
                              CUgraphExecUpdateResultInfo *info)
{
    HD_ENTER_FIND(hd_graph, exec, HD_EXEC, handle);
    HD_FIND(hd_graph, graph, HD_GRAPH, graph_handle);
    HD_NEED(info);
    return update(exec, graph, info);
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node_handle,
                                            CUgraph child_handle)
{
    CUgraphExecUpdateResultInfo info;
    hd_node *node = NULL;
    HD_ENTER_FIND(hd_graph, child, HD_GRAPH, child_handle);
    HD_TRY(hd_exec_node(exec, node_handle, &node));
    HD_REFUSE_IF(!node->task.child, "the node is of another type: %d", (int)node->type);
    CUresult status = update(node->task.child, child, &info);
    return status == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE ? CUDA_ERROR_INVALID_VALUE
                                                          : status;
}
