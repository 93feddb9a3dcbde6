/* GraphExec: a graph ready to be launched. It holds the graphs that its work came from,
   and what was given to their nodes since, until no launch can use it any more. */
#include "calls.h"
#include "graph.h"

typedef struct {
    bd_handle base;
    CUevent done; /* owned: after the last launch; NULL if nothing is kept */
} executable;

#define EXEC(self) BD_HANDLE(CUgraphExec, self)
#define DONE(self) (((executable *)(self))->done)

/* Before something kept may go, for launches use host memory and callables. What cannot
 * be waited for, as in the thread of a callback or after a launch into a capture, stays
 * for good. */
static void wait_for_launches(PyObject *self)
{
    bd_context *context = BD_CONTEXT_OF(self);
    int entered = DONE(self) ? bd_context_enter(context) : -1;
    if (entered < 0)
        return;
    PyObject *kept = Py_XNewRef(((py_object *)self)->other);
    CUresult status = BD_UNLOCKED(cu.cuEventSynchronize(DONE(self)));
    if (status == CUDA_ERROR_NOT_PERMITTED || status == CUDA_ERROR_NOT_READY ||
        status == CUDA_ERROR_CAPTURED_EVENT)
        Py_XINCREF(kept);
    Py_XDECREF(kept);
    bd_context_leave(context, entered);
}

static void exec_release(PyObject *self)
{
    wait_for_launches(self);
    CUevent done = DONE(self);
    DONE(self) = NULL;
    if (done)
        BD_UNLOCKED(cu.cuEventDestroy(done)); /* perhaps of a context that is gone */
    bd_handle_destroy(self, BD_ENTRY(cuGraphExecDestroy));
}
PY_RELEASED(exec_release)

/* Graphs of captures keep nothing. */
static int keeps(PyObject *exec)
{
    PyObject *kept = ((py_object *)exec)->other;
    PyObject *graph = kept ? PyDict_GetItem(kept, Py_None) : NULL;
    return graph && (((py_object *)graph)->other || PyDict_GET_SIZE(kept) > 1);
}

/* Records in DONE that a launch is on its way. */
static void mark_launch(PyObject *self, CUstream stream)
{
    bd_state *state = STATE(self);
    CUevent done = DONE(self);
    DONE(self) = NULL; /* for another thread may launch meanwhile */
    if (done && BD_BRIEFLY(state, cu.cuEventRecord(done, stream))) {
        /* of another context; this launch comes after those it told of */
        BD_UNLOCKED(cu.cuEventDestroy(done));
        done = NULL;
    }
    int failed = 0;
    if (!done) {
        failed = BD_BRIEFLY(state, cu.cuEventCreate(&done, CU_EVENT_DISABLE_TIMING)) ||
                 BD_BRIEFLY(state, cu.cuEventRecord(done, stream));
    }
    if (failed || DONE(self)) /* no event tells when all of them are done */
        Py_XINCREF(((py_object *)self)->other);
    if (!DONE(self))
        DONE(self) = done;
    else
        BD_UNLOCKED(cu.cuEventDestroy(done));
}

BD_METHOD(exec_launch, 0, 1, "launch($self, stream=None)",
          "Enqueues all work of the graph. CUDA: cuGraphLaunch.")
{
    CUstream stream;
    if (bd_stream(STATE(self), in[0], &stream) || bd_write_pending(STATE(self)) ||
        bd_graph_check(self) ||
        BD_CALL_UNLOCKED(STATE(self), cuGraphLaunch, EXEC(self), stream))
        return NULL;
    if (keeps(self))
        mark_launch(self, stream);
    Py_RETURN_NONE;
}

BD_RUN(exec_upload, 0, 1, cuGraphUpload, "upload($self, stream=None)",
       "Prepares the next launch.", .may_wait = 1, .passes = {PASS_SELF, ARG_STREAM})

BD_METHOD(exec_update, 1, 1, "update($self, graph)",
          "Takes the parameters of a Graph with the same nodes and dependencies; "
          "LogicError says what differs. CUDA: cuGraphExecUpdate.")
{
    bd_state *state = STATE(self);
    CUgraphExecUpdateResultInfo info = {0};
    if (bd_instance(state, in[0], BD_GRAPH, "graph") || bd_graph_check(self) ||
        bd_graph_check(in[0]))
        return NULL;
    CUresult status =
        BD_UNLOCKED(cu.cuGraphExecUpdate(EXEC(self), GRAPH(in[0]), &info));
    if (status == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE) {
        PyObject *reason =
            bd_enum_member(state, "graph_exec_update_result", info.result);
        const char *name = NULL;
        PyObject *text = reason ? PyObject_Str(reason) : NULL;
        if (text && (name = PyUnicode_AsUTF8(text)))
            bd_raise_because(state, status, "cuGraphExecUpdate", "%s", name);
        Py_XDECREF(text);
        Py_XDECREF(reason);
        return NULL;
    }
    if (bd_check(state, status, "cuGraphExecUpdate"))
        return NULL;
    wait_for_launches(self);
    return bd_graph_keep_for(self, NULL, in[0]) ? NULL : Py_NewRef(Py_None);
}

