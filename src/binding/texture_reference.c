/* Texture and surface references, which a module declares and programs bind memory to.
   Compilers for GPUs have none since CUDA 12, so they exist on the host device alone;
   elsewhere an error says what to do. A reference keeps its Module and what was bound
   last alive. */
#include "arrays.h"

#define TEXREF(self) BD_HANDLE(CUtexref, self)

int bd_references_exist(const char *what)
{
    if (!drv_get_info() || drv_get_info()->is_host)
        return 0;
    PyErr_Format(
        PyExc_NotImplementedError,
        "%s: texture and surface references were removed from the compilers for GPUs "
        "with CUDA 12; pass driver.TextureObject(array) or driver.SurfaceObject(array) "
        "to the kernel, as a cudaTextureObject_t or cudaSurfaceObject_t, instead",
        what);
    return -1;
}

/* -- TextureReference ----------------------------------------------------------- */

BD_NEW(
    texref_new, 0, 0, "TextureReference()",
    "A texture that a module declares: Module.get_texref gives it. On the host device "
    "alone: compilers for GPUs have none since CUDA 12, use TextureObject. CUDA: "
    "cuTexRefCreate.")
{
    bd_context *context = bd_context_current(state);
    if (!context || bd_references_exist("TextureReference"))
        return NULL;
    return BD_MAKE(state, py_object_new_of(type, context, NULL), cuTexRefCreate,
                   CUtexref);
}

BD_DESTROYED(texref_release, cuTexRefDestroy)

BD_METHOD(texref_set_array, 1, 1, "set_array($self, array)",
          "Binds an Array; its format becomes the reference's. CUDA: cuTexRefSetArray.")
{
    bd_state *state = bd_state_from(self);
    CUarray array;
    if (bd_context_check_of(self) || bd_array(state, in[0], &array) ||
        BD_CALL_UNLOCKED(state, cuTexRefSetArray, TEXREF(self), array,
                         CU_TRSA_OVERRIDE_FORMAT))
        return NULL;
    return bd_hold(self, in[0]);
}

BD_METHOD(
    texref_set_address, 2, 3, "set_address($self, devptr, bytes, allow_offset=False)",
    "Binds device memory, for tex1Dfetch. Returns the offset in bytes that kernels "
    "have to add, which is 0 unless it is allowed. CUDA: cuTexRefSetAddress.")
{
    bd_state *state = bd_state_from(self);
    CUdeviceptr pointer;
    size_t bytes, offset = 0;
    int allowed = 0;
    if (bd_context_check_of(self) || bd_pointer(state, in[0], &pointer) ||
        py_size(in[1], "bytes", &bytes) || py_flag(in[2], &allowed) ||
        BD_CALL_UNLOCKED(state, cuTexRefSetAddress, &offset, TEXREF(self), pointer,
                         bytes))
        return NULL;
    if (offset && !allowed)
        return bd_raise_because(state, CUDA_ERROR_INVALID_VALUE,
                                "texture_reference::set_address",
                                "texture binding resulted in offset, but allow_offset "
                                "was false");
    Py_DECREF(bd_hold(self, in[0]));
    return PyLong_FromSize_t(offset);
}

BD_METHOD(texref_set_address_2d, 3, 3, "set_address_2d($self, devptr, descr, pitch)",
          "Binds device memory of the shape that an ArrayDescriptor gives, with pitch "
          "bytes from row to row. CUDA: cuTexRefSetAddress2D.")
{
    bd_state *state = bd_state_from(self);
    CUDA_ARRAY_DESCRIPTOR shape;
    CUdeviceptr pointer;
    size_t pitch;
    if (bd_context_check_of(self) || bd_pointer(state, in[0], &pointer) ||
        bd_array_descriptor(state, in[1], &shape) || py_size(in[2], "pitch", &pitch) ||
        BD_CALL_UNLOCKED(state, cuTexRefSetAddress2D, TEXREF(self), &shape, pointer,
                         pitch))
        return NULL;
    return bd_hold(self, in[0]);
}

BD_RUN(texref_set_format, 2, 2, cuTexRefSetFormat, "!@ui",
       "set_format($self, format, num_components)",
       "What bound memory is taken for: array_format and 1, 2 or 4.")
