/* Stream: an in-order queue of work. Also what a stream argument may be. */
#include "context.h"

typedef struct {
    bd_object base;
    CUstream handle;
} stream;

#define HANDLE(self) (((stream *)(self))->handle)
#define STATE(self) bd_context_state(((bd_object *)(self))->context)

static const char stream_doc[] =
    "Stream(flags=0, priority=None)\n--\n\n"
    "A queue of work on the current context's device. flags: stream_flags; "
    "NON_BLOCKING (1) does not wait for the "
    "null stream. priority: lower numbers first. `None` stands for the null stream "
    "wherever a stream is asked for. "
    "CUDA: cuStreamCreate, cuStreamCreateWithPriority.";

static PyObject *stream_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    bd_state *state = bd_state_of(type);
    PyObject *in[2] = {NULL};
    unsigned flags = 0;
    int64_t priority = 0;
    bd_context *context = NULL;
    if (bd_parse_tuple(stream_doc, 0, 2, args, kwargs, in) ||
        bd_flags(in[0], "flags", &flags) ||
        (in[1] && in[1] != Py_None &&
         bd_signed(in[1], "priority", INT32_MIN, INT32_MAX, &priority)) ||
        !(context = bd_context_current(state)))
        return NULL;
    stream *self = bd_object_new_of(type, context, NULL);
    if (!self)
        return NULL;
    int failed = in[1] && in[1] != Py_None
                     ? BD_CALL(state, cuStreamCreateWithPriority, &self->handle, flags,
                               (int)priority)
                     : BD_CALL(state, cuStreamCreate, &self->handle, flags);
    if (failed)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void stream_finalize(PyObject *self)
{
    if (HANDLE(self))
        BD_RELEASE(self, cuStreamDestroy, HANDLE(self));
    HANDLE(self) = NULL;
}

BD_METHOD(stream_synchronize, 0, 0, "synchronize($self)",
          "Waits until all work of the stream is done. CUDA: cuStreamSynchronize.")
{
    if (bd_context_check(((bd_object *)self)->context) ||
        BD_CALL_UNLOCKED(STATE(self), cuStreamSynchronize, HANDLE(self)))
        return NULL;
    Py_RETURN_NONE;
}

BD_METHOD(stream_is_done, 0, 0, "is_done($self)",
          "Whether all work of the stream is done. CUDA: cuStreamQuery.")
{
    if (bd_context_check(((bd_object *)self)->context))
        return NULL;
    CUresult status = cu.cuStreamQuery(HANDLE(self));
    if (status == CUDA_ERROR_NOT_READY)
        Py_RETURN_FALSE;
    if (bd_check(STATE(self), status, "cuStreamQuery"))
        return NULL;
    Py_RETURN_TRUE;
}

BD_METHOD(stream_wait_for_event, 1, 1, "wait_for_event($self, evt)",
          "Work enqueued from now on waits for the Event. CUDA: cuStreamWaitEvent.")
{
    CUevent event;
    if (bd_context_check(((bd_object *)self)->context) ||
        bd_event(STATE(self), in[0], &event) ||
        BD_CALL(STATE(self), cuStreamWaitEvent, HANDLE(self), event, 0))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *stream_handle(PyObject *self, void *closure)
{
    return PyLong_FromVoidPtr(HANDLE(self));
}

/* The protocol by which libraries hand streams to each other: (version, handle). */
BD_METHOD(stream_cuda_stream, 0, 0, "__cuda_stream__($self)", "(0, handle)")
{
    return Py_BuildValue("iN", 0, PyLong_FromVoidPtr(HANDLE(self)));
}

static PyMethodDef stream_methods[] = {
    BD_ROW("synchronize", stream_synchronize),
    BD_ROW("is_done", stream_is_done),
    BD_ROW("wait_for_event", stream_wait_for_event),
    BD_ROW("__cuda_stream__", stream_cuda_stream),
    {NULL},
};

static PyGetSetDef stream_getset[] = {
    {"handle", stream_handle, NULL, "The CUstream as an integer."},
    {NULL},
};

static PyType_Slot STREAM_slots[] = {
    BD_SLOTS(stream_doc),
    {Py_tp_new, stream_new},
    {Py_tp_methods, stream_methods},
    {Py_tp_getset, stream_getset},
    {Py_tp_finalize, stream_finalize},
    {0, NULL},
};

BD_SPEC(STREAM, "Stream", stream);

static int foreign_stream(PyObject *object, CUstream *handle)
{
    PyObject *pair = PyObject_CallMethod(object, "__cuda_stream__", NULL);
    if (!pair) {
        if (PyErr_ExceptionMatches(PyExc_AttributeError))
            PyErr_Format(PyExc_TypeError,
                         "stream: expected Stream, None or an object with "
                         "__cuda_stream__, got %s",
                         Py_TYPE(object)->tp_name);
        return -1;
    }
    int result = -1;
    PyObject *number = PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2
                           ? PyTuple_GET_ITEM(pair, 1)
                           : NULL;
    uint64_t value;
    if (!number)
        PyErr_SetString(PyExc_TypeError,
                        "__cuda_stream__() must return (version, handle)");
    else if (bd_unsigned(number, "stream handle", UINT64_MAX, &value) == 0) {
        *handle = (CUstream)(uintptr_t)value;
        result = 0;
    }
    Py_DECREF(pair);
    return result;
}

int bd_stream(bd_state *state, PyObject *object, CUstream *handle)
{
    *handle = NULL;
    if (!object || object == Py_None)
        return 0;
    if (!PyObject_TypeCheck(object, state->type[BD_STREAM]))
        return foreign_stream(object, handle);
    *handle = HANDLE(object);
    return bd_context_check(((bd_object *)object)->context);
}
