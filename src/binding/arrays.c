/* CUDA arrays (memory laid out for textures) and their descriptors. */
#include "arrays.h"
#include "calls.h"
#include "memory.h"

typedef struct {
    py_object base;
    CUDA_ARRAY_DESCRIPTOR value;
} descriptor;

typedef struct {
    py_object base;
    CUDA_ARRAY3D_DESCRIPTOR value;
} descriptor3d;

/* -- Numbers as attributes ------------------------------------------------------ */

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
    if (py_unsigned(value, "attribute", number->size == 8 ? UINT64_MAX : UINT32_MAX,
                    &result))
        return -1;
    if (number->size == 8)
        *(uint64_t *)at = result;
    else
        *(uint32_t *)at = (uint32_t)result;
    return 0;
}

/* -- Descriptors ---------------------------------------------------------------- */

/* "64 x 32 of FLOAT, channels: 1"; lengths of 0 are left out. */
static PyObject *shape_repr(PyObject *self, const CUDA_ARRAY3D_DESCRIPTOR *shape,
                            const void *handle)
{
    char lengths[80], at[32] = "";
    int used = snprintf(lengths, sizeof lengths, "%zu", (size_t)shape->Width);
    if (shape->Height || shape->Depth)
        used += snprintf(lengths + used, sizeof lengths - used, " x %zu",
                         (size_t)shape->Height);
    if (shape->Depth)
        snprintf(lengths + used, sizeof lengths - used, " x %zu", (size_t)shape->Depth);
    if (handle)
        snprintf(at, sizeof at, "%p, ", handle);
    PyObject *format =
        bd_enum_member(bd_state_from(self), "array_format", shape->Format);
    PyObject *text = format ? bd_show(self, NULL, "%s%s of %S, channels: %u", at,
                                      lengths, format, shape->NumChannels)
                            : NULL;
    Py_XDECREF(format);
    return text;
}

static PyObject *descriptor_repr(PyObject *self)
{
    const CUDA_ARRAY_DESCRIPTOR *value = &((descriptor *)self)->value;
    const CUDA_ARRAY3D_DESCRIPTOR shape = {.Width = value->Width,
                                           .Height = value->Height,
                                           .Format = value->Format,
                                           .NumChannels = value->NumChannels};
    return shape_repr(self, &shape, NULL);
}

static PyObject *descriptor3d_repr(PyObject *self)
{
    return shape_repr(self, &((descriptor3d *)self)->value, NULL);
}

static PyObject *array_repr(PyObject *self)
{
    CUarray handle = BD_HANDLE(CUarray, self);
    CUDA_ARRAY3D_DESCRIPTOR shape;
    if (!handle || BD_CONTEXT_OF(self)->dead ||
        cu.cuArray3DGetDescriptor(&shape, handle))
        return bd_handle_repr(self);
    return shape_repr(self, &shape, handle);
}

static PyGetSetDef descriptor_getset[] = {
    BD_NUMBER("width", descriptor, value.Width, NULL),
    BD_NUMBER("height", descriptor, value.Height, NULL),
    BD_NUMBER("format", descriptor, value.Format, "array_format"),
    BD_NUMBER("num_channels", descriptor, value.NumChannels, NULL),
    {NULL},
};

BD_CLASS(ARRAY_DESCRIPTOR, "ArrayDescriptor", descriptor,
         "ArrayDescriptor()\n--\n\nShape of a 1-D or 2-D Array: width and height in "
         "elements (height 0: 1-D), format, num_channels (1, 2 or 4).",
         .new = py_object_plain_new, .getset = descriptor_getset,
         .repr = descriptor_repr);

static PyGetSetDef descriptor3d_getset[] = {
    BD_NUMBER("width", descriptor3d, value.Width, NULL),
    BD_NUMBER("height", descriptor3d, value.Height, NULL),
    BD_NUMBER("depth", descriptor3d, value.Depth, NULL),
    BD_NUMBER("format", descriptor3d, value.Format, "array_format"),
    BD_NUMBER("num_channels", descriptor3d, value.NumChannels, NULL),
    BD_NUMBER("flags", descriptor3d, value.Flags, NULL),
    {NULL},
};

BD_CLASS(ARRAY_DESCRIPTOR_3D, "ArrayDescriptor3D", descriptor3d,
         "ArrayDescriptor3D()\n--\n\nShape of an Array of up to three dimensions (a "
         "length of 0: not there); flags: array3d_flags.",
         .new = py_object_plain_new, .getset = descriptor3d_getset,
         .repr = descriptor3d_repr);

int bd_array_descriptor(bd_state *state, PyObject *object,
                        CUDA_ARRAY_DESCRIPTOR *result)
{
    if (bd_instance(state, object, BD_ARRAY_DESCRIPTOR, "descr"))
        return -1;
    *result = ((descriptor *)object)->value;
    return 0;
}

/* -- Array ---------------------------------------------------------------------- */

BD_NEW(array_new, 1, 1, "Array(descr)",
       "A CUDA array of the shape that an ArrayDescriptor or ArrayDescriptor3D gives. "
       "CUDA: cuArrayCreate, cuArray3DCreate.")
{
    bd_context *context;
    int solid = PyObject_TypeCheck(in[0], state->type[BD_ARRAY_DESCRIPTOR_3D]);
    if ((!solid && bd_instance(state, in[0], BD_ARRAY_DESCRIPTOR, "descr")) ||
        !(context = bd_context_current(state)))
        return NULL;
    bd_handle *self = py_object_new_of(type, context, NULL);
    if (!self)
        return NULL;
    CUarray *made = (void *)&self->handle;
    CUresult status =
        solid ? BD_WITH_RETRY(state, context,
                              cu.cuArray3DCreate(made, &((descriptor3d *)in[0])->value))
              : BD_WITH_RETRY(state, context,
                              cu.cuArrayCreate(made, &((descriptor *)in[0])->value));
    if (bd_check(state, status, solid ? "cuArray3DCreate" : "cuArrayCreate"))
        Py_CLEAR(self);
    return (PyObject *)self;
}

BD_DESTROYED(array_release, cuArrayDestroy)

BD_METHOD(array_free, 0, 0, "free($self)",
          "Frees the array now; harmless the second time. CUDA: cuArrayDestroy.")
{
    array_release(self);
    Py_RETURN_NONE;
}

BD_RUN(array_get_descriptor, 0, 0, cuArrayGetDescriptor, "get_descriptor($self)",
       "Its shape again.", .passes = {OUT_STRUCT, PASS_SELF},
       .makes = BD_ARRAY_DESCRIPTOR)
BD_RUN(array_get_descriptor_3d, 0, 0, cuArray3DGetDescriptor,
       "get_descriptor_3d($self)", "Its shape again.",
       .passes = {OUT_STRUCT, PASS_SELF}, .makes = BD_ARRAY_DESCRIPTOR_3D)

static PyMethodDef array_methods[] = {
    BD_ROW("free", array_free),
    BD_ROW("get_descriptor", array_get_descriptor),
    BD_ROW("get_descriptor_3d", array_get_descriptor_3d),
    {NULL},
};

BD_CLASS(ARRAY, "Array", bd_handle, array_new_doc, .new = array_new,
         .methods = array_methods, .getset = bd_handle_getset, .repr = array_repr,
         PY_RELEASE(array_release));
