/* Arguments that stand for a stream or a CUDA array, and objects for devices
   and arrays that are results. */
#include "arrays.h"
#include "context.h"

/* -- Streams -------------------------------------------------------------------- */

__attribute__((cold, noinline)) static int foreign_stream(PyObject *object,
                                                          CUstream *handle)
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
    else if (py_unsigned(number, "stream handle", UINT64_MAX, &value) == 0) {
        *handle = (CUstream)(uintptr_t)value;
        result = 0;
    }
    Py_DECREF(pair);
    return result;
}

CUstream bd_stream_captured(bd_state *state)
{
    return state->capturer == PyThread_get_thread_ident() &&
                   !BD_CONTEXT_OF(state->captured)->dead
               ? BD_HANDLE(CUstream, state->captured)
               : NULL;
}

int bd_stream(bd_state *state, PyObject *object, CUstream *handle)
{
    *handle = NULL;
    if (!object || object == Py_None) {
        *handle = bd_stream_usual(state);
        return 0;
    }
    if (!PyObject_TypeCheck(object, state->type[BD_STREAM]))
        return foreign_stream(object, handle);
    *handle = BD_HANDLE(CUstream, object);
    return *handle && !BD_CONTEXT_OF(object)->dead
               ? 0
               : bd_handle_check(object, "it was released");
}

/* -- Arrays --------------------------------------------------------------------- */

int bd_array(bd_state *state, PyObject *object, CUarray *handle)
{
    if (bd_instance(state, object, BD_ARRAY, "array") ||
        bd_handle_check(object, "it was freed"))
        return -1;
    *handle = BD_HANDLE(CUarray, object);
    return 0;
}

/* An array with a parent is the parent's. */
PyObject *bd_array_borrow(bd_state *state, CUarray handle, PyObject *owner)
{
    bd_handle *self = bd_object_new(state, BD_ARRAY, BD_CONTEXT_OF(owner), owner);
    if (self)
        self->handle = (uintptr_t)handle;
    return (PyObject *)self;
}

/* -- Devices -------------------------------------------------------------------- */

PyObject *bd_device_wrap(bd_state *state, CUdevice handle)
{
    bd_handle *self = bd_object_new(state, BD_DEVICE, NULL, NULL);
    if (self)
        self->handle = handle;
    return (PyObject *)self;
}
