/* Texture and surface objects, and the two descriptors that they are made of. An object
   keeps what it reads (an Array, an allocation) alive; kernels take it as it is, for a
   parameter of type cudaTextureObject_t or cudaSurfaceObject_t. */
#include "arrays.h"
#include "memory.h"

typedef struct {
    py_object base; /* other: the Array or memory */
    CUDA_RESOURCE_DESC value;
} resource;

typedef struct {
    py_object base;
    CUDA_TEXTURE_DESC value;
} texture;

#define RESOURCE(self) (&((resource *)(self))->value)
#define TEXTURE(self) (&((texture *)(self))->value)

/* -- ResourceDescriptor --------------------------------------------------------- */

static int take_array(bd_state *state, PyObject *array, CUDA_RESOURCE_DESC *value)
{
    CUarray handle;
    if (bd_array(state, array, &handle))
        return -1;
    *value = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY};
    value->res.array.hArray = handle;
    return 0;
}

BD_METHOD(resource_set_array, 1, 1, "set_array($self, array)",
          "An Array, of one to three dimensions, layered or a cube map.")
{
    return take_array(bd_state_from(self), in[0], RESOURCE(self))
               ? NULL
               : bd_hold(self, in[0]);
}

BD_METHOD(resource_set_address, 4, 4,
          "set_address($self, devptr, bytes, format, num_channels)",
          "Linear device memory, for tex1Dfetch; format: array_format.")
{
    CUDA_RESOURCE_DESC value = {.resType = CU_RESOURCE_TYPE_LINEAR};
    unsigned format = 0;
    if (bd_pointer(bd_state_from(self), in[0], &value.res.linear.devPtr) ||
        py_size(in[1], "bytes", &value.res.linear.sizeInBytes) ||
        py_flags(in[2], "format", &format) ||
        py_flags(in[3], "num_channels", &value.res.linear.numChannels))
        return NULL;
    value.res.linear.format = format;
    *RESOURCE(self) = value;
    return bd_hold(self, in[0]);
}

BD_METHOD(resource_set_address_2d, 3, 3, "set_address_2d($self, devptr, descr, pitch)",
          "Device memory of the shape that an ArrayDescriptor gives, with pitch bytes "
          "from row to row.")
{
    bd_state *state = bd_state_from(self);
    CUDA_RESOURCE_DESC value = {.resType = CU_RESOURCE_TYPE_PITCH2D};
    CUDA_ARRAY_DESCRIPTOR shape;
    if (bd_pointer(state, in[0], &value.res.pitch2D.devPtr) ||
        bd_array_descriptor(state, in[1], &shape) ||
        py_size(in[2], "pitch", &value.res.pitch2D.pitchInBytes))
        return NULL;
    value.res.pitch2D.format = shape.Format;
    value.res.pitch2D.numChannels = shape.NumChannels;
    value.res.pitch2D.width = shape.Width;
    value.res.pitch2D.height = shape.Height;
    *RESOURCE(self) = value;
    return bd_hold(self, in[0]);
}

static PyMethodDef resource_methods[] = {
    BD_ROW("set_array", resource_set_array),
    BD_ROW("set_address", resource_set_address),
    BD_ROW("set_address_2d", resource_set_address_2d),
    {NULL},
};

static PyObject *resource_repr(PyObject *self)
{
    PyObject *kept = ((py_object *)self)->other;
    return kept ? bd_show(self, NULL, "of %s", Py_TYPE(kept)->tp_name)
                : bd_show(self, "not set", "");
}

BD_CLASS(RESOURCE_DESCRIPTOR, "ResourceDescriptor", resource,
         "ResourceDescriptor()\n--\n\nWhat a TextureObject reads or a SurfaceObject "
         "reads and writes; set_array, set_address or set_address_2d says it.",
         .new = py_object_plain_new, .methods = resource_methods,
         .repr = resource_repr);

/* -- TextureDescriptor ---------------------------------------------------------- */

