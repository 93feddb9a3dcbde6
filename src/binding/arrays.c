/* CUDA arrays (memory laid out for textures) and their descriptors. */
#include "arrays.h"

typedef struct {
    bd_object base;
    CUDA_ARRAY_DESCRIPTOR value;
} descriptor;

typedef struct {
    bd_object base;
    CUDA_ARRAY3D_DESCRIPTOR value;
} descriptor3d;

typedef struct {
    bd_object base;
    CUarray handle; /* NULL after free(); owned unless there is a parent */
} array;

#define SELF(self) ((array *)(self))
#define CONTEXT(self) (((bd_object *)(self))->context)

/* -- Numbers as attributes
 * ------------------------------------------------------------------- */

PyObject *bd_number_get(PyObject *self, void *closure)
{
    const bd_number *number = closure;
    const char *at = (const char *)self + number->offset;
    uint64_t value = number->size == 8 ? *(const uint64_t *)at : *(const uint32_t *)at;
    if (number->enumeration)
        return bd_enum_member(bd_state_of(Py_TYPE(self)), number->enumeration,
                              (long)value);
    return PyLong_FromUnsignedLongLong(value);
}

int bd_number_set(PyObject *self, PyObject *value, void *closure)
{
    const bd_number *number = closure;
    char *at = (char *)self + number->offset;
    uint64_t result;
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "the attribute cannot be deleted");
        return -1;
    }
    if (bd_unsigned(value, "attribute", number->size == 8 ? UINT64_MAX : UINT32_MAX,
                    &result))
        return -1;
    if (number->size == 8)
        *(uint64_t *)at = result;
    else
        *(uint32_t *)at = (uint32_t)result;
    return 0;
}

/* -- Descriptors
 * ----------------------------------------------------------------------------- */

static PyObject *plain_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    return bd_object_new_of(type, NULL, NULL);
}

static PyGetSetDef descriptor_getset[] = {
    BD_NUMBER("width", descriptor, value.Width, NULL),
    BD_NUMBER("height", descriptor, value.Height, NULL),
    BD_NUMBER("format", descriptor, value.Format, "array_format"),
    BD_NUMBER("num_channels", descriptor, value.NumChannels, NULL),
    {NULL},
};

static PyType_Slot ARRAY_DESCRIPTOR_slots[] = {
    BD_SLOTS("ArrayDescriptor()\n--\n\nShape of a 1-D or 2-D Array: width and height "
             "in elements (height 0: 1-D), format, "
             "num_channels (1, 2 or 4)."),
    {Py_tp_new, plain_new},
    {Py_tp_getset, descriptor_getset},
    {0, NULL},
};

BD_SPEC(ARRAY_DESCRIPTOR, "ArrayDescriptor", descriptor);

static PyGetSetDef descriptor3d_getset[] = {
    BD_NUMBER("width", descriptor3d, value.Width, NULL),
    BD_NUMBER("height", descriptor3d, value.Height, NULL),
    BD_NUMBER("depth", descriptor3d, value.Depth, NULL),
    BD_NUMBER("format", descriptor3d, value.Format, "array_format"),
    BD_NUMBER("num_channels", descriptor3d, value.NumChannels, NULL),
    BD_NUMBER("flags", descriptor3d, value.Flags, NULL),
    {NULL},
};

static PyType_Slot ARRAY_DESCRIPTOR_3D_slots[] = {
    BD_SLOTS("ArrayDescriptor3D()\n--\n\nShape of an Array of up to three dimensions "
             "(a length of 0: not there); flags: "
             "array3d_flags."),
    {Py_tp_new, plain_new},
    {Py_tp_getset, descriptor3d_getset},
    {0, NULL},
};

BD_SPEC(ARRAY_DESCRIPTOR_3D, "ArrayDescriptor3D", descriptor3d);

int bd_array_descriptor(bd_state *state, PyObject *object,
                        CUDA_ARRAY_DESCRIPTOR *result)
{
    if (bd_instance(state, object, BD_ARRAY_DESCRIPTOR, "descr"))
        return -1;
    *result = ((descriptor *)object)->value;
    return 0;
}

/* -- Array
 * -----------------------------------------------------------------------------------
 */

