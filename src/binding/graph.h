/* Shared by graphs and executable graphs. */
#ifndef PYCUDA_GRAPH_H
#define PYCUDA_GRAPH_H

#include "kernel.h"

#define GRAPH(self) BD_HANDLE(CUgraph, self)
#define NODE(self) BD_HANDLE(CUgraphNode, self)
#define STATE(self) bd_context_state(BD_CONTEXT_OF(self))

/* -1 and an exception: it was removed, or its capture has not ended well. */
int bd_graph_check(PyObject *self);

/* Keeps an object alive for as long as an executable graph has one of its nodes (NULL:
   the whole) do with it, in place of what that had before: a dict in its field `other`.
 */
int bd_graph_keep_for(PyObject *exec, PyObject *node, PyObject *object);

/* The arguments (dest, src, size) of a copy; a pair of the objects to keep, or NULL. */
PyObject *bd_graph_copy_parse(bd_state *, PyObject **in, CUDA_MEMCPY3D *);
/* Those (dest, value, count, itemsize) of a fill; -1: an exception. */
int bd_graph_fill_parse(bd_state *, PyObject **in, CUDA_MEMSET_NODE_PARAMS *);

#endif
