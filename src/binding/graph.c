/* Graph, GraphNode: work that is described once and launched many times. A graph comes
   from a capture (Stream.begin_capture) or is built here node by node. A node holds its
   graph, and that what was given to its nodes: functions, host arrays, callables. */
#include <limits.h>
#include <string.h>
#include "calls.h"
#include "graph.h"
#include "memory.h"

/* Keeps an object alive for as long as the graph: a list in its field `other`. */
static int keep(PyObject *graph, PyObject *object)
{
    PyObject **list = &((py_object *)graph)->other;
    if (!*list && !(*list = PyList_New(0)))
        return -1;
    return PyList_Append(*list, object);
}

int bd_graph_keep_for(PyObject *exec, PyObject *node, PyObject *object)
{
    PyObject **dict = &((py_object *)exec)->other;
    if (!node)
        Py_CLEAR(*dict);
    PyObject *key = node ? bd_handle_get(node, NULL) : Py_NewRef(Py_None);
    int failed = !key || (!*dict && !(*dict = PyDict_New())) ||
                 PyDict_SetItem(*dict, key, object);
    Py_XDECREF(key);
    return failed ? -1 : 0;
}

int bd_graph_check(PyObject *self)
{
    return bd_handle_check(self, BD_GRAPH_GONE);
}

/* -- Nodes ---------------------------------------------------------------------- */

static PyObject *node_wrap(PyObject *graph, CUgraphNode handle)
{
    bd_handle *node =
        bd_object_new(STATE(graph), BD_GRAPH_NODE, BD_CONTEXT_OF(graph), graph);
    if (node)
        node->handle = (uintptr_t)handle;
    return (PyObject *)node;
}

typedef struct {
    CUgraphNode *list; /* owned */
    size_t count;
} node_list;

/* Nodes from None, a GraphNode or a sequence of them. */
static int nodes_parse(bd_state *state, PyObject *object, node_list *nodes)
{
    *nodes = (node_list){NULL, 0};
    if (!object || object == Py_None)
        return 0;
    PyObject *items = PyObject_TypeCheck(object, state->type[BD_GRAPH_NODE])
                          ? PyTuple_Pack(1, object)
                          : py_items(object, "after: expected GraphNodes");
    if (!items)
        return -1;
    nodes->count = PyTuple_GET_SIZE(items);
    nodes->list = PyMem_Calloc(nodes->count + 1, sizeof *nodes->list);
    int failed = !nodes->list;
    if (failed)
        PyErr_NoMemory();
    for (size_t i = 0; !failed && i < nodes->count; i++) {
        PyObject *item = PyTuple_GET_ITEM(items, i);
        failed =
            bd_instance(state, item, BD_GRAPH_NODE, "node") || bd_graph_check(item);
        if (!failed)
            nodes->list[i] = NODE(item);
    }
    Py_DECREF(items);
    if (failed)
        PyMem_Free(nodes->list);
    return failed ? -1 : 0;
}

static PyObject *list_of(PyObject *graph, const CUgraphNode *nodes, size_t count)
{
    PyObject *list = PyList_New(count);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *node = node_wrap(graph, nodes[i]);
        if (node)
            PyList_SET_ITEM(list, i, node);
        else
            Py_CLEAR(list);
    }
    return list;
}

/* Properties that are lists of GraphNodes: entry points that take (node or graph,
   nodes, count), the closure of get_nodes. */
static const bd_entry dependencies = {BD_ENTRY(cuGraphNodeGetDependencies)},
                      dependents = {BD_ENTRY(cuGraphNodeGetDependentNodes)},
                      nodes = {BD_ENTRY(cuGraphGetNodes)},
                      roots = {BD_ENTRY(cuGraphGetRootNodes)};

static PyObject *get_nodes(PyObject *self, void *closure)
{
    const bd_entry *entry = closure;
    PyObject *parent = ((py_object *)self)->parent, *made = NULL;
    size_t count = 0;
    uint64_t slots[] = {((bd_handle *)self)->handle, 0, (uintptr_t)&count};
    if (bd_graph_check(self) ||
        bd_check(STATE(self), BD_BRIEFLY(STATE(self), entry->invoke(slots)),
                 entry->routine))
        return NULL;
    CUgraphNode *list = PyMem_Calloc(count + 1, sizeof *list);
    if (!list)
        return PyErr_NoMemory();
    slots[1] = (uintptr_t)list;
    if (!count || !bd_check(STATE(self), BD_BRIEFLY(STATE(self), entry->invoke(slots)),
                            entry->routine))
        made = list_of(parent ? parent : self, list, count); /* a node's is its graph */
    PyMem_Free(list);
    return made;
}

