/* In, Out, InOut: host arrays as kernel arguments, with device memory of their own that
   lives as long as the handler. Copies are in the launch's stream. Classes derived in
   Python may bring their own pre_call and post_call, and may leave __init__ out or take
   the array away: then there is none. */
#include <string.h>
#include "kernel.h"
#include "memory.h"

/* parent: the array, other: the device memory. */
#define ARRAY(self) (((py_object *)(self))->parent)
#define MEMORY(self) (((py_object *)(self))->other)

static const char handler_doc[] =
    "ArgumentHandler(ary)\n--\n\nBase of In, Out and InOut: an array (anything with "
    "nbytes and a contiguous buffer) and device memory of its size. Derived classes "
    "may define get_device_alloc(), pre_call(stream) and post_call(stream).";

static int handler_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *in[1] = {NULL};
    if (py_parse_tuple(handler_doc, 1, 1, args, kwargs, in))
        return -1;
    Py_XSETREF(ARRAY(self), Py_NewRef(in[0]));
    return 0;
}

/* The array, for as long as it is used: it may be taken away meanwhile. */
static PyObject *handler_array(PyObject *self)
{
    if (!ARRAY(self))
        PyErr_Format(PyExc_AttributeError,
                     "%s has no array: its __init__(ary) was not called, or the "
                     "attribute `array` was deleted",
                     Py_TYPE(self)->tp_name);
    return Py_XNewRef(ARRAY(self));
}

static int handler_buffer(PyObject *self, Py_buffer *view, int writable)
{
    PyObject *array = handler_array(self);
    int failed = !array || bd_buffer(array, view, writable);
    Py_XDECREF(array);
    return failed ? -1 : 0;
}

static PyObject *handler_memory(PyObject *self)
{
    bd_state *state = bd_state_of(Py_TYPE(self));
    size_t bytes;
    CUdeviceptr pointer;
    if (MEMORY(self) && MEMORY(self) != Py_None)
        return Py_NewRef(MEMORY(self));
    PyObject *array = handler_array(self), *nbytes;
    if (!array)
        return NULL;
    nbytes = PyObject_GetAttrString(array, "nbytes");
    int failed = !nbytes || py_size(nbytes, "nbytes", &bytes);
    Py_XDECREF(nbytes);
    if (failed) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError,
                     "could not determine array length of '%s': unsupported array type "
                     "or not an array",
                     Py_TYPE(array)->tp_name);
    }
    Py_DECREF(array);
    if (failed)
        return NULL;
    PyObject *memory = bd_pool_take(state, bytes, &pointer);
    Py_XSETREF(MEMORY(self), memory);
    return Py_XNewRef(memory);
}

/* In, Out or InOut itself, which need no look-up of methods. */
static int is_plain(PyObject *self)
{
    PyTypeObject **type = bd_state_of(Py_TYPE(self))->type, *own = Py_TYPE(self);
    return own == type[BD_IN] || own == type[BD_OUT] || own == type[BD_IN_OUT];
}

PyObject *bd_handler_numbers(PyObject *self)
{
    return is_plain(self) && ARRAY(self) && PyArray_Check(ARRAY(self)) ? ARRAY(self)
                                                                       : NULL;
}

/* bytes: of the device memory as far as that is known, else SIZE_MAX. */
static int device_memory(PyObject *self, CUdeviceptr *pointer, size_t *bytes)
{
    bd_state *state = bd_state_of(Py_TYPE(self));
    PyObject *memory = is_plain(self)
                           ? handler_memory(self)
                           : PyObject_CallMethod(self, "get_device_alloc", NULL);
    int failed = !memory || bd_pointer(state, memory, pointer);
    *bytes = memory && bd_is_device_pointer(state, memory)
                 ? ((bd_device_pointer *)memory)->size
                 : SIZE_MAX;
    Py_XDECREF(memory);
    return failed ? -1 : 0;
}

int bd_handler_pointer(PyObject *self, CUdeviceptr *pointer)
{
    size_t bytes;
    return device_memory(self, pointer, &bytes);
}

BD_METHOD(handler_get_device_alloc, 0, 0, "get_device_alloc($self)",
          "The device memory, allocated by the first call.")
{
    return handler_memory(self);
}

