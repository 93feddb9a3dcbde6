/* Memory that graphs allocate and free. */
#ifndef HOSTCUDA_GRAPH_MEMORY_H
#define HOSTCUDA_GRAPH_MEMORY_H

#include "hostcuda/run/context_state.h"

/* An allocation made by nodes of graphs. */
typedef struct hd_graph_memory {
    unsigned refs;             /* tasks */
    bool allocated;            /* by a launch, and not freed since */
    hd_allocation *allocation; /* owned; NULL: it went with its context */
} hd_graph_memory;

/* Allocates memory of the context's device, or finds it by address and counts a
   reference. */
CUresult hd_graph_memory_create(hd_context *context, size_t size,
                                hd_graph_memory **memory);
CUresult hd_graph_memory_find(CUdeviceptr address, hd_graph_memory **memory);
void hd_graph_memory_release(hd_graph_memory *memory);
/* Before a launch: fails if the memory went with its context, or if the graph allocates
   it and it is allocated still. */
CUresult hd_graph_memory_check(const hd_graph_memory *memory, bool allocates,
                               bool freed_by_launch);
/* The user frees memory of a graph. */
CUresult hd_graph_memory_free(hd_graph_memory *memory);

#endif