static PyObject *node_type(PyObject *self, void *closure)
{
    CUgraphNodeType type;
    if (bd_graph_check(self) ||
        BD_CALL(STATE(self), cuGraphNodeGetType, NODE(self), &type))
        return NULL;
    return bd_enum_member(STATE(self), "graph_node_type", type);
}

static PyObject *node_compare(PyObject *self, PyObject *other, int operation)
{
    if ((operation != Py_EQ && operation != Py_NE) ||
        !PyObject_TypeCheck(other, STATE(self)->type[BD_GRAPH_NODE]))
        Py_RETURN_NOTIMPLEMENTED;
    int same = NODE(self) == NODE(other);
    return PyBool_FromLong(same == (operation == Py_EQ));
}

static Py_hash_t node_hash(PyObject *self)
{
    return (Py_hash_t)(((bd_handle *)self)->handle >> 4);
}

BD_METHOD(node_remove, 0, 0, "remove($self)",
          "Takes the node and its dependencies out of the graph. CUDA: "
          "cuGraphDestroyNode.")
{
    if (bd_graph_check(self) || BD_CALL(STATE(self), cuGraphDestroyNode, NODE(self)))
        return NULL;
    ((bd_handle *)self)->handle = 0;
    Py_RETURN_NONE;
}

static PyMethodDef node_methods[] = {BD_ROW("remove", node_remove), {NULL}};

static PyGetSetDef node_getset[] = {
    {"handle", bd_handle_get, NULL, "The driver's handle as an integer."},
    {"type", node_type, NULL, "What it does: a graph_node_type."},
    {"dependencies", get_nodes, NULL, "The nodes that it waits for.",
     (void *)&dependencies},
    {"dependents", get_nodes, NULL, "The nodes that wait for it.", (void *)&dependents},
    {NULL},
};

static PyMemberDef node_members[] = {
    PY_MEMBERS,
    {"graph", T_OBJECT, offsetof(py_object, parent), READONLY,
     "The Graph it belongs to."},
    {NULL},
};

static PyObject *node_repr(PyObject *self)
{
    CUgraphNodeType type;
    if (!NODE(self) || BD_CONTEXT_OF(self)->dead ||
        cu.cuGraphNodeGetType(NODE(self), &type))
        return bd_handle_repr(self);
    PyObject *member = bd_enum_member(STATE(self), "graph_node_type", type);
    PyObject *text =
        member ? bd_show(self, NULL, "%p, %S", (void *)NODE(self), member) : NULL;
    Py_XDECREF(member);
    return text;
}

BD_CLASS(GRAPH_NODE, "GraphNode", bd_handle,
         "One piece of work of a Graph; made by the add_* methods of that.",
         .methods = node_methods, .getset = node_getset, .members = node_members,
         .compare = node_compare, .hash = node_hash, .repr = node_repr);

/* -- Graphs --------------------------------------------------------------------- */

BD_NEW(graph_new, 0, 0, "Graph()",
       "Work in an order of dependencies, to be launched as a whole. Filled by "
       "Stream.begin_capture or node by node; `after` says which GraphNodes a new one "
       "waits for. Device memory that nodes use has to be kept alive by the program. "
       "CUDA: cuGraphCreate.")
{
    bd_context *context = bd_context_current(state);
    if (!context)
        return NULL;
    return BD_MAKE(state, py_object_new_of(type, context, NULL), cuGraphCreate, CUgraph,
                   0);
}

BD_DESTROYED(graph_release, cuGraphDestroy)

/* Adds a node that waits for those `after`, by an entry point that takes (node, graph,
   nodes, count) and up to two more; the graph keeps `kept` unless that is NULL. */
static PyObject *add_node(PyObject *graph, PyObject *after, PyObject *kept,
                          bd_invoker *invoke, const char *routine, uint64_t first,
                          uint64_t second)
{
    bd_state *state = STATE(graph);
    node_list nodes;
    CUgraphNode made = NULL;
    if (bd_graph_check(graph) || nodes_parse(state, after, &nodes))
        return NULL;
    int failed = kept && keep(graph, kept);
    if (!failed) {
        const uint64_t slots[] = {(uintptr_t)&made,
                                  (uintptr_t)GRAPH(graph),
                                  (uintptr_t)nodes.list,
                                  nodes.count,
                                  first,
                                  second};
        CUresult status = BD_BRIEFLY(state, invoke(slots));
        failed = invoke == bd_invoke_cuGraphAddKernelNode
                     ? bd_launch_params_check(kept, status, routine,
                                              (CUDA_KERNEL_NODE_PARAMS *)first)
                     : bd_check(state, status, routine);
    }
    PyMem_Free(nodes.list);
    return failed ? NULL : node_wrap(graph, made);
}

