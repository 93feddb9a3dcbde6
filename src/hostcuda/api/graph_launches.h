/* Nodes of executable graphs, for graph_nodes.c. */
#ifndef HOSTCUDA_GRAPH_LAUNCHES_H
#define HOSTCUDA_GRAPH_LAUNCHES_H

#include "graphs.h"

/* The executable graph's copy of a node of the graph that it was made from. */
CUresult hd_exec_node(CUgraphExec exec, CUgraphNode handle, hd_node **node);

#endif
