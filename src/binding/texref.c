/* TextureReference and SurfaceReference: the old way to textures. CUDA 12 removed them
   from the compilers, so only images made before can hold any; texture objects have
   taken their place. The driver calls still exist, and are all that is here. */
#include <limits.h>
#include "arrays.h"
#include "kernel.h"

typedef struct {
    bd_object base; /* parent: the Module, other: the bound Array */
    CUtexref handle;
    int owned;
} texref;

typedef struct {
    bd_object base;
    CUsurfref handle;
} surfref;

#define HANDLE(self) (((texref *)(self))->handle)
#define SURFACE(self) (((surfref *)(self))->handle)
#define CONTEXT(self) (((bd_object *)(self))->context)

static PyObject *none_unless(int failed)
{
    return failed ? NULL : Py_NewRef(Py_None);
}

PyObject *bd_texref_borrow(PyObject *module, CUtexref handle)
{
    texref *self = bd_object_new(bd_state_from(module), BD_TEXTURE_REFERENCE,
                                 CONTEXT(module), module);
    if (self)
        self->handle = handle;
    return (PyObject *)self;
}

PyObject *bd_surfref_borrow(PyObject *module, CUsurfref handle)
{
    surfref *self = bd_object_new(bd_state_from(module), BD_SURFACE_REFERENCE,
                                  CONTEXT(module), module);
    if (self)
        self->handle = handle;
    return (PyObject *)self;
}

static PyObject *texref_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    bd_state *state = bd_state_of(type);
    bd_context *context = bd_context_current(state);
    texref *self = context ? bd_object_new_of(type, context, NULL) : NULL;
    if (self && BD_CALL(state, cuTexRefCreate, &self->handle))
        Py_CLEAR(self);
    else if (self)
        self->owned = 1;
    return (PyObject *)self;
}

static void texref_finalize(PyObject *self)
{
    if (((texref *)self)->owned)
        BD_RELEASE(self, cuTexRefDestroy, HANDLE(self));
    ((texref *)self)->owned = 0;
}

BD_METHOD(set_array, 1, 1, "set_array($self, array)",
          "Binds an Array, which is kept alive. CUDA: cuTexRefSetArray.")
{
    bd_state *state = bd_state_from(self);
    CUarray array;
    if (bd_context_check(CONTEXT(self)) || bd_array(state, in[0], &array) ||
        BD_CALL(state, cuTexRefSetArray, HANDLE(self), array, CU_TRSA_OVERRIDE_FORMAT))
        return NULL;
    Py_XSETREF(((bd_object *)self)->other, Py_NewRef(in[0]));
    Py_RETURN_NONE;
}

BD_METHOD(set_address, 2, 3, "set_address($self, devptr, bytes, allow_offset=False)",
          "Binds device memory and returns the offset in bytes that fetches must add. "
          "CUDA: cuTexRefSetAddress.")
{
    bd_state *state = bd_state_from(self);
    CUdeviceptr pointer;
    size_t bytes, offset;
    int allowed = 0;
    if (bd_context_check(CONTEXT(self)) || bd_pointer(state, in[0], &pointer) ||
        bd_size(in[1], "bytes", &bytes) || bd_flag(in[2], &allowed) ||
        BD_CALL(state, cuTexRefSetAddress, &offset, HANDLE(self), pointer, bytes))
        return NULL;
    if (offset && !allowed)
        return bd_raise_because(state, CUDA_ERROR_INVALID_VALUE,
                                "texture_reference::set_address",
                                "texture binding resulted in offset, but allow_offset "
                                "was false");
    return PyLong_FromSize_t(offset);
}

BD_METHOD(set_address_2d, 3, 3, "set_address_2d($self, devptr, descr, pitch)",
          "Binds pitched device memory of an ArrayDescriptor's shape. CUDA: "
          "cuTexRefSetAddress2D.")
{
    bd_state *state = bd_state_from(self);
    CUdeviceptr pointer;
    CUDA_ARRAY_DESCRIPTOR descriptor;
    size_t pitch;
    return none_unless(bd_context_check(CONTEXT(self)) ||
                       bd_pointer(state, in[0], &pointer) ||
                       bd_array_descriptor(state, in[1], &descriptor) ||
                       bd_size(in[2], "pitch", &pitch) ||
                       BD_CALL(state, cuTexRefSetAddress2D, HANDLE(self), &descriptor,
                               pointer, pitch));
}