BD_METHOD(
    add_kernel, 3, 6,
    "add_kernel($self, function, args, block, grid=1, shared=0, after=None)",
    "A launch of a Function with a sequence of arguments, whose values are copied. "
    "CUDA: cuGraphAddKernelNode.")
{
    CUDA_KERNEL_NODE_PARAMS *params = bd_launch_params(STATE(self), in);
    PyObject *node = params
                         ? add_node(self, in[5], in[0], BD_ENTRY(cuGraphAddKernelNode),
                                    (uintptr_t)params, 0)
                         : NULL;
    PyMem_Free(params);
    return node;
}

/* One side of a copy: memory of the host as a buffer, or anything that stands for
   device memory. Returns what keeps the memory where it is, or NULL. */
static PyObject *copy_side(bd_state *state, PyObject *object, int writable,
                           CUmemorytype *type, void **host, CUdeviceptr *device,
                           size_t *bytes)
{
    Py_buffer view;
    *type = CU_MEMORYTYPE_DEVICE;
    if (bd_pointer(state, object, device) == 0)
        return Py_NewRef(object);
    if (!PyErr_ExceptionMatches(PyExc_TypeError) || !PyObject_CheckBuffer(object))
        return NULL;
    PyErr_Clear();
    PyObject *kept =
        PyArray_Check(object) ? Py_NewRef(object) : PyMemoryView_FromObject(object);
    if (!kept || bd_buffer(kept, &view, writable)) {
        Py_XDECREF(kept);
        return NULL;
    }
    *type = CU_MEMORYTYPE_HOST;
    *host = view.buf;
    if ((size_t)view.len < *bytes)
        *bytes = view.len;
    PyBuffer_Release(&view);
    return kept;
}

PyObject *bd_graph_copy_parse(bd_state *state, PyObject **in, CUDA_MEMCPY3D *box)
{
    size_t bytes = SIZE_MAX;
    CUmemorytype to, from;
    PyObject *first =
        copy_side(state, in[0], 1, &to, &box->dstHost, &box->dstDevice, &bytes);
    PyObject *second =
        first ? copy_side(state, in[1], 0, &from, (void **)(void *)&box->srcHost,
                          &box->srcDevice, &bytes)
              : NULL;
    PyObject *pair = second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    if (!pair)
        return NULL;
    size_t most = bytes;
    if (in[2] && in[2] != Py_None && py_size(in[2], "size", &bytes))
        goto failed;
    if (bytes == SIZE_MAX || bytes > most) {
        PyErr_Format(PyExc_ValueError,
                     bytes == SIZE_MAX ? "size: needed to copy from device to device"
                                       : "size: %zu bytes, the host memory has %zu",
                     bytes, most);
        goto failed;
    }
    box->dstMemoryType = to;
    box->srcMemoryType = from;
    box->WidthInBytes = bytes;
    box->Height = box->Depth = 1;
    return pair;
failed:
    Py_DECREF(pair);
    return NULL;
}

BD_METHOD(
    add_memcpy, 2, 4, "add_memcpy($self, dest, src, size=None, after=None)",
    "A copy between device memory and host buffers, which are read and written at "
    "each launch. size: bytes. CUDA: cuGraphAddMemcpyNode.")
{
    CUDA_MEMCPY3D box = {0};
    PyObject *pair = bd_graph_copy_parse(STATE(self), in, &box), *node = NULL;
    if (pair)
        node =
            add_node(self, in[3], pair, BD_ENTRY(cuGraphAddMemcpyNode), (uintptr_t)&box,
                     (uintptr_t)bd_context_handle(BD_CONTEXT_OF(self)));
    Py_XDECREF(pair);
    return node;
}

int bd_graph_fill_parse(bd_state *state, PyObject **in, CUDA_MEMSET_NODE_PARAMS *fill)
{
    uint64_t value;
    *fill = (CUDA_MEMSET_NODE_PARAMS){.height = 1, .elementSize = 1};
    if (bd_pointer(state, in[0], &fill->dst) ||
        py_unsigned(in[1], "value", UINT_MAX, &value) ||
        py_size(in[2], "count", &fill->width) ||
        py_flags(in[3], "itemsize", &fill->elementSize))
        return -1;
    fill->value = (unsigned)value;
    return 0;
}

