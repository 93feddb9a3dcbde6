/* Event: a mark in a stream, to wait for and to measure time between. */
#include "memory.h"
#include <string.h>

typedef struct {
    bd_object base;
    CUevent handle;
} event;

#define HANDLE(self) (((event *)(self))->handle)
#define CONTEXT(self) (((bd_object *)(self))->context)
#define STATE(self) bd_context_state(CONTEXT(self))

int bd_event(bd_state *state, PyObject *object, CUevent *handle)
{
    if (bd_instance(state, object, BD_EVENT, "event") ||
        bd_context_check(CONTEXT(object)))
        return -1;
    *handle = HANDLE(object);
    return 0;
}

static const char event_doc[] =
    "Event(flags=0)\n--\n\n"
    "A mark to record in a stream. flags: event_flags. CUDA: cuEventCreate.";

static PyObject *event_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    bd_state *state = bd_state_of(type);
    PyObject *in[1] = {NULL};
    unsigned flags = 0;
    bd_context *context;
    if (bd_parse_tuple(event_doc, 0, 1, args, kwargs, in) ||
        bd_flags(in[0], "flags", &flags) || !(context = bd_context_current(state)))
        return NULL;
    event *self = bd_object_new_of(type, context, NULL);
    if (self && BD_CALL(state, cuEventCreate, &self->handle, flags))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void event_finalize(PyObject *self)
{
    if (HANDLE(self))
        BD_RELEASE(self, cuEventDestroy, HANDLE(self));
    HANDLE(self) = NULL;
}

BD_METHOD(event_record, 0, 1, "record($self, stream=None)",
          "Marks the work enqueued in the stream so far; returns the event. CUDA: "
          "cuEventRecord.")
{
    CUstream stream;
    if (bd_context_check(CONTEXT(self)) || bd_stream(STATE(self), in[0], &stream) ||
        BD_CALL(STATE(self), cuEventRecord, HANDLE(self), stream))
        return NULL;
    return Py_NewRef(self);
}

BD_METHOD(
    event_synchronize, 0, 0, "synchronize($self)",
    "Waits until the marked work is done; returns the event. CUDA: cuEventSynchronize.")
{
    if (bd_context_check(CONTEXT(self)) ||
        BD_CALL_UNLOCKED(STATE(self), cuEventSynchronize, HANDLE(self)))
        return NULL;
    return Py_NewRef(self);
}

BD_METHOD(event_query, 0, 0, "query($self)",
          "Whether the marked work is done. CUDA: cuEventQuery.")
{
    if (bd_context_check(CONTEXT(self)))
        return NULL;
    CUresult status = cu.cuEventQuery(HANDLE(self));
    if (status == CUDA_ERROR_NOT_READY)
        Py_RETURN_FALSE;
    if (bd_check(STATE(self), status, "cuEventQuery"))
        return NULL;
    Py_RETURN_TRUE;
}

static PyObject *elapsed(PyObject *self, PyObject *start, PyObject *end)
{
    CUevent from, to;
    float milliseconds;
    if (bd_event(STATE(self), start, &from) || bd_event(STATE(self), end, &to) ||
        BD_CALL(STATE(self), cuEventElapsedTime, &milliseconds, from, to))
        return NULL;
    return PyFloat_FromDouble(milliseconds);
}

BD_METHOD(event_time_since, 1, 1, "time_since($self, start)",
          "Milliseconds from the event `start` to this one; both must be done. CUDA: "
          "cuEventElapsedTime.")
{
    return elapsed(self, in[0], self);
}

BD_METHOD(event_time_till, 1, 1, "time_till($self, end)",
          "Milliseconds from this event to `end`; both must be done. CUDA: "
          "cuEventElapsedTime.")
{
    return elapsed(self, self, in[0]);
}

BD_METHOD(event_ipc_handle, 0, 0, "ipc_handle($self)",
          "64 bytes for Event.from_ipc_handle in another process; needs the flags "
          "INTERPROCESS and DISABLE_TIMING. "
          "CUDA: cuIpcGetEventHandle.")
{
    CUipcEventHandle handle;
    if (bd_context_check(CONTEXT(self)) ||
        BD_CALL(STATE(self), cuIpcGetEventHandle, &handle, HANDLE(self)))
        return NULL;
    return PyByteArray_FromStringAndSize(handle.reserved, sizeof handle.reserved);
}

BD_METHOD(
    event_from_ipc_handle, 1, 1, "from_ipc_handle($type, handle)",
    "The Event of another process, from its ipc_handle(). CUDA: cuIpcOpenEventHandle.")
{
    bd_state *state = bd_state_of((PyTypeObject *)self);
    bd_context *context = bd_context_current(state);
    CUipcEventHandle handle;
    if (!context || bd_ipc_bytes(state, in[0], "event_from_ipc_handle", &handle))
        return NULL;
    event *result = bd_object_new(state, BD_EVENT, context, NULL);
    if (result && BD_CALL(state, cuIpcOpenEventHandle, &result->handle, handle))
        Py_CLEAR(result);
    return (PyObject *)result;
}

static PyObject *event_handle(PyObject *self, void *closure)
{
    return PyLong_FromVoidPtr(HANDLE(self));
}

static PyMethodDef event_methods[] = {
    BD_ROW("record", event_record),
    BD_ROW("synchronize", event_synchronize),
    BD_ROW("query", event_query),
    BD_ROW("time_since", event_time_since),
    BD_ROW("time_till", event_time_till),
    BD_ROW("ipc_handle", event_ipc_handle),
    BD_ROW_CLASS("from_ipc_handle", event_from_ipc_handle),
    {NULL},
};

static PyGetSetDef event_getset[] = {
    {"handle", event_handle, NULL, "The CUevent as an integer."},
    {NULL},
};

static PyType_Slot EVENT_slots[] = {
    BD_SLOTS(event_doc),
    {Py_tp_new, event_new},
    {Py_tp_methods, event_methods},
    {Py_tp_getset, event_getset},
    {Py_tp_finalize, event_finalize},
    {0, NULL},
};

BD_SPEC(EVENT, "Event", event);
