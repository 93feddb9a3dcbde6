/* The structure of graphs: sets of nodes, dependencies, copies, and the questions about
   them. A graph is a child of the context it was made in; a node belongs to its graph,
   and has a handle so that a stale one is recognised. */
#include "entry.h"
#include "graph_memory.h"
#include "graphs.h"
#include "hostcuda/run/kernel_launch.h"

/* -- Sets of nodes ----------------------------------------------------------------- */

static size_t index_of(const hd_nodes *nodes, const hd_node *node)
{
    size_t i =
        nodes->count; /* from the end: a node that was added lately is looked up most */

    while (i > 0 && nodes->list[i - 1] != node)
        i--;
    return i > 0 ? i - 1 : nodes->count;
}

static bool contains(const hd_nodes *nodes, const hd_node *node)
{
    return index_of(nodes, node) < nodes->count;
}

static CUresult append(hd_nodes *nodes, hd_node *node)
{
    HD_TRY(hd_array_grow(&nodes->list, sizeof *nodes->list, nodes->count,
                         &nodes->capacity));
    nodes->list[nodes->count++] = node;
    return CUDA_SUCCESS;
}

CUresult hd_nodes_add(hd_nodes *nodes, hd_node *node)
{
    return contains(nodes, node) ? CUDA_SUCCESS : append(nodes, node);
}

CUresult hd_nodes_add_all(hd_nodes *nodes, const hd_nodes *others)
{
    for (size_t i = 0; i < others->count; i++)
        HD_TRY(hd_nodes_add(nodes, others->list[i]));
    return CUDA_SUCCESS;
}

static void remove_node(hd_nodes *nodes, const hd_node *node)
{
    size_t index = index_of(nodes, node);

    if (index == nodes->count)
        return;
    nodes->count--;
    memmove(nodes->list + index, nodes->list + index + 1,
            (nodes->count - index) * sizeof *nodes->list);
}

void hd_nodes_clear(hd_nodes *nodes)
{
    free(nodes->list);
    *nodes = (hd_nodes){0};
}

static CUresult node_find(const hd_graph *graph, CUgraphNode handle, hd_node **node)
{
    HD_TRY(hd_handle_find(HD_NODE, handle, node));
    HD_REFUSE_IF((*node)->graph != graph, "%p is a node of another graph",
                 (void *)handle);
    return CUDA_SUCCESS;
}

CUresult hd_nodes_find(hd_nodes *nodes, const hd_graph *graph,
                       const CUgraphNode *handles, size_t count)
{
    HD_NEED(count == 0 || handles);
    for (size_t i = 0; i < count; i++) {
        hd_node *node = NULL;
        HD_TRY(node_find(graph, handles[i], &node));
        HD_REFUSE_IF(contains(nodes, node), "node %p is given twice",
                     (void *)handles[i]);
        HD_TRY(append(nodes, node));
    }
    return CUDA_SUCCESS;
}

CUresult hd_nodes_answer(const hd_nodes *nodes, CUgraphNode *handles, size_t *count)
{
    HD_NEED(count);
    if (!handles)
        HD_ANSWER(count, nodes->count);
    for (size_t i = 0; i < *count; i++)
        handles[i] = i < nodes->count ? nodes->list[i]->object.handle : NULL;
    if (*count > nodes->count)
        *count = nodes->count;
    return CUDA_SUCCESS;
}

/* -- Life -------------------------------------------------------------------------- */

/* hd_object.destroy: also ends a capture that adds to the graph. */
static void graph_ends(hd_object *object)
{
    hd_graph *graph = (hd_graph *)object;

    if (graph->capture)
        graph->abandon(graph);
    hd_graph_destroy(graph);
}

CUresult hd_graph_create(hd_context *context, hd_kind kind, hd_graph **graph)
{
    return hd_child_create(context, kind, sizeof **graph, graph_ends, graph);
}

CUresult hd_task_clone(const hd_task *task, hd_task *clone)
{
    *clone = (hd_task){.subject = task->subject, .memory = task->memory};
    if (task->memory)
        task->memory->refs++;
    if (!task->work)
        return CUDA_SUCCESS;
    HD_TRY(hd_work_create(task->work->size, NULL, 0, &clone->work));
    memcpy(clone->work, task->work, task->work->size);
    if (task->work->node == CU_GRAPH_NODE_TYPE_KERNEL)
        hd_launch_rebase((hd_launch *)clone->work);
    return CUDA_SUCCESS;
}