BD_METHOD(add_memset, 3, 5,
          "add_memset($self, dest, value, count, itemsize=1, after=None)",
          "Sets `count` elements of itemsize (1, 2 or 4) bytes. CUDA: "
          "cuGraphAddMemsetNode.")
{
    CUDA_MEMSET_NODE_PARAMS fill;
    if (bd_graph_fill_parse(STATE(self), in, &fill))
        return NULL;
    return add_node(self, in[4], in[0], BD_ENTRY(cuGraphAddMemsetNode),
                    (uintptr_t)&fill,
                    (uintptr_t)bd_context_handle(BD_CONTEXT_OF(self)));
}

/* In a thread of the driver. */
static void call_python(void *callable)
{
    if (!Py_IsInitialized() || Py_IsFinalizing())
        return;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *result = PyObject_CallNoArgs(callable);
    if (!result)
        PyErr_WriteUnraisable(callable);
    Py_XDECREF(result);
    PyGILState_Release(gil);
}

static void callback_forgotten(PyObject *counted)
{
    PyObject *type = PyCapsule_GetContext(counted);
    bd_state_of((PyTypeObject *)type)->callbacks--;
    Py_DECREF(type);
}

/* The reference that a graph keeps to a callback for as long as it may be launched: a
 * pair, so that the collector sees the callable. */
static PyObject *callback_keep(PyObject *graph, PyObject *callable)
{
    PyObject *type = (PyObject *)STATE(graph)->type[BD_GRAPH];
    PyObject *counted = PyCapsule_New(type, NULL, NULL), *kept = NULL;
    if (counted && !PyCapsule_SetContext(counted, type) &&
        !PyCapsule_SetDestructor(counted, callback_forgotten)) {
        Py_INCREF(type);
        STATE(graph)->callbacks++;
        kept = PyTuple_Pack(2, callable, counted);
    }
    Py_XDECREF(counted);
    return kept;
}

BD_METHOD(add_callback, 1, 2, "add_callback($self, function, after=None)",
          "A call of a Python function without arguments, in another thread. It must "
          "not use the driver. CUDA: cuGraphAddHostNode.")
{
    const CUDA_HOST_NODE_PARAMS params = {call_python, in[0]};
    if (!PyCallable_Check(in[0]))
        return PyErr_Format(PyExc_TypeError, "function: expected a callable, got %s",
                            Py_TYPE(in[0])->tp_name);
    PyObject *kept = callback_keep(self, in[0]);
    PyObject *node = kept ? add_node(self, in[1], kept, BD_ENTRY(cuGraphAddHostNode),
                                     (uintptr_t)&params, 0)
                          : NULL;
    Py_XDECREF(kept);
    return node;
}

BD_METHOD(add_empty, 0, 1, "add_empty($self, after=None)",
          "A node that does nothing: a meeting point. CUDA: cuGraphAddEmptyNode.")
{
    return add_node(self, in[0], NULL, BD_ENTRY(cuGraphAddEmptyNode), 0, 0);
}

static PyObject *add_event(PyObject *graph, PyObject **in, bd_invoker *invoke,
                           const char *routine)
{
    if (bd_instance(STATE(graph), in[0], BD_EVENT, "event") ||
        bd_handle_check(in[0], "it was released"))
        return NULL;
    return add_node(graph, in[1], in[0], invoke, routine, ((bd_handle *)in[0])->handle,
                    0);
}

BD_METHOD(add_event_record, 1, 2, "add_event_record($self, event, after=None)",
          "Records the Event. CUDA: cuGraphAddEventRecordNode.")
{
    return add_event(self, in, BD_ENTRY(cuGraphAddEventRecordNode));
}

BD_METHOD(add_event_wait, 1, 2, "add_event_wait($self, event, after=None)",
          "Waits for the Event. CUDA: cuGraphAddEventWaitNode.")
{
    return add_event(self, in, BD_ENTRY(cuGraphAddEventWaitNode));
}

BD_METHOD(add_graph, 1, 2, "add_graph($self, graph, after=None)",
          "A copy of another Graph as one node. CUDA: cuGraphAddChildGraphNode.")
{
    if (bd_instance(STATE(self), in[0], BD_GRAPH, "graph") || bd_graph_check(in[0]))
        return NULL;
    return add_node(self, in[1], in[0], BD_ENTRY(cuGraphAddChildGraphNode),
                    ((bd_handle *)in[0])->handle, 0);
}

BD_RUN(add_dependency, 2, 2, cuGraphAddDependencies,
       "add_dependency($self, first, second)", "Makes one node wait for another.",
       .passes = {PASS_SELF, ARG_NODE_LIST, ARG_NODE_LIST, PASS_CONSTANT},
       .constant = 1)
