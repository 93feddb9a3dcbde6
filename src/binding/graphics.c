/* OpenGL's buffers and images as device memory and arrays: registered once, mapped
   while kernels work on them. The driver finds the current OpenGL context by itself;
   nothing is linked for it. pycuda/gl puts PyCUDA's older classes on top. */
#include "calls.h"
#include "context.h"

typedef struct {
    py_object base;
    CUgraphicsResource handle; /* as in bd_handle */
    unsigned name;             /* OpenGL's */
} registered;

/* parent: the registered object; other: the stream, or NULL. */
typedef struct {
    py_object base;
    CUgraphicsResource handle; /* borrowed from the parent; NULL: unmapped */
} mapping;

#define REGISTERED(self) ((registered *)(self))
#define MAPPING(self) ((mapping *)(self))
#define GONE "it was unregistered before"

/* -- Registered objects --------------------------------------------------------- */

BD_DESTROYED(registered_release, cuGraphicsUnregisterResource)

BD_METHOD(registered_unregister, 0, 0, "unregister($self)",
          "Gives the object back to OpenGL alone. LogicError the second time. CUDA: "
          "cuGraphicsUnregisterResource.")
{
    CUgraphicsResource handle = REGISTERED(self)->handle;
    if (bd_handle_check(self, GONE))
        return NULL;
    REGISTERED(self)->handle = NULL;
    return BD_CALL_UNLOCKED(bd_state_from(self), cuGraphicsUnregisterResource, handle)
               ? NULL
               : Py_NewRef(Py_None);
}

BD_METHOD(registered_gl_handle, 0, 0, "gl_handle($self)", "OpenGL's name of it.")
{
    return PyLong_FromUnsignedLong(REGISTERED(self)->name);
}

BD_METHOD(registered_map, 0, 1, "map($self, stream=None)",
          "A RegisteredMapping: OpenGL must leave the object alone until that is "
          "unmapped. CUDA: cuGraphicsMapResources.")
{
    bd_state *state = bd_state_from(self);
    CUstream stream;
    if (bd_handle_check(self, GONE) || bd_stream(state, in[0], &stream))
        return NULL;
    mapping *made =
        bd_object_new(state, BD_REGISTERED_MAPPING, BD_CONTEXT_OF(self), self);
    if (made && BD_CALL_UNLOCKED(state, cuGraphicsMapResources, 1,
                                 &REGISTERED(self)->handle, stream))
        Py_CLEAR(made);
    if (made) {
        made->handle = REGISTERED(self)->handle;
        made->base.other = Py_XNewRef(in[0]);
    }
    return (PyObject *)made;
}

static PyMethodDef registered_methods[] = {
    BD_ROW("gl_handle", registered_gl_handle),
    BD_ROW("unregister", registered_unregister),
    BD_ROW("map", registered_map),
    {NULL},
};

static PyObject *registered_repr(PyObject *self)
{
    return bd_show(self, REGISTERED(self)->handle ? NULL : "unregistered",
                   "%u of OpenGL's", REGISTERED(self)->name);
}

BD_CLASS(REGISTERED_OBJECT, "RegisteredObject", registered,
         "An object of OpenGL that CUDA may map.", .methods = registered_methods,
         .repr = registered_repr, PY_RELEASE(registered_release));

/* target 0: a buffer. */
static PyObject *registered_new(PyTypeObject *type, bd_state *state, PyObject *object,
                                PyObject *target_object, PyObject *flags_object)
{
    unsigned name = 0, target = 0, flags = 0;
    bd_context *context;
    if (py_flags(object, "bufobj", &name) ||
        py_flags(target_object, "target", &target) ||
        py_flags(flags_object, "flags", &flags) ||
        !(context = bd_context_current(state)))
        return NULL;
    registered *self = py_object_new_of(type, context, NULL);
    if (self)
        self->name = name;
    return target_object ? BD_MAKE(state, (void *)self, cuGraphicsGLRegisterImage,
                                   CUgraphicsResource, name, target, flags)
                         : BD_MAKE(state, (void *)self, cuGraphicsGLRegisterBuffer,
                                   CUgraphicsResource, name, flags);
}

BD_NEW(
    buffer_new, 1, 2, "RegisteredBuffer(bufobj, flags=0)",
    "A buffer of the current OpenGL context, by its name. flags: graphics_map_flags. "
    "CUDA: cuGraphicsGLRegisterBuffer.")
{
    return registered_new(type, state, in[0], NULL, in[1]);
}