void hd_task_clear(hd_task *task)
{
    free(task->work);
    if (task->child)
        hd_graph_destroy(task->child);
    if (task->memory)
        hd_graph_memory_release(task->memory);
}

static void node_destroy(hd_node *node)
{
    hd_handle_retire(&node->object);
    hd_nodes_clear(&node->dependencies);
    free(node->values);
    hd_task_clear(&node->task);
    free(node);
}

void hd_graph_destroy(hd_graph *graph)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        node_destroy(graph->nodes.list[i]);
    hd_nodes_clear(&graph->nodes);
    hd_nodes_clear(&graph->order);
    if (graph->last)
        hd_point_release(graph->last);
    if (!graph->embedded) {
        hd_child_destroy(&graph->object);
        return;
    }
    hd_handle_retire(&graph->object);
    free(graph);
}

CUresult hd_node_create(hd_graph *graph, CUgraphNodeType type, const hd_nodes *before,
                        hd_node **made)
{
    hd_node *node = NULL;

    HD_TRY(hd_object_create(HD_NODE, graph->object.context, sizeof *node, &node));
    node->graph = graph;
    node->type = type;
    node->origin = ++hd.serial;
    HD_TRY_OR(hd_nodes_add_all(&node->dependencies, before), node_destroy(node));
    HD_TRY_OR(append(&graph->nodes, node), node_destroy(node));
    *made = node;
    return CUDA_SUCCESS;
}

CUresult cuGraphCreate(CUgraph *handle, unsigned int flags)
{
    hd_graph *graph = NULL;
    HD_ENTER_CONTEXT(context);
    HD_NEED(handle && flags == 0);
    HD_TRY(hd_graph_create(context, HD_GRAPH, &graph));
    *handle = graph->object.handle;
    return CUDA_SUCCESS;
}

/* Refuses changes by the user to a graph that a capture adds to. */
static CUresult check_own(const hd_graph *graph)
{
    HD_REFUSE_IF(graph->capture, "the graph is being captured");
    return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph handle)
{
    HD_ENTER_FIND(hd_graph, graph, HD_GRAPH, handle);
    HD_TRY(check_own(graph));
    HD_REFUSE_IF(graph->embedded, "the graph belongs to a node of another one");
    hd_graph_destroy(graph);
    return CUDA_SUCCESS;
}

CUresult cuGraphDestroyNode(CUgraphNode handle)
{
    HD_ENTER_FIND(hd_node, node, HD_NODE, handle);
    hd_graph *graph = node->graph;
    HD_TRY(check_own(graph));
    remove_node(&graph->nodes, node);
    for (size_t i = 0; i < graph->nodes.count; i++)
        remove_node(&graph->nodes.list[i]->dependencies, node);
    node_destroy(node);
    return CUDA_SUCCESS;
}

/* -- Order ------------------------------------------------------------------------- */

void hd_graph_mark(hd_graph *graph, const hd_nodes *nodes)
{
    bool more = true;

    for (size_t i = 0; i < graph->nodes.count; i++) {
        graph->nodes.list[i]->index = i;
        graph->nodes.list[i]->marked = contains(nodes, graph->nodes.list[i]);
    }
    while (more) {
        more = false;
        /* Newest first: dependencies are mostly older, so one round is enough. */
        for (size_t i = graph->nodes.count; i-- > 0;) {
            const hd_node *node = graph->nodes.list[i];
            for (size_t k = 0; node->marked && k < node->dependencies.count; k++) {
                hd_node *first = node->dependencies.list[k];
                more = more || (!first->marked && first->index > i);
                first->marked = true;
            }
        }
    }
}

static bool is_ready(const hd_node *node)
{
    for (size_t i = 0; i < node->dependencies.count; i++) {
        if (!node->dependencies.list[i]->marked)
            return false;
    }
    return true;
}

/* Fills graph->order: each round takes the nodes whose dependencies are all taken. */
static CUresult sort(hd_graph *graph)
{
    size_t before = 0;

    for (size_t i = 0; i < graph->nodes.count; i++)
        graph->nodes.list[i]->marked = false;
    do {
        before = graph->order.count;
        for (size_t i = 0; i < graph->nodes.count; i++) {
            hd_node *node = graph->nodes.list[i];
            if (node->marked || !is_ready(node))
                continue;
            node->marked = true;
            HD_TRY(append(&graph->order, node));
        }
    } while (graph->order.count > before);
    HD_REFUSE_IF(before < graph->nodes.count,
                 "nodes of the graph wait for each other in a circle");
    return CUDA_SUCCESS;
}