static int check_node(PyObject *self, PyObject *node)
{
    return bd_instance(STATE(self), node, BD_GRAPH_NODE, "node") ||
           bd_graph_check(self) || bd_graph_check(node);
}

BD_METHOD(exec_set_kernel, 4, 6,
          "set_kernel($self, node, function, args, block, grid=1, shared=0)",
          "Other arguments and geometry for a kernel of the graph it was made from. "
          "CUDA: cuGraphExecKernelNodeSetParams.")
{
    CUDA_KERNEL_NODE_PARAMS *params =
        check_node(self, in[0]) ? NULL : bd_launch_params(STATE(self), in + 1);
    int failed = !params ||
                 bd_launch_params_check(
                     in[1],
                     BD_BRIEFLY(STATE(self), cu.cuGraphExecKernelNodeSetParams(
                                                 EXEC(self), NODE(in[0]), params)),
                     "cuGraphExecKernelNodeSetParams", params) ||
                 bd_graph_keep_for(self, in[0], in[1]);
    PyMem_Free(params);
    return failed ? NULL : Py_NewRef(Py_None);
}

BD_METHOD(exec_set_memcpy, 3, 4, "set_memcpy($self, node, dest, src, size=None)",
          "Another copy. CUDA: cuGraphExecMemcpyNodeSetParams.")
{
    CUDA_MEMCPY3D box = {0};
    PyObject *pair = bd_graph_copy_parse(STATE(self), in + 1, &box);
    int failed = !pair || check_node(self, in[0]) ||
                 BD_CALL(STATE(self), cuGraphExecMemcpyNodeSetParams, EXEC(self),
                         NODE(in[0]), &box, bd_context_handle(BD_CONTEXT_OF(self)));
    if (!failed)
        wait_for_launches(self);
    failed = failed || bd_graph_keep_for(self, in[0], pair);
    Py_XDECREF(pair);
    return failed ? NULL : Py_NewRef(Py_None);
}

BD_METHOD(exec_set_memset, 4, 5,
          "set_memset($self, node, dest, value, count, itemsize=1)",
          "Another fill. CUDA: cuGraphExecMemsetNodeSetParams.")
{
    CUDA_MEMSET_NODE_PARAMS fill;
    if (check_node(self, in[0]) || bd_graph_fill_parse(STATE(self), in + 1, &fill) ||
        BD_CALL(STATE(self), cuGraphExecMemsetNodeSetParams, EXEC(self), NODE(in[0]),
                &fill, bd_context_handle(BD_CONTEXT_OF(self))))
        return NULL;
    Py_RETURN_NONE;
}

BD_RUN(exec_set_enabled, 2, 2, cuGraphNodeSetEnabled,
       "set_enabled($self, node, enabled)",
       "Whether launches do what a kernel, copy or fill says.",
       .passes = {PASS_SELF, ARG_NODE, ARG_FLAG})
BD_RUN(exec_is_enabled, 1, 1, cuGraphNodeGetEnabled, "is_enabled($self, node)",
       "Whether launches do it.", .passes = {PASS_SELF, ARG_NODE, OUT_FLAG})

static PyMethodDef exec_methods[] = {
    BD_ROW("launch", exec_launch),
    BD_ROW("upload", exec_upload),
    BD_ROW("update", exec_update),
    BD_ROW("set_kernel", exec_set_kernel),
    BD_ROW("set_memcpy", exec_set_memcpy),
    BD_ROW("set_memset", exec_set_memset),
    BD_ROW("set_enabled", exec_set_enabled),
    BD_ROW("is_enabled", exec_is_enabled),
    {NULL},
};

BD_CLASS(GRAPH_EXEC, "GraphExec", executable,
         "A Graph ready to be launched; made by Graph.instantiate.",
         .repr = bd_handle_repr, .methods = exec_methods, .getset = bd_handle_getset,
         PY_RELEASE(exec_release));