BD_NEW(
    image_new, 2, 3, "RegisteredImage(bufobj, target, flags=0)",
    "A texture or renderbuffer of the current OpenGL context, by its name and target "
    "(GL_TEXTURE_2D, ...). CUDA: cuGraphicsGLRegisterImage.")
{
    return registered_new(type, state, in[0], in[1], in[2]);
}

BD_CLASS(REGISTERED_BUFFER, "RegisteredBuffer", registered, buffer_new_doc,
         .new = buffer_new);
BD_CLASS(REGISTERED_IMAGE, "RegisteredImage", registered, image_new_doc,
         .new = image_new);

/* -- Mappings ------------------------------------------------------------------- */

static CUresult unmap(PyObject *self, CUstream stream)
{
    CUgraphicsResource handle = MAPPING(self)->handle;
    const uint64_t slots[] = {1, (uintptr_t)&handle, (uintptr_t)stream};
    MAPPING(self)->handle = NULL;
    return bd_invoke_in(BD_CONTEXT_OF(self), bd_invoke_cuGraphicsUnmapResources, slots);
}

static void mapping_release(PyObject *self)
{
    CUstream stream = NULL;
    if (MAPPING(self)->handle) {
        if (bd_stream(bd_state_from(self), MAPPING(self)->base.other, &stream))
            PyErr_Clear(); /* it went before: the null stream waits for all */
        CUresult status = unmap(self, stream);
        if (status)
            bd_report(self, status, "cuGraphicsUnmapResources");
    }
}
PY_RELEASED(mapping_release)

BD_METHOD(
    mapping_unmap, 0, 1, "unmap($self, stream=None)",
    "Lets OpenGL use the object again, after the work of the stream; None: the one "
    "it was mapped in. LogicError the second time. CUDA: cuGraphicsUnmapResources.")
{
    bd_state *state = bd_state_from(self);
    PyObject *in_stream = in[0] && in[0] != Py_None ? in[0] : MAPPING(self)->base.other;
    CUstream stream;
    if (bd_handle_check(self, "it was unmapped before") ||
        bd_stream(state, in_stream, &stream) ||
        bd_check(state, unmap(self, stream), "cuGraphicsUnmapResources"))
        return NULL;
    Py_RETURN_NONE;
}

BD_RUN(mapping_pointer, 0, 0, cuGraphicsResourceGetMappedPointer,
       "device_ptr_and_size($self)", "(address, bytes) of a mapped buffer.",
       .passes = {OUT_ADDRESS, OUT_SIZE, PASS_SELF})
BD_RUN(mapping_array, 2, 2, cuGraphicsSubResourceGetMappedArray,
       "array($self, index, level)",
       "The Array of a mapped image: of a layer or face, and a mipmap level. It is "
       "OpenGL's, and valid until unmap().",
       .passes = {OUT_ARRAY, PASS_SELF, ARG_UINT32, ARG_UINT32})

static PyMethodDef mapping_methods[] = {
    BD_ROW("unmap", mapping_unmap),
    BD_ROW("device_ptr_and_size", mapping_pointer),
    BD_ROW("array", mapping_array),
    {NULL},
};

static PyObject *mapping_repr(PyObject *self)
{
    PyObject *object = ((py_object *)self)->parent;
    return bd_show(self, MAPPING(self)->handle ? NULL : "unmapped", "of %s",
                   object ? Py_TYPE(object)->tp_name : "nothing");
}

BD_CLASS(
    REGISTERED_MAPPING, "RegisteredMapping", mapping,
    "An object of OpenGL while CUDA has it; unmapped with the last reference. Made "
    "by RegisteredObject.map.",
    .methods = mapping_methods, .repr = mapping_repr, PY_RELEASE(mapping_release));

BD_METHOD(gl_make_context, 1, 2, "_gl_make_context(dev, flags=0)",
          "A new current Context on a Device that drives the current OpenGL context. "
          "CUDA: cuGLCtxCreate.")
{
    bd_state *state = bd_state_get(self);
    unsigned flags = 0;
    CUcontext handle;
    if (bd_instance(state, in[0], BD_DEVICE, "dev") ||
        py_flags(in[1], "flags", &flags) ||
        BD_CALL_UNLOCKED(state, cuGLCtxCreate, &handle, flags,
                         (CUdevice)((bd_handle *)in[0])->handle))
        return NULL;
    return bd_context_made(state, handle);
}

PyMethodDef bd_graphics_methods[] = {BD_ROW("_gl_make_context", gl_make_context),
                                     {NULL}};