/* -- Copies ------------------------------------------------------------------------ */

static CUresult copy_node(const hd_node *node, hd_graph *to)
{
    const hd_nodes none = {0};
    hd_node *copy = NULL;

    HD_TRY(hd_node_create(to, node->type, &none, &copy));
    for (size_t i = 0; i < node->dependencies.count; i++) {
        size_t index = node->dependencies.list[i]->index;
        HD_TRY(append(&copy->dependencies, (hd_node *)index)); /* a number for now */
    }
    copy->origin = node->origin;
    copy->disabled = node->disabled;
    HD_TRY(hd_task_clone(&node->task, &copy->task));
    return node->task.child ? hd_graph_copy(node->task.child, to->object.context,
                                            HD_NODE, &copy->task.child)
                            : CUDA_SUCCESS;
}

static CUresult copy_nodes(const hd_graph *graph, hd_graph *copy)
{
    for (size_t i = 0; i < graph->nodes.count; i++)
        graph->nodes.list[i]->index = i;
    for (size_t i = 0; i < graph->nodes.count; i++)
        HD_TRY(copy_node(graph->nodes.list[i], copy));
    for (size_t i = 0; i < copy->nodes.count; i++) {
        hd_nodes *before = &copy->nodes.list[i]->dependencies;
        for (size_t k = 0; k < before->count; k++)
            before->list[k] = copy->nodes.list[(size_t)before->list[k]];
    }
    return sort(copy);
}

CUresult hd_graph_copy(hd_graph *graph, hd_context *context, hd_kind kind,
                       hd_graph **made)
{
    hd_graph *copy = NULL;

    if (kind != HD_NODE) {
        HD_TRY(hd_graph_create(context, kind, &copy));
    } else {
        HD_TRY(hd_object_create(HD_GRAPH, context, sizeof *copy, &copy));
        copy->embedded = true;
    }
    HD_TRY_OR(copy_nodes(graph, copy), hd_graph_destroy(copy));
    *made = copy;
    return CUDA_SUCCESS;
}

CUresult cuGraphClone(CUgraph *handle, CUgraph original)
{
    hd_graph *copy = NULL;
    HD_ENTER_FIND(hd_graph, graph, HD_GRAPH, original);
    HD_NEED(handle);
    HD_TRY(hd_graph_copy(graph, graph->object.context, HD_GRAPH, &copy));
    *handle = copy->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeFindInClone(CUgraphNode *found, CUgraphNode original, CUgraph clone)
{
    HD_ENTER_FIND(hd_graph, graph, HD_GRAPH, clone);
    HD_FIND(hd_node, node, HD_NODE, original);
    for (size_t i = 0; i < graph->nodes.count; i++) {
        if (graph->nodes.list[i]->origin == node->origin)
            HD_ANSWER(found, graph->nodes.list[i]->object.handle);
    }
    return hd_fail(CUDA_ERROR_INVALID_VALUE, "the graph has no copy of the node");
}

/* -- Questions --------------------------------------------------------------------- */

CUresult cuGraphGetNodes(CUgraph handle, CUgraphNode *nodes, size_t *count)
{
    HD_ENTER_FIND(hd_graph, graph, HD_GRAPH, handle);
    return hd_nodes_answer(&graph->nodes, nodes, count);
}

/* The nodes that depend on `first`, or those without dependencies if that is NULL. */
static CUresult answer_after(const hd_graph *graph, const hd_node *first,
                             CUgraphNode *nodes, size_t *count)
{
    hd_nodes found = {0};
    CUresult status = CUDA_SUCCESS;

    for (size_t i = 0; status == CUDA_SUCCESS && i < graph->nodes.count; i++) {
        hd_node *node = graph->nodes.list[i];
        if (first ? contains(&node->dependencies, first)
                  : node->dependencies.count == 0)
            status = append(&found, node);
    }
    if (status == CUDA_SUCCESS)
        status = hd_nodes_answer(&found, nodes, count);
    hd_nodes_clear(&found);
    return status;
}

CUresult cuGraphGetRootNodes(CUgraph handle, CUgraphNode *nodes, size_t *count)
{
    HD_ENTER_FIND(hd_graph, graph, HD_GRAPH, handle);
    return answer_after(graph, NULL, nodes, count);
}

HD_QUESTION(cuGraphNodeGetType, (CUgraphNode handle, CUgraphNodeType *answer),
            HD_ENTER_FIND(hd_node, node, HD_NODE, handle), node->type)

CUresult cuGraphNodeGetDependencies(CUgraphNode handle, CUgraphNode *nodes,
                                    size_t *count)
{
    HD_ENTER_FIND(hd_node, node, HD_NODE, handle);
    return hd_nodes_answer(&node->dependencies, nodes, count);
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode handle, CUgraphNode *nodes,
                                      size_t *count)
{
    HD_ENTER_FIND(hd_node, node, HD_NODE, handle);
    return answer_after(node->graph, node, nodes, count);
}

CUresult cuGraphGetEdges(CUgraph handle, CUgraphNode *from, CUgraphNode *to,
                         size_t *count)
{
    size_t found = 0;
    HD_ENTER_FIND(hd_graph, graph, HD_GRAPH, handle);
    HD_NEED(count && (!from) == (!to));
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const hd_node *node = graph->nodes.list[i];
        for (size_t k = 0; k < node->dependencies.count; k++, found++) {
            if (!from || found >= *count)
                continue;
            from[found] = node->dependencies.list[k]->object.handle;
            to[found] = node->object.handle;
        }
    }
    for (size_t i = found; from && i < *count; i++)
        from[i] = to[i] = NULL;
    if (!from || *count > found)
        *count = found;
    return CUDA_SUCCESS;
}