BD_METHOD(set_format, 2, 2, "set_format($self, format, num_components)",
          "array_format and 1, 2 or 4 components. CUDA: cuTexRefSetFormat.")
{
    unsigned format = 0, components = 0;
    return none_unless(bd_context_check(CONTEXT(self)) ||
                       bd_flags(in[0], "format", &format) ||
                       bd_flags(in[1], "num_components", &components) ||
                       BD_CALL(bd_state_from(self), cuTexRefSetFormat, HANDLE(self),
                               format, (int)components));
}

BD_METHOD(set_address_mode, 2, 2, "set_address_mode($self, dim, am)",
          "address_mode of dimension 0, 1 or 2. CUDA: cuTexRefSetAddressMode.")
{
    unsigned dimension = 0, mode = 0;
    return none_unless(bd_context_check(CONTEXT(self)) ||
                       bd_flags(in[0], "dim", &dimension) ||
                       bd_flags(in[1], "am", &mode) ||
                       BD_CALL(bd_state_from(self), cuTexRefSetAddressMode,
                               HANDLE(self), (int)dimension, mode));
}

BD_METHOD(set_filter_mode, 1, 1, "set_filter_mode($self, fm)",
          "filter_mode. CUDA: cuTexRefSetFilterMode.")
{
    unsigned mode = 0;
    return none_unless(
        bd_context_check(CONTEXT(self)) || bd_flags(in[0], "fm", &mode) ||
        BD_CALL(bd_state_from(self), cuTexRefSetFilterMode, HANDLE(self), mode));
}

BD_METHOD(set_flags, 1, 1, "set_flags($self, flags)",
          "TRSF_READ_AS_INTEGER, TRSF_NORMALIZED_COORDINATES. CUDA: cuTexRefSetFlags.")
{
    unsigned flags = 0;
    return none_unless(
        bd_context_check(CONTEXT(self)) || bd_flags(in[0], "flags", &flags) ||
        BD_CALL(bd_state_from(self), cuTexRefSetFlags, HANDLE(self), flags));
}

BD_METHOD(get_address, 0, 0, "get_address($self)",
          "The bound address. CUDA: cuTexRefGetAddress.")
{
    CUdeviceptr pointer;
    if (bd_context_check(CONTEXT(self)) ||
        BD_CALL(bd_state_from(self), cuTexRefGetAddress, &pointer, HANDLE(self)))
        return NULL;
    return PyLong_FromUnsignedLongLong(pointer);
}

BD_METHOD(get_array, 0, 0, "get_array($self)",
          "The bound Array, or None. CUDA: cuTexRefGetArray.")
{
    CUarray array;
    if (bd_context_check(CONTEXT(self)) ||
        BD_CALL(bd_state_from(self), cuTexRefGetArray, &array, HANDLE(self)))
        return NULL;
    return bd_array_borrow(bd_state_from(self), array, self);
}

BD_METHOD(get_address_mode, 1, 1, "get_address_mode($self, dim)",
          "address_mode of a dimension. CUDA: cuTexRefGetAddressMode.")
{
    unsigned dimension = 0;
    CUaddress_mode mode;
    if (bd_context_check(CONTEXT(self)) || bd_flags(in[0], "dim", &dimension) ||
        BD_CALL(bd_state_from(self), cuTexRefGetAddressMode, &mode, HANDLE(self),
                (int)dimension))
        return NULL;
    return bd_enum_member(bd_state_from(self), "address_mode", mode);
}