int bd_array(bd_state *state, PyObject *object, CUarray *handle)
{
    if (bd_instance(state, object, BD_ARRAY, "array") ||
        bd_context_check(CONTEXT(object)))
        return -1;
    *handle = SELF(object)->handle;
    if (*handle)
        return 0;
    bd_raise_because(state, CUDA_ERROR_INVALID_HANDLE, "Array", "it was freed");
    return -1;
}

PyObject *bd_array_borrow(bd_state *state, CUarray handle, PyObject *owner)
{
    if (!handle)
        Py_RETURN_NONE;
    bd_context *context = bd_context_current(state);
    array *self = context ? bd_object_new(state, BD_ARRAY, context, owner) : NULL;
    if (self)
        self->handle = handle;
    return (PyObject *)self;
}

static const char array_doc[] = "Array(descr)\n--\n\nA CUDA array of the shape that an "
                                "ArrayDescriptor or ArrayDescriptor3D gives. CUDA: "
                                "cuArrayCreate, cuArray3DCreate.";

static PyObject *array_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    bd_state *state = bd_state_of(type);
    PyObject *in[1] = {NULL};
    bd_context *context;
    if (bd_parse_tuple(array_doc, 1, 1, args, kwargs, in))
        return NULL;
    int solid = PyObject_TypeCheck(in[0], state->type[BD_ARRAY_DESCRIPTOR_3D]);
    if ((!solid && bd_instance(state, in[0], BD_ARRAY_DESCRIPTOR, "descr")) ||
        !(context = bd_context_current(state)))
        return NULL;
    array *self = bd_object_new_of(type, context, NULL);
    if (self && (solid ? BD_CALL(state, cuArray3DCreate, &self->handle,
                                 &((descriptor3d *)in[0])->value)
                       : BD_CALL(state, cuArrayCreate, &self->handle,
                                 &((descriptor *)in[0])->value)))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void array_finalize(PyObject *self)
{
    if (SELF(self)->handle && !SELF(self)->base.parent)
        BD_RELEASE(self, cuArrayDestroy, SELF(self)->handle);
    SELF(self)->handle = NULL;
}

BD_METHOD(array_free, 0, 0, "free($self)",
          "Frees the array now; harmless the second time. CUDA: cuArrayDestroy.")
{
    array_finalize(self);
    Py_RETURN_NONE;
}

BD_METHOD(array_get_descriptor, 0, 0, "get_descriptor($self)",
          "An ArrayDescriptor. CUDA: cuArrayGetDescriptor.")
{
    bd_state *state = bd_state_from(self);
    CUarray handle;
    if (bd_array(state, self, &handle))
        return NULL;
    descriptor *result = bd_object_new(state, BD_ARRAY_DESCRIPTOR, NULL, NULL);
    if (result && BD_CALL(state, cuArrayGetDescriptor, &result->value, handle))
        Py_CLEAR(result);
    return (PyObject *)result;
}

BD_METHOD(array_get_descriptor_3d, 0, 0, "get_descriptor_3d($self)",
          "An ArrayDescriptor3D. CUDA: cuArray3DGetDescriptor.")
{
    bd_state *state = bd_state_from(self);
    CUarray handle;
    if (bd_array(state, self, &handle))
        return NULL;
    descriptor3d *result = bd_object_new(state, BD_ARRAY_DESCRIPTOR_3D, NULL, NULL);
    if (result && BD_CALL(state, cuArray3DGetDescriptor, &result->value, handle))
        Py_CLEAR(result);
    return (PyObject *)result;
}

static PyObject *array_handle(PyObject *self, void *closure)
{
    return PyLong_FromVoidPtr(SELF(self)->handle);
}

static PyMethodDef array_methods[] = {
    BD_ROW("free", array_free),
    BD_ROW("get_descriptor", array_get_descriptor),
    BD_ROW("get_descriptor_3d", array_get_descriptor_3d),
    {NULL},
};

static PyGetSetDef array_getset[] = {
    {"handle", array_handle, NULL, "The CUarray as an integer."},
    {NULL},
};

static PyType_Slot ARRAY_slots[] = {
    BD_SLOTS(array_doc),
    {Py_tp_new, array_new},
    {Py_tp_methods, array_methods},
    {Py_tp_getset, array_getset},
    {Py_tp_finalize, array_finalize},
    {0, NULL},
};

BD_SPEC(ARRAY, "Array", array);
