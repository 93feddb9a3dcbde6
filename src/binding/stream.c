/* Stream: an in-order queue of work. Also what a stream argument may be. */
#include "calls.h"
#include "context.h"

#define STATE(self) bd_context_state(BD_CONTEXT_OF(self))

BD_NEW(stream_new, 0, 2, "Stream(flags=0, priority=None)",
       "A queue of work on the current context's device. flags: stream_flags; "
       "NON_BLOCKING (1) does not wait for the null stream. priority: lower numbers "
       "first. `None` stands for the null stream wherever a stream is asked for. CUDA: "
       "cuStreamCreate, cuStreamCreateWithPriority.")
{
    unsigned flags = 0;
    int64_t priority = 0;
    bd_context *context = NULL;
    int plain = !in[1] || in[1] == Py_None;
    if (py_flags(in[0], "flags", &flags) ||
        (!plain && py_signed(in[1], "priority", INT32_MIN, INT32_MAX, &priority)) ||
        !(context = bd_context_current(state)))
        return NULL;
    void *self = py_object_new_of(type, context, NULL);
    return plain ? BD_MAKE(state, self, cuStreamCreate, CUstream, flags)
                 : BD_MAKE(state, self, cuStreamCreateWithPriority, CUstream, flags,
                           (int)priority);
}

/* The Graph of a capture, empty until that ends; NULL: none is under way. */
#define CAPTURED(self) (((py_object *)(self))->other)

static void forget_arrays(bd_state *state)
{
    state->capturer = 0;
    Py_CLEAR(state->captured);
    Py_CLEAR(state->capture_allocator);
}

static void forget_capture(PyObject *self)
{
    bd_state *state = STATE(self);
    BD_CONTEXT_OF(self)->captures -= CAPTURED(self) != NULL;
    Py_CLEAR(CAPTURED(self));
    if (state->captured == self)
        forget_arrays(state);
}

static void stream_release(PyObject *self)
{
    forget_capture(self);
    bd_handle_destroy(self, BD_ENTRY(cuStreamDestroy));
}
PY_RELEASED(stream_release)

BD_RUN(stream_synchronize, 0, 0, cuStreamSynchronize, "synchronize($self)",
       "Waits until all work of the stream is done.", .may_wait = 1,
       .passes = {PASS_SELF})
BD_RUN(stream_wait_for_event, 1, 1, cuStreamWaitEvent, "wait_for_event($self, evt)",
       "Work enqueued from now on waits for the Event.",
       .passes = {PASS_SELF, ARG_EVENT, PASS_CONSTANT})

BD_RUN(stream_is_done, 0, 0, cuStreamQuery, "is_done($self)",
       "Whether all work of the stream is done.", .passes = {PASS_SELF},
       .returns = RETURN_WHETHER_READY)

BD_METHOD(
    stream_begin_capture, 0, 1, "begin_capture($self, mode=2)",
    "Work enqueued from now on is not done but becomes nodes of the Graph that is "
    "returned, until end_capture; so does work of streams that wait for an Event "
    "recorded here. mode: stream_capture_mode; RELAXED (2) leaves allocating and "
    "freeing allowed, which Python does at any time. CUDA: cuStreamBeginCapture.")
{
    bd_state *state = STATE(self);
    unsigned mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    if (py_flags(in[0], "mode", &mode) ||
        bd_write_pending(state) || /* outside of the capture */
        bd_handle_check(self, "it was released"))
        return NULL;
    PyObject *graph = bd_object_new(state, BD_GRAPH, BD_CONTEXT_OF(self), NULL);
    if (graph && BD_CALL(state, cuStreamBeginCapture, BD_HANDLE(CUstream, self), mode))
        Py_CLEAR(graph);
    if (graph) {
        forget_capture(self); /* another library ended it */
        CAPTURED(self) = Py_NewRef(graph);
        BD_CONTEXT_OF(self)->captures++;
    }
    return graph;
}

