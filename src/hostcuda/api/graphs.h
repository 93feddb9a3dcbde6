/* Graphs: work that is kept to be launched many times. A node holds a prototype of its
   work; launching a graph clones the prototypes and submits the clones to one stream,
   in an order that the dependencies allow. An executable graph is a copy of the graph
   it was made from, so that both change independently. */
#ifndef HOSTCUDA_GRAPHS_H
#define HOSTCUDA_GRAPHS_H

#include "hostcuda/run/queues.h"

typedef struct hd_graph hd_graph;

/* What a graph allocates. */
typedef struct hd_graph_memory {
    unsigned refs;             /* tasks */
    bool allocated;            /* by a launch, and not freed since */
    hd_allocation *allocation; /* owned; NULL: it went with its context */
} hd_graph_memory;

/* What a node does. */
typedef struct {
    hd_work *work;           /* owned: the prototype; NULL where there is none */
    void *subject;           /* the handle of its event or function */
    hd_graph *child;         /* owned */
    hd_graph_memory *memory; /* counted: what it allocates or frees */
} hd_task;

struct hd_node {
    hd_object object;
    hd_graph *graph; /* borrowed: owns it */
    CUgraphNodeType type;
    uint64_t origin; /* the serial of the node it is a copy of, or its own */
    hd_nodes before; /* borrowed: nodes of the same graph that it waits for */
    hd_task task;
    void **values; /* owned: the last answer of cuGraphKernelNodeGetParams */
    bool disabled;
    bool marked;  /* for the walk that goes on: seen */
    size_t place; /* likewise: its number in the graph */
};

struct hd_graph {
    hd_object object;
    hd_nodes nodes;             /* owned, oldest first */
    hd_nodes order;             /* of a copy: as they run */
    struct hd_capture *capture; /* borrowed: that adds nodes to it now */
    bool embedded;              /* in a node */
    /* Of an executable graph */
    unsigned long long flags;
    hd_point *last; /* counted: the end of the last launch; NULL before the first */
};

/* -- graphs.c: structure ----------------------------------------------------------- */

/* Adds the node unless it is there. */
CUresult hd_nodes_add(hd_nodes *nodes, hd_node *node);
CUresult hd_nodes_add_all(hd_nodes *nodes, const hd_nodes *others);
void hd_nodes_clear(hd_nodes *nodes);
/* Nodes behind handles; all must be of that graph. */
CUresult hd_nodes_find(hd_nodes *nodes, const hd_graph *graph,
                       const CUgraphNode *handles, size_t count);
/* Answers a question about nodes: how many there are where `handles` is NULL, else as
   many as there is room for, NULL after the last. */
CUresult hd_nodes_answer(const hd_nodes *nodes, CUgraphNode *handles, size_t *count);
/* Marks the nodes and all that they wait for, and nothing else of the graph. */
void hd_graph_mark(hd_graph *graph, const hd_nodes *nodes);

/* HD_GRAPH, or HD_EXEC: an executable one. */
CUresult hd_graph_create(hd_context *context, hd_kind kind, hd_graph **graph);
void hd_graph_destroy(hd_graph *graph);
/* A copy in the context, with `order`, of that kind; HD_NODE: to be embedded in one.
   Fails where nodes wait for each other in a circle. */
CUresult hd_graph_copy(hd_graph *graph, hd_context *context, hd_kind kind,
                       hd_graph **copy);
/* A node of the graph after all of `before`. */
CUresult hd_node_create(hd_graph *graph, CUgraphNodeType type, const hd_nodes *before,
                        hd_node **node);

/* Dependencies with data must be full ones. */
CUresult hd_edges_check(const CUgraphEdgeData *edges, size_t count);

/* A copy of the task, without the child. */
CUresult hd_task_clone(const hd_task *task, hd_task *clone);
void hd_task_clear(hd_task *task);

/* -- mempools.c: memory that graphs allocate --------------------------------------- */

/* New memory of the context's device, or what is there already, counted once more. */
CUresult hd_graph_memory_create(hd_context *context, size_t size,
                                hd_graph_memory **memory);
CUresult hd_graph_memory_find(CUdeviceptr address, hd_graph_memory **memory);
void hd_graph_memory_release(hd_graph_memory *memory);
/* A launch comes to the node. Fails where the memory was not freed since another. */
CUresult hd_graph_memory_check(const hd_node *node, bool freed_by_launch);
/* The user frees memory of a graph. */
CUresult hd_graph_memory_free(hd_graph_memory *memory);

/* -- graph_launches.c: executable graphs
 * ------------------------------------------------ */

/* The executable graph's copy of a node of the graph that it was made from. */
CUresult hd_exec_node(CUgraphExec exec, CUgraphNode handle, hd_node **node);

/* -- events.c: names for a point in a stream, or for a place in a capture ---------- */

typedef struct {
    hd_object object;
    unsigned flags;
    hd_point *point;  /* counted: of the last record; NULL before the first */
    uint64_t capture; /* id: the last record was in that capture; or 0 */
    hd_nodes tips;    /* borrowed: what came before that record, while it goes on */
} hd_event;

/* The event's next point is reached when the stream comes to it. */
CUresult hd_event_record(hd_event *event, hd_stream *stream);
/* The same without an event: a point in place of the last one, which may be NULL. */
CUresult hd_point_record(hd_point **last, hd_stream *stream);

/* -- Prototypes: checked work that is not submitted (copies.c, streams.c) ---------- */

CUresult hd_copy_create(const CUDA_MEMCPY3D *box, hd_work **work);
CUresult hd_fill_create(const CUDA_MEMSET_NODE_PARAMS *fill, hd_work **work);
CUresult hd_call_create(const CUDA_HOST_NODE_PARAMS *params, hd_work **work);
/* What they were made of. A copy from or to an array has lost that. */
CUresult hd_copy_params(const hd_work *work, CUDA_MEMCPY3D *box);
void hd_fill_params(const hd_work *work, CUDA_MEMSET_NODE_PARAMS *fill);
void hd_call_params(const hd_work *work, CUDA_HOST_NODE_PARAMS *params);

#endif