BD_METHOD(get_filter_mode, 0, 0, "get_filter_mode($self)",
          "filter_mode. CUDA: cuTexRefGetFilterMode.")
{
    CUfilter_mode mode;
    if (bd_context_check(CONTEXT(self)) ||
        BD_CALL(bd_state_from(self), cuTexRefGetFilterMode, &mode, HANDLE(self)))
        return NULL;
    return bd_enum_member(bd_state_from(self), "filter_mode", mode);
}

BD_METHOD(get_format, 0, 0, "get_format($self)",
          "(array_format, number of components). CUDA: cuTexRefGetFormat.")
{
    CUarray_format format;
    int components;
    if (bd_context_check(CONTEXT(self)) ||
        BD_CALL(bd_state_from(self), cuTexRefGetFormat, &format, &components,
                HANDLE(self)))
        return NULL;
    return Py_BuildValue(
        "Ni", bd_enum_member(bd_state_from(self), "array_format", format), components);
}

BD_METHOD(get_flags, 0, 0, "get_flags($self)", "CUDA: cuTexRefGetFlags.")
{
    unsigned flags;
    if (bd_context_check(CONTEXT(self)) ||
        BD_CALL(bd_state_from(self), cuTexRefGetFlags, &flags, HANDLE(self)))
        return NULL;
    return PyLong_FromUnsignedLong(flags);
}

static PyMethodDef texref_methods[] = {
    BD_ROW("set_array", set_array),
    BD_ROW("set_address", set_address),
    BD_ROW("set_address_2d", set_address_2d),
    BD_ROW("set_format", set_format),
    BD_ROW("set_address_mode", set_address_mode),
    BD_ROW("set_filter_mode", set_filter_mode),
    BD_ROW("set_flags", set_flags),
    BD_ROW("get_address", get_address),
    BD_ROW("get_array", get_array),
    BD_ROW("get_address_mode", get_address_mode),
    BD_ROW("get_filter_mode", get_filter_mode),
    BD_ROW("get_format", get_format),
    BD_ROW("get_flags", get_flags),
    {NULL},
};

static PyType_Slot TEXTURE_REFERENCE_slots[] = {
    BD_SLOTS("TextureReference()\n--\n\nA texture reference; CUDA 12 compilers know "
             "none. CUDA: cuTexRefCreate."),
    {Py_tp_new, texref_new},
    {Py_tp_methods, texref_methods},
    {Py_tp_finalize, texref_finalize},
    {0, NULL},
};

BD_SPEC(TEXTURE_REFERENCE, "TextureReference", texref);

BD_METHOD(surface_set_array, 1, 2, "set_array($self, array, flags=0)",
          "Binds an Array, which is kept alive. CUDA: cuSurfRefSetArray.")
{
    bd_state *state = bd_state_from(self);
    CUarray array;
    unsigned flags = 0;
    if (bd_context_check(CONTEXT(self)) || bd_array(state, in[0], &array) ||
        bd_flags(in[1], "flags", &flags) ||
        BD_CALL(state, cuSurfRefSetArray, SURFACE(self), array, flags))
        return NULL;
    Py_XSETREF(((bd_object *)self)->other, Py_NewRef(in[0]));
    Py_RETURN_NONE;
}

BD_METHOD(surface_get_array, 0, 0, "get_array($self)",
          "The bound Array, or None. CUDA: cuSurfRefGetArray.")
{
    CUarray array;
    if (bd_context_check(CONTEXT(self)) ||
        BD_CALL(bd_state_from(self), cuSurfRefGetArray, &array, SURFACE(self)))
        return NULL;
    return bd_array_borrow(bd_state_from(self), array, self);
}

static PyMethodDef surface_methods[] = {
    BD_ROW("set_array", surface_set_array),
    BD_ROW("get_array", surface_get_array),
    {NULL},
};

static PyType_Slot SURFACE_REFERENCE_slots[] = {
    BD_SLOTS("A surface reference of a Module; CUDA 12 compilers know none."),
    BD_NO_INIT,
    {Py_tp_methods, surface_methods},
    {0, NULL},
};

BD_SPEC(SURFACE_REFERENCE, "SurfaceReference", surfref);