BD_METHOD(stream_end_capture, 0, 0, "end_capture($self)",
          "Ends the capture; the Graph, which can be used from now on. CUDA: "
          "cuStreamEndCapture.")
{
    bd_state *state = STATE(self);
    if (bd_handle_check(self, "it was released") ||
        (state->captured == self && bd_write_pending(state)))
        return NULL;
    CUgraph handle = NULL;
    PyObject *graph = Py_XNewRef(CAPTURED(self));
    forget_capture(self);
    if (!graph) /* another library began it */
        graph = bd_object_new(state, BD_GRAPH, BD_CONTEXT_OF(self), NULL);
    if (graph && BD_CALL(state, cuStreamEndCapture, BD_HANDLE(CUstream, self), &handle))
        Py_CLEAR(graph);
    if (graph)
        ((bd_handle *)graph)->handle = (uintptr_t)handle;
    return graph;
}

BD_METHOD(
    capture_arrays, 0, 1, "_capture_arrays($self, allocator=None)",
    "From now on what this thread does without naming a stream goes to this one, "
    "which is captured, and arrays take memory from the allocator; None: no more.")
{
    bd_state *state = STATE(self);
    int begins = in[0] && in[0] != Py_None;
    if (begins && (state->capturer || !CAPTURED(self))) {
        PyErr_SetString(
            PyExc_RuntimeError,
            state->capturer && state->capturer != PyThread_get_thread_ident()
                ? "another thread captures array code: one capture at a time"
            : state->capturer
                ? "array code is being captured already: captures do not nest"
                : "the stream is not being captured: begin_capture() comes first");
        return NULL;
    }
    int failed = bd_write_pending(state); /* inside of the capture that it belongs to */
    forget_arrays(state);
    if (failed)
        return NULL;
    if (begins && CAPTURED(self)) {
        state->capturer = PyThread_get_thread_ident();
        state->captured = Py_NewRef(self);
        state->capture_allocator = Py_NewRef(in[0]);
    }
    Py_RETURN_NONE;
}

BD_RUN(stream_capture_status, 0, 0, cuStreamIsCapturing, "capture_status($self)",
       "Whether the stream is captured.", .passes = {PASS_SELF, OUT_ENUM},
       .enumeration = "stream_capture_status")
BD_RUN(stream_write_value32, 2, 3, cuStreamWriteValue32,
       "write_value32($self, dest, value, flags=0)", "Writes a word of 32 bits.",
       .passes = {PASS_SELF, ARG_ADDRESS, ARG_UINT32, ARG_UINT32})
BD_RUN(stream_write_value64, 2, 3, cuStreamWriteValue64,
       "write_value64($self, dest, value, flags=0)", "Writes a word of 64 bits.",
       .passes = {PASS_SELF, ARG_ADDRESS, ARG_SIZE, ARG_UINT32})
BD_RUN(stream_wait_value32, 2, 3, cuStreamWaitValue32,
       "wait_value32($self, src, value, flags=0)",
       "Waits until a word of 32 bits is at least `value`, or what flags says: "
       "stream_wait_value_flags.",
       .passes = {PASS_SELF, ARG_ADDRESS, ARG_UINT32, ARG_UINT32})
BD_RUN(stream_wait_value64, 2, 3, cuStreamWaitValue64,
       "wait_value64($self, src, value, flags=0)", "The same for 64 bits.",
       .passes = {PASS_SELF, ARG_ADDRESS, ARG_SIZE, ARG_UINT32})
/* -- Callbacks ------------------------------------------------------------------ */

/* In the main thread: a callback may have held the last reference to a stream or to
 * memory, which the driver's thread must not release. */
static int drop_callbacks(void *module)
{
    Py_CLEAR(bd_state_get(module)->called);
    Py_DECREF(module);
    return 0;
}

/* In a thread of the driver, after a failure too. data: (callback, stream, arg), owned.
 */
static void call_back(CUstream handle, CUresult status, void *data)
{
    if (!Py_IsInitialized() || Py_IsFinalizing())
        return;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *callback = PyTuple_GET_ITEM(data, 0), *stream = PyTuple_GET_ITEM(data, 1);
    bd_state *state = bd_state_from(stream);
    PyObject *done = PyObject_CallFunction(callback, "OiO", stream, (int)status,
                                           PyTuple_GET_ITEM(data, 2));
    if (!done)
        PyErr_WriteUnraisable(callback);
    Py_XDECREF(done);
    state->callbacks--;
    if (!state->called)
        state->called = PyList_New(0);
    if (!state->called || PyList_Append(state->called, data))
        PyErr_WriteUnraisable(callback);
    else /* no harm if there is no room for it now: the next one drops both */
        bd_call_later(state, drop_callbacks);
    Py_DECREF(data);
    PyGILState_Release(gil);
}