BD_RUN(texref_set_address_mode, 2, 2, cuTexRefSetAddressMode, "!@iu",
       "set_address_mode($self, dim, am)",
       "What lies outside along a dimension: address_mode.")
BD_RUN(texref_set_filter_mode, 1, 1, cuTexRefSetFilterMode, "!@u",
       "set_filter_mode($self, fm)", "POINT or LINEAR: filter_mode.")
BD_RUN(texref_set_flags, 1, 1, cuTexRefSetFlags, "!@u", "set_flags($self, flags)",
       "A sum of TRSF_READ_AS_INTEGER and TRSF_NORMALIZED_COORDINATES.")
BD_RUN(texref_get_address, 0, 0, cuTexRefGetAddress, "P@", "get_address($self)",
       "The address that is bound.")
BD_RUN(texref_get_array, 0, 0, cuTexRefGetArray, "A@", "get_array($self)",
       "The Array that is bound.")
BD_RUN(texref_get_address_mode, 1, 1, cuTexRefGetAddressMode, "E(address_mode)@i",
       "get_address_mode($self, dim)", "The address_mode of a dimension.")
BD_RUN(texref_get_filter_mode, 0, 0, cuTexRefGetFilterMode, "E(filter_mode)@",
       "get_filter_mode($self)", "The filter_mode.")
BD_RUN(texref_get_format, 0, 0, cuTexRefGetFormat, "E(array_format)I@",
       "get_format($self)", "(array_format, number of channels).")
BD_RUN(texref_get_flags, 0, 0, cuTexRefGetFlags, "U@", "get_flags($self)",
       "A sum of TRSF_ flags.")

static PyMethodDef texref_methods[] = {
    BD_ROW("set_array", texref_set_array),
    BD_ROW("set_address", texref_set_address),
    BD_ROW("set_address_2d", texref_set_address_2d),
    BD_ROW("set_format", texref_set_format),
    BD_ROW("set_address_mode", texref_set_address_mode),
    BD_ROW("set_filter_mode", texref_set_filter_mode),
    BD_ROW("set_flags", texref_set_flags),
    BD_ROW("get_address", texref_get_address),
    BD_ROW("get_array", texref_get_array),
    BD_ROW("get_address_mode", texref_get_address_mode),
    BD_ROW("get_filter_mode", texref_get_filter_mode),
    BD_ROW("get_format", texref_get_format),
    BD_ROW("get_flags", texref_get_flags),
    {NULL},
};

BD_CLASS(TEXTURE_REFERENCE, "TextureReference", bd_handle, texref_new_doc,
         .new = texref_new, .repr = bd_handle_repr, .methods = texref_methods,
         .getset = bd_handle_getset, PY_RELEASE(texref_release));

/* -- SurfaceReference ----------------------------------------------------------- */

BD_METHOD(surfref_set_array, 1, 2, "set_array($self, array, flags=0)",
          "Binds an Array that was made with array3d_flags.SURFACE_LDST. CUDA: "
          "cuSurfRefSetArray.")
{
    bd_state *state = bd_state_from(self);
    unsigned flags = 0;
    CUarray array;
    if (bd_context_check_of(self) || bd_array(state, in[0], &array) ||
        py_flags(in[1], "flags", &flags) ||
        BD_CALL_UNLOCKED(state, cuSurfRefSetArray, BD_HANDLE(CUsurfref, self), array,
                         flags))
        return NULL;
    return bd_hold(self, in[0]);
}

BD_RUN(surfref_get_array, 0, 0, cuSurfRefGetArray, "A@", "get_array($self)",
       "The Array that is bound.")

static PyMethodDef surfref_methods[] = {
    BD_ROW("set_array", surfref_set_array),
    BD_ROW("get_array", surfref_get_array),
    {NULL},
};

BD_CLASS(SURFACE_REFERENCE, "SurfaceReference", bd_handle,
         "A surface that a module declares: Module.get_surfref gives it. On the host "
         "device alone: compilers for GPUs have none since CUDA 12, use SurfaceObject.",
         .repr = bd_handle_repr, .methods = surfref_methods,
         .getset = bd_handle_getset);