static void refuse_length(PyObject *self, size_t bytes, size_t available)
{
    const char *name = Py_TYPE(self)->tp_name;
    PyErr_Format(PyExc_ValueError,
                 "%s: the array has %zu bytes now, and its device memory %zu: make "
                 "another %s for another array",
                 name, bytes, available, name);
}

/* Host to device (out 0) or back. In a stream it waits too, for the array is the
 * caller's again on return. */
static int handler_copy(PyObject *self, PyObject *stream_object, int out)
{
    bd_state *state = bd_state_of(Py_TYPE(self));
    CUdeviceptr pointer;
    CUstream stream;
    Py_buffer view;
    size_t bytes, needed;
    int async = 0, result = -1;
    if (bd_stream(state, stream_object, &stream) || handler_buffer(self, &view, out))
        return -1;
    needed = view.len;
    if (needed == 0)
        result = 0;
    else if (device_memory(self, &pointer, &bytes) == 0) {
        async = stream != NULL;
        if (needed > bytes)
            refuse_length(self, needed, bytes);
        else
            result = out ? bd_copy_from_device(state, view.buf, pointer, needed, async,
                                               stream)
                         : bd_copy_to_device(state, pointer, view.buf, needed, async,
                                             stream);
    }
    if (result == 0 && async)
        result = BD_CALL_UNLOCKED(state, cuStreamSynchronize, stream);
    PyBuffer_Release(&view);
    return result;
}

BD_METHOD(handler_no_pre_call, 1, 1, "pre_call($self, stream)", "Does nothing.")
{
    Py_RETURN_NONE;
}

BD_METHOD(handler_pre_call, 1, 1, "pre_call($self, stream)",
          "Copies the array to the device. CUDA: cuMemcpyHtoD.")
{
    return handler_copy(self, in[0], 0) ? NULL : Py_NewRef(Py_None);
}

BD_METHOD(handler_post_call, 1, 1, "post_call($self, stream)",
          "Copies the device memory back into the array. CUDA: cuMemcpyDtoH.")
{
    return handler_copy(self, in[0], 1) ? NULL : Py_NewRef(Py_None);
}

/* -- Around a launch ------------------------------------------------------------ */

static int call_method(PyObject *self, const char *name, PyObject *stream)
{
    PyObject *done = PyObject_CallMethod(self, name, "O", stream ? stream : Py_None);
    Py_XDECREF(done);
    return done ? 0 : -1;
}

size_t bd_handler_bytes(PyObject *self)
{
    Py_buffer view;
    if (!is_plain(self))
        return SIZE_MAX;
    if (handler_buffer(self, &view, 0)) {
        PyErr_Clear();
        return SIZE_MAX;
    }
    size_t bytes = view.len;
    PyBuffer_Release(&view);
    return bytes;
}

/* The buffer of an array that has so many bytes, for which there is device memory. */
static int staged_buffer(PyObject *self, size_t bytes, int writable, Py_buffer *view,
                         CUdeviceptr *pointer)
{
    size_t available;
    if (handler_buffer(self, view, writable))
        return -1;
    if (device_memory(self, pointer, &available) == 0) {
        available = available < bytes ? available : bytes;
        if ((size_t)view->len == available)
            return 0;
        refuse_length(self, view->len, available);
    }
    PyBuffer_Release(view);
    return -1;
}

/* To be asked for anew after anything that may run Python code. */
static void *staging_memory(PyObject *self, const bd_staging *staging, size_t at)
{
    void *memory = bd_staging_at(staging, at);
    if (!memory)
        bd_raise(bd_state_of(Py_TYPE(self)), CUDA_ERROR_CONTEXT_IS_DESTROYED,
                 "cuLaunchKernel");
    return memory;
}

int bd_handler_send(PyObject *self, const bd_staging *staging, size_t at, size_t bytes,
                    CUstream stream)
{
    bd_state *state = bd_state_of(Py_TYPE(self));
    PyTypeObject *own = Py_TYPE(self);
    Py_buffer view;
    CUdeviceptr pointer;
    if (staged_buffer(self, bytes, own != state->type[BD_IN], &view, &pointer))
        return -1;
    void *memory = staging_memory(self, staging, at);
    int copies = own != state->type[BD_OUT] && bytes;
    if (memory && copies)
        memcpy(memory, view.buf, bytes);
    PyBuffer_Release(&view);
    return !memory || (copies && BD_CALL(state, cuMemcpyHtoDAsync, pointer, memory,
                                         bytes, stream))
               ? -1
               : 0;
}

