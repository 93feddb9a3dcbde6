/* Graphs: work that is kept to be launched many times. A node holds a prototype of its
   work; launching a graph clones the prototypes and submits the clones to one stream,
   in an order that the dependencies allow. An executable graph is a copy of the graph
   it was made from, so that both change independently. */
#ifndef HOSTCUDA_GRAPHS_H
#define HOSTCUDA_GRAPHS_H

#include "hostcuda/run/queues.h"

typedef struct hd_graph hd_graph;

struct hd_graph_memory;
/* A set of nodes of a graph that keeps their order. */
typedef struct hd_node hd_node;
typedef struct {
    hd_node **list; /* owned */
    size_t count, capacity;
} hd_nodes;

/* The operation of a node. */
typedef struct {
    hd_work *work;                  /* owned: the prototype, or NULL */
    void *subject;                  /* the handle of its event or function */
    hd_graph *child;                /* owned */
    struct hd_graph_memory *memory; /* counted: what it allocates or frees */
} hd_task;

struct hd_node {
    hd_object object;
    hd_graph *graph; /* borrowed: owns it */
    CUgraphNodeType type;
    uint64_t origin;       /* the serial of the node it is a copy of, or its own */
    hd_nodes dependencies; /* borrowed: nodes of the same graph */
    hd_task task;
    void **values; /* owned: the last answer of cuGraphKernelNodeGetParams */
    bool disabled;
    bool marked;  /* by the current traversal */
    size_t index; /* its index in the graph, likewise */
};

struct hd_graph {
    hd_object object;
    hd_nodes nodes;              /* owned, oldest first */
    hd_nodes order;              /* of a copy: in the order in which they run */
    struct hd_capture *capture;  /* borrowed: adds nodes to it now */
    void (*abandon)(hd_graph *); /* ends that capture; set while there is one */
    bool embedded;               /* in a node */
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
/* Marks the nodes and all their dependencies, and no other node of the graph. */
void hd_graph_mark(hd_graph *graph, const hd_nodes *nodes);

/* HD_GRAPH, or HD_EXEC: an executable one. */
CUresult hd_graph_create(hd_context *context, hd_kind kind, hd_graph **graph);
void hd_graph_destroy(hd_graph *graph);
/* A copy in the context, with `order`, of that kind; HD_NODE: embedded in a node. Fails
   if dependencies form a cycle. */
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

#endif
