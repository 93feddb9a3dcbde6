/* Event: a mark in a stream, to wait for and to measure time between. */
#include "calls.h"
#include "memory.h"
#include <string.h>

BD_NEW(event_new, 0, 1, "Event(flags=0)",
       "A mark to record in a stream. flags: event_flags. CUDA: cuEventCreate.")
{
    unsigned flags = 0;
    bd_context *context;
    if (py_flags(in[0], "flags", &flags) || !(context = bd_context_current(state)))
        return NULL;
    return BD_MAKE(state, py_object_new_of(type, context, NULL), cuEventCreate, CUevent,
                   flags);
}

BD_DESTROYED(event_release, cuEventDestroy)

BD_RUN(event_record, 0, 1, cuEventRecord, "record($self, stream=None)",
       "Marks the work enqueued in the stream so far; returns the event.",
       .passes = {PASS_SELF, ARG_STREAM}, .returns = RETURN_SELF)
BD_RUN(event_synchronize, 0, 0, cuEventSynchronize, "synchronize($self)",
       "Waits until the marked work is done; returns the event.", .may_wait = 1,
       .passes = {PASS_SELF}, .returns = RETURN_SELF)
BD_RUN(event_time_since, 1, 1, cuEventElapsedTime, "time_since($self, start)",
       "Milliseconds from the event `start` to this one; both must be done.",
       .passes = {OUT_FLOAT, ARG_EVENT, PASS_SELF})
BD_RUN(event_time_till, 1, 1, cuEventElapsedTime, "time_till($self, end)",
       "Milliseconds from this event to `end`; both must be done.",
       .passes = {OUT_FLOAT, PASS_SELF, ARG_EVENT})

BD_RUN(event_query, 0, 0, cuEventQuery, "query($self)",
       "Whether the marked work is done.", .passes = {PASS_SELF},
       .returns = RETURN_WHETHER_READY)
BD_RUN(event_ipc_handle, 0, 0, cuIpcGetEventHandle, "ipc_handle($self)",
       "64 bytes for Event.from_ipc_handle in another process; needs the flags "
       "INTERPROCESS and DISABLE_TIMING.",
       .passes = {OUT_IPC_HANDLE, PASS_SELF})

BD_METHOD(
    event_from_ipc_handle, 1, 1, "from_ipc_handle($type, handle)",
    "The Event of another process, from its ipc_handle(). CUDA: cuIpcOpenEventHandle.")
{
    bd_state *state = bd_state_of((PyTypeObject *)self);
    bd_context *context = bd_context_current(state);
    CUipcEventHandle handle;
    if (!context || bd_ipc_bytes(state, in[0], "event_from_ipc_handle", &handle))
        return NULL;
    return BD_MAKE(state, bd_object_new(state, BD_EVENT, context, NULL),
                   cuIpcOpenEventHandle, CUevent, handle);
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

BD_CLASS(EVENT, "Event", bd_handle, event_new_doc, .new = event_new,
         .methods = event_methods, .repr = bd_handle_repr, .getset = bd_handle_getset,
         PY_RELEASE(event_release));