int bd_handler_fetch(PyObject *self, const bd_staging *staging, size_t at, size_t bytes,
                     CUstream stream)
{
    bd_state *state = bd_state_of(Py_TYPE(self));
    CUdeviceptr pointer;
    void *memory;
    if (Py_TYPE(self) == state->type[BD_IN] || !bytes)
        return 0;
    return bd_handler_pointer(self, &pointer) ||
                   !(memory = staging_memory(self, staging, at)) ||
                   BD_CALL(state, cuMemcpyDtoHAsync, memory, pointer, bytes, stream)
               ? -1
               : 0;
}

int bd_handler_deliver(PyObject *self, const bd_staging *staging, size_t at,
                       size_t bytes)
{
    Py_buffer view;
    CUdeviceptr pointer;
    if (Py_TYPE(self) == bd_state_of(Py_TYPE(self))->type[BD_IN])
        return 0;
    if (staged_buffer(self, bytes, 1, &view, &pointer))
        return -1;
    const void *memory = staging_memory(self, staging, at);
    if (memory)
        memcpy(view.buf, memory, bytes);
    PyBuffer_Release(&view);
    return memory ? 0 : -1;
}

int bd_handler_before(PyObject *self, PyObject *stream)
{
    PyTypeObject **type = bd_state_of(Py_TYPE(self))->type;
    PyTypeObject *own = Py_TYPE(self);
    int out = own == type[BD_OUT] || own == type[BD_IN_OUT];
    Py_buffer view;
    if (out && handler_buffer(self, &view, 1)) /* better known before the launch */
        return -1;
    if (out)
        PyBuffer_Release(&view);
    if (out || own == type[BD_IN])
        return own != type[BD_OUT] && handler_copy(self, stream, 0) ? -1 : out;
    if (call_method(self, "pre_call", stream))
        return -1;
    return PyObject_HasAttrString(self, "post_call");
}

int bd_handler_after(PyObject *self, PyObject *stream)
{
    PyTypeObject **type = bd_state_of(Py_TYPE(self))->type;
    PyTypeObject *own = Py_TYPE(self);
    if (own == type[BD_OUT] || own == type[BD_IN_OUT])
        return handler_copy(self, stream, 1);
    if (own == type[BD_IN] || !PyObject_HasAttrString(self, "post_call"))
        return 0;
    return call_method(self, "post_call", stream);
}

/* -- The classes ---------------------------------------------------------------- */

static PyMemberDef handler_members[] = {
    PY_MEMBERS,
    {"array", T_OBJECT, offsetof(py_object, parent), 0, "The host array."},
    {"dev_alloc", T_OBJECT, offsetof(py_object, other), 0,
     "Its device memory, or None."},
    {NULL},
};

static PyMethodDef base_methods[] = {
    BD_ROW("get_device_alloc", handler_get_device_alloc),
    BD_ROW("pre_call", handler_no_pre_call),
    {NULL},
};

static PyMethodDef in_methods[] = {BD_ROW("pre_call", handler_pre_call), {NULL}};
static PyMethodDef out_methods[] = {BD_ROW("post_call", handler_post_call), {NULL}};

static PyObject *handler_repr(PyObject *self)
{
    return bd_show(self,
                   !ARRAY(self)   ? "without an array"
                   : MEMORY(self) ? "with device memory"
                                  : "without device memory yet",
                   "of %s", ARRAY(self) ? Py_TYPE(ARRAY(self))->tp_name : "nothing");
}

BD_CLASS(ARGUMENT_HANDLER, "ArgumentHandler", py_object, handler_doc,
         .new = py_object_plain_new, .init = handler_init, .methods = base_methods,
         .repr = handler_repr, .members = handler_members);
BD_CLASS(IN, "In", py_object,
         "In(ary)\n--\n\nAn array that the kernel reads: copied to the device before "
         "the launch.",
         .methods = in_methods);
BD_CLASS(OUT, "Out", py_object,
         "Out(ary)\n--\n\nAn array that the kernel writes: copied from the device "
         "after the launch.",
         .methods = out_methods);
BD_CLASS(IN_OUT, "InOut", py_object,
         "InOut(ary)\n--\n\nAn array that the kernel changes: copied both ways; an In "
         "and an Out.",
         .second = BD_OUT);