static void texture_defaults(CUDA_TEXTURE_DESC *value)
{
    for (int d = 0; d < 3; d++)
        value->addressMode[d] = CU_TR_ADDRESS_MODE_CLAMP;
    value->flags = CU_TRSF_READ_AS_INTEGER;
}

BD_NEW(texture_new, 0, 0, "TextureDescriptor()",
       "How a TextureObject reads: filter_mode (POINT), flags (TRSF_READ_AS_INTEGER, "
       "which is as it is; without it 8 and 16-bit integers are floats of 0 or -1 to "
       "1), set_address_mode (CLAMP), set_border_color, max_anisotropy.")
{
    texture *self = py_object_new_of(type, NULL, NULL);
    if (self)
        texture_defaults(&self->value);
    return (PyObject *)self;
}

static int dimension(PyObject *object, int64_t *d)
{
    return py_signed(object, "dim", 0, 2, d);
}

BD_METHOD(texture_set_address_mode, 2, 2, "set_address_mode($self, dim, am)",
          "What lies outside along dimension 0, 1 or 2: address_mode. WRAP and MIRROR "
          "need TRSF_NORMALIZED_COORDINATES.")
{
    unsigned mode = 0;
    int64_t d;
    if (dimension(in[0], &d) || py_flags(in[1], "am", &mode))
        return NULL;
    TEXTURE(self)->addressMode[d] = mode;
    Py_RETURN_NONE;
}

BD_METHOD(texture_get_address_mode, 1, 1, "get_address_mode($self, dim)",
          "The address_mode of dimension 0, 1 or 2.")
{
    int64_t d;
    if (dimension(in[0], &d))
        return NULL;
    return bd_enum_member(bd_state_from(self), "address_mode",
                          TEXTURE(self)->addressMode[d]);
}

BD_METHOD(texture_set_border_color, 4, 4, "set_border_color($self, r, g, b, a)",
          "What address mode BORDER reads outside; floats.")
{
    float color[4];
    for (int c = 0; c < 4; c++) {
        color[c] = (float)PyFloat_AsDouble(in[c]);
        if (PyErr_Occurred())
            return NULL;
    }
    memcpy(TEXTURE(self)->borderColor, color, sizeof color);
    Py_RETURN_NONE;
}

BD_METHOD(texture_get_border_color, 0, 0, "get_border_color($self)",
          "Four floats: r, g, b, a.")
{
    const float *c = TEXTURE(self)->borderColor;
    return Py_BuildValue("ffff", c[0], c[1], c[2], c[3]);
}

static PyMethodDef texture_methods[] = {
    BD_ROW("set_address_mode", texture_set_address_mode),
    BD_ROW("get_address_mode", texture_get_address_mode),
    BD_ROW("set_border_color", texture_set_border_color),
    BD_ROW("get_border_color", texture_get_border_color),
    {NULL},
};

static PyGetSetDef texture_getset[] = {
    BD_NUMBER("filter_mode", texture, value.filterMode, "filter_mode"),
    BD_NUMBER("flags", texture, value.flags, NULL),
    BD_NUMBER("max_anisotropy", texture, value.maxAnisotropy, NULL),
    {NULL},
};

static PyObject *texture_repr(PyObject *self)
{
    bd_state *state = bd_state_from(self);
    PyObject *filter = bd_enum_member(state, "filter_mode", TEXTURE(self)->filterMode);
    PyObject *mode =
        filter ? bd_enum_member(state, "address_mode", TEXTURE(self)->addressMode[0])
               : NULL;
    PyObject *text = mode ? bd_show(self, NULL, "%S, %S, flags %u", filter, mode,
                                    TEXTURE(self)->flags)
                          : NULL;
    Py_XDECREF(filter);
    Py_XDECREF(mode);
    return text;
}

BD_CLASS(TEXTURE_DESCRIPTOR, "TextureDescriptor", texture, texture_new_doc,
         .new = texture_new, .methods = texture_methods, .getset = texture_getset,
         .repr = texture_repr);

/* -- Objects -------------------------------------------------------------------- */

