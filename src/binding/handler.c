/* In, Out, InOut: host arrays as kernel arguments, with device memory of their own that
   lives as long as the handler. Copies are in the launch's stream. Classes derived in
   Python may bring their own pre_call and post_call. */
#include "kernel.h"
#include "memory.h"

/* parent: the array, other: the device memory. */
#define ARRAY(self) (((bd_object *)(self))->parent)
#define MEMORY(self) (((bd_object *)(self))->other)

static const char handler_doc[] =
    "ArgumentHandler(ary)\n--\n\nBase of In, Out and InOut: an array (anything with "
    "nbytes and a contiguous buffer) and device memory of its size. Derived classes "
    "may define get_device_alloc(), pre_call(stream) and post_call(stream).";

static int handler_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *in[1] = {NULL};
    if (bd_parse_tuple(handler_doc, 1, 1, args, kwargs, in))
        return -1;
    Py_XSETREF(ARRAY(self), Py_NewRef(in[0]));
    return 0;
}

static PyObject *handler_memory(PyObject *self)
{
    bd_state *state = bd_state_of(Py_TYPE(self));
    size_t bytes;
    CUdeviceptr pointer;
    if (MEMORY(self) && MEMORY(self) != Py_None)
        return Py_NewRef(MEMORY(self));
    PyObject *nbytes =
        ARRAY(self) ? PyObject_GetAttrString(ARRAY(self), "nbytes") : NULL;
    int failed = !nbytes || bd_size(nbytes, "nbytes", &bytes);
    Py_XDECREF(nbytes);
    if (failed) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError,
                     "could not determine array length of '%s': unsupported array type "
                     "or not an array",
                     ARRAY(self) ? Py_TYPE(ARRAY(self))->tp_name : "NULL");
        return NULL;
    }
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

int bd_handler_pointer(PyObject *self, CUdeviceptr *pointer)
{
    PyObject *memory = is_plain(self)
                           ? handler_memory(self)
                           : PyObject_CallMethod(self, "get_device_alloc", NULL);
    int failed = !memory || bd_pointer(bd_state_of(Py_TYPE(self)), memory, pointer);
    Py_XDECREF(memory);
    return failed ? -1 : 0;
}

BD_METHOD(handler_get_device_alloc, 0, 0, "get_device_alloc($self)",
          "The device memory, allocated by the first call.")
{
    return handler_memory(self);
}

/* Host to device (out 0) or back. In a stream it waits too, for the array is the
 * caller's again on return. */
static int handler_copy(PyObject *self, PyObject *stream_object, int out)
{
    bd_state *state = bd_state_of(Py_TYPE(self));
    CUdeviceptr pointer;
    CUstream stream;
    Py_buffer view;
    if (bd_stream(state, stream_object, &stream) ||
        bd_handler_pointer(self, &pointer) || bd_buffer(ARRAY(self), &view, out))
        return -1;
    int async = stream != NULL;
    int result =
        view.len == 0 ? 0
        : out ? bd_copy_from_device(state, view.buf, pointer, view.len, async, stream)
              : bd_copy_to_device(state, pointer, view.buf, view.len, async, stream);
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

int bd_handler_before(PyObject *self, PyObject *stream)
{
    PyTypeObject **type = bd_state_of(Py_TYPE(self))->type;
    PyTypeObject *own = Py_TYPE(self);
    int out = own == type[BD_OUT] || own == type[BD_IN_OUT];
    Py_buffer view;
    if (out && bd_buffer(ARRAY(self), &view, 1)) /* better known before the launch */
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
    BD_MEMBERS,
    {"array", T_OBJECT, offsetof(bd_object, parent), 0, "The host array."},
    {"dev_alloc", T_OBJECT, offsetof(bd_object, other), 0,
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

BD_CLASS(ARGUMENT_HANDLER, "ArgumentHandler", bd_object, handler_doc,
         .new = bd_object_plain_new, .init = handler_init, .methods = base_methods,
         .members = handler_members);
BD_CLASS(IN, "In", bd_object,
         "In(ary)\n--\n\nAn array that the kernel reads: copied to the device before "
         "the launch.",
         .methods = in_methods);
BD_CLASS(OUT, "Out", bd_object,
         "Out(ary)\n--\n\nAn array that the kernel writes: copied from the device "
         "after the launch.",
         .methods = out_methods);
BD_CLASS(IN_OUT, "InOut", bd_object,
         "InOut(ary)\n--\n\nAn array that the kernel changes: copied both ways.",
         .methods = out_methods);