BD_RUN(remove_dependency, 2, 2, cuGraphRemoveDependencies,
       "remove_dependency($self, first, second)", "Takes that back.",
       .passes = {PASS_SELF, ARG_NODE_LIST, ARG_NODE_LIST, PASS_CONSTANT},
       .constant = 1)

static PyObject *graph_edges(PyObject *self, void *closure)
{
    PyObject *edges = PyList_New(0), *all = get_nodes(self, (void *)&nodes);
    for (Py_ssize_t i = 0; all && edges && i < PyList_GET_SIZE(all); i++) {
        PyObject *to = PyList_GET_ITEM(all, i);
        PyObject *from = get_nodes(to, (void *)&dependencies);
        for (Py_ssize_t k = 0; from && edges && k < PyList_GET_SIZE(from); k++) {
            PyObject *pair = PyTuple_Pack(2, PyList_GET_ITEM(from, k), to);
            if (!pair || PyList_Append(edges, pair))
                Py_CLEAR(edges);
            Py_XDECREF(pair);
        }
        if (!from)
            Py_CLEAR(edges);
        Py_XDECREF(from);
    }
    if (!all)
        Py_CLEAR(edges);
    Py_XDECREF(all);
    return edges;
}

BD_METHOD(graph_clone, 0, 0, "clone($self)", "A copy. CUDA: cuGraphClone.")
{
    if (bd_graph_check(self))
        return NULL;
    PyObject *copy = BD_MAKE(
        STATE(self), bd_object_new(STATE(self), BD_GRAPH, BD_CONTEXT_OF(self), NULL),
        cuGraphClone, CUgraph, GRAPH(self));
    if (copy && keep(copy, self)) /* which keeps the objects that its nodes use */
        Py_CLEAR(copy);
    return copy;
}

BD_METHOD(graph_instantiate, 0, 1, "instantiate($self, flags=0)",
          "A GraphExec: the graph as it is now, ready to be launched. CUDA: "
          "cuGraphInstantiateWithFlags.")
{
    uint64_t flags = 0;
    if (bd_graph_check(self) ||
        (in[0] && py_unsigned(in[0], "flags", UINT64_MAX, &flags)))
        return NULL;
    PyObject *exec =
        BD_MAKE(STATE(self),
                bd_object_new(STATE(self), BD_GRAPH_EXEC, BD_CONTEXT_OF(self), NULL),
                cuGraphInstantiateWithFlags, CUgraphExec, GRAPH(self), flags);
    if (exec && bd_graph_keep_for(exec, NULL, self))
        Py_CLEAR(exec);
    return exec;
}

BD_RUN(graph_debug_dot, 1, 2, cuGraphDebugDotPrint, "debug_dot($self, path, flags=0)",
       "Writes a picture of the graph in the language of Graphviz.",
       .passes = {PASS_SELF, ARG_TEXT, ARG_UINT32})

static PyMethodDef graph_methods[] = {
    BD_ROW("add_kernel", add_kernel),
    BD_ROW("add_memcpy", add_memcpy),
    BD_ROW("add_memset", add_memset),
    BD_ROW("add_callback", add_callback),
    BD_ROW("add_empty", add_empty),
    BD_ROW("add_event_record", add_event_record),
    BD_ROW("add_event_wait", add_event_wait),
    BD_ROW("add_graph", add_graph),
    BD_ROW("add_dependency", add_dependency),
    BD_ROW("remove_dependency", remove_dependency),
    BD_ROW("clone", graph_clone),
    BD_ROW("instantiate", graph_instantiate),
    BD_ROW("debug_dot", graph_debug_dot),
    {NULL},
};

static PyGetSetDef graph_getset[] = {
    {"handle", bd_handle_get, NULL, "The driver's handle as an integer."},
    {"nodes", get_nodes, NULL, "All GraphNodes.", (void *)&nodes},
    {"root_nodes", get_nodes, NULL, "The nodes that wait for no other.",
     (void *)&roots},
    {"edges", graph_edges, NULL, "All dependencies, as pairs (first, second)."},
    {NULL},
};

static PyObject *graph_repr(PyObject *self)
{
    size_t count = 0;
    if (!GRAPH(self) || BD_CONTEXT_OF(self)->dead ||
        cu.cuGraphGetNodes(GRAPH(self), NULL, &count))
        return bd_handle_repr(self);
    return bd_show(self, NULL, "%p, nodes: %zu", (void *)GRAPH(self), count);
}

BD_CLASS(GRAPH, "Graph", bd_handle, graph_new_doc, .new = graph_new,
         .methods = graph_methods, .getset = graph_getset, .repr = graph_repr,
         PY_RELEASE(graph_release));