/* -- Dependencies ------------------------------------------------------------------ */

CUresult hd_edges_check(const CUgraphEdgeData *edges, size_t count)
{
    static const CUgraphEdgeData full;

    for (size_t i = 0; edges && i < count; i++) {
        if (memcmp(&edges[i], &full, sizeof full) != 0)
            return hd_fail(CUDA_ERROR_NOT_SUPPORTED,
                           "the host device has full dependencies only");
    }
    return CUDA_SUCCESS;
}

static CUresult change_edges(CUgraph handle, const CUgraphNode *from,
                             const CUgraphNode *to, const CUgraphEdgeData *edges,
                             size_t count, bool add)
{
    HD_ENTER_FIND(hd_graph, graph, HD_GRAPH, handle);
    HD_TRY(hd_edges_check(edges, count));
    HD_TRY(check_own(graph));
    HD_NEED(count == 0 || (from && to));
    for (size_t pass = 0; pass < 2; pass++) { /* all are looked at before one changes */
        for (size_t i = 0; i < count; i++) {
            hd_node *first = NULL, *second = NULL;
            HD_TRY(node_find(graph, from[i], &first));
            HD_TRY(node_find(graph, to[i], &second));
            bool there = contains(&second->dependencies, first);
            HD_REFUSE_IF(first == second, "a node cannot wait for itself");
            HD_REFUSE_IF(pass == 0 && there == add,
                         add ? "the dependency is there already"
                             : "there is no such dependency");
            if (pass == 1 && add)
                HD_TRY(hd_nodes_add(&second->dependencies, first));
            else if (pass == 1)
                remove_node(&second->dependencies, first);
        }
    }
    return CUDA_SUCCESS;
}

#define EDGES_CHANGE(name, add)                                                       \
    CUresult name(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,      \
                  size_t count)                                                       \
    {                                                                                 \
        return change_edges(graph, from, to, NULL, count, add);                       \
    }                                                                                 \
    CUresult name##_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, \
                       const CUgraphEdgeData *edges, size_t count)                    \
    {                                                                                 \
        return change_edges(graph, from, to, edges, count, add);                      \
    }
EDGES_CHANGE(cuGraphAddDependencies, true)
EDGES_CHANGE(cuGraphRemoveDependencies, false)

/* -- The forms that tell what kind of dependency it is: full ones, all zeros ------- */

static CUresult fill_edges(CUresult status, CUgraphEdgeData *edges, const size_t *count)
{
    if (status == CUDA_SUCCESS && edges)
        memset(edges, 0, *count * sizeof *edges);
    return status;
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes,
                                       CUgraphEdgeData *edges, size_t *count)
{
    return fill_edges(cuGraphNodeGetDependencies(node, nodes, count), edges, count);
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes,
                                         CUgraphEdgeData *edges, size_t *count)
{
    return fill_edges(cuGraphNodeGetDependentNodes(node, nodes, count), edges, count);
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                            CUgraphEdgeData *edges, size_t *count)
{
    return fill_edges(cuGraphGetEdges(graph, from, to, count), edges, count);
}