BD_METHOD(
    stream_add_callback, 1, 2, "add_callback($self, callback, arg=None)",
    "Calls callback(stream, status, arg) in a thread of the driver when all work "
    "of the stream so far is done; what is enqueued later waits for it. status: "
    "a CUresult, 0 if nothing failed. It must not call the driver. What it raises "
    "goes to sys.unraisablehook. CUDA: cuStreamAddCallback.")
{
    bd_state *state = STATE(self);
    PyObject *data;
    if (bd_handle_check(self, "it was released"))
        return NULL;
    if (!PyCallable_Check(in[0]))
        return PyErr_Format(PyExc_TypeError, "callback: expected a callable, got %s",
                            Py_TYPE(in[0])->tp_name);
    if (!(data = PyTuple_Pack(3, in[0], self, in[1] ? in[1] : Py_None)))
        return NULL;
    state->callbacks++;
    if (BD_CALL_UNLOCKED(state, cuStreamAddCallback, BD_HANDLE(CUstream, self),
                         call_back, data, 0)) {
        state->callbacks--;
        Py_DECREF(data);
        return NULL;
    }
    Py_RETURN_NONE;
}

/* -- What it is ------------------------------------------------------------------ */

BD_RUN(stream_id, 0, 0, cuStreamGetId, "get_id($self)",
       "A number that no other stream of the process has.",
       .passes = {PASS_SELF, OUT_SIZE})
BD_RUN(stream_priority, 0, 0, cuStreamGetPriority, "get_priority($self)",
       "Its priority: lower numbers first.", .passes = {PASS_SELF, OUT_INT})
BD_RUN(stream_flags, 0, 0, cuStreamGetFlags, "get_flags($self)", "Its stream_flags.",
       .passes = {PASS_SELF, OUT_UINT})

/* The protocol by which libraries hand streams to each other: (version, handle). */
BD_METHOD(stream_cuda_stream, 0, 0, "__cuda_stream__($self)", "(0, handle)")
{
    return Py_BuildValue("iN", 0, PyLong_FromVoidPtr(BD_HANDLE(void *, self)));
}

static PyMethodDef stream_methods[] = {
    BD_ROW("synchronize", stream_synchronize),
    BD_ROW("is_done", stream_is_done),
    BD_ROW("wait_for_event", stream_wait_for_event),
    BD_ROW("add_callback", stream_add_callback),
    BD_ROW("begin_capture", stream_begin_capture),
    BD_ROW("end_capture", stream_end_capture),
    BD_ROW("_capture_arrays", capture_arrays),
    BD_ROW("capture_status", stream_capture_status),
    BD_ROW("write_value32", stream_write_value32),
    BD_ROW("write_value64", stream_write_value64),
    BD_ROW("wait_value32", stream_wait_value32),
    BD_ROW("wait_value64", stream_wait_value64),
    BD_ROW("get_id", stream_id),
    BD_ROW("get_priority", stream_priority),
    BD_ROW("get_flags", stream_flags),
    BD_ROW("__cuda_stream__", stream_cuda_stream),
    {NULL},
};

static PyObject *stream_repr(PyObject *self)
{
    CUstream handle = BD_HANDLE(CUstream, self);
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    unsigned flags = 0;
    int priority = 0;
    if (!handle || BD_CONTEXT_OF(self)->dead)
        return bd_handle_repr(self);
    /* A call that fails leaves its number as it is. Of a stream that is captured
       nothing else is asked: a call that drivers refuse then would spoil the capture.
     */
    cu.cuStreamIsCapturing(handle, &capture);
    if (capture)
        return bd_show(self, "being captured", "%p", (void *)handle);
    cu.cuStreamGetFlags(handle, &flags);
    cu.cuStreamGetPriority(handle, &priority);
    return bd_show(self, NULL, "%p, %s, priority %d", (void *)handle,
                   flags & CU_STREAM_NON_BLOCKING ? "non-blocking" : "blocking",
                   priority);
}

BD_CLASS(STREAM, "Stream", bd_handle, stream_new_doc, .new = stream_new,
         .methods = stream_methods, .getset = bd_handle_getset, .repr = stream_repr,
         PY_RELEASE(stream_release));