/* A ResourceDescriptor, or an Array in its place. `holder`: the object to keep,
 * borrowed. */
static int take_resource(bd_state *state, PyObject *object, CUDA_RESOURCE_DESC *value,
                         PyObject **holder)
{
    if (PyObject_TypeCheck(object, state->type[BD_ARRAY])) {
        *holder = object;
        return take_array(state, object, value);
    }
    if (bd_instance(state, object, BD_RESOURCE_DESCRIPTOR, "resource"))
        return -1;
    *value = *RESOURCE(object);
    *holder = ((py_object *)object)->other;
    if (*holder)
        return 0;
    PyErr_SetString(PyExc_ValueError, "resource: nothing was set in the descriptor");
    return -1;
}

/* A texture or surface object without a handle yet; `source`: the memory that it is to
 * read. */
static void *object_of(PyTypeObject *type, bd_state *state, PyObject *resource,
                       CUDA_RESOURCE_DESC *source)
{
    PyObject *holder;
    bd_context *context = bd_context_current(state);
    if (!context || take_resource(state, resource, source, &holder))
        return NULL;
    void *self = py_object_new_of(type, context, NULL);
    if (self)
        Py_DECREF(bd_hold(self, holder));
    return self;
}

BD_NEW(texture_object_new, 1, 2, "TextureObject(resource, texture=None)",
       "A texture that kernels take as a cudaTextureObject_t. resource: an Array or a "
       "ResourceDescriptor; texture: a TextureDescriptor. CUDA: cuTexObjectCreate.")
{
    CUDA_RESOURCE_DESC source;
    CUDA_TEXTURE_DESC reading = {0};
    if (!in[1] || in[1] == Py_None)
        texture_defaults(&reading);
    else if (bd_instance(state, in[1], BD_TEXTURE_DESCRIPTOR, "texture"))
        return NULL;
    else
        reading = *TEXTURE(in[1]);
    return BD_MAKE(state, object_of(type, state, in[0], &source), cuTexObjectCreate,
                   CUtexObject, &source, &reading, NULL);
}

BD_NEW(surface_object_new, 1, 1, "SurfaceObject(resource)",
       "An Array made with array3d_flags.SURFACE_LDST, or a ResourceDescriptor of one, "
       "that kernels take as a cudaSurfaceObject_t. CUDA: cuSurfObjectCreate.")
{
    CUDA_RESOURCE_DESC source;
    return BD_MAKE(state, object_of(type, state, in[0], &source), cuSurfObjectCreate,
                   CUsurfObject, &source);
}

/* The release, free() and the class of both. */
#define OBJECT(id, name, lower, entry)                                             \
    BD_DESTROYED(lower##_release, entry)                                           \
    BD_METHOD(lower##_free, 0, 0, "free($self)",                                   \
              "Destroys it now; harmless the second time. CUDA: " #entry ".")      \
    {                                                                              \
        lower##_release(self);                                                     \
        Py_RETURN_NONE;                                                            \
    }                                                                              \
    static PyMethodDef lower##_methods[] = {BD_ROW("free", lower##_free), {NULL}}; \
    BD_CLASS(id, name, bd_handle, lower##_new_doc, .new = lower##_new,             \
             .methods = lower##_methods, .getset = bd_handle_getset,               \
             .repr = bd_handle_repr, PY_RELEASE(lower##_release))
OBJECT(TEXTURE_OBJECT, "TextureObject", texture_object, cuTexObjectDestroy);
OBJECT(SURFACE_OBJECT, "SurfaceObject", surface_object, cuSurfObjectDestroy);

int bd_texture_value(bd_state *state, PyObject *object, CUdeviceptr *value)
{
    if (!PyObject_TypeCheck(object, state->type[BD_TEXTURE_OBJECT]) &&
        !PyObject_TypeCheck(object, state->type[BD_SURFACE_OBJECT]))
        return 0;
    *value = ((bd_handle *)object)->handle;
    return bd_handle_check(object, "it was freed") ? -1 : 1;
}
